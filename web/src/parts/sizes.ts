// The choice of a board's size.

import type { Size } from "../game/notation";
import { segmented } from "../ui/controls";
import { fill, h } from "../ui/dom";
import { t } from "../messages/messages";

/** The sizes of a list, one of which is chosen; `fill` offers others. */
export function sizeChoice(sizes: readonly Size[], value: Size, onchange: (size: Size) => void): HTMLElement & { fill(sizes: readonly Size[], value: Size): void } {
  const place = h("div", {});
  let shown = "";
  const offer = (sizes: readonly Size[], value: Size): void => {
    const now = `${sizes.join()} ${value}`;
    // Drawn anew only if it differs, because it may have the focus.
    if (now === shown) return;
    const had = place.contains(document.activeElement);
    shown = now;
    const choose = (size: string): void => {
      shown = `${sizes.join()} ${size}`;
      onchange(Number(size) as Size);
    };
    fill(place, segmented<string>(t("new.size"), sizes.map((size) => [String(size), `${size}×${size}`] as const), String(value), choose));
    if (had) place.querySelector<HTMLElement>("input:checked")?.focus();
  };
  offer(sizes, value);
  return Object.assign(place, { fill: offer });
}
