// A game of a person against somebody's agent. The server is the referee: it says what is legal, makes
// passes, and asks the agent, while this page waits for its answer.

import type { Casual } from "../../api/club";
import type { Position } from "../../api/wire";
import { BoardView } from "../../board/board";
import type { Side } from "../../game/clock";
import { forfeitName } from "../../parts/forfeits";
import { text } from "../../parts/output";
import { pictureOf, statusOf } from "../../parts/panel";
import { sayPosition } from "../../parts/said";
import { ScoreBar } from "../../parts/score";
import { button, card, confirm } from "../../ui/controls";
import { fill, h, setText } from "../../ui/dom";
import { announce } from "../../ui/toast";
import { t } from "../../messages/messages";
import type { House } from "../club";
import { linkButton, sayRefusal } from "./parts";
import { outcomeText } from "./words";

/** How often the agent's answer is asked for, in milliseconds. */
const ANSWER_MS = 500;

/** Seconds after which a person sees how long the agent has been waited for. */
const LONG = 3;

export async function casualPage(house: House, id: number): Promise<HTMLElement> {
  const page = new CasualPage(house, await house.api.casual(id));
  await page.open();
  return page.element;
}

class CasualPage {
  readonly element: HTMLElement;
  private readonly board = new BoardView(t("board.label"));
  private readonly score = new ScoreBar();
  private readonly words = h("div", { class: "stack" });
  private readonly moves = h("ol", { class: "casual-moves" });
  private readonly names: Record<Side, string>;
  /** Whether the person who plays is the one who looks; the author may too. */
  private readonly isOwn: boolean;
  private position: Position | null = null;
  /** Whether a move of the person is on its way. */
  private isSending = false;
  private isOverSaid = false;

  constructor(
    private readonly house: House,
    private game: Casual,
  ) {
    const { color, name, number, person } = game;
    const agent = number === null ? name : t("club.version.of", { name, number });
    this.isOwn = person === house.club.visitor?.account.name;
    this.names = color === "black" ? { black: person, white: agent } : { black: agent, white: person };
    this.board.chosen.on((square) => void this.choose(square).catch((error: unknown) => sayRefusal(house.app, error)));
    this.element = h(
      "div",
      { class: "stack" },
      h("p", {}, h("a", { href: "#/club/opponents" }, `← ${t("club.opponents")}`)),
      h("div", { class: "casual" }, h("div", { class: "table" }, this.score.element, this.board.element), h("div", { class: "stack" }, card(t("club.casual.title", { name: agent }), {}, this.words), card(t("moves.title"), {}, this.moves))),
    );
    house.keys({ b: () => this.board.enter() });
    house.follow(() => this.ask(), ANSWER_MS);
  }

  async open(): Promise<void> {
    this.position = await this.look(this.game);
    this.isOverSaid = this.game.turn === "over";
    this.draw();
    // Whoever began the game with the keyboard goes on with it, once the board is on the screen.
    if (this.isOwn && this.game.turn !== "over") requestAnimationFrame(() => this.board.element.isConnected && this.board.enter());
  }

  /** Asks for the answer of the agent while it is thinking, and for that of a person at another screen. */
  private async ask(): Promise<void> {
    const { turn } = this.game;
    if (turn === "over" || this.isSending || (turn === "person" && this.isOwn)) return;
    await this.take(await this.house.api.casual(this.game.game));
  }

  /** The position of the game, with the discs that each move would turn. */
  private look({ rule, size, moves }: Casual): Promise<Position> {
    return this.house.app.client.ahead({ rule, size, start: null, moves });
  }

  /** Takes the game as the server has it, unless a later one is known. */
  private async take(game: Casual): Promise<void> {
    const before = this.game.moves.length;
    if (game.moves.length < before) return;
    const isNew = game.moves.length > before;
    if (isNew) this.position = await this.look(game);
    this.game = game;
    this.isSending = false;
    this.draw();
    // One's own move was said when it was made.
    if (isNew && !(this.isOwn && this.position?.last?.color === game.color)) sayPosition(this.position, this.status());
    if (game.turn === "over" && !this.isOverSaid) {
      this.isOverSaid = true;
      announce(this.status());
    }
  }

