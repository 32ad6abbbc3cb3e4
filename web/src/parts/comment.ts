// Says of the move that led to the position on the board what it cost, what was better, and why if one
// asks.

import type { App } from "../app";
import type { ReviewedMove } from "../api/wire";
import type { Analysis } from "../game/analysis";
import { compare, weigh } from "../game/explain";
import { type Reason, reasons } from "../game/reasons";
import type { Node } from "../game/tree";
import { fill, h } from "../ui/dom";
import { announce } from "../ui/toast";
import { t } from "../messages/messages";
import { reasonList } from "./reasons";
import { worth } from "./values";

export class Comment {
  readonly element = h("div", { class: "comment" });
  /** The facts against a move, once they were asked for. */
  private readonly why = new WeakMap<Node, readonly Reason[] | "asked">();
  private readonly search = new AbortController();

  constructor(
    private readonly app: App,
    private readonly analysis: Analysis,
  ) {}

  update(): void {
    const { session, review } = this.analysis;
    const { current } = session.tree;
    const verdict = review.of(current);
    if (!verdict) {
      fill(this.element, review.hasAny ? t("comment.none") : t("comment.ask"));
      this.element.className = "comment quiet";
      return;
    }
    this.element.className = `comment ${verdict.mark ?? "fine"}`;
    if (verdict.mark === null) {
      fill(this.element, t(verdict.forced ? "comment.forced" : verdict.loss > 0 ? "comment.small" : "comment.best", { move: verdict.move, n: Math.round(verdict.loss) }));
      return;
    }
    fill(
      this.element,
      h("strong", {}, t("comment.mark", { mark: t(`mark.${verdict.mark}`) })),
      t(verdict.exact ? "comment.cost.exact" : "comment.cost", { move: verdict.move, n: Math.round(verdict.loss) }),
      " ",
      t("comment.better"),
      " ",
      h("button", { type: "button", class: "pv-move", onclick: () => this.showBetter(current, verdict.best) }, verdict.best),
      ` (${worth(verdict.best_value, verdict.color)}) `,
      this.why.has(current) ? null : h("button", { type: "button", class: "pv-move", onclick: () => void this.explain(current, verdict) }, t("comment.why")),
      this.reasons(current, verdict),
    );
  }

  /** Stops what was asked for. */
  end(): void {
    this.search.abort();
  }

  /** The facts against a move, if they were asked for. */
  private reasons(node: Node, { best, move, color }: ReviewedMove): HTMLElement | null {
    const found = this.why.get(node);
    if (!found) return null;
    if (found === "asked") return h("span", { class: "reasons quiet" }, t("analyse.wait"));
    return reasonList(found, { better: best, worse: move, side: color, rule: this.analysis.session.game.rule });
  }

  private async explain(node: Node, verdict: ReviewedMove): Promise<void> {
    const { client, failed } = this.app;
    if (!node.parent) return;
    this.why.set(node, "asked");
    this.update();
    try {
      const game = this.analysis.session.body(node.parent);
      const values = await weigh(client, game, verdict, this.search.signal);
      if (!values) return;
      this.why.set(node, reasons(await compare(client, game, values, verdict.best, verdict.move)));
    } catch (error) {
      this.why.delete(node);
      failed(error);
    }
    this.update();
    announce(this.element.textContent);
  }

  /** Plays the better move as a variation. */
  private showBetter(node: Node, move: string): void {
    const { session } = this.analysis;
    if (node.parent) void session.jump(session.tree.add(node.parent, move));
  }
}
