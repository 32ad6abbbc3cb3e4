// The battles: everybody's, somebody's, those of a kind or of a final, a page after the other.

import type { Battle, BattleGame, Contestant, Final } from "../../api/club";
import { button, card, select } from "../../ui/controls";
import { fill, h } from "../../ui/dom";
import { t } from "../../messages/messages";
import type { House } from "../club";
import { contestantName, timeWords } from "./parts";
import { Rows } from "./rows";
import { gameText, seated } from "./words";

/** How many battles a page lists. */
const PAGE = 30;

/** Which battles are wanted. */
export interface Wanted {
  readonly account: number | null;
  readonly kind: Battle["kind"] | null;
  readonly of_final: number | null;
}

/** The words for a kind of battle. */
function kindText(kind: Battle["kind"]): string {
  return t(`club.kind.${kind}`);
}

/** The list of battles; the newest are asked for again. */
export class BattleList {
  readonly element: HTMLElement;
  private readonly rows: Rows<Battle>;
  private readonly state = h("p", { class: "quiet", role: "status" });
  private readonly foot = h("div", { class: "buttons" });
  private battles: readonly Battle[] = [];
  private next: number | null = null;
  private live: ReadonlySet<number> = new Set();
  /** How often another list was asked for, so that a late answer does not replace it. */
  private asked = 0;

  constructor(
    private readonly house: House,
    private wanted: Wanted,
  ) {
    const isLive = (battle: Battle): number[] => battle.games.map(({ id }) => id).filter((id) => this.live.has(id));
    this.rows = new Rows<Battle>(h("ul", { class: "battles" }), ({ id }) => id, (battle) => battleRow(battle, this.live), isLive);
    this.element = h("div", { class: "stack" }, this.state, this.rows.place, this.foot);
  }

  /** Lists other battles. */
  want(wanted: Wanted): void {
    this.wanted = wanted;
    this.asked += 1;
    this.battles = [];
    void this.load().catch(this.house.app.failed);
  }

  /** Asks for the newest ones. */
  async load(): Promise<void> {
    const { api } = this.house;
    const { asked } = this;
    const [page, live] = await Promise.all([api.battles({ ...this.wanted, limit: PAGE }), api.live()]);
    if (asked !== this.asked) return;
    this.live = new Set(live.map(({ game }) => game));
    const last = page.battles.at(-1)?.id ?? 0;
    const older = page.next === null ? [] : this.battles.filter(({ id }) => id < last);
    if (older.length === 0) this.next = page.next;
    this.battles = [...page.battles, ...older];
    this.draw();
  }

  /** The name of an account that plays in one of these. */
  nameOf(account: number): string {
    return this.battles.flatMap(({ players }) => players).find((player) => player.account === account)?.name ?? `#${account}`;
  }

  private async more(): Promise<void> {
    const { asked } = this;
    const page = await this.house.api.battles({ ...this.wanted, before: this.next, limit: PAGE });
    if (asked !== this.asked) return;
    this.battles = [...this.battles, ...page.battles];
    this.next = page.next;
    this.draw();
  }

  private draw(): void {
    this.rows.show(this.battles);
    fill(this.state, this.battles.length === 0 ? t("club.battles.none") : "");
    this.state.hidden = this.battles.length > 0;
    const isOffered = this.foot.childElementCount > 0;
    if (isOffered !== (this.next !== null)) fill(this.foot, this.next !== null && button(t("games.more"), () => void this.more().catch(this.house.app.failed)));
  }
}

function battleRow(battle: Battle, live: ReadonlySet<number>): HTMLElement {
  const [one, other] = battle.players.map(contestantName) as [string, string];
  return h(
    "li",
    { "data-battle": battle.id },
    h("p", { class: "battle-head" }, h("b", {}, `${one} – ${other}`), h("span", { class: "kind" }, kindText(battle.kind)), h("time", { class: "quiet small", datetime: battle.created }, timeWords(battle.created))),
    h("ul", { class: "battle-games" }, ...battle.games.map((game) => h("li", {}, gameLink(battle, game, live.has(game.id))))),
  );
}

/** A player without the version, which stands above. */
function shortName(who: Contestant): string {
  return who.account === null ? contestantName(who) : who.name;
}

/** A game in a line: who had which side, and what became of it. */
function gameLink(battle: Battle, game: BattleGame, isLive: boolean): HTMLElement {
  const { black, white } = seated(battle, game.place);
  const side = (color: "black" | "white", name: string): Element[] => [h("span", { class: `stone small ${color}`, "aria-hidden": "true" }), h("span", { class: "visually-hidden" }, t(`side.${color}`)), h("span", { class: "name" }, name)];
  return h("a", { class: `battle-game ${game.state}`, href: `#/club/game/${game.id}` }, ...side("black", shortName(black)), ...side("white", shortName(white)), h("span", { class: isLive ? "result live" : "result" }, gameText(battle, game, isLive)));
}

/** The page of battles; the account in the address, or everybody's. */
export async function battlesPage(house: House, account: number | null): Promise<HTMLElement> {
  const { api, club } = house;
  const [finals, ladder] = await Promise.all([api.finals(), api.ladder(null)]);
  let wanted: Wanted = { account, kind: null, of_final: null };
  const list = new BattleList(house, wanted);
  await list.load();
  const choose = (change: Partial<Wanted>): void => {
    wanted = { ...wanted, ...change };
    // The address is that of this list, for a link and the way back.
    history.replaceState(null, "", wanted.account === null ? "#/club/battles" : `#/club/battles/${wanted.account}`);
    list.want(wanted);
  };
  const own = club.visitor?.account;
  const others = ladder.rungs.filter((rung) => rung.account !== own?.id).map((rung) => [String(rung.account), rung.name] as const);
  const people = [{ name: null, options: [["", t("club.battles.all")], [String(own?.id ?? ""), t("club.battles.own")]] as const }, { name: t("club.battles.of"), options: others }];
  const whose = select(t("club.battles.whose"), people.filter(({ options }) => options.length > 0), String(account ?? ""), (value) => choose({ account: value === "" ? null : Number(value) }), true, (id) => list.nameOf(Number(id)));
  const kinds = select(t("club.battles.kind"), kindGroups(finals), "", (value) => choose(kindOf(value)));
  house.follow(() => list.load());
  return card(t("club.battles"), {}, h("p", { class: "quiet" }, t("club.battles.help")), h("div", { class: "filters" }, whose, kinds), list.element);
}

/** The kinds of battles to choose from; each final is one. */
function kindGroups(finals: readonly Final[]): { name: string | null; options: (readonly [string, string])[] }[] {
  const kinds = (["ladder", "challenge", "casual", "final"] as const).map((kind) => [kind, kindText(kind)] as const);
  const groups = [{ name: null, options: [["", t("club.kind.all")] as const, ...kinds] }];
  return finals.length === 0 ? groups : [...groups, { name: t("club.finals"), options: finals.map(({ id, name }) => [`final-${id}`, name] as const) }];
}

/** What a value of the list of kinds means. */
function kindOf(value: string): Pick<Wanted, "kind" | "of_final"> {
  const [kind = "", id] = value.split("-");
  return id === undefined ? { kind: kind === "" ? null : (kind as Battle["kind"]), of_final: null } : { kind: null, of_final: Number(id) };
}
