// Resolves the style sheet's colours for canvases.

import { h } from "./dom";

/** Resolves names such as `--accent` at an element, in the current theme. */
export function palette(place: HTMLElement): (name: string) => string {
  const known = new Map<string, string>();
  const probe = h("span");
  return (name) => {
    let color = known.get(name);
    if (color === undefined) {
      // The value of a variable is text for both themes; the computed colour of an element is one colour.
      probe.style.setProperty("color", `var(${name})`);
      place.append(probe);
      color = getComputedStyle(probe).color;
      probe.remove();
      known.set(name, color);
    }
    return color;
  };
}
