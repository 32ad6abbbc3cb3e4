// The ladder, and the games that are being played.

import type { Club, Ladder, LiveGame, Rung } from "../../api/club";
import { thumbnail } from "../../board/board";
import type { Side } from "../../game/clock";
import { clockText } from "../../game/clock";
import { card, select } from "../../ui/controls";
import { h, setText } from "../../ui/dom";
import { signed, t } from "../../messages/messages";
import type { House } from "../club";
import { challengeButton } from "./challenge";
import { contestantName, linkButton } from "./parts";
import { Rows } from "./rows";
import { distanceText, ratingText, seated, termsText } from "./words";

/** How many live boards are shown. */
const BOARDS = 10;

/** How often the live boards are asked for, in milliseconds. */
const LIVE_MS = 1000;

const HEADS = ["club.rank", "club.name", "club.points", "club.trend", "club.rating", "club.results"] as const;

export async function ladderPage(house: House): Promise<HTMLElement> {
  const { api, app, club } = house;
  let section: string | null = null;
  const table = new LadderTable(house);
  const own = h("p", { class: "own-rank" });
  const first = await api.ladder(null);
  const ranks = new Map<number, number>();
  const show = (ladder: Ladder): void => {
    house.rank(ladder);
    ladder.rungs.forEach(({ account, rank }) => ranks.set(account, rank));
    setText(own, ownText(ladder));
    table.show(ladder);
  };
  const load = async (): Promise<void> => show(await api.ladder(section));
  show(first);
  house.follow(load);
  const choose = (value: string): void => {
    section = value === "" ? null : value;
    void load().catch(app.failed);
  };
  const isMember = club.visitor?.account.role === "member";
  const named = first.sections.filter((each) => each !== "");
  const sections = select(t("club.section"), [{ name: null, options: [["", t("club.section.all")], ...named.map((each) => [each, each] as const)] }], "", choose);
  sections.classList.add("sections");
  return h(
    "div",
    { class: "stack" },
    card(
      t("club.ladder"),
      {},
      h("p", { class: "quiet small" }, termsText(club.terms)),
      deadlineLine(house),
      !club.ladder_open && h("p", { class: "warning" }, t("club.ladder.closed")),
      (first.own !== null || isMember) && own,
      first.own === null && isMember && h("div", { class: "buttons" }, linkButton(t("club.submit"), "#/club/agents", { icon: "up", class: "primary" })),
      named.length > 0 && first.sections.length > 1 && sections,
      table.element,
    ),
    await liveCard(house, (account) => ranks.get(account ?? 0) ?? Infinity),
  );
}

/** When each club was read: its time is the server's. */
const reads = new WeakMap<Club, number>();

/** Whether the deadline has passed, by the server's clock. */
export function isFrozen(club: Club): boolean {
  const read = reads.get(club) ?? Date.now();
  reads.set(club, read);
  return club.deadline !== null && Date.parse(club.deadline) <= Date.parse(club.now) + Date.now() - read;
}

/** When submissions close, or that they are. */
export function deadlineLine({ club }: House): HTMLElement | null {
  if (club.deadline === null) return null;
  const isOver = isFrozen(club);
  const words = isOver ? t("club.deadline.over") : t("club.deadline", { time: new Date(club.deadline).toLocaleString(document.documentElement.lang, { dateStyle: "full", timeStyle: "short" }), distance: distanceText(club.deadline, club.now) });
  return h("p", { class: isOver ? "warning" : "" }, words);
}

function ownText({ own, count }: Ladder): string {
  return own === null ? t("club.ladder.out") : t("club.ladder.own", { rank: own.rank, count, points: signed(own.points), trend: signed(own.trend) });
}

/** The table; rows that stay as they are are not drawn again. */
class LadderTable {
  readonly element: HTMLElement;
  private readonly none = h("p", { class: "quiet" }, t("club.ladder.empty"));
  private readonly box: HTMLElement;
  private readonly rows: Rows<Rung>;
  private own: Rung | null = null;

