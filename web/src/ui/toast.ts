// Short messages at the foot of the screen, which screen readers read out.

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
  region.append(note);
  while (region.children.length > 3) region.firstElementChild?.remove();
  setTimeout(() => note.remove(), kind === "error" ? 7000 : 3500);
}

/** Sends a message to screen readers only: moves, passes, results. */
export function announce(message: string): void {
  if (voice.textContent !== message) voice.textContent = message;
}
