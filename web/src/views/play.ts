// The screen for playing: one table with its board, players and moves. Agents answer without being
// asked.

import type { App, View } from "../app";
import type { Side } from "../game/clock";
import { isAgent, type Players } from "../game/session";
import type { Table } from "../game/table";
import { CandidateSwitch } from "../parts/candidates";
import { Hint } from "../parts/hint";
import { MoveList } from "../parts/moves";
import { playerSelect } from "../parts/players";
import { PrintedCard } from "../parts/printed";
import { playerGroups, playerName } from "../parts/names";
import { HELPER, openNewGame, startGame, swapped } from "../parts/newgame";
import { openFriend } from "../parts/invite";
import { sayPosition } from "../parts/said";
import { openPaste, openShare } from "../parts/share";
import { endText, GamePanel, statusOf } from "../parts/panel";
import { button, card, confirm, enable, type select, tool } from "../ui/controls";
import { fill, h } from "../ui/dom";
import { announce, toast } from "../ui/toast";
import { t } from "../messages/messages";

const SIDES = ["black", "white"] as const;

export class PlayView implements View {
  readonly element: HTMLElement;
  readonly title = t("nav.play");
  readonly keys: Record<string, () => void>;
  private readonly panel: GamePanel;
  private readonly moves: MoveList;
  private readonly banner = h("div", { class: "notice", hidden: true });
  private readonly earlier = h("p", { class: "quiet small" });
  private readonly seats: Record<Side, ReturnType<typeof select>>;
  private readonly stops: (() => void)[];
  private readonly hintButton: HTMLButtonElement;
  private readonly undoButton: HTMLButtonElement;
  private readonly redoButton: HTMLButtonElement;
  private readonly onceButton: HTMLButtonElement;
  private readonly resignButton: HTMLButtonElement;
  private readonly swapButton: HTMLButtonElement;
  private readonly timer: ReturnType<typeof setInterval> | null;
  private readonly hints: Hint;
  private readonly candidates: CandidateSwitch;
  private readonly printed: PrintedCard;

