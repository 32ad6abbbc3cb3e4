// The screen for tournaments: standings with ratings and their intervals, the cross table, games to
// replay, and ratings over time of players that have versions.

import { type App, gameOf, type View } from "../app";
import type { Cell, Series, Standing, Tournament, TournamentGame, TournamentPage } from "../api/wire";
import { forfeitName } from "../parts/forfeits";
import { playerName } from "../parts/names";
import { RatingPlot } from "../parts/ratings";
import { hasVersions } from "../parts/timeline";
import { button, card } from "../ui/controls";
import { fill, h, svg } from "../ui/dom";
import { icon } from "../ui/icons";
import { LANGUAGES, signed, language, t } from "../messages/messages";

/** How many games a page lists. */
const PAGE = 50;

/** How often a tournament that runs is asked for, in milliseconds. */
const AGAIN_MS = 4000;

export class CompareView implements View {
  readonly element: HTMLElement;
  readonly title = t("nav.compare");
  private readonly body = h("div", { class: "stack" });
  private plot: RatingPlot | null = null;
  /** What is drawn, so that nothing is drawn twice. */
  private drawn = "";
  private timer: ReturnType<typeof setTimeout> | null = null;
  private isLeft = false;
  /** Loads games that have been played since, if the list is complete otherwise. */
  private loadMore: (() => Promise<void>) | null = null;

  constructor(
    private readonly app: App,
    id: number | null,
  ) {
    this.element = h("div", { class: "screen page wide" }, h("h1", {}, t("compare.title")), this.body);
    void (id === null ? this.list() : this.page(id)).catch(app.failed);
  }

  leave(): void {
    this.isLeft = true;
    if (this.timer !== null) clearTimeout(this.timer);
    this.plot?.end();
  }

  repaint(): void {
    this.plot?.repaint();
  }

  /** Does `act` again after a while, for as long as somebody looks; a server that is away is asked again. */
  private follow(act: () => Promise<boolean>): void {
    if (this.isLeft) return;
    this.timer = setTimeout(() => {
      if (document.visibilityState === "hidden") this.follow(act);
      else void act().then((isRunning) => isRunning && this.follow(act), () => this.follow(act));
    }, AGAIN_MS);
  }

  private async list(): Promise<void> {
    const place = h("div", {});
    const [tournaments, series] = await Promise.all([this.app.client.tournaments(), this.app.client.ratings()]);
    if (tournaments.length === 0) {
      fill(
        this.body,
        card(null, {}, h("p", {}, t("compare.none")), h("pre", { tabindex: 0 }, "isrever arena run --help\nisrever serve --arena FILE"), h("div", { class: "buttons" }, button(t("nav.watch"), () => this.app.go("watch"), { icon: "eye" }))),
      );
      return;
    }
    fill(this.body, place, hasVersions(series) && this.ratings(series, tournaments));
    const show = (rows: readonly Tournament[]): boolean => {
      const now = JSON.stringify(rows);
      if (now !== this.drawn) fill(place, card(null, {}, tournamentList(rows)));
      this.drawn = now;
      return rows.some(isRunning);
    };
    if (show(tournaments)) this.follow(async () => show(await this.app.client.tournaments()));
  }

  /** Ratings over time; below each column is its tournament. */
  private ratings(series: readonly Series[], tournaments: readonly Tournament[]): HTMLElement {
    const names = new Map(tournaments.map(({ id, name }) => [id, name]));
    this.plot = new RatingPlot(series, ({ tournament, time }) => `${names.get(tournament) ?? ""}\n${date(time)}`);
    return card(t("compare.time"), {}, h("p", { class: "quiet" }, t("compare.time.help")), this.plot.element, this.plot.legend);
  }

  private async page(id: number): Promise<void> {
    const { client } = this.app;
    const games = h("div", { class: "stack" });
    const progress = h("p", { class: "quiet", role: "status" });
    const table = h("div", {});
    const cross = h("div", {});
    const first = await client.tournament(id);
    const choose = (player: string, opponent: string): void => void this.games(id, games, player, opponent).then(() => reveal(games));
    const show = (page: TournamentPage): boolean => {
      const { tournament } = page;
      const now = JSON.stringify([page.standings, page.table]);
      fill(progress, t("compare.progress", { games: tournament.games, planned: tournament.planned }), isRunning(tournament) && h("span", { class: "live" }, t("compare.live")));
      if (now !== this.drawn) {
        const focused = document.activeElement instanceof HTMLElement ? document.activeElement.getAttribute("aria-label") : null;
        const had = cross.contains(document.activeElement);
        fill(table, standings(page.standings));
        fill(cross, crossTable(page, choose));
        if (had) [...cross.querySelectorAll("button")].find((each) => each.dataset["pair"] === pairOf(focused))?.focus();
      }
      this.drawn = now;
      return isRunning(tournament);
    };
    const files = h("div", { class: "buttons" }, file(id, "csv", t("compare.csv")), file(id, "ggf", t("compare.ggf")));
    fill(
      this.body,
      h("p", {}, h("a", { href: "#/compare" }, `← ${t("compare.all")}`)),
      card(first.tournament.name, {}, progress, table, files),
      card(t("compare.cross"), {}, h("p", { class: "quiet" }, t("compare.cross.help")), cross),
      card(t("compare.games"), { class: "tournament-games" }, games),
    );
    if (show(first)) {
      this.follow(async () => {
        const isOn = show(await client.tournament(id));
        await this.loadMore?.();
        return isOn;
      });
    }
    await this.games(id, games, null, null);
  }

