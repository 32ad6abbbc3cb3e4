// The screen for playing: the board, the players, the moves. Agents answer without being asked.

import type { App, View } from "../app";
import { Clock, type Left, type Side } from "../game/clock";
import { HUMAN, REMOTE } from "../game/session";
import type { Node } from "../game/tree";
import { MoveList } from "../parts/moves";
import { playerGroups, playerName } from "../parts/names";
import { HELPER, openNewGame, startGame, swapped } from "../parts/newgame";
import { openInvitation, openPaste, openShare } from "../parts/share";
import { GamePanel, resultText, statusOf } from "../parts/panel";
import { button, card, enable, select, tool } from "../ui/controls";
import { fill, h } from "../ui/dom";
import { announce, toast } from "../ui/toast";
import { signed, t } from "../messages/messages";

/** The time for a hint. */
const HINT_SECONDS = 1;

export class PlayView implements View {
  readonly element: HTMLElement;
  readonly title = t("nav.play");
  readonly keys: Record<string, () => void>;
  private readonly panel: GamePanel;
  private readonly moves: MoveList;
  private readonly banner = h("div", { class: "notice" });
  private readonly seats: Record<Side, ReturnType<typeof select>>;
  private readonly stops: (() => void)[];
  private readonly hintButton: HTMLButtonElement;
  private readonly undoButton: HTMLButtonElement;
  private readonly redoButton: HTMLButtonElement;
  private readonly onceButton: HTMLButtonElement;
  private hinted: Node | null = null;
  private clock: Clock | null = null;
  private timer: ReturnType<typeof setInterval> | null = null;
  private flagged: Side | null = null;

  constructor(private readonly app: App) {
    const { session, opponent, analyzer, settings } = app;
    this.panel = new GamePanel(app);
    this.moves = new MoveList(app);
    this.undoButton = tool("undo", t("tool.undo"), () => this.undo(), "u");
    this.hintButton = tool("hint", t("tool.hint"), () => void this.hint(), "h");
    this.onceButton = tool("engine", t("tool.once"), () => void this.once(), "e");
    this.redoButton = tool("redo", t("tool.redo"), () => void session.redo(), "r");
    this.panel.add(this.undoButton, this.redoButton, this.hintButton, this.onceButton);
    const groups = playerGroups(app, true);
    const seat = (side: Side): ReturnType<typeof select> =>
      select(t(`side.${side}`), groups, session.players[side], (spec) => this.seat({ ...session.players, [side]: spec }), true, (spec) => playerName(spec, settings.name));
    this.seats = { black: seat("black"), white: seat("white") };
    const players = card(
      t("play.players"),
      { class: "players" },
      this.seats.black,
      this.seats.white,
      h(
        "div",
        { class: "buttons" },
        button(t("tool.new"), () => openNewGame(app), { icon: "plus", class: "primary", key: "n" }),
        button(t("tool.swap"), () => this.seat(swapped(session.players)), { icon: "swap", key: "s" }),
        button(t("tool.invite"), () => void openInvitation(app), { icon: "link" }),
      ),
    );
    const more = h(
      "div",
      { class: "buttons" },
      button(t("tool.analyse"), () => app.go("analyse"), { icon: "chart", key: "a" }),
      button(t("tool.share"), () => openShare(app), { icon: "share", key: "c" }),
      button(t("tool.paste"), () => openPaste(app), { icon: "paste", key: "v" }),
      button(t("tool.setup"), () => app.go("setup"), { icon: "edit" }),
    );
    this.element = h(
      "div",
      { class: "screen game" },
      this.panel.element,
      h("div", { class: "side" }, this.banner, players, card(t("moves.title"), { class: "grow" }, this.moves.element, more)),
    );
    this.keys = {
      u: () => this.undo(),
      r: () => void session.redo(),
      h: () => void this.hint(),
      e: () => void this.once(),
      s: () => this.seat(swapped(session.players)),
      n: () => openNewGame(app),
      a: () => app.go("analyse"),
      v: () => openPaste(app),
      c: () => openShare(app),
      b: () => this.panel.board.enter(),
      Home: () => void session.first(),
      End: () => void session.last(),
      ArrowLeft: () => void session.back(),
      ArrowRight: () => void session.forward(),
    };
    this.stops = [
      this.panel.board.chosen.on((square) => this.choose(square)),
      session.changed.on((change) => {
        if (change === "new") this.setClock(null);
        if (change === "players") for (const side of ["black", "white"] as const) this.seats[side].set(session.players[side]);
        this.run();
        this.update();
        if (change === "move" || change === "step" || change === "new") this.tell();
      }),
      opponent.thinking.on(() => this.update()),
      analyzer.changed.on(() => this.update()),
    ];
    settings.players = session.players;
    // The clock resumes after a reload or another screen.
    this.setClock(settings.left);
    addEventListener("pagehide", this.putAway);
    opponent.setActive(true);
    app.saver.setActive(true);
    this.update();
    // Resumes a game that was left while an agent was to move.
    if (this.flagged === null && session.isAgentsTurn && session.tree.current.children.length === 0) opponent.resume();
    this.run();
  }

  leave(): void {
    for (const stop of this.stops) stop();
    removeEventListener("pagehide", this.putAway);
    this.putAway();
    if (this.timer !== null) clearInterval(this.timer);
    this.app.opponent.setActive(false);
    this.app.saver.setActive(false);
  }

  private get isOpen(): boolean {
    const { session, opponent } = this.app;
    return session.isOwnTurn && !opponent.isThinking && this.flagged === null;
  }

  private choose(square: string): void {
    if (!this.isOpen) return;
    this.clock?.moved(performance.now());
    if (!this.app.session.play(square)) this.run();
  }