  constructor(private readonly house: House) {
    const body = h("tbody");
    this.rows = new Rows(body, (rung) => rung.account, (rung) => this.row(rung), () => this.own?.version);
    const heads = HEADS.map((key) => h("th", { scope: "col", class: key === "club.name" ? "" : "right" }, t(key)));
    const table = h("table", { class: "data ladder" }, h("caption", { class: "visually-hidden" }, t("club.ladder")), h("thead", {}, h("tr", {}, ...heads, h("td", {}))), body);
    this.box = h("div", { class: "scroll" }, table);
    this.element = h("div", {}, this.box, this.none);
  }

  show({ rungs, own }: Ladder): void {
    this.own = own;
    this.rows.show(rungs);
    this.box.hidden = rungs.length === 0;
    this.none.hidden = rungs.length > 0;
  }

  private row(rung: Rung): HTMLElement {
    const { own, house } = this;
    const isOwn = own?.account === rung.account;
    const version = `${t("club.version.short", { number: rung.number })}${rung.section === "" ? "" : ` · ${rung.section}`}`;
    const cell = (key: (typeof HEADS)[number] | "club.results.short", words: string | number, name = ""): HTMLElement => h("td", { class: `right ${name}`.trim(), "data-label": t(key) }, words);
    return h(
      "tr",
      { class: isOwn ? "mine" : "", "aria-current": isOwn ? "true" : null },
      h("td", { class: "right rank" }, rung.rank),
      h("th", { scope: "row" }, h("a", { href: `#/club/battles/${rung.account}` }, rung.name), " ", h("span", { class: "quiet small" }, version)),
      cell("club.points", signed(rung.points), "points-of"),
      cell("club.trend", trendText(rung.trend), rung.trend > 0 ? "trend up" : rung.trend < 0 ? "trend down" : "trend"),
      cell("club.rating", ratingText(rung.rating), "rating"),
      cell("club.results.short", `${rung.wins} / ${rung.draws} / ${rung.losses}`, "results"),
      h("td", { class: "act" }, own !== null && !isOwn && house.club.sparring_open && challengeButton(house, own.version, { version: rung.version }, rung.name)),
    );
  }
}

/** Points of the last day, with an arrow that says the same without colour. */
function trendText(trend: number): string {
  return trend > 0 ? `▲ ${signed(trend)}` : trend < 0 ? `▼ ${signed(trend)}` : "–";
}

/** The games that are being played, those of the best first, asked for every second. */
async function liveCard(house: House, rankOf: (account: number | null) => number): Promise<HTMLElement> {
  const none = h("p", { class: "quiet" }, t("club.live.none"));
  const rows = new Rows<LiveGame>(h("ul", { class: "live-boards" }), ({ game }) => game, liveBoard);
  const show = (games: readonly LiveGame[]): void => {
    const best = ({ battle }: LiveGame): number => Math.min(...battle.players.map(({ account }) => rankOf(account)));
    const order = (one: LiveGame, other: LiveGame): number => (best(one) === best(other) ? one.game - other.game : best(one) - best(other));
    rows.show([...games].sort(order).slice(0, BOARDS));
    none.hidden = games.length > 0;
  };
  const load = async (): Promise<void> => show(await house.api.live());
  await load();
  house.follow(load, LIVE_MS);
  return card(t("club.live"), {}, rows.place, none);
}

function liveBoard({ game, battle, place, clocks, board, turn }: LiveGame): HTMLElement {
  const { black, white } = seated(battle, place);
  const left = (used: number): string => clockText(Math.max(0, battle.terms.game_ms - used));
  const seat = (side: Side, name: string, used: number): HTMLElement =>
    h("span", { class: turn === side ? "seat-line turn" : "seat-line" }, h("span", { class: `stone small ${side}`, role: "img", "aria-label": t(`side.${side}`) }), h("span", { class: "name" }, name), h("span", { class: "clock-text" }, left(used)));
  return h("li", {}, h("a", { class: "live-game", href: `#/club/game/${game}` }, thumbnail(board, battle.terms.size), seat("black", contestantName(black), clocks[0]), seat("white", contestantName(white), clocks[1])));
}
