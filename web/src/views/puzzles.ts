// The screen for puzzles: endings in which one move is proved to be better than all others.

import { type App, gameOf, type View } from "../app";
import { Refusal } from "../api/client";
import type { Puzzle, PuzzleAnswer } from "../api/wire";
import { BoardView, type Chip } from "../board/board";
import { cell } from "../game/session";
import { outcome } from "../parts/reasons";
import { chipOf } from "../parts/values";
import { button, card, segmented } from "../ui/controls";
import { fill, h } from "../ui/dom";
import { announce } from "../ui/toast";
import { t } from "../messages/messages";

export class PuzzlesView implements View {
  readonly element: HTMLElement;
  readonly title = t("nav.puzzles");
  readonly keys: Record<string, () => void>;
  private readonly board = new BoardView(t("board.label"));
  private readonly task = h("div", { class: "task" });
  private readonly answer = h("div", { class: "answer", role: "status" });
  private readonly tally = h("p", { class: "quiet" });
  private puzzle: Puzzle | null = null;
  private given: { move: string; answer: PuzzleAnswer } | null = null;
  private isAsked = false;

  constructor(
    private readonly app: App,
    state: unknown,
  ) {
    const { settings } = app;
    this.board.chosen.on((square) => void this.choose(square));
    this.element = h(
      "div",
      { class: "screen game" },
      h("div", { class: "table" }, this.task, this.board.element),
      h(
        "div",
        { class: "side" },
        card(
          t("puzzle.title"),
          {},
          h("p", { class: "quiet" }, t("puzzle.help")),
          segmented<string>(t("puzzle.level"), [["1", t("puzzle.easy")], ["2", t("puzzle.medium")], ["3", t("puzzle.hard")]], String(settings.puzzleLevel), (level) => {
            settings.puzzleLevel = Number(level);
            app.keep();
            void this.next();
          }),
          this.answer,
          this.tally,
        ),
      ),
    );
    this.keys = { n: () => void this.next(), b: () => this.board.enter() };
    const kept = state as ReturnType<typeof this.state> | null | undefined;
    if (kept?.puzzle) {
      ({ puzzle: this.puzzle, given: this.given } = kept);
      this.draw();
    } else void this.next();
  }

  state(): { puzzle: Puzzle | null; given: { move: string; answer: PuzzleAnswer } | null } {
    return { puzzle: this.puzzle, given: this.given };
  }

  refresh(): void {
    this.draw();
  }

  leave(): void {
    this.puzzle = null;
  }

  private async next(): Promise<void> {
    const { settings, client } = this.app;
    this.given = null;
    try {
      const after = this.puzzle?.level === settings.puzzleLevel ? this.puzzle.id : undefined;
      this.puzzle = await client.puzzle("reversed", 8, settings.puzzleLevel, after);
      this.draw();
      announce(this.task.textContent);
    } catch (error) {
      if (error instanceof Refusal && error.code === "not-found") fill(this.answer, h("p", {}, t("puzzle.none")));
      else this.app.failed(error);
    }
  }

  private async choose(square: string): Promise<void> {
    const { puzzle } = this;
    if (!puzzle || this.given || this.isAsked || !puzzle.position.legal.some((move) => move.square === square)) return;
    this.isAsked = true;
    try {
      const answer = await this.app.client.answer(puzzle.id, square);
      if (this.puzzle !== puzzle) return;
      this.given = { move: square, answer };
      this.app.settings.tried += 1;
      if (answer.correct) this.app.settings.solved += 1;
      this.app.keep();
      this.draw();
    } catch (error) {
      this.app.failed(error);
    } finally {
      this.isAsked = false;
    }
  }

  private draw(): void {
    const { puzzle, given } = this;
    if (!puzzle) return;
    const { position } = puzzle;
    const turn = position.turn ?? "black";
    fill(this.task, h("span", { class: `stone ${turn}`, "aria-hidden": "true" }), h("div", {}, h("strong", {}, t("status.turn", { side: t(`side.${turn}`) })), h("p", {}, t(`puzzle.goal.${puzzle.goal}`, { side: t(`side.${turn}`), n: puzzle.empties }))));
    const played = given && position.legal.find((move) => move.square === given.move);
    const board = [...position.board];
    if (played) for (const name of [played.square, ...played.flips]) board[cell(name, position.size)] = turn === "black" ? "X" : "O";
    const chips = new Map<string, Chip>(
      given?.answer.moves.map(({ move, score }) => [
        move,
        chipOf({ value: score, exact: true, depth: 0, percent: 100 }, given.answer.score, turn),
      ]),
    );
    if (given) chips.delete(given.move);
    this.board.show({
      size: position.size,
      board: board.join(""),
      turn,
      legal: new Map(given ? [] : position.legal.map((move) => [move.square, move.flips])),
      last: given?.move ?? position.last?.move ?? null,
      flips: played?.flips ?? position.last?.flips ?? [],
      chips,
      pointed: given && !given.answer.correct ? given.answer.best : null,
      dots: this.app.settings.dots,
    });
    this.drawAnswer();
    const { solved, tried } = this.app.settings;
    fill(this.tally, tried > 0 ? t("puzzle.tally", { solved, tried }) : "");
  }

  private drawAnswer(): void {
    const { puzzle, given, app } = this;
    if (!puzzle || !given) {
      fill(this.answer, h("p", { class: "quiet" }, t("puzzle.choose")));
      return;
    }
    const { answer, move } = given;
    const mine = answer.moves.find((each) => each.move === move)?.score ?? 0;
    const analyse = (): void => {
      app.analyse(gameOf(puzzle.position), {});
    };
    fill(
      this.answer,
      h("h3", { class: answer.correct ? "right" : "wrong" }, t(answer.correct ? "puzzle.right" : "puzzle.wrong")),
      h(
        "p",
        {},
        answer.correct
          ? t("puzzle.right.text", { move, result: outcome(answer.score) })
          : t("puzzle.wrong.text", { best: answer.best, result: outcome(answer.score), move, mine: outcome(mine), n: answer.score - mine }),
      ),
      h("p", { class: "quiet small" }, t("analyse.legend")),
      h("p", { class: "pv quiet" }, answer.pv.map((each) => (each === "pass" ? "–" : each)).join(" ")),
      h("div", { class: "buttons" }, button(t("puzzle.next"), () => void this.next(), { icon: "next", class: "primary", key: "n" }), button(t("tool.analyse"), analyse, { icon: "chart" })),
    );
  }
}
