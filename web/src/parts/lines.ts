// The best lines of a position: their values, moves that can be played up to there, and which of them
// is drawn on the board.

import type { MoveValue, Values } from "../api/wire";
import type { LineMove } from "../board/board";
import type { Session } from "../game/session";
import type { Settings } from "../settings";
import { button, enable } from "../ui/controls";
import { fill, h } from "../ui/dom";
import { Topic } from "../ui/topic";
import { t } from "../messages/messages";
import { worth } from "./values";

/** Who moves next. */
const OTHER = { black: "white", white: "black" } as const;

export class Lines {
  readonly element: HTMLElement;
  /** Told when another line is to be drawn, or another number of them. */
  readonly changed = new Topic();
  private readonly list = h("ol", { class: "lines", "aria-label": t("analyse.lines") });
  private readonly more: HTMLButtonElement;
  private values: Values | null = null;
  /** Whether all lines are shown, whatever the settings say. */
  private isAll = false;
  /** The move whose line stays on the board, and the one that is pointed at. */
  private pinned: string | null = null;
  private hovered: string | null = null;

  constructor(
    private readonly session: Session,
    private readonly settings: Settings,
  ) {
    this.more = button(t("analyse.more"), () => this.toggle(), { class: "small plain", key: "l" });
    this.element = h("div", { class: "lines-box" }, this.list, h("div", { class: "lines-foot" }, h("p", { class: "quiet small legend" }, t("analyse.legend")), this.more));
    this.list.addEventListener("pointerover", (event) => {
      const row = event.target instanceof Element ? event.target.closest<HTMLElement>("li[data-move]") : null;
      if (event.pointerType === "mouse") this.hover(row?.dataset["move"] ?? null);
    });
    this.list.addEventListener("pointerleave", () => this.hover(null));
  }

  show(values: Values | null): void {
    this.values = values;
    const { lines } = this.settings;
    const { shown } = this;
    const place = this.focused();
    // Empty lines keep their height, so that nothing below moves when values arrive.
    const room = Math.max(0, (lines || 3) - shown.length);
    fill(this.list, ...shown.map((line) => this.line(line)), ...Array.from({ length: room }, () => h("li", { class: "blank", "aria-hidden": "true" }, "\u00a0")));
    if (place) this.list.querySelectorAll("li")[place[0]]?.querySelectorAll("button")[place[1]]?.focus();
    const isMore = lines !== 0 && (values?.moves.length ?? 0) > lines;
    this.more.classList.toggle("idle", !isMore);
    enable(this.more, isMore);
    fill(this.more.querySelector("span")!, t(this.isAll && isMore ? "analyse.fewer" : "analyse.more"));
  }

  /** Shows all lines, or as many as the settings say. */
  toggle(): void {
    this.isAll = !this.isAll;
    this.changed.tell();
  }

  /** Keeps the line of a move on the board, or none. */
  pin(move: string | null): void {
    this.pinned = move;
    this.hovered = null;
  }

  /** Draws the line of the next move on the board, after the last one none; the line as text. */
  next(): string {
    const { shown } = this;
    const line = shown[shown.findIndex(({ move }) => move === this.pinned) + 1];
    this.pin(line?.move ?? null);
    this.changed.tell();
    return line?.pv.join(" ") ?? "";
  }

  /** The line to draw on the board: the one that is pointed at, or the one that was chosen. */
  drawn(values: Values | null): LineMove[] | null {
    const { turn } = this.session;
    const wanted = this.hovered ?? this.pinned;
    const pv = wanted === null ? undefined : values?.moves.find(({ move }) => move === wanted)?.pv;
    if (!pv || !turn) return null;
    return pv.map((square, at): LineMove => ({ square, side: at % 2 === 0 ? turn : OTHER[turn] })).filter(({ square }) => square !== "pass");
  }

  private get shown(): MoveValue[] {
    const { lines } = this.settings;
    return this.values?.moves.slice(0, this.isAll || lines === 0 ? Infinity : lines) ?? [];
  }

  private hover(move: string | null): void {
    if (move === this.hovered) return;
    this.hovered = move;
    this.changed.tell();
  }

  /** Which button of which line has the focus, so that it keeps it when values change. */
  private focused(): [number, number] | null {
    const row = document.activeElement?.closest("li");
    if (!row || !this.list.contains(row)) return null;
    const buttons = [...row.querySelectorAll("button")];
    return [[...this.list.children].indexOf(row), buttons.indexOf(document.activeElement as HTMLButtonElement)];
  }

  /** A line: its value, which draws it on the board, and its moves, which play up to there. */
  private line({ move, value, exact, pv: moves }: MoveValue): HTMLElement {
    const { session } = this;
    const best = this.values?.moves[0]?.value ?? value;
    const pv = moves.length > 0 ? moves : [move];
    const follow = (upTo: number): void => {
      const { tree } = session;
      let node = tree.current;
      for (const each of pv.slice(0, upTo + 1)) if (each !== "pass") node = tree.add(node, each);
      void session.jump(node);
    };
    const pin = (): void => {
      this.pin(this.pinned === move ? null : move);
      this.changed.tell();
    };
    const text = worth(value, session.turn ?? "black");
    const words = t("analyse.line", { value: text, move });
    const attributes = { type: "button", class: value === best ? "worth best" : "worth", "aria-pressed": String(this.pinned === move), "aria-label": words, title: words, onclick: pin };
    return h(
      "li",
      { "data-move": move },
      h("button", attributes, text, exact ? "✓" : ""),
      h(
        "span",
        { class: "pv" },
        ...pv.map((each, index) => (each === "pass" ? h("span", { class: "quiet" }, "–") : h("button", { type: "button", class: "pv-move", onclick: () => follow(index) }, each))),
      ),
    );
  }
}
