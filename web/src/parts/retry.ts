// The card in which a person retries the mistakes of a game: the question, the answer and its reasons.

import type { Side } from "../game/clock";
import type { Retry } from "../game/retry";
import type { Rule } from "../game/notation";
import { button, card, select } from "../ui/controls";
import { fill, h } from "../ui/dom";
import { announce } from "../ui/toast";
import { t } from "../messages/messages";
import { reasonList } from "./reasons";
import { worth } from "./values";

export class RetryCard {
  readonly element: HTMLElement;
  private readonly head = h("h2", {});
  private readonly task = h("p", { class: "task-line" });
  private readonly feedback = h("div", { class: "feedback-lines" });
  private readonly foot = h("div", { class: "buttons" });
  private readonly whose: ReturnType<typeof select>;
  private drawn = "";

  constructor(
    private readonly retry: Retry,
    private readonly rule: () => Rule,
    start: (side: Side | "both") => void,
  ) {
    const sides = (["both", "black", "white"] as const).map((side) => [side, t(side === "both" ? "retry.both" : `side.${side}`)] as const);
    this.whose = select(t("retry.whose"), [{ name: null, options: sides }], retry.side, (side) => start(side as Side | "both"), false);
    this.element = card(null, { class: "retry", "aria-label": t("retry.title") }, h("div", { class: "card-head" }, this.head, this.whose), this.task, this.feedback, this.foot);
  }

  update(): void {
    const { retry } = this;
    const { isOn, stage, given, reasons, progress, verdict, loss, position } = retry;
    this.element.hidden = !isOn;
    if (!isOn) {
      this.drawn = "";
      return;
    }
    // Redraws only what changes, because it may have the focus.
    const state = JSON.stringify([stage, given, reasons, progress, verdict?.move, loss, position?.turn, retry.side]);
    if (state === this.drawn) return;
    this.drawn = state;
    this.whose.set(retry.side);
    const { n, of } = progress;
    fill(this.head, stage === "over" ? t("retry.title") : t("retry.count", { at: n, of }));
    const hadFocus = this.foot.contains(document.activeElement);
    if (stage === "over") {
      fill(this.task, t("retry.over", { found: retry.found, of }));
      fill(this.feedback);
      fill(this.foot, button(t("retry.again"), () => void retry.start(retry.side), { icon: "undo" }), button(t("close"), () => retry.stop(), { class: "primary" }));
    } else this.drawQuestion();
    if (hadFocus) this.foot.querySelector<HTMLElement>(".primary")?.focus();
    announce([this.task.textContent, this.feedback.textContent].join(" "));
  }

  private drawQuestion(): void {
    const { retry } = this;
    const { stage, given, reasons, verdict, loss, better } = retry;
    if (!verdict) return;
    const side = t(`side.${verdict.color}`);
    fill(this.task, h("span", { class: `stone small ${verdict.color}`, "aria-hidden": "true" }), t("retry.task", { side, move: verdict.move, n: Math.round(verdict.loss) }));
    const isKnown = stage === "right" || stage === "shown";
    const words = {
      asking: t("retry.find"),
      checking: t("retry.checking"),
      wrong: given === verdict.move ? t("retry.same", { move: given }) : t("retry.wrong", { move: given ?? "", n: loss ?? 0 }),
      right: t("retry.right", { move: better ?? "" }),
      shown: t("retry.shown", { move: better ?? "" }),
      over: "",
    }[stage];
    const value = retry.values?.moves.find((each) => each.move === better)?.value;
    const detail = isKnown && value !== undefined ? ` (${worth(value, verdict.color)})` : "";
    fill(
      this.feedback,
      h("p", { class: `feedback ${stage}` }, words, detail),
      isKnown && (reasons ? reasonList(reasons, { better: better ?? "", worse: verdict.move, side: verdict.color, rule: this.rule() }) : h("p", { class: "reasons quiet" }, t("analyse.wait"))),
    );
    fill(
      this.foot,
      button(t(isKnown ? "retry.next" : "retry.skip"), () => void retry.next(), { icon: "next", class: isKnown ? "small primary" : "small", key: "m" }),
      retry.isOpen && button(t("retry.show"), () => void retry.show(), { icon: "eye", class: "small", key: "w" }),
      button(t("retry.end"), () => retry.stop(), { icon: "close", class: "small", key: "t" }),
    );
  }
}
