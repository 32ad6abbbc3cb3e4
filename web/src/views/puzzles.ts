// The screen for puzzles: endings in which one move is proved to be better than all others. The moves
// after it must keep what it won. Each puzzle has an address.

import { type App, gameOf, type View } from "../app";
import { Refusal } from "../api/client";
import type { Position, Puzzle } from "../api/wire";
import { BoardView, type Chip } from "../board/board";
import { type Rule, SMALL_SIZES } from "../game/notation";
import { depthOf, Puzzling, rated, ratingOf } from "../game/puzzling";
import { outcome } from "../parts/reasons";
import { sizeChoice } from "../parts/sizes";
import { scoreChip } from "../parts/values";
import { button, card, segmented } from "../ui/controls";
import { fill, h } from "../ui/dom";
import { announce } from "../ui/toast";
import { t } from "../messages/messages";

/** What a puzzle is like. */
type Kind = Pick<Puzzle, "rule" | "size" | "level">;

function isSame(one: Kind, other: Kind): boolean {
  return one.rule === other.rule && one.size === other.size && one.level === other.level;
}

/** How many puzzles are remembered that were counted. */
const MOST_COUNTED = 500;

export class PuzzlesView implements View {
  readonly element: HTMLElement;
  readonly title = t("nav.puzzles");
  readonly keys: Record<string, () => void>;
  private readonly board = new BoardView(t("board.label"));
  private readonly task = h("div", { class: "task" });
  private readonly answer = h("div", { class: "answer", role: "status" });
  private readonly tally = h("p", { class: "quiet tally" });
  private readonly choices = h("div", { class: "choices" });
  /** What the next puzzle is to be like: as the one that is shown. */
  private kind: Kind;
  private puzzling: Puzzling | null = null;
  private stop: () => void = () => undefined;
  /** How often a puzzle was asked for, so that a slow one does not replace a later one. */
  private asked = 0;

