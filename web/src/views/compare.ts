// The screen for tournaments: standings with ratings and their intervals, the cross table, games to
// replay, and ratings over time of players that have versions.

import { type App, gameOf, type View } from "../app";
import type { Cell, Series, Standing, Tournament, TournamentGame, TournamentPage } from "../api/wire";
import { playerName } from "../parts/names";
import { RatingPlot } from "../parts/ratings";
import { hasVersions } from "../parts/timeline";
import { button, card } from "../ui/controls";
import { fill, h, svg } from "../ui/dom";
import { type Key, LANGUAGES, signed, language, t } from "../messages/messages";
import { en } from "../messages/en";

/** How many games a page lists. */
const PAGE = 50;

export class CompareView implements View {
  readonly element: HTMLElement;
  readonly title = t("nav.compare");
  private readonly body = h("div", { class: "stack" });
  private plot: RatingPlot | null = null;

  constructor(
    private readonly app: App,
    id: number | null,
  ) {
    this.element = h("div", { class: "screen page wide" }, h("h1", {}, t("compare.title")), this.body);
    void (id === null ? this.list() : this.page(id)).catch(app.failed);
  }

  leave(): void {
    this.plot?.end();
  }

  repaint(): void {
    this.plot?.repaint();
  }

  private async list(): Promise<void> {
    const [tournaments, series] = await Promise.all([this.app.client.tournaments(), this.app.client.ratings()]);
    if (tournaments.length === 0) {
      fill(
        this.body,
        card(null, {}, h("p", {}, t("compare.none")), h("pre", {}, "isrever arena run --help\nisrever serve --arena FILE"), h("div", { class: "buttons" }, button(t("nav.watch"), () => this.app.go("watch"), { icon: "eye" }))),
      );
      return;
    }
    const rows = tournaments.map((each) =>
      h(
        "tr",
        {},
        h("td", {}, h("a", { href: `#/compare/${each.id}` }, each.name)),
        h("td", {}, `${t(each.rule === "reversed" ? "rule.short.reversed" : "rule.short.normal")} · ${each.size}×${each.size}`),
        h("td", { class: "right" }, each.players),
        h("td", { class: "right" }, each.planned > each.games ? `${each.games} / ${each.planned}` : each.games),
        h("td", {}, date(each.created)),
      ),
    );
    const head = (["compare.name", "compare.game", "compare.players", "compare.games", "compare.date"] as const).map((key) =>
      h("th", { scope: "col", class: key === "compare.players" || key === "compare.games" ? "right" : "" }, t(key)),
    );
    fill(
      this.body,
      card(null, {}, h("div", { class: "scroll" }, h("table", { class: "data fits" }, h("thead", {}, h("tr", {}, ...head)), h("tbody", {}, ...rows)))),
      hasVersions(series) && this.ratings(series, tournaments),
    );
  }

  /** Ratings over time; below each column is its tournament. */
  private ratings(series: readonly Series[], tournaments: readonly Tournament[]): HTMLElement {
    const names = new Map(tournaments.map(({ id, name }) => [id, name]));
    this.plot = new RatingPlot(series, ({ tournament, time }) => `${names.get(tournament) ?? ""}\n${date(time)}`);
    return card(t("compare.time"), {}, h("p", { class: "quiet" }, t("compare.time.help")), this.plot.element, this.plot.legend);
  }

  private async page(id: number): Promise<void> {
    const page = await this.app.client.tournament(id);
    const games = h("div", { class: "stack" });
    fill(
      this.body,
      h("p", {}, h("a", { href: "#/compare" }, `← ${t("compare.all")}`)),
      card(page.tournament.name, {}, h("p", { class: "quiet" }, t("compare.progress", { games: page.tournament.games, planned: page.tournament.planned })), standings(page.standings)),
      card(t("compare.cross"), {}, h("p", { class: "quiet" }, t("compare.cross.help")), crossTable(page, (player, opponent) => void this.games(id, games, player, opponent))),
      card(t("compare.games"), {}, games),
    );
    await this.games(id, games, null, null);
  }

  /** Lists the games of a tournament, or those of two players, a page after the other. */
  private async games(id: number, place: HTMLElement, player: string | null, opponent: string | null): Promise<void> {
    const head = (["compare.replay", "side.black", "side.white", "compare.score"] as const).map((key) => h("th", { scope: "col", class: key === "compare.score" ? "right" : "" }, t(key)));
    const rows = h("tbody");
    const foot = h("div", { class: "buttons" });
    const more = async (after: number | null): Promise<void> => {
      try {
        const { games, next } = await this.app.client.tournamentGames(id, { player, opponent, limit: PAGE, after });
        rows.append(...games.map((game) => this.gameRow(id, game)));
        fill(foot, next !== null && button(t("games.more"), () => void more(next)));
      } catch (error) {
        this.app.failed(error);
      }
    };
    await more(null);
    fill(
      place,
      player && opponent ? h("p", {}, `${playerName(player, "")} – ${playerName(opponent, "")} `, button(t("compare.showall"), () => void this.games(id, place, null, null), { class: "small" })) : null,
      h("div", { class: "scroll" }, h("table", { class: "data fits" }, h("thead", {}, h("tr", {}, ...head)), rows)),
      foot,
    );
  }

