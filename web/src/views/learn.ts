// The introduction: four small exercises that show what changes when fewer discs win.

import type { App, View } from "../app";
import type { Position } from "../api/wire";
import { BoardView, type Chip } from "../board/board";
import { type Lesson, LESSONS } from "../game/lessons";
import { cell, HUMAN } from "../game/session";
import { startGame } from "../parts/newgame";
import { scoreChip } from "../parts/values";
import { button, card } from "../ui/controls";
import { fill, h } from "../ui/dom";
import { announce } from "../ui/toast";
import { t } from "../messages/messages";

export class LearnView implements View {
  readonly element: HTMLElement;
  readonly title = t("nav.learn");
  private readonly board = new BoardView(t("board.label"));
  private readonly words = h("div", { class: "lesson" });
  private readonly steps = h("ol", { class: "steps", "aria-label": t("learn.steps") });
  private position: Position | null = null;
  private at: number;
  private given: { answer: string; isRight: boolean } | null = null;

  constructor(
    private readonly app: App,
    state: unknown,
  ) {
    this.at = Math.max(0, Math.min(LESSONS.length, app.settings.lesson));
    this.board.chosen.on((square) => this.answer(square));
    this.element = h(
      "div",
      { class: "screen game learn" },
      h("div", { class: "table" }, this.board.element),
      h("div", { class: "side" }, card(t("learn.title"), { class: "grow" }, this.steps, this.words)),
    );
    void this.show(this.at, (state as typeof this.given) ?? null);
  }

  state(): unknown {
    return this.given;
  }

  leave(): void {
    // There is nothing to stop.
  }

  private get lesson(): Lesson | null {
    return LESSONS[this.at] ?? null;
  }

  private async show(at: number, given: typeof this.given = null): Promise<void> {
    this.at = at;
    this.given = given;
    this.app.settings.lesson = at;
    this.app.keep();
    const lesson = this.lesson ?? LESSONS[0]!;
    try {
      this.position = await this.app.client.position(lesson.game);
    } catch (error) {
      this.app.failed(error);
      return;
    }
    this.draw();
  }

  private answer(given: string): void {
    const { lesson, position } = this;
    if (!lesson || !position || this.given?.isRight) return;
    if (lesson.asks === "square") {
      if (!position.legal.some((move) => move.square === given)) return;
      this.given = { answer: given, isRight: lesson.right === null || lesson.right.includes(given) };
    } else {
      this.given = { answer: given, isRight: given === position.result?.winner };
    }
    this.draw();
    const feedback = this.words.querySelector(".feedback")!;
    announce(feedback.textContent);
    feedback.scrollIntoView({ block: "nearest" });
  }

  private draw(): void {
    const { lesson, position, given } = this;
    if (!position) return;
    const isSquare = lesson?.asks === "square";
    const played = isSquare && given ? position.legal.find((move) => move.square === given.answer) : undefined;
    const cells = [...position.board];
    if (played) for (const name of [played.square, ...played.flips]) cells[cell(name, position.size)] = position.turn === "black" ? "X" : "O";
    const chips = new Map<string, Chip>(
      // After a wrong answer the question stands: the scores would give the right one away.
      given?.isRight && lesson?.scores
        ? Object.entries(lesson.scores)
            .filter(([move]) => move !== given.answer)
            .map(([move, score]) => [move, scoreChip(score, Math.max(...Object.values(lesson.scores!)), position.turn ?? "black")])
        : [],
    );
    this.board.show({
      size: position.size,
      board: cells.join(""),
      turn: position.turn,
      legal: new Map(isSquare && !given ? position.legal.map((move) => [move.square, move.flips]) : []),
      last: played?.square ?? null,
      flips: played?.flips ?? [],
      chips,
      lit: lesson?.lit ?? [],
      dots: true,
    });
    fill(
      this.steps,
      ...[...LESSONS.map((each) => t(`learn.${each.id}.title`)), t("learn.end.title")].map((title, index) =>
        h("li", {}, h("button", { type: "button", class: index < this.at ? "done" : "", "aria-current": index === this.at ? "step" : null, "aria-label": title, title, onclick: () => void this.show(index) }, index + 1)),
      ),
    );
    if (lesson) this.drawLesson(lesson, position);
    else this.drawEnd();
  }

  private drawLesson(lesson: Lesson, position: Position): void {
    const { given } = this;
    const feedback = given ? t(given.isRight ? `learn.${lesson.id}.right` : `learn.${lesson.id}.wrong`, { move: given.answer }) : "";
    const winner =
      lesson.asks === "winner" && !given?.isRight
        ? h("div", { class: "buttons" }, ...(["black", "white"] as const).map((side) => button(`${t(`side.${side}`)} (${position.discs[side]})`, () => this.answer(side))))
        : null;
    fill(
      this.words,
      h("h3", {}, t(`learn.${lesson.id}.title`)),
      h("p", {}, t(`learn.${lesson.id}.text`)),
      h("p", { class: "ask" }, t(`learn.${lesson.id}.task`)),
      winner,
      h("p", { class: `feedback ${given ? (given.isRight ? "right" : "wrong") : ""}` }, feedback),
      h(
        "div",
        { class: "buttons" },
        given && !given.isRight && lesson.asks === "square" ? button(t("learn.again"), () => void this.show(this.at), { icon: "undo" }) : null,
        button(t("learn.next"), () => void this.show(this.at + 1), { icon: "next", class: given?.isRight ? "primary" : "" }),
      ),
    );
  }

  private drawEnd(): void {
    const { app } = this;
    const play = (): void => {
      startGame(app, { rule: "reversed", size: 6, players: { black: HUMAN, white: "engine:level=1" }, clock: "" });
    };
    fill(
      this.words,
      h("h3", {}, t("learn.end.title")),
      h("ul", { class: "points" }, ...(["learn.end.corners", "learn.end.mobility", "learn.end.few", "learn.end.last", "learn.end.wipe"] as const).map((key) => h("li", {}, t(key)))),
      h("div", { class: "buttons" }, button(t("learn.end.play"), play, { icon: "play", class: "primary" }), button(t("nav.puzzles"), () => app.go("puzzles"), { icon: "puzzle" }), button(t("learn.again"), () => void this.show(0), { icon: "undo" })),
    );
  }
}