  constructor(
    private readonly app: App,
    private readonly table: Table,
  ) {
    const { settings } = app;
    const { session, opponent, analyzer, record } = table;
    this.panel = new GamePanel(session, settings, () => this.names);
    this.moves = new MoveList(session);
    this.hints = new Hint(session, analyzer, () => this.update());
    this.candidates = new CandidateSwitch(app, () => this.update());
    this.printed = new PrintedCard(app, () => session.game, () => opponent.resume());
    this.undoButton = tool("undo", t("tool.undo"), () => this.undo(), "u", t("short.undo"));
    this.hintButton = tool("hint", t("tool.hint"), () => void this.hint(), "h", t("short.hint"));
    this.onceButton = tool("engine", t("tool.once"), () => void this.once(), "e", t("short.once"));
    this.redoButton = tool("redo", t("tool.redo"), () => this.redo(), "r", t("short.redo"));
    this.resignButton = tool("flag", t("tool.resign"), () => this.resign(), undefined, t("short.resign"));
    this.panel.add(this.undoButton, this.redoButton, this.hintButton, this.onceButton, this.resignButton);
    const groups = playerGroups(app, session.game, true);
    const seat = (side: Side): ReturnType<typeof select> =>
      playerSelect(app, t(`side.${side}`), groups, record.players[side], (spec) => this.seat({ ...record.players, [side]: spec }), (spec) => playerName(spec, settings.name));
    this.seats = { black: seat("black"), white: seat("white") };
    this.swapButton = button(t("tool.swap"), () => this.seat(swapped(record.players)), { icon: "swap", key: "s" });
    const players = card(
      t("play.players"),
      { class: "players" },
      this.seats.black,
      this.seats.white,
      this.earlier,
      this.candidates.element,
      h(
        "div",
        { class: "buttons" },
        button(t("tool.new"), () => openNewGame(app), { icon: "plus", class: "primary", key: "n" }),
        this.swapButton,
        button(t("friend.new"), () => openFriend(app), { icon: "people", key: "f" }),
      ),
    );
    const more = h(
      "div",
      { class: "buttons" },
      button(t("tool.analyse"), () => this.analyse(), { icon: "chart", key: "a" }),
      button(t("tool.share"), () => this.share(), { icon: "share", key: "c" }),
      button(t("tool.paste"), () => openPaste(app, session.game), { icon: "paste", key: "v" }),
      button(t("tool.setup"), () => app.go("setup"), { icon: "edit" }),
    );
    this.element = h(
      "div",
      { class: "screen game" },
      this.panel.element,
      h("div", { class: "side" }, this.banner, players, this.printed.element, card(t("moves.title"), { class: "grow" }, this.moves.element, more)),
    );
    this.keys = {
      u: () => this.undo(),
      r: () => this.redo(),
      h: () => void this.hint(),
      e: () => void this.once(),
      s: () => this.seat(swapped(record.players)),
      n: () => openNewGame(app),
      f: () => openFriend(app),
      a: () => this.analyse(),
      v: () => openPaste(app, session.game),
      c: () => this.share(),
      b: () => this.panel.board.enter(),
      Home: () => void session.first(),
      End: () => void session.last(),
      ArrowLeft: () => void session.back(),
      ArrowRight: () => void session.forward(),
    };
    this.stops = [
      this.panel.board.chosen.on((square) => table.choose(square)),
      session.changed.on((change) => {
        this.update();
        if (change === "move" || change === "step" || change === "new" || change === "news") sayPosition(session.position, this.status(), change !== "new");
      }),
      table.changed.on(() => {
        this.update();
        if (table.end) announce(endText(table.end));
      }),
      table.conflict.on((move) => toast(t("conflict", { move }))),
      table.deleted.on(() => {
        toast(t("play.deleted"));
        table.discard();
        app.go("games");
      }),
      opponent.thinking.on(() => this.update()),
      analyzer.changed.on(() => this.update()),
    ];
    this.timer = table.clock ? setInterval(() => this.tick(), 100) : null;
    this.update();
    this.tick();
  }

  leave(): void {
    for (const stop of this.stops) stop();
    if (this.timer !== null) clearInterval(this.timer);
  }

  refresh(): void {
    this.update();
  }

  private get names(): Record<Side, string> {
    const { players } = this.table.record;
    const { name } = this.app.settings;
    return { black: playerName(players.black, name), white: playerName(players.white, name) };
  }

  private tick(): void {
    this.table.tick();
    this.panel.tick(this.table.clock, performance.now());
  }

  private seat(players: Players): void {
    if (this.table.isOver) return;
    this.app.settings.players = players;
    this.app.keep();
    this.table.setPlayers(players);
  }

  private undo(): void {
    if (this.isTakeBackAllowed) void this.table.session.undo();
  }

  private redo(): void {
    if (this.isTakeBackAllowed) void this.table.session.redo();
  }

  /** A finished game stays as it is. */
  private get isTakeBackAllowed(): boolean {
    return !this.table.isOver;
  }

  private resign(): void {
    const { resigner } = this.table;
    if (!resigner) return;
    const winner = t(`side.${resigner === "black" ? "white" : "black"}`);
    confirm(t("tool.resign"), t("resign.ask", { side: t(`side.${resigner}`), winner }), t("cancel"), () => this.table.resign());
  }

  private analyse(isReviewed = false): void {
    const { table } = this;
    this.app.analyse(table.copy(), table.names, { id: table.id, isReviewed });
  }

  private share(): void {
    openShare(this.app, { session: this.table.session, names: this.table.names, table: this.table });
  }

  private async hint(): Promise<void> {
    if (this.table.session.turn !== null && !this.table.isOver && this.table.analyzer.isAble) await this.hints.press();
  }

