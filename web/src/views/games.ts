// The screen for games, one's own and everybody's. Those of this browser can be resumed, searched and
// deleted; those that the server has, newest first, can be looked at and exported.

import { type App, gameOf, type View } from "../app";
import type { Player, SavedGame } from "../api/wire";
import { thumbnail } from "../board/board";
import { read, usual } from "../game/notation";
import { type GameRecord, isUntouched } from "../game/record";
import type { Seat } from "../game/seats";
import { HUMAN } from "../game/session";
import { playerName } from "../parts/names";
import { deleteGame } from "../parts/newgame";
import { endText, resultText } from "../parts/panel";
import { button, card, confirm, segmented, tool } from "../ui/controls";
import { fill, h } from "../ui/dom";
import { language, t, LANGUAGES } from "../messages/messages";

type Whose = "mine" | "everybody";
type Filter = "all" | "running" | "finished";

export class GamesView implements View {
  readonly element: HTMLElement;
  readonly title = t("nav.games");
  private readonly list = h("ul", { class: "games" });
  private readonly foot = h("div", { class: "buttons" });
  private readonly total = h("p", { class: "quiet", role: "status" });
  private readonly help = h("p", { class: "quiet" });
  private readonly search = h("input", { type: "search", placeholder: t("games.search.hint"), oninput: () => this.draw() });
  private readonly searchField = h("label", { class: "field" }, h("span", {}, t("games.search")), this.search);
  private readonly exportLink = h("a", { class: "button", href: "/api/games/export?format=ggf", download: "isrever-games.ggf" }, t("games.export"));
  private readonly stop: () => void;
  private whose: Whose;
  private filter: Filter;
  /** How often the server was asked, so that a late answer does not replace another list. */
  private asked = 0;

  constructor(
    private readonly app: App,
    state?: unknown,
  ) {
    const kept = state as ReturnType<typeof this.state> | undefined;
    this.whose = kept?.whose ?? "mine";
    this.filter = kept?.filter ?? "all";
    this.search.value = kept?.search ?? "";
    this.element = h(
      "div",
      { class: "screen page" },
      h("h1", {}, t("games.title")),
      this.help,
      h(
        "div",
        { class: "row-of-controls" },
        segmented<Whose>(t("games.whose"), [["mine", t("games.mine")], ["everybody", t("games.everybody")]], this.whose, (whose) => {
          this.whose = whose;
          this.draw();
        }),
        segmented<Filter>(t("games.show"), [["all", t("games.all")], ["running", t("games.running")], ["finished", t("games.finished")]], this.filter, (filter) => {
          this.filter = filter;
          this.draw();
        }),
        this.searchField,
        this.exportLink,
      ),
      card(null, { "aria-label": t("games.title") }, this.total, this.list, this.foot),
    );
    const redraw = (): void => {
      if (this.whose === "mine") this.draw();
    };
    const stops = [app.games.changed.on(redraw), app.seats.changed.on(redraw)];
    this.stop = () => stops.forEach((stop) => stop());
    this.draw();
  }

  leave(): void {
    this.stop();
  }

  state(): { whose: Whose; filter: Filter; search: string } {
    return { whose: this.whose, filter: this.filter, search: this.search.value };
  }

  private draw(): void {
    const isMine = this.whose === "mine";
    this.asked += 1;
    this.searchField.hidden = !isMine;
    this.exportLink.hidden = isMine;
    fill(this.help, t(isMine ? "games.mine.help" : "games.help"));
    if (isMine) this.drawMine();
    else void this.load(null, this.asked);
  }

  private drawMine(): void {
    const words = this.search.value.toLowerCase().split(/\s+/).filter((word) => word !== "");
    const own = this.app.games.list().filter((record) => !isUntouched(record)).map((record) => ({ changed: record.changed, isOver: record.end !== null, text: describe(this.app, record), row: () => this.ownRow(record) }));
    const friends = this.app.seats.list().map((seat) => ({ changed: seat.changed, isOver: seat.last.end !== null || seat.last.isStopped, text: seatText(seat), row: () => this.friendRow(seat) }));
    const games = [...own, ...friends].sort((one, other) => other.changed - one.changed);
    const shown = games.filter(({ isOver, text }) => (this.filter === "all" || (this.filter === "finished") === isOver) && words.every((word) => text.toLowerCase().includes(word)));
    fill(this.list, ...shown.map(({ row }) => row()));
    fill(this.total, games.length === 0 ? t("games.none") : shown.length === 0 ? t("games.nothing") : t("games.total", { n: shown.length }));
    fill(this.foot);
  }

  private ownRow(record: GameRecord): HTMLElement {
    const { black, white } = names(this.app, record);
    const game = read(record.game)!;
    const squares = record.board === "" ? (game.start ?? usual(game.size)).split(" ")[0]! : record.board;
    const open = (): void => this.app.go(`play/${record.id}`);
    const remove = (): void =>
      confirm(t("games.delete"), t("games.delete.ask"), t("cancel"), () => {
        deleteGame(this.app, record);
        this.draw();
      });
    return h(
      "li",
      { class: "own" },
      h("button", { type: "button", class: "game-row", onclick: open }, thumbnail(squares, game.size), players(black, white, stateText(record), `${ruleText(game.rule, game.size)} · ${when(record.changed)}`)),
      h("span", { class: "row-tools" }, button(t(record.end ? "games.look" : "games.resume"), open, { icon: record.end ? "eye" : "play", class: "small" }), tool("trash", t("games.delete.of", { game: `${black} – ${white}` }), remove)),
    );
  }

