// Short messages at the head of the window, which screen readers read out.

import { h } from "./dom";

const region = h("div", { class: "toasts", role: "status", "aria-live": "polite" });
const voice = h("div", { class: "visually-hidden", role: "status", "aria-live": "polite", id: "voice" });

/** Adds the live regions to the page; screen readers need them before the first message. */
export function addRegions(): void {
  document.body.append(region, voice);
}

/** Shows a message for some seconds. */
export function toast(message: string, kind: "plain" | "error" = "plain"): void {
  const note = h("p", { class: `toast ${kind}` }, message);
  // A dialog hides what is behind it, from screen readers too.
  const front = [...document.querySelectorAll("dialog[open]")].at(-1) ?? document.body;
  if (region.parentElement !== front) front.append(region);
  region.append(note);
  while (region.children.length > 3) region.firstElementChild?.remove();
  setTimeout(() => note.remove(), kind === "error" ? 7000 : 3500);
}

/** Sends a message to screen readers only: moves, passes, results. */
export function announce(message: string): void {
  if (voice.textContent !== message) voice.textContent = message;
}
