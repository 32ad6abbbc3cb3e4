// The screen for watching two agents play on the server.

import { type App, gameOf, type View } from "../app";
import type { WatchMove } from "../api/wire";
import { BoardView } from "../board/board";
import type { Rule, Size } from "../game/notation";
import { PACES, Watching } from "../game/watching";
import { CandidateSwitch } from "../parts/candidates";
import { ownAgent, playerGroups, playerName, sizesFor } from "../parts/names";
import { refilled } from "../parts/newgame";
import { playerSelect } from "../parts/players";
import { PrintedCard } from "../parts/printed";
import { soundPosition } from "../parts/said";
import { ScoreBar } from "../parts/score";
import { sizeChoice } from "../parts/sizes";
import { pictureOf, resultText } from "../parts/panel";
import { worth } from "../parts/values";
import { button, card, enable, segmented } from "../ui/controls";
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
  private readonly stepButton: HTMLButtonElement;
  private readonly newButton: HTMLButtonElement;
  private readonly printed: PrintedCard;
  private readonly candidates: CandidateSwitch;
  private readonly watching: Watching;
  private readonly stop: () => void;

  constructor(
    private readonly app: App,
    state: unknown,
  ) {
    const { rule, size } = app.settings;
    this.watching = state instanceof Watching ? state : new Watching(app.client, { black: "engine:level=5", white: "engine:level=3", rule, size, pace: "normal" }, app.failed, (spec) => ownAgent(app.agents, spec) !== undefined);
    const { wanted } = this.watching;
    this.candidates = new CandidateSwitch(app, () => this.draw());
    this.startButton = button(t("watch.start"), () => this.toggle(), { icon: "play", class: "primary" });
    this.stepButton = button(t("watch.step"), () => void this.watching.step(), { icon: "next" });
    this.newButton = button(t("tool.new"), () => void this.watching.run(), { icon: "plus" });
    this.printed = new PrintedCard(app, () => wanted, () => void this.again());
    const offered = (): Size[] => sizesFor(app.agents, [wanted.black, wanted.white]);
    const black = playerSelect(app, t("side.black"), playerGroups(app, wanted, false), wanted.black, (spec) => chosen(() => (wanted.black = spec)));
    const white = playerSelect(app, t("side.white"), playerGroups(app, wanted, false), wanted.white, (spec) => chosen(() => (wanted.white = spec)));
    const refill = (): void => {
      Object.assign(wanted, refilled(app, wanted, wanted, { black, white }, false));
      sizes.fill(offered(), wanted.size);
    };
    const sizes = sizeChoice(offered(), wanted.size, (size) => chosen(() => ((wanted.size = size), refill())));
    const chosen = (act: () => void): void => {
      act();
      sizes.fill(offered(), wanted.size);
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
          black,
          white,
          sizes,
          h(
            "div",
            { class: "rule-pace" },
            segmented<Rule>(t("new.rule"), [["reversed", t("rule.reversed")], ["normal", t("rule.normal")]], wanted.rule, (rule) => chosen(() => ((wanted.rule = rule), refill()))),
            segmented<keyof typeof PACES>(t("watch.pace"), [["slow", t("pace.slow")], ["normal", t("pace.normal")], ["fast", t("pace.fast")]], wanted.pace, (pace) => (wanted.pace = pace)),
          ),
          this.next,
          this.candidates.element,
          h("div", { class: "buttons" }, this.startButton, this.stepButton, this.newButton),
        ),
        this.printed.element,
        card(t("moves.title"), { class: "grow" }, this.log, this.foot),
      ),
    );
    this.keys = { " ": () => this.toggle(), ArrowRight: () => void this.watching.step(), b: () => this.board.enter() };
    this.stop = this.watching.changed.on((move) => this.update(move));
    this.update(null);
    void this.watching.preview();
  }

  leave(isRedrawn: boolean): void {
    this.stop();
    if (!isRedrawn) this.watching.pause();
  }

  state(): unknown {
    return this.watching;
  }

  private toggle(): void {
    const { watching } = this;
    if (watching.isRunning) watching.pause();
    else if (watching.isPaused) void watching.resume();
    else void watching.run();
  }

  /** Asks an agent again that has failed. */
  private async again(): Promise<void> {
    const { watching } = this;
    await (watching.isPaused ? watching.resume() : watching.run());
  }

  private update(move: WatchMove | null): void {
    this.list();
    this.draw();
    this.buttons();
    if (move) soundPosition(move.position);
    const result = move?.position.result;
    if (result) announce(resultText(result));
  }

  /** Lists the moves that are not listed yet; another game begins a new list. */
  private list(): void {
    const { moves } = this.watching;
    if (this.log.children.length > moves.length) fill(this.log);
    for (const move of moves.slice(this.log.children.length)) this.append(move);
  }

  private append({ move, color, value, seconds }: WatchMove): void {
    this.log.append(
      h(
        "li",
        {},
        h("span", { class: `stone small ${color}`, "aria-hidden": "true" }),
        h("b", {}, move === "pass" ? "–" : move),
        h("span", { class: "quiet" }, value === null || !this.watching.players[color].startsWith("engine") ? "" : worth(value, color)),
        h("span", { class: "quiet" }, t("time.seconds", { seconds: seconds.toFixed(2) })),
      ),
    );
    this.log.scrollTop = this.log.scrollHeight;
  }

  private draw(): void {
    const { position, players, told, failure } = this.watching;
    this.printed.show(Object.values(players), told, failure);
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
    if (this.watching.isPaused) return t("watch.paused");
    if (last?.move === "pass") return t("status.passed", { side: t(`side.${last.color}`) });
    return t("status.turn", { side: t(`side.${position.turn ?? "black"}`) });
  }

  private buttons(): void {
    const { isRunning, isPaused, position, moves, players } = this.watching;
    this.next.hidden = !this.watching.hasGame;
    fill(this.startButton, icon(isRunning ? "pause" : "play"), h("span", {}, t(isRunning ? "watch.pause" : isPaused ? "watch.resume" : "watch.start")));
    enable(this.stepButton, !isRunning);
    this.newButton.hidden = !isPaused;
    const analyse = (): void => {
      if (position) this.app.analyse(gameOf(position), players);
    };
    fill(this.foot, !isRunning && moves.length > 0 && button(t("over.analyse"), analyse, { icon: "chart" }));
  }
}
