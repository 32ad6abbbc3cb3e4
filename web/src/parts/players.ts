// A list of players to choose from, with a line on the one that is chosen.

import type { App } from "../app";
import { type Groups, select } from "../ui/controls";
import { h, setText } from "../ui/dom";
import { aboutPlayer } from "./names";

let serial = 0;

/** A list like any other, and below it what the chosen player is. */
export function playerSelect(app: App, label: string, groups: Groups, value: string, onchange: (spec: string) => void, nameOf?: (spec: string) => string): ReturnType<typeof select> {
  const id = `about-${(serial += 1)}`;
  const about = h("p", { class: "about quiet small", id });
  let chosen = value;
  const describe = (spec: string, list?: HTMLElement): void => {
    chosen = spec;
    setText(about, aboutPlayer(app.agents, spec));
    about.hidden = about.textContent === "";
    list?.querySelector("select")?.setAttribute("title", about.textContent);
  };
  const list: ReturnType<typeof select> = select(
    label,
    groups,
    value,
    (spec) => {
      describe(spec, list);
      onchange(spec);
    },
    true,
    nameOf,
  );
  list.querySelector("select")!.setAttribute("aria-describedby", id);
  list.append(about);
  list.classList.add("player");
  const { set } = list;
  describe(value, list);
  return Object.assign(list, {
    set(spec: string): void {
      set(spec);
      if (spec !== chosen) describe(spec, list);
    },
  });
}
