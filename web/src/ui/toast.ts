// Short words at the foot of the screen, read out by screen readers and gone after a while.

import { h } from "./dom";

const region = h("div", { class: "toasts", role: "status", "aria-live": "polite" });
const voice = h("div", { class: "visually-hidden", role: "status", "aria-live": "polite", id: "voice" });

/** Puts the regions on the page; they must be there before anything is said. */
export function stage(): void {
  document.body.append(region, voice);
}

/** Shows words for some seconds. */
export function toast(words: string, kind: "plain" | "error" = "plain"): void {
  const note = h("p", { class: `toast ${kind}` }, words);
  region.append(note);
  while (region.children.length > 3) region.firstElementChild?.remove();
  setTimeout(() => note.remove(), kind === "error" ? 7000 : 3500);
}

/** Says words to screen readers only: moves, passes, results. */
export function announce(words: string): void {
  if (voice.textContent !== words) voice.textContent = words;
}
