// What programs print and how long they take, as text.

import { h } from "../ui/dom";

/** Seconds, with thousandths if there are few. */
export function timeText(seconds: number): string {
  return seconds.toFixed(seconds < 1 ? 3 : 2);
}

/** Text of a program, as it is. Its box scrolls, also by the keyboard. */
export function text(words: string, label: string): HTMLElement {
  return h("pre", { class: "output", tabindex: 0, role: "region", "aria-label": label }, words);
}