  private async choose(square: string): Promise<void> {
    const { game, house, position } = this;
    const after = position?.legal.find((move) => move.square === square)?.after;
    if (game.turn !== "person" || !this.isOwn || this.isSending || !after) return;
    this.isSending = true;
    this.position = after;
    this.draw();
    sayPosition(after, this.status());
    try {
      await this.take(await house.api.move(game.game, square, game.moves.length));
    } catch (error) {
      // Whether the move was made is for the server to say.
      this.game = await house.api.casual(game.game).catch(() => game);
      this.position = await this.look(this.game).catch(() => position);
      this.isSending = false;
      this.draw();
      throw error;
    }
  }

  private resign(): void {
    const { house, game } = this;
    const winner = game.color === "black" ? "white" : "black";
    const act = async (): Promise<void> => this.take(await house.api.resign(game.game));
    confirm(t("tool.resign"), t("resign.ask", { side: t(`side.${game.color}`), winner: t(`side.${winner}`) }), t("cancel"), () => void act().catch(house.app.failed));
  }

  private draw(): void {
    const { position, game, isSending } = this;
    if (!position) return;
    const isOpen = game.turn === "person" && this.isOwn && !isSending;
    this.board.show(pictureOf(position, { values: null, pointed: null, isOpen }, this.house.app.settings.dots));
    this.score.show({ position, names: this.names, status: this.status(), isThinking: game.turn === "agent" || isSending, ...(game.turn === "over" ? { winner: this.winner() } : {}) });
    this.drawMoves(position.moves);
    this.drawWords();
  }

  private drawMoves(moves: readonly string[]): void {
    const known = this.moves.children.length;
    if (moves.length < known) fill(this.moves);
    this.moves.append(...moves.slice(this.moves.children.length).map((move) => h("li", {}, move === "pass" ? "–" : move)));
  }

  private winner(): Side | null {
    const { score, color } = this.game;
    if (score === null || score === 0) return null;
    return score > 0 === (color === "black") ? "black" : "white";
  }

  private status(): string {
    const { game, position } = this;
    if (game.turn === "over") return this.result();
    if (game.turn === "agent" || this.isSending) {
      const waiting = Math.floor(game.waiting ?? 0);
      return waiting < LONG ? t("club.casual.thinking", { name: game.name }) : t("club.casual.thinking.long", { name: game.name, seconds: waiting });
    }
    return position && (position.passed || !this.isOwn) ? statusOf(position) : t("friend.turn");
  }

  /** How the game ended, to the person who played it, or to somebody else. */
  private result(): string {
    const { score, end, name } = this.game;
    const winner = this.winner();
    if (!this.isOwn && winner) return outcomeText({ winner: this.names[winner], loser: this.names[winner === "black" ? "white" : "black"], score: score ?? 0, end });
    if (end === "resigned") return t("club.casual.resigned");
    if (end !== null && end !== "over") return t("club.casual.forfeited", { name, reason: forfeitName(end) });
    if (score === null || score === 0) return t("status.drawn");
    return t(score > 0 ? "club.casual.won" : "club.casual.lost", { n: Math.abs(score) });
  }

  /** The words beside the board: drawn anew only when they differ, because a button may have the focus. */
  private drawWords(): void {
    const { game } = this;
    const isOver = game.turn === "over";
    const line = this.words.querySelector(".casual-line");
    if (line && this.words.dataset["over"] === String(isOver)) {
      setText(line, this.status());
      return;
    }
    this.words.dataset["over"] = String(isOver);
    const status = h("p", { class: "casual-line" }, this.status());
    const rule = h("p", { class: "quiet" }, t(game.rule === "reversed" ? "rule.reversed" : "rule.normal"));
    if (!isOver) {
      fill(this.words, status, rule, this.isOwn && h("div", { class: "buttons" }, button(t("tool.resign"), () => this.resign(), { icon: "flag" })));
      return;
    }
    fill(
      this.words,
      status,
      game.details !== null && game.details !== "" && text(game.details, t("club.casual.details")),
      h("div", { class: "buttons" }, linkButton(t("club.casual.review"), `#/club/game/${game.game}`, { icon: "chart", class: "primary" }), linkButton(t("club.casual.again"), "#/club/opponents")),
    );
  }
}
