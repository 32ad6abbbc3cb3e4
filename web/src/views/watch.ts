// The screen for watching two agents play on the server.

import { type App, gameOf, type View } from "../app";
import type { WatchMove } from "../api/wire";
import { BoardView } from "../board/board";
import type { Rule, Size } from "../game/notation";
import { PACES, Watching } from "../game/watching";
import { CandidateSwitch } from "../parts/candidates";
import { playerGroups, playerName } from "../parts/names";
import { refilled } from "../parts/newgame";
import { ScoreBar } from "../parts/score";
import { pictureOf, resultText } from "../parts/panel";
import { worth } from "../parts/values";
import { button, card, segmented, select } from "../ui/controls";
import { fill, h } from "../ui/dom";
import { icon } from "../ui/icons";
import { announce } from "../ui/toast";
import { t } from "../messages/messages";

export class WatchView implements View {
  readonly element: HTMLElement;
  readonly title = t("nav.watch");
  readonly keys: Record<string, () => void>;
  private readonly board = new BoardView(t("board.label"));
  private readonly score = new ScoreBar();
  private readonly log = h("ol", { class: "log", "aria-label": t("moves.title") });
  private readonly foot = h("div", { class: "buttons" });
  private readonly next = h("p", { class: "quiet small" }, t("watch.next"));
  private readonly startButton: HTMLButtonElement;
  private readonly candidates: CandidateSwitch;
  private readonly watching: Watching;
  private readonly stop: () => void;

  constructor(
    private readonly app: App,
    state: unknown,
  ) {
    const { rule, size } = app.settings;
    this.watching = state instanceof Watching ? state : new Watching(app.client, { black: "engine:level=5", white: "engine:level=3", rule, size, pace: "normal" }, app.failed);
    const { wanted } = this.watching;
    this.candidates = new CandidateSwitch(app, () => this.draw());
    this.startButton = button(t("watch.start"), () => this.toggle(), { icon: "play", class: "primary" });
    const black = select(t("side.black"), playerGroups(app, wanted, false), wanted.black, (spec) => chosen(() => (wanted.black = spec)));
    const white = select(t("side.white"), playerGroups(app, wanted, false), wanted.white, (spec) => chosen(() => (wanted.white = spec)));
    const refill = (): void => {
      Object.assign(wanted, refilled(app, wanted, wanted, { black, white }, false));
    };
    const chosen = (act: () => void): void => {
      act();
      void this.watching.preview();
    };
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
          black,
          white,
          segmented<Rule>(t("new.rule"), [["reversed", t("rule.reversed")], ["normal", t("rule.normal")]], wanted.rule, (rule) => chosen(() => ((wanted.rule = rule), refill()))),
          h(
            "div",
            { class: "two-up" },
            segmented<string>(t("new.size"), [["8", "8×8"], ["6", "6×6"], ["4", "4×4"]], String(wanted.size), (size) => chosen(() => ((wanted.size = Number(size) as Size), refill()))),
            segmented<keyof typeof PACES>(t("watch.pace"), [["slow", t("pace.slow")], ["normal", t("pace.normal")], ["fast", t("pace.fast")]], wanted.pace, (pace) => (wanted.pace = pace)),
          ),
          this.next,
          this.candidates.element,
          h("div", { class: "buttons" }, this.startButton),
        ),
        card(t("moves.title"), { class: "grow" }, this.log, this.foot),
      ),
    );
    this.keys = { " ": () => this.toggle() };
    this.stop = this.watching.changed.on((move) => this.update(move));
    for (const move of this.watching.moves) this.append(move);
    this.update(null);
    void this.watching.preview();
  }

  leave(isRedrawn: boolean): void {
    this.stop();
    if (!isRedrawn) this.watching.stop();
  }

  state(): unknown {
    return this.watching;
  }

  private toggle(): void {
    if (this.watching.isRunning) this.watching.stop();
    else {
      fill(this.log);
      void this.watching.run();
    }
  }

  private update(move: WatchMove | null): void {
    if (move) this.append(move);
    this.draw();
    this.buttons();
    const result = move?.position.result;
    if (result) announce(resultText(result));
  }

  private append({ move, color, value, seconds }: WatchMove): void {
    this.log.append(
      h(
        "li",
        {},
        h("span", { class: `stone small ${color}`, "aria-hidden": "true" }),
        h("b", {}, move === "pass" ? "–" : move),
        h("span", { class: "quiet" }, value === null || !this.watching.players[color].startsWith("engine") ? "" : worth(value, color)),
        h("span", { class: "quiet" }, `${seconds.toFixed(2)} s`),
      ),
    );
    this.log.scrollTop = this.log.scrollHeight;
  }

  private draw(): void {
    const { position, players } = this.watching;
    if (!position) return;
    const last = this.watching.moves.at(-1);
    this.candidates.update(Object.values(players));
    this.board.show(pictureOf(position, { values: null, pointed: null, isOpen: false, ...this.candidates.overlay(last?.candidates, last?.move ?? null) }, false));
    this.score.show({ position, names: { black: playerName(players.black, ""), white: playerName(players.white, "") }, status: this.status() });
  }

  private status(): string {
    const { position, moves, hasGame } = this.watching;
    const last = moves.at(-1);
    if (!position || !hasGame) return t("watch.ready");
    if (position.result) return resultText(position.result);
    if (last?.move === "pass") return t("status.passed", { side: t(`side.${last.color}`) });
    return t("status.turn", { side: t(`side.${position.turn ?? "black"}`) });
  }

  private buttons(): void {
    const { isRunning, position, moves, players } = this.watching;
    this.next.hidden = !this.watching.hasGame;
    fill(this.startButton, icon(isRunning ? "stop" : "play"), h("span", {}, t(isRunning ? "watch.stop" : "watch.start")));
    const analyse = (): void => {
      if (position) this.app.analyse(gameOf(position), players);
    };
    fill(this.foot, !isRunning && moves.length > 0 && button(t("over.analyse"), analyse, { icon: "chart" }));
  }
}
