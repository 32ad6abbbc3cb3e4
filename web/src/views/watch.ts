// The screen for watching two agents play on the server.

import { type App, gameOf, type View } from "../app";
import type { Position, WatchMove } from "../api/wire";
import { BoardView } from "../board/board";
import type { Rule, Size } from "../game/notation";
import { playerGroups, playerName } from "../parts/names";
import { ScoreBar } from "../parts/score";
import { pictureOf, resultText } from "../parts/panel";
import { button, card, segmented, select } from "../ui/controls";
import { fill, h } from "../ui/dom";
import { icon } from "../ui/icons";
import { announce } from "../ui/toast";
import { signed, t } from "../messages/messages";

/** Seconds between moves. */
const PACES = { slow: 1.5, normal: 0.6, fast: 0.05 } as const;

export class WatchView implements View {
  readonly element: HTMLElement;
  readonly title = t("nav.watch");
  readonly keys: Record<string, () => void>;
  private readonly board = new BoardView(t("board.label"));
  private readonly score = new ScoreBar();
  private readonly log = h("ol", { class: "log", "aria-label": t("moves.title") });
  private readonly foot = h("div", { class: "buttons" });
  private readonly startButton: HTMLButtonElement;
  private readonly wanted: { black: string; white: string; rule: Rule; size: Size; pace: keyof typeof PACES };
  private players: { black: string; white: string };
  private search: AbortController | null = null;
  private position: Position | null = null;

  constructor(private readonly app: App) {
    const { settings } = app;
    this.wanted = { black: "engine:level=5", white: "engine:level=3", rule: settings.rule, size: settings.size, pace: "normal" };
    this.players = this.wanted;
    this.startButton = button(t("watch.start"), () => this.toggle(), { icon: "play", class: "primary" });
    const groups = playerGroups(app, false);
    this.element = h(
      "div",
      { class: "screen game" },
      h("div", { class: "table" }, this.score.element, this.board.element),
      h(
        "div",
        { class: "side" },
        card(
          t("watch.title"),
          {},
          h("p", { class: "quiet" }, t("watch.help")),
          select(t("side.black"), groups, this.wanted.black, (spec) => (this.wanted.black = spec)),
          select(t("side.white"), groups, this.wanted.white, (spec) => (this.wanted.white = spec)),
          segmented<Rule>(t("new.rule"), [["reversed", t("rule.reversed")], ["normal", t("rule.normal")]], this.wanted.rule, (rule) => {
            this.wanted.rule = rule;
            void this.preview();
          }),
          h(
            "div",
            { class: "two-up" },
            segmented<string>(t("new.size"), [["8", "8×8"], ["6", "6×6"], ["4", "4×4"]], String(this.wanted.size), (size) => {
              this.wanted.size = Number(size) as Size;
              void this.preview();
            }),
            segmented<keyof typeof PACES>(t("watch.pace"), [["slow", t("pace.slow")], ["normal", t("pace.normal")], ["fast", t("pace.fast")]], this.wanted.pace, (pace) => (this.wanted.pace = pace)),
          ),
          h("div", { class: "buttons" }, this.startButton),
        ),
        card(t("moves.title"), { class: "grow" }, this.log, this.foot),
      ),
    );
    this.keys = { " ": () => this.toggle() };
    void this.preview();
  }

  leave(): void {
    this.search?.abort();
    this.search = null;
  }

  /** The board before the first move. */
  private async preview(): Promise<void> {
    if (this.search) return;
    const { rule, size } = this.wanted;
    try {
      const position = await this.app.client.position({ rule, size, start: null, moves: [] });
      if (!this.search) this.draw(position, t("watch.ready"));
    } catch (error) {
      this.app.failed(error);
    }
  }

  private toggle(): void {
    if (this.search) {
      this.leave();
      this.buttons();
    } else void this.run();
  }

  private async run(): Promise<void> {
    const { black, white, rule, size, pace } = this.wanted;
    const search = new AbortController();
    this.search = search;
    this.players = { black, white };
    fill(this.log);
    this.buttons();
    const listener = (name: string, data: unknown): void => {
      if (this.search !== search) return;
      if (name === "start") {
        const { position } = data as { position: Position };
        this.draw(position, t("status.turn", { side: t("side.black") }));
      } else if (name === "move") this.move(data as WatchMove);
      else if (name === "done" && this.position?.result) announce(resultText(this.position.result));
    };
    try {
      const settings = { black, white, seconds: 1, pause: PACES[pace] };
      await this.app.client.watch({ rule, size, start: null, moves: [] }, settings, listener, search.signal);
    } catch (error) {
      if (this.search === search) this.app.failed(error);
    }
    if (this.search === search) this.search = null;
    this.buttons();
  }

  private move(told: WatchMove): void {
    const { position, move, color, value, seconds } = told;
    const status = position.result
      ? resultText(position.result)
      : move === "pass"
        ? t("status.passed", { side: t(`side.${color}`) })
        : t("status.turn", { side: t(`side.${position.turn ?? color}`) });
    this.draw(position, status);
    this.log.append(
      h(
        "li",
        {},
        h("span", { class: `stone small ${color}`, "aria-hidden": "true" }),
        h("b", {}, move === "pass" ? "–" : move),
        h("span", { class: "quiet" }, value === null || !this.players[color].startsWith("engine") ? "" : signed(value)),
        h("span", { class: "quiet" }, `${seconds.toFixed(2)} s`),
      ),
    );
    this.log.scrollTop = this.log.scrollHeight;
  }

  private draw(position: Position, status: string): void {
    this.position = position;
    this.board.show(pictureOf(position, { values: null, pointed: null, isOpen: false }, false));
    const { black, white } = this.search ? this.players : this.wanted;
    this.score.show({ position, names: { black: playerName(black, ""), white: playerName(white, "") }, status });
  }

  private buttons(): void {
    fill(this.startButton, icon(this.search ? "stop" : "play"), h("span", {}, t(this.search ? "watch.stop" : "watch.start")));
    const { position } = this;
    const analyse = (): void => {
      if (!position) return;
      this.app.session.players = { ...this.players };
      void this.app.session.open(gameOf(position)).then(() => this.app.go("analyse"));
    };
    const isReady = !this.search && position !== null && position.moves.length > 0;
    fill(this.foot, isReady && button(t("over.analyse"), analyse, { icon: "chart" }));
  }
}
