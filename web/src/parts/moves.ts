// The list of moves: the main line in pairs, variations below the move they replace, marks if the game
// was analysed, and behind each move the value of its position. A click on a move goes to its position.

import type { ReviewedMove } from "../api/wire";
import type { Review } from "../game/review";
import type { Session } from "../game/session";
import type { Node } from "../game/tree";
import { button } from "../ui/controls";
import { fill, h } from "../ui/dom";
import { icon } from "../ui/icons";
import { signed, t } from "../messages/messages";

/** How marks are written beside a move. */
export const SIGNS = { inaccuracy: "?!", mistake: "?", blunder: "??" } as const;

/** The margin above or below the current move, in pixels. */
const MARGIN = 8;

export class MoveList {
  readonly element: HTMLElement;
  private readonly list = h("div", { class: "moves-list" });
  private readonly tools = h("div", { class: "branch-tools" });
  private drawn = "";

  constructor(
    private readonly session: Session,
    private readonly review: Review | null = null,
    /** The value of a position for Black, as far as it is known. */
    private readonly valueOf: (node: Node) => number | null = () => null,
  ) {
    this.element = h("div", { class: "moves" }, this.list, this.tools);
    // The first update comes before the list is on the screen.
    new ResizeObserver(() => this.reveal()).observe(this.list);
  }

  update(): void {
    const { session } = this;
    const { tree } = session;
    const rows = tree.root.children.length === 0 ? [] : this.line(tree.root, 0);
    // Redraws the list only if it changes, because it may have the focus.
    const now = JSON.stringify([describe(tree.root, (node) => verdictText(this.review?.of(node) ?? null), (node) => this.valueText(node), (node) => session.at(node)?.passed ?? "")]);
    if (now !== this.drawn) {
      this.drawn = now;
      const hadFocus = this.list.contains(document.activeElement);
      fill(this.list, ...(rows.length > 0 ? rows : [h("p", { class: "quiet" }, t("moves.none"))]));
      if (hadFocus) this.list.querySelector<HTMLElement>(`[data-node="${tree.current.id}"]`)?.focus();
    }
    for (const each of this.list.querySelectorAll<HTMLElement>("[data-node]")) {
      const isCurrent = each.dataset["node"] === String(tree.current.id);
      each.classList.toggle("current", isCurrent);
      if (isCurrent) each.setAttribute("aria-current", "step");
      else each.removeAttribute("aria-current");
    }
    this.reveal();
    this.branchTools();
  }

  /** Scrolls the list to the current move. */
  private reveal(): void {
    const current = this.list.querySelector(".current");
    if (current) reveal(this.list, current);
  }

  /** Shows the buttons for the variation of the current node. */
  private branchTools(): void {
    const { session } = this;
    const branch = branchOf(session.tree.current);
    fill(
      this.tools,
      branch && button(t("moves.promote"), () => session.promote(session.tree.current), { icon: "up", class: "small" }),
      branch && button(t("moves.remove"), () => void session.remove(branch), { icon: "trash", class: "small" }),
    );
    this.tools.hidden = branch === null;
  }

  /** The line after `from`: numbered pairs of moves, and each variation as a line of its own. */
  private line(from: Node, depth: number): HTMLElement[] {
    const rows: HTMLElement[] = [];
    let row: HTMLElement | null = null;
    let pair: HTMLElement | null = null;
    for (let at = from; at.children.length > 0; ) {
      const [main, ...variations] = at.children as [Node, ...Node[]];
      if (!row) {
        row = h("div", { class: depth === 0 ? "line" : "line variation" });
        rows.push(row);
        pair = null;
      }
      if (!pair || main.ply % 2 === 1) {
        pair = h("span", { class: "pair" }, number(main));
        row.append(pair);
      }
      pair.append(this.move(main));
      for (const variation of variations) {
        const inner = h("div", { class: "line variation" }, h("span", { class: "pair" }, number(variation), this.move(variation)));
        const [first, ...rest] = variation.children.length > 0 ? this.line(variation, depth + 1) : [];
        if (first) inner.append(...first.childNodes);
        rows.push(inner, ...rest);
        row = null;
      }
      at = main;
    }
    return rows;
  }

  private move(node: Node): HTMLElement {
    const { session } = this;
    const verdict = this.review?.of(node) ?? null;
    const passed = session.at(node)?.passed;
    const words = [node.move];
    const value = this.valueText(node);
    if (verdict?.mark) words.push(t(`mark.${verdict.mark}`), t("moves.cost", { n: Math.round(verdict.loss) }));
    if (value !== "") words.push(t("moves.value", { value }));
    if (passed) words.push(t("status.passed", { side: t(`side.${passed}`) }));
    return h(
      "button",
      {
        type: "button",
        class: `move ${verdict?.mark ?? ""}`,
        "data-node": node.id,
        "aria-label": words.join(", "),
        onclick: () => void session.jump(node),
      },
      node.move,
      verdict?.mark ? h("span", { class: "sign" }, SIGNS[verdict.mark]) : null,
      value === "" ? null : h("span", { class: "value" }, value),
      passed ? h("span", { class: "passed", title: t("status.passed", { side: t(`side.${passed}`) }) }, icon("redo")) : null,
    );
  }

  /** The value behind a move; empty if it is not known. */
  private valueText(node: Node): string {
    const value = this.valueOf(node);
    return value === null ? "" : signed(value);
  }
}

/** `3.` before Black's move, `3…` before White's. */
function number(node: Node): HTMLElement {
  return h("span", { class: "number" }, `${Math.ceil(node.ply / 2)}${node.ply % 2 === 1 ? "." : "…"}`);
}

/** The text of a verdict in the list. */
function verdictText(verdict: ReviewedMove | null): string {
  return verdict?.mark ? `${verdict.mark}${Math.round(verdict.loss)}` : "";
}

/** The first node of the variation that `node` is in; null on the main line. */
function branchOf(node: Node): Node | null {
  let branch: Node | null = null;
  for (let at = node; at.parent; at = at.parent) {
    if (at.parent.children[0] !== at) branch ??= at;
  }
  return branch;
}

/** Everything that the list shows of a tree, as one value. */
function describe(node: Node, ...notes: ((node: Node) => unknown)[]): unknown {
  return [node.id, node.move, ...notes.map((note) => note(node)), ...node.children.map((child) => describe(child, ...notes))];
}

/** Scrolls only the list until `item` is visible. */
function reveal(list: HTMLElement, item: Element): void {
  const [frame, place] = [list.getBoundingClientRect(), item.getBoundingClientRect()];
  if (place.top < frame.top) list.scrollTop -= frame.top - place.top + MARGIN;
  else if (place.bottom > frame.bottom) list.scrollTop += place.bottom - frame.bottom + MARGIN;
}