  /** Lists the games of a tournament, or those of two players, a page after the other. */
  private async games(id: number, place: HTMLElement, player: string | null, opponent: string | null): Promise<void> {
    const head = (["compare.replay", "side.black", "side.white", "compare.score"] as const).map((key) => h("th", { scope: "col", class: key === "compare.score" ? "right" : "" }, t(key)));
    const rows = h("tbody");
    const foot = h("div", { class: "buttons" });
    let last: number | null = null;
    let isWhole = false;
    const more = async (): Promise<void> => {
      try {
        const { games, next } = await this.app.client.tournamentGames(id, { player, opponent, limit: PAGE, after: last });
        rows.append(...games.map((game) => this.gameRow(id, game)));
        last = games.at(-1)?.number ?? last;
        isWhole = next === null;
        fill(foot, !isWhole && button(t("games.more"), () => void more()));
      } catch (error) {
        this.app.failed(error);
      }
    };
    await more();
    this.loadMore = async () => {
      if (isWhole) await more();
    };
    const between = player && opponent ? { player, opponent } : null;
    fill(
      place,
      between && h("h3", { tabindex: -1, class: "between" }, t("compare.between", { player: playerName(between.player, ""), opponent: playerName(between.opponent, "") })),
      between && h("div", { class: "buttons" }, button(t("compare.showall"), () => void this.games(id, place, null, null), { class: "small" }), file(id, "ggf", t("compare.ggf"), between)),
      h("div", { class: "scroll" }, h("table", { class: "data fits" }, h("thead", {}, h("tr", {}, ...head)), rows)),
      foot,
    );
  }

  private gameRow(id: number, game: TournamentGame): HTMLElement {
    const strong = (side: "black" | "white"): HTMLElement => h("td", { class: game.winner === side ? "winner" : "" }, ...breakable(playerName(game[side], "")));
    const replay = button(String(game.number), () => void this.replay(id, game), { icon: "play", class: "small" });
    replay.setAttribute("aria-label", `${t("compare.replay")} ${game.number}`);
    // A game that did not end on the board was forfeited for this reason.
    const end = game.end === "board" ? null : h("span", { class: "quiet small" }, ` ${t("compare.forfeited", { reason: forfeitName(game.end) })}`);
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

/** Whether games are still to be played. */
function isRunning({ games, planned }: Tournament): boolean {
  return games < planned;
}

function tournamentList(tournaments: readonly Tournament[]): HTMLElement {
  const rows = tournaments.map((each) =>
    h(
      "tr",
      {},
      h("td", {}, h("a", { href: `#/compare/${each.id}` }, each.name), isRunning(each) && h("span", { class: "live" }, t("compare.live"))),
      h("td", {}, `${t(each.rule === "reversed" ? "rule.short.reversed" : "rule.short.normal")} · ${each.size}×${each.size}`),
      h("td", { class: "right", "data-label": t("compare.players") }, each.players),
      h("td", { class: "right", "data-label": t("compare.games") }, isRunning(each) ? `${each.games} / ${each.planned}` : each.games),
      h("td", {}, date(each.created)),
    ),
  );
  const head = (["compare.name", "compare.game", "compare.players", "compare.games", "compare.date"] as const).map((key) =>
    h("th", { scope: "col", class: key === "compare.players" || key === "compare.games" ? "right" : "" }, t(key)),
  );
  return h("div", { class: "scroll" }, h("table", { class: "data fits tournaments" }, h("thead", {}, h("tr", {}, ...head)), h("tbody", {}, ...rows)));
}

/** A link that downloads a file of a tournament. */
function file(id: number, format: "csv" | "ggf", words: string, between: { player: string; opponent: string } | null = null): HTMLElement {
  const query = new URLSearchParams({ format, ...between });
  return h("a", { class: "button small", href: `./api/tournaments/${id}/export?${query}`, download: "" }, icon("download"), h("span", {}, words));
}

/** Brings the games that were asked for into sight. */
function reveal(games: HTMLElement): void {
  const isStill = matchMedia("(prefers-reduced-motion: reduce)").matches;
  games.closest(".card")?.scrollIntoView({ block: "start", behavior: isStill ? "auto" : "smooth" });
  games.querySelector<HTMLElement>(".between")?.focus({ preventScroll: true });
}

/** The players of a cell, as its label begins. */
function pairOf(label: string | null): string {
  return label?.split(":")[0] ?? "";
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
            h("td", { class: "right rank" }, row.rank),
            h("th", { scope: "row" }, ...breakable(playerName(row.player, ""))),
            h("td", { class: "right", "data-label": t("compare.rating") }, row.elo === null ? "–" : signed(row.elo)),
            h("td", { "data-label": t("compare.interval") }, interval(row), h("span", { class: "quiet small" }, row.low === null || row.high === null ? "" : `${signed(row.low)} … ${signed(row.high)}`)),
            h("td", { class: "right", "data-label": t("compare.points") }, signed(row.points)),
            h("td", { class: "right", "data-label": t("compare.wdl") }, `${row.wins} / ${row.draws} / ${row.losses}`),
            h("td", { class: "right", "data-label": t("compare.sum") }, signed(row.score_sum)),
            h("td", { class: "right", "data-label": t("compare.forfeits") }, row.forfeits || "0"),
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
    return h("td", { class: tone }, h("button", { type: "button", "aria-label": label, "data-pair": pairOf(label), title: label, onclick: () => choose(row, column) }, `${Math.round(100 * won)} %`));
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

function date(time: string | number): string {
  return new Date(time).toLocaleDateString(LANGUAGES[language()].tag, { dateStyle: "medium" });
}