  /** Lets an agent, or the engine for a person, make the move of the position on the board. */
  private async once(): Promise<void> {
    const { session, opponent } = this.table;
    const { turn } = session;
    if (turn === null || this.table.isOver) return;
    if (opponent.isPaused && session.tree.current === session.tip) opponent.resume();
    else if (!opponent.isThinking) await opponent.once(isAgent(session.players[turn]) ? session.players[turn] : HELPER, session.tree.current);
  }

  private status(): string {
    const { end, session } = this.table;
    const isTip = session.tree.current === session.tip;
    if (end && end.reason !== "board" && isTip) return endText(end);
    return session.position ? statusOf(session.position) : "";
  }

  private update(): void {
    const { table } = this;
    const { session, opponent, record } = table;
    const { current } = session.tree;
    const isTip = current === session.tip;
    const isPaused = opponent.isPaused && isTip;
    const status = isPaused ? t(opponent.isAway ? "friend.offline" : "status.paused") : (this.hints.words ?? this.status());
    this.candidates.update(Object.values(record.players));
    // A hint is about the move to come, thoughts about the one before: not both at once.
    const thoughts = this.hints.words === null ? this.candidates.overlay(opponent.candidates(current), current.move) : {};
    this.panel.update({ ...this.hints.overlay, ...thoughts, isOpen: table.isOwnTurn }, status, opponent.isThinking && isTip, isTip && table.end ? table.end.winner : undefined);
    this.moves.update();
    this.printed.show(Object.values(record.players), opponent.told(session.tip), opponent.failure);
    for (const side of SIDES) {
      this.seats[side].set(record.players[side]);
      this.seats[side].enable(!table.isOver);
    }
    const { turn } = session;
    const isFree = turn !== null && !table.isOver;
    enable(this.undoButton, session.undoTarget !== null && this.isTakeBackAllowed);
    enable(this.redoButton, session.tree.current.children.length > 0 && this.isTakeBackAllowed);
    enable(this.hintButton, isFree && table.analyzer.isAble);
    enable(this.onceButton, isFree && !opponent.isThinking);
    enable(this.resignButton, table.resigner !== null);
    enable(this.swapButton, !table.isOver);
    this.onceButton.classList.toggle("asks", isPaused && !opponent.isAway);
    this.drawEarlier();
    this.drawBanner();
  }

  /** Says who played before the players were changed. */
  private drawEarlier(): void {
    const { settings } = this.app;
    const lines = this.table.record.earlier.map(({ until, players }) => t("play.earlier", { n: until, black: playerName(players.black, settings.name), white: playerName(players.white, settings.name) }));
    this.earlier.hidden = lines.length === 0;
    fill(this.earlier, lines.join(" · "));
  }

  /** Shows the result of the game, also while a person looks back at it. */
  private drawBanner(): void {
    const { app, table } = this;
    const { end, session, record } = table;
    const state = JSON.stringify([end, record.players]);
    this.banner.hidden = end === null;
    if (this.banner.dataset["state"] === state) return;
    this.banner.dataset["state"] = state;
    if (!end) return;
    const people = SIDES.filter((side) => record.players[side] === "human");
    const title = people.length === 1 && end.winner ? t(end.winner === people[0] ? "over.won" : "over.lost") : t("over.title");
    const discs = session.at(session.tip)?.discs;
    const rematch = (): void => {
      const { rule, size, start } = session.game;
      startGame(app, { rule, size, start, players: swapped(record.players), clock: record.clock });
    };
    const words = people.length === 1 ? t("over.rematch.as", { side: t(`side.${people[0] === "black" ? "white" : "black"}`) }) : t("over.rematch");
    fill(
      this.banner,
      h("h2", {}, title),
      h("p", {}, endText(end), discs ? ` · ${t("over.count", { black: discs.black, white: discs.white })}` : ""),
      h("div", { class: "buttons" }, button(t("over.analyse"), () => this.analyse(true), { icon: "chart", class: "primary" }), button(words, rematch, { icon: "swap" })),
    );
  }
}
