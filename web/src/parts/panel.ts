// The left half of the screens with a game: score, board, and a row of buttons. The screen decides
// what the squares show beside discs: values, a hint.

import type { Position, Values } from "../api/wire";
import { BoardView, type Chip, type LineMove, type Picture, type Thought } from "../board/board";
import type { Clock, Side } from "../game/clock";
import { enable, tool } from "../ui/controls";
import { h } from "../ui/dom";
import { t } from "../messages/messages";
import type { End } from "../game/record";
import type { Session } from "../game/session";
import type { Settings } from "../settings";
import { ScoreBar } from "./score";
import { chips } from "./values";

export interface Overlay {
  readonly values: Values | null;
  /** Notes on squares, if they are not the values of the engine. */
  readonly chips?: ReadonlyMap<string, Chip>;
  readonly pointed: string | null;
  /** Whether a person can choose a square. */
  readonly isOpen: boolean;
  /** Moves to come, to be drawn on the board. */
  readonly line?: readonly LineMove[];
  /** What an agent thought of the squares before its last move. */
  readonly thoughts?: ReadonlyMap<string, Thought>;
}

export class GamePanel {
  readonly element: HTMLElement;
  readonly board: BoardView;
  readonly tools = h("div", { class: "toolbar", role: "toolbar", "aria-label": t("toolbar.label") });
  private readonly score = new ScoreBar();
  private readonly steps: Record<"first" | "previous" | "next" | "last", HTMLButtonElement>;

  constructor(
    private readonly session: Session,
    private readonly settings: Settings,
    private readonly names: () => Record<Side, string>,
  ) {
    this.board = new BoardView(t("board.label"));
    this.steps = {
      first: tool("first", t("tool.first"), () => void session.first(), "Home"),
      previous: tool("previous", t("tool.previous"), () => void session.back(), "ArrowLeft"),
      next: tool("next", t("tool.next"), () => void session.forward(), "ArrowRight"),
      last: tool("last", t("tool.last"), () => void session.last(), "End"),
    };
    this.tools.append(h("div", { class: "group" }, ...Object.values(this.steps)));
    this.element = h("div", { class: "table" }, this.score.element, this.board.element, this.tools);
  }

  /** Adds a group of buttons to the row. */
  add(...buttons: HTMLElement[]): void {
    this.tools.append(h("div", { class: "group" }, ...buttons));
  }

  update(overlay: Overlay, status: string, isThinking: boolean, winner?: Side | null): void {
    const { session, settings } = this;
    const { position, tree } = session;
    for (const step of [this.steps.first, this.steps.previous]) enable(step, tree.current.parent !== null);
    for (const step of [this.steps.next, this.steps.last]) enable(step, tree.current.children.length > 0);
    if (!position) return;
    this.board.show(pictureOf(position, overlay, settings.dots));
    this.score.show({ position, names: this.names(), status, isThinking, ...(winner === undefined ? {} : { winner }) });
  }

  tick(clock: Clock | null, now: number): void {
    this.score.tick(clock, now);
  }
}

/** The picture of a position for the board. */
export function pictureOf(position: Position, overlay: Overlay, dots: boolean): Picture {
  const { last, legal, size, board, turn } = position;
  return {
    size,
    board,
    turn,
    dots: dots && overlay.isOpen,
    legal: new Map(overlay.isOpen ? legal.map((move) => [move.square, move.flips]) : []),
    last: last && last.move !== "pass" ? last.move : null,
    flips: last?.flips ?? [],
    chips: overlay.chips ?? (overlay.values && turn ? chips(overlay.values, turn) : new Map<string, Chip>()),
    pointed: overlay.pointed,
    ...(overlay.line ? { line: overlay.line } : {}),
    ...(overlay.thoughts ? { thoughts: overlay.thoughts } : {}),
  };
}

/** The status line: whose turn it is, who passed, how the game ended. */
export function statusOf(position: Position): string {
  const { passed, result } = position;
  if (result) return resultText(result);
  const pass = passed ? `${t("status.passed", { side: t(`side.${passed}`) })} · ` : "";
  return position.turn ? pass + t("status.turn", { side: t(`side.${position.turn}`) }) : "";
}

/** How a game ended, in one sentence. */
export function endText({ reason, winner, margin }: End): string {
  if (!winner) return t("status.drawn");
  const words = { winner: t(`side.${winner}`), side: t(`side.${winner === "black" ? "white" : "black"}`) };
  if (reason === "time") return t("status.flag", words);
  if (reason === "resigned") return t("status.resigned", words);
  return t("status.won", { side: words.winner, n: margin ?? 0 });
}

export function resultText(result: { winner: Side | null; score: { black: number; white: number } }): string {
  const { winner, score } = result;
  return winner ? t("status.won", { side: t(`side.${winner}`), n: Math.abs(score[winner]) }) : t("status.drawn");
}