  /** A game with a friend, in which this browser has a seat. */
  private friendRow(seat: Seat): HTMLElement {
    const { rule, size, board, end, isStopped } = seat.last;
    const open = (): void => this.app.go(`friend/${seat.id}`);
    const remove = (): void => confirm(t("games.delete"), t("friend.forget.ask"), t("cancel"), () => this.app.seats.remove(seat.id));
    const isOver = end !== null || isStopped;
    return h(
      "li",
      { class: "own" },
      h(
        "button",
        { type: "button", class: "game-row", onclick: open },
        thumbnail(board === "" ? usual(size).split(" ")[0]! : board, size),
        players(nameOf(seat.last.black), nameOf(seat.last.white), `${t("friend.title")} · ${seatState(seat)}`, `${ruleText(rule, size)} · ${when(seat.changed)}`),
      ),
      h("span", { class: "row-tools" }, button(t(isOver ? "games.look" : "games.resume"), open, { icon: isOver ? "eye" : "play", class: "small" }), tool("trash", t("games.delete.of", { game: `${nameOf(seat.last.black)} – ${nameOf(seat.last.white)}` }), remove)),
    );
  }

  private async load(before: string | null, asked: number): Promise<void> {
    try {
      const { games, next, total } = await this.app.client.games({ state: this.filter === "all" ? null : this.filter, before, limit: 30 });
      if (asked !== this.asked) return;
      if (before === null) fill(this.list);
      this.list.append(...games.map((game) => this.row(game)));
      fill(this.total, total > 0 ? t("games.total", { n: total }) : t("games.none"));
      fill(this.foot, next !== null && button(t("games.more"), () => void this.load(next, asked)));
    } catch (error) {
      this.app.failed(error);
    }
  }

  private row(game: SavedGame): HTMLElement {
    const { end } = game;
    const state = game.result
      ? resultText(game.result)
      : end
        ? endText({ ...end, margin: null })
        : t(game.state === "running" ? "games.state.running" : "games.state.stopped", { n: game.ply });
    return h(
      "li",
      {},
      h(
        "button",
        { type: "button", class: "game-row", onclick: () => void this.open(game) },
        thumbnail(game.position.split(" ")[0]!, game.size),
        players(everybody(game, "black"), everybody(game, "white"), state, `${ruleText(game.rule, game.size)} · ${when(Date.parse(game.changed))}`),
      ),
    );
  }

  /** Opens a running game with a friend to watch it, and a copy of any other for analysis. */
  private async open(game: SavedGame): Promise<void> {
    const { app } = this;
    if (game.friends && game.state === "running") {
      app.go(`friend/${game.id}`);
      return;
    }
    try {
      const full = await app.client.game(game.id);
      app.analyse(gameOf({ rule: full.rule, size: full.size, start: full.start!, moves: full.moves! }), { black: full.black.name, white: full.white.name });
    } catch (error) {
      app.failed(error);
    }
  }
}

/** The two names, what became of the game, and when it was. */
function players(black: string, white: string, state: string, rest: string): HTMLElement {
  return h(
    "span",
    { class: "game-words" },
    h("b", {}, h("span", { class: "stone small black", "aria-hidden": "true" }), black, " – ", h("span", { class: "stone small white", "aria-hidden": "true" }), white),
    h("span", {}, state),
    h("span", { class: "quiet" }, rest),
  );
}

/** The name of a seat; a question mark is one that nobody has taken. */
function nameOf(name: string): string {
  return name === "?" ? t("friend.nobody") : name;
}

/** What became of a game with a friend. */
function seatState({ last }: Seat): string {
  if (last.isStopped) return t("friend.stopped");
  if (last.end) return last.end.reason === "agreed" ? t("friend.agreed") : endText(last.end);
  return last.ply === 0 ? t("games.state.none") : t("games.state.running", { n: last.ply });
}

/** Everything that a search looks through. */
function seatText(seat: Seat): string {
  const { rule, size, black, white } = seat.last;
  return [nameOf(black), nameOf(white), t("friend.title"), ruleText(rule, size), `${size}x${size}`, seatState(seat)].join(" ");
}

/** The names of a game's players, those before a change included. */
function names(app: App, record: GameRecord): { black: string; white: string } {
  const name = (side: "black" | "white"): string => {
    const seats = [...record.earlier.map((each) => each.players[side]), record.players[side]];
    const words = seats.map((spec) => playerName(spec, spec === HUMAN ? app.settings.name : ""));
    return [...new Set(words)].join(", ");
  };
  return { black: name("black"), white: name("white") };
}

/** Everything that a search looks through. */
function describe(app: App, record: GameRecord): string {
  const { black, white } = names(app, record);
  const { rule, size } = read(record.game)!;
  return [black, white, ruleText(rule, size), `${size}x${size}`, stateText(record), record.players.black, record.players.white].join(" ");
}

function stateText(record: GameRecord): string {
  if (record.end) return endText(record.end);
  return record.ply === 0 ? t("games.state.none") : t("games.state.running", { n: record.ply });
}

function ruleText(rule: string, size: number): string {
  return `${t(rule === "reversed" ? "rule.short.reversed" : "rule.short.normal")} · ${size}×${size}`;
}

function when(time: number): string {
  return new Date(time).toLocaleString(LANGUAGES[language()].tag, { dateStyle: "medium", timeStyle: "short" });
}

/** Everybody who played a side of a saved game, in order. */
function everybody(game: SavedGame, side: "black" | "white"): string {
  const word = ({ kind, name }: Player): string => (kind === "agent" ? playerName(name, "") : nameOf(name));
  return [...new Set([...(game.earlier ?? []).map((each) => word(each[side])), word(game[side])])].join(", ");
}