  private seat(players: { black: string; white: string }): void {
    this.app.settings.players = players;
    this.app.keep();
    this.app.session.setPlayers(players);
  }

  private undo(): void {
    void this.app.session.undo();
  }

  private async hint(): Promise<void> {
    const { session, analyzer } = this.app;
    if (session.turn === null) return;
    this.hinted = session.tree.current;
    await analyzer.analyzeFor(HINT_SECONDS);
    const best = analyzer.evaluation?.values;
    if (best && this.hinted === session.tree.current) announce(t("hint.best", { move: best.best, value: signed(best.value) }));
  }

  private async once(): Promise<void> {
    const { session, opponent } = this.app;
    const { turn } = session;
    if (turn === null || this.flagged !== null || session.players[turn] === REMOTE) return;
    if (opponent.isPaused) opponent.resume();
    else if (!opponent.isThinking) await opponent.once(session.isAgentsTurn ? session.players[turn] : HELPER);
  }

  /** Saves the time left on the clock. */
  private readonly putAway = (): void => {
    this.app.settings.left = this.clock?.read(performance.now()) ?? null;
    this.app.keep();
  };

  /** Starts a new clock, or resumes one with the time `left`. */
  private setClock(left: Left | null): void {
    const control = /^(\d+)\+(\d+)$/.exec(this.app.settings.clock);
    this.clock = control ? new Clock({ budget_ms: Number(control[1]) * 60_000, increment_ms: Number(control[2]) * 1000 }, left) : null;
    this.flagged = this.clock?.flag(performance.now()) ?? null;
    if (this.timer !== null) clearInterval(this.timer);
    this.timer = this.clock ? setInterval(() => this.tick(), 100) : null;
    this.panel.tick(this.clock, performance.now());
  }

  /** Runs the clock of the side to move; stops it while a person looks back. */
  private run(): void {
    const { session } = this.app;
    if (!this.clock) return;
    const now = performance.now();
    const isTip = session.tree.current.children.length === 0;
    const turn = isTip && session.tree.current.ply > 0 ? session.turn : null;
    if (turn !== this.clock.side) {
      if (this.clock.side && turn) this.clock.moved(now);
      if (turn) this.clock.start(turn, now);
      else this.clock.stop(now);
    }
    this.panel.tick(this.clock, now);
  }

  private tick(): void {
    const now = performance.now();
    const flagged = this.clock?.flag(now) ?? null;
    this.panel.tick(this.clock, now);
    if (flagged && this.flagged === null) {
      this.flagged = flagged;
      this.app.opponent.pause();
      this.update();
      announce(this.status());
    }
  }

  private status(): string {
    const { position } = this.app.session;
    if (this.flagged) return t("status.flag", { side: t(`side.${this.flagged}`), winner: t(`side.${this.flagged === "black" ? "white" : "black"}`) });
    return position ? statusOf(position) : "";
  }

  /** Announces the move, a pass or the end to screen readers. */
  private tell(): void {
    const { position } = this.app.session;
    if (!position) return;
    const { last, discs, passed, over } = position;
    const words = [];
    if (last && last.move !== "pass") words.push(t("said.move", { side: t(`side.${last.color}`), move: last.move, n: last.flips.length }));
    words.push(this.status(), t("said.count", { black: discs.black, white: discs.white }));
    announce(words.join(". "));
    if (passed && !over) toast(t("status.passed", { side: t(`side.${passed}`) }));
  }

  private update(): void {
    const { session, opponent, analyzer } = this.app;
    const isHinted = this.hinted === session.tree.current;
    const values = isHinted ? (analyzer.evaluation?.values ?? null) : null;
    const status = opponent.isPaused ? t("status.paused") : values ? t("hint.best", { move: values.best, value: signed(values.value) }) : this.status();
    this.panel.update({ values, pointed: values?.best ?? null, isOpen: this.isOpen }, status, opponent.isThinking);
    this.moves.update();
    const isOver = session.turn === null || this.flagged !== null;
    enable(this.undoButton, session.tree.current.parent !== null);
    enable(this.redoButton, session.tree.current.children.length > 0);
    enable(this.hintButton, !isOver);
    enable(this.onceButton, !isOver && !opponent.isThinking && (session.turn === null || session.players[session.turn] !== REMOTE));
    this.onceButton.classList.toggle("asks", opponent.isPaused);
    this.drawBanner();
  }

  /** Shows the result of the game, also while a person looks back at it. */
  private drawBanner(): void {
    const { app } = this;
    const { session } = app;
    const result = session.at(session.tree.line().at(-1)!)?.result ?? null;
    const state = this.flagged ? "flag" : result ? JSON.stringify(result) : "";
    if (this.banner.dataset["state"] === state) return;
    this.banner.dataset["state"] = state;
    this.banner.hidden = state === "";
    if (state === "") return;
    const words = this.flagged ? this.status() : resultText(result!);
    const people = (["black", "white"] as const).filter((side) => session.players[side] === HUMAN);
    const winner = this.flagged ? (this.flagged === "black" ? "white" : "black") : result!.winner;
    const title = people.length === 1 && winner ? t(winner === people[0] ? "over.won" : "over.lost") : t("over.title");
    const rematch = (): void => {
      app.settings.players = swapped(session.players);
      startGame(app, session.game.rule, session.game.size, session.game.start);
    };
    fill(
      this.banner,
      h("h2", {}, title),
      h("p", {}, words, " · ", result ? t("over.count", { black: result.discs.black, white: result.discs.white }) : ""),
      h(
        "div",
        { class: "buttons" },
        button(t("over.analyse"), () => app.go("analyse/review"), { icon: "chart", class: "primary" }),
        button(t("over.rematch"), rematch, { icon: "swap" }),
      ),
    );
  }
}
