// How many mistakes each side of a game made, and what they cost.

import type { ReviewDone } from "../api/wire";
import { h } from "../ui/dom";
import { t } from "../messages/messages";
import { SIGNS } from "./moves";

/** The table; without an analysis its place is reserved, so that nothing below moves when it arrives. */
export function summaryTable(done: ReviewDone | null): HTMLElement {
  const row = (side: "black" | "white"): HTMLElement => {
    const sum = done?.[side];
    const counts = sum ? [sum.inaccuracies, sum.mistakes, sum.blunders, Math.round(sum.loss)] : ["–", "–", "–", "–"];
    return h(
      "tr",
      {},
      h("th", { scope: "row" }, h("span", { class: `stone small ${side}`, "aria-hidden": "true" }), t(`side.${side}`)),
      ...counts.map((count) => h("td", {}, count)),
    );
  };
  const marks = (["inaccuracy", "mistake", "blunder"] as const).map((mark) => h("th", { scope: "col", class: mark }, h("span", { class: "sign", "aria-hidden": "true" }, SIGNS[mark]), h("span", { class: "word" }, t(`mark.${mark}`))));
  return h(
    "table",
    {},
    h("thead", {}, h("tr", {}, h("td", {}), ...marks, h("th", { scope: "col" }, t("summary.loss")))),
    h("tbody", {}, row("black"), row("white")),
  );
}