  private gameRow(id: number, game: TournamentGame): HTMLElement {
    const strong = (side: "black" | "white"): HTMLElement => h("td", { class: game.winner === side ? "winner" : "" }, ...breakable(playerName(game[side], "")));
    const replay = button(String(game.number), () => void this.replay(id, game), { icon: "play", class: "small" });
    replay.setAttribute("aria-label", `${t("compare.replay")} ${game.number}`);
    // A game that did not end on the board was forfeited for this reason.
    const end = game.end === "board" ? null : h("span", { class: "quiet small" }, ` ${t("compare.forfeited", { reason: endName(game.end) })}`);
    return h("tr", {}, h("td", {}, replay), strong("black"), strong("white"), h("td", { class: "right" }, signed(game.score_black), end));
  }

  private async replay(id: number, game: TournamentGame): Promise<void> {
    const { app } = this;
    try {
      const full = await app.client.replay(id, game.number);
      const copy = gameOf(full);
      copy.tree.jump(copy.tree.root);
      app.analyse(copy, { black: full.black, white: full.white });
    } catch (error) {
      app.failed(error);
    }
  }
}

/** Ranks with points and ratings; the interval is drawn as well as written. */
function standings(rows: readonly Standing[]): HTMLElement {
  const low = Math.min(...rows.map((row) => row.low ?? 0));
  const high = Math.max(...rows.map((row) => row.high ?? 0));
  const place = (elo: number): number => (high > low ? (100 * (elo - low)) / (high - low) : 50);
  const interval = (row: Standing): SVGElement | null =>
    row.elo === null || row.low === null || row.high === null
      ? null
      : svg(
          "svg",
          { class: "interval", viewBox: "0 0 100 10", preserveAspectRatio: "none", "aria-hidden": "true" },
          svg("line", { x1: place(row.low), x2: place(row.high), y1: 5, y2: 5 }),
          svg("line", { class: "point", x1: place(row.elo) - 0.8, x2: place(row.elo) + 0.8, y1: 5, y2: 5 }),
        );
  const head: [string, string][] = [
    ["#", "right"],
    [t("compare.player"), ""],
    [t("compare.rating"), "right"],
    [t("compare.interval"), ""],
    [t("compare.points"), "right"],
    [t("compare.wdl"), "right"],
    [t("compare.sum"), "right"],
    [t("compare.forfeits"), "right"],
  ];
  return h(
    "div",
    { class: "scroll" },
    h(
      "table",
      { class: "data standings" },
      h("thead", {}, h("tr", {}, ...head.map(([words, name]) => h("th", { scope: "col", class: name }, words)))),
      h(
        "tbody",
        {},
        ...rows.map((row) =>
          h(
            "tr",
            {},
            h("td", { class: "right" }, row.rank),
            h("th", { scope: "row" }, playerName(row.player, "")),
            h("td", { class: "right" }, row.elo === null ? "–" : signed(row.elo)),
            h("td", {}, interval(row), h("span", { class: "quiet small" }, row.low === null || row.high === null ? "" : `${signed(row.low)} … ${signed(row.high)}`)),
            h("td", { class: "right" }, signed(row.points)),
            h("td", { class: "right" }, `${row.wins} / ${row.draws} / ${row.losses}`),
            h("td", { class: "right" }, signed(row.score_sum)),
            h("td", { class: "right" }, row.forfeits || ""),
          ),
        ),
      ),
    ),
  );
}

function crossTable(page: TournamentPage, choose: (player: string, opponent: string) => void): HTMLElement {
  const { players, cells } = page.table;
  const share = (cell: Cell): number => (cell.wins + cell.draws / 2) / Math.max(1, cell.wins + cell.draws + cell.losses);
  const cell = (each: Cell | null, row: string, column: string): HTMLElement => {
    if (!each) return h("td", { class: "self" }, "·");
    const won = share(each);
    const tone = won > 0.75 ? "good strong" : won > 0.5 ? "good" : won < 0.25 ? "bad strong" : won < 0.5 ? "bad" : "";
    const label = t("compare.cell", { player: playerName(row, ""), opponent: playerName(column, ""), wins: each.wins, draws: each.draws, losses: each.losses });
    return h("td", { class: tone }, h("button", { type: "button", "aria-label": label, title: label, onclick: () => choose(row, column) }, `${Math.round(100 * won)} %`));
  };
  return h(
    "div",
    { class: "scroll" },
    h(
      "table",
      { class: "data cross" },
      h("thead", {}, h("tr", {}, h("td", {}), ...players.map((player) => h("th", { scope: "col" }, h("span", {}, playerName(player, "")))))),
      h("tbody", {}, ...players.map((row, r) => h("tr", {}, h("th", { scope: "row" }, playerName(row, "")), ...players.map((column, c) => cell(cells[r]?.[c] ?? null, row, column))))),
    ),
  );
}

/** A name that can break between an agent's settings, so that it fits a phone. */
function breakable(name: string): (string | Element)[] {
  return name.split(/(?<=[:,=])/).flatMap((part, index) => (index === 0 ? [part] : [h("wbr"), part]));
}

/** The reason of a forfeit in people's words. */
function endName(end: string): string {
  const key = `end.${end}` as Key;
  return Object.hasOwn(en, key) ? t(key) : end;
}

function date(time: string | number): string {
  return new Date(time).toLocaleDateString(LANGUAGES[language()].tag, { dateStyle: "medium" });
}