  constructor(
    private readonly app: App,
    id: string,
    state: unknown,
  ) {
    const { puzzleRule: rule, puzzleSize: size, puzzleLevel: level } = app.settings;
    this.kind = { rule, size, level };
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
          // Before the choices, so that it is in sight below the board of a phone.
          this.answer,
          this.tally,
          h("p", { class: "quiet" }, t("puzzle.help")),
          this.choices,
        ),
      ),
    );
    this.drawChoices();
    this.keys = { n: () => void this.next(), b: () => this.board.enter() };
    if (state instanceof Puzzling && (id === "" || state.puzzle.id === id)) this.show(state);
    else if (id !== "") void this.open(() => app.client.puzzleOf(id));
    else void this.next();
  }

  state(): unknown {
    return this.puzzling;
  }

  refresh(): void {
    this.draw();
  }

  leave(isRedrawn: boolean): void {
    this.asked += 1;
    this.stop();
    if (!isRedrawn) this.puzzling?.end();
  }

  /** The choices of the kind of puzzle. */
  private drawChoices(): void {
    const { rule, size, level } = this.kind;
    const change = (wanted: Partial<Kind>): void => {
      this.kind = { ...this.kind, ...wanted };
      const { settings } = this.app;
      ({ rule: settings.puzzleRule, size: settings.puzzleSize, level: settings.puzzleLevel } = this.kind);
      this.app.keep();
      void this.next();
    };
    fill(
      this.choices,
      segmented<string>(t("puzzle.level"), [["1", t("puzzle.easy")], ["2", t("puzzle.medium")], ["3", t("puzzle.hard")]], String(level), (level) => change({ level: Number(level) })),
      h(
        "div",
        { class: "two-up" },
        segmented<Rule>(t("new.rule"), [["reversed", t("rule.short.reversed")], ["normal", t("rule.short.normal")]], rule, (rule) => change({ rule })),
        sizeChoice(SMALL_SIZES, size, (size) => change({ size })),
      ),
    );
  }

  private async next(): Promise<void> {
    const { kind, puzzling } = this;
    const last = puzzling?.puzzle;
    const { rule, size, level } = kind;
    await this.open(() => this.app.client.puzzle(rule, size, level, last && isSame(last, kind) ? last.id : undefined), true);
  }

  private async open(ask: () => Promise<Puzzle>, isNext = false): Promise<void> {
    const turn = (this.asked += 1);
    try {
      const puzzle = await ask();
      if (turn !== this.asked) return;
      this.puzzling?.end();
      this.show(new Puzzling(this.app.client, puzzle), isNext);
      announce(this.task.textContent);
    } catch (error) {
      if (turn !== this.asked) return;
      if (error instanceof Refusal && error.code === "not-found") fill(this.answer, h("p", {}, t(isNext ? "puzzle.none" : "puzzle.unknown")), h("div", { class: "buttons" }, this.nextButton()));
      else this.app.failed(error);
    }
  }

  private show(puzzling: Puzzling, isNext = false): void {
    this.stop();
    const address = `#/puzzles/${puzzling.puzzle.id}`;
    // Back leads to the puzzle before this one.
    if (isNext && this.puzzling) history.pushState(null, "", address);
    else history.replaceState(null, "", address);
    this.puzzling = puzzling;
    this.stop = puzzling.changed.on(() => this.draw());
    if (!isSame(puzzling.puzzle, this.kind)) {
      const { rule, size, level } = puzzling.puzzle;
      this.kind = { rule, size, level };
      this.drawChoices();
    }
    this.draw();
  }

  private async choose(square: string): Promise<void> {
    const { puzzling } = this;
    if (!puzzling || puzzling.isOver) return;
    try {
      await puzzling.choose(square);
    } catch (error) {
      this.app.failed(error);
      return;
    }
    if (puzzling.isOver && !puzzling.isCounted) this.count(puzzling);
    if (this.puzzling === puzzling) this.draw();
  }

  /** Counts a puzzle that is over, once and for all: the rating, and how many were solved in a row. */
  private count(puzzling: Puzzling): void {
    const { settings } = this.app;
    const { id } = puzzling.puzzle;
    const isSolved = puzzling.stage === "solved";
    puzzling.isCounted = true;
    // Only the first try counts: after it the answer is known.
    if (settings.counted.includes(id)) return;
    settings.counted = [...settings.counted, id].slice(-MOST_COUNTED);
    settings.tried += 1;
    if (isSolved) settings.solved += 1;
    settings.streak = isSolved ? settings.streak + 1 : 0;
    settings.bestStreak = Math.max(settings.bestStreak, settings.streak);
    settings.puzzleRating = rated(settings.puzzleRating, ratingOf(puzzling.puzzle), isSolved);
    this.app.keep();
  }

  private draw(): void {
    const { puzzling } = this;
    if (!puzzling) return;
    const { puzzle, side, stage, given } = puzzling;
    const n = puzzling.position.discs.empty;
    fill(this.task, h("span", { class: `stone ${side}`, "aria-hidden": "true" }), h("div", {}, h("strong", {}, t("status.turn", { side: t(`side.${side}`) })), h("p", {}, t(puzzling.found > 0 ? `puzzle.keep.${puzzle.goal}` : `puzzle.goal.${puzzle.goal}`, { n }))));
    this.drawBoard(puzzling);
    if (stage === "failed" && given) this.drawFailure(puzzling);
    else if (stage === "solved") this.drawSuccess(puzzling);
    else fill(this.answer, h("p", { class: puzzling.found > 0 ? "right" : "quiet" }, puzzling.found > 0 ? t("puzzle.on", { move: given?.move ?? "", at: puzzling.found + 1, of: depthOf(puzzle) }) : t(puzzle.rule === "reversed" ? "puzzle.choose" : "puzzle.choose.normal")));
    const { solved, tried, puzzleRating, streak, bestStreak, counted } = this.app.settings;
    const words = [t("puzzle.ratings", { own: puzzleRating, puzzle: ratingOf(puzzle) })];
    if (!puzzling.isCounted && counted.includes(puzzle.id)) words.push(t("puzzle.again"));
    if (tried > 0) words.push(t("puzzle.tally", { solved, tried }), t("puzzle.streak", { streak, best: bestStreak }));
    fill(this.tally, words.join(" · "));
  }

  private drawBoard(puzzling: Puzzling): void {
    const { stage, given, side } = puzzling;
    // A wrong move is shown where it was made, with what every move was worth.
    const position: Position = stage === "failed" && given ? given.before : puzzling.position;
    const best = given?.scores.moves[0];
    const chips = new Map<string, Chip>(stage === "failed" && given ? given.scores.moves.map(({ move, score }) => [move, scoreChip(score, best!.score, side)]) : []);
    const { last, flips } = { last: position.last?.move ?? null, flips: position.last?.flips ?? [] };
    this.board.show({
      size: position.size,
      board: position.board,
      turn: position.turn,
      legal: new Map(stage === "asking" || stage === "checking" ? position.legal.map((move) => [move.square, move.flips]) : []),
      last: last === "pass" ? null : last,
      flips,
      chips,
      pointed: stage === "failed" ? (best?.move ?? null) : null,
      dots: this.app.settings.dots,
    });
  }

  private drawFailure({ given }: Puzzling): void {
    const { move, scores } = given!;
    const best = scores.moves[0]!;
    const mine = scores.moves.find((each) => each.move === move)?.score ?? 0;
    fill(
      this.answer,
      h("h3", { class: "wrong" }, t("puzzle.wrong")),
      h("p", {}, t("puzzle.wrong.text", { best: best.move, result: outcome(best.score), move, mine: outcome(mine), n: best.score - mine })),
      h("p", { class: "quiet small" }, t("analyse.legend")),
      this.line(scores.line),
      this.buttons(),
    );
  }

  private drawSuccess({ given, puzzle }: Puzzling): void {
    const first = given?.scores.moves.find((each) => each.move === given.move);
    fill(
      this.answer,
      h("h3", { class: "right" }, t("puzzle.right")),
      h("p", {}, t("puzzle.right.text", { move: given?.move ?? "", result: outcome(first?.score ?? 0) })),
      this.line(given?.scores.line ?? []),
      this.buttons(),
    );
    announce(`${t("puzzle.right")} ${t("puzzle.ratings", { own: this.app.settings.puzzleRating, puzzle: ratingOf(puzzle) })}`);
  }

  private line(moves: readonly string[]): HTMLElement {
    return h("p", { class: "pv quiet" }, moves.map((each) => (each === "pass" ? t("move.pass") : each)).join(" "));
  }

  private nextButton(): HTMLButtonElement {
    return button(t("puzzle.next"), () => void this.next(), { icon: "next", class: "primary", key: "n" });
  }

  private buttons(): HTMLElement {
    const analyse = (): void => {
      const { puzzling, app } = this;
      if (puzzling) app.analyse(gameOf(puzzling.puzzle.position), {});
    };
    return h("div", { class: "buttons" }, this.nextButton(), button(t("tool.analyse"), analyse, { icon: "chart" }));
  }
}
