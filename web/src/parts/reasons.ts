// The facts of game/reasons.ts in words.

import type { Side } from "../game/clock";
import type { Reason } from "../game/reasons";
import type { Rule } from "../game/notation";
import { h } from "../ui/dom";
import { t } from "../messages/messages";

/** What the facts are about: the moves, who moves, and the rule. */
export interface Subject {
  readonly better: string;
  readonly worse: string;
  readonly side: Side;
  readonly rule: Rule;
}

/** How many facts are told: the weightiest. */
const MOST = 4;

/** The facts as a list, or one sentence if there are none. */
export function reasonList(found: readonly Reason[], subject: Subject): HTMLElement {
  if (found.length === 0) return h("p", { class: "reasons quiet" }, t("reason.none"));
  return h("ul", { class: "reasons" }, ...found.slice(0, MOST).map((reason) => h("li", { "data-reason": reason.kind }, sentence(reason, subject))));
}

/** One fact as a sentence. */
export function sentence(reason: Reason, { better, worse, side, rule }: Subject): string {
  const [own, other] = [t(`side.${side}`), t(side === "black" ? "side.white" : "side.black")];
  switch (reason.kind) {
    case "proved":
      return t("reason.proved", { better, worse, good: outcome(reason.better), bad: outcome(reason.worse) });
    case "wiped":
      return t(rule === "reversed" ? "reason.wiped.win" : "reason.wiped.loss", { line: reason.after.join(" "), side: own });
    case "corner-forced":
      return t("reason.corner.only", { line: reason.after.join(" "), side: other, squares: reason.squares.join(", ") });
    case "corner-suffered":
      return t("reason.corner.only", { line: reason.after.join(" "), side: own, squares: reason.squares.join(", ") });
    case "corner-taken":
    case "corner-won":
      return t("reason.corner.stays", { square: reason.square });
    case "corner-given":
      return t("reason.corner.given", { better, worse, side: other, squares: reason.squares.join(", ") });
    case "pass-given":
      return t("reason.pass", { move: worse, other, side: own });
    case "pass-forced":
      return t("reason.pass", { move: better, other, side: own });
    case "mobility":
      return t("reason.mobility", { better, worse, side: other, n: reason.better, more: reason.worse });
    case "parity":
      return t("reason.parity", { better, worse, good: reason.better, bad: reason.worse, first: own, second: other });
    case "flips":
      return t("reason.flips", { better, worse, n: reason.better, more: reason.worse });
  }
}

/** A proved score for the side that moves, in words. */
export function outcome(score: number): string {
  if (score === 0) return t("outcome.draw");
  return t(score > 0 ? "outcome.win" : "outcome.loss", { n: Math.abs(score) });
}
