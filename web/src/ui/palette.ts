// The style sheet's colours for canvases, which do not know its names.

import { h } from "./dom";

/** What names such as `--accent` stand for in a place of the page, in the theme that it has now. */
export function palette(place: HTMLElement): (name: string) => string {
  const known = new Map<string, string>();
  const probe = h("span");
  return (name) => {
    let color = known.get(name);
    if (color === undefined) {
      // A variable's own value is its text, for both themes; the colour of an element is one colour.
      probe.style.setProperty("color", `var(${name})`);
      place.append(probe);
      color = getComputedStyle(probe).color;
      probe.remove();
      known.set(name, color);
    }
    return color;
  };
}
