// Finals: everybody against everybody. Their progress, the table with ratings and ranks, and for
// administrators the beginning, the stop, the grades.

import { fileAddress, type Final, type FinalRow } from "../../api/club";
import { gradeOf, readRule } from "../../game/grades";
import { button, card, confirm } from "../../ui/controls";
import { fill, h, setText } from "../../ui/dom";
import { signed, t } from "../../messages/messages";
import type { House } from "../club";
import { BattleList } from "./battles";
import { form, line, linkButton, sayRefusal, timeWords } from "./parts";
import { onChange, Rows } from "./rows";
import { distanceText, durationText, ratingText, termsText } from "./words";

/** The most pairs of games of each two players. */
const MOST_PAIRS = 100;

/** A rule to begin with. */
const RULE = "10:A,35:B,65:C,90:D,100:E";

export function finalsPage(house: House, id: number | null): Promise<HTMLElement> {
  return id === null ? listPage(house) : finalPage(house, id);
}

function isAdministrator({ club }: House): boolean {
  return club.visitor?.account.role === "administrator";
}

/** All finals, and the form for another. */
async function listPage(house: House): Promise<HTMLElement> {
  const { api } = house;
  const none = h("p", { class: "quiet" }, t("club.finals.none"));
  const rows = new Rows<Final>(h("ul", { class: "finals" }), ({ id }) => id, finalItem);
  const load = async (): Promise<void> => {
    const finals = await api.finals();
    rows.show(finals);
    none.hidden = finals.length > 0;
  };
  await load();
  house.follow(load);
  return h("div", { class: "stack" }, card(t("club.finals"), {}, h("p", { class: "quiet" }, t("club.finals.help")), none, rows.place), isAdministrator(house) && (await starter(house)));
}

function finalItem(final: Final): HTMLElement {
  return h("li", {}, h("div", { class: "battle-head" }, h("b", {}, h("a", { href: `#/club/finals/${final.id}` }, final.name)), stateTag(final), h("time", { class: "quiet small", datetime: final.created }, timeWords(final.created))), progress(final));
}

function stateTag({ state }: Final): HTMLElement {
  return h("span", { class: `kind ${state}` }, t(`club.final.${state}`));
}

/** How many games are played, as a bar and in words, and when the last one will be. */
function progress(final: Final): HTMLElement {
  const { played, waiting, state, judges, expected_end, players } = final;
  const all = played + waiting;
  const words = [t("club.final.progress", { played, all, players })];
  if (state === "running" && judges === 0) words.push(t("club.judges.none"));
  else if (state === "running" && expected_end !== null) words.push(t("club.final.end", { time: timeWords(expected_end), distance: distanceText(expected_end) }));
  const bar = h("progress", { max: Math.max(1, all), value: played, "aria-label": t("club.final.progress.label", { name: final.name }) });
  return h("div", { class: "final-progress" }, bar, h("p", { class: "small" }, words.join(" · ")));
}

/** The form that begins a final, with what it comes to. */
async function starter(house: House): Promise<HTMLElement> {
  const { api, app, club } = house;
  const [{ count }, { judges_there, game_millis }] = await Promise.all([api.ladder(null), api.state()]);
  if (count < 2) return card(t("club.final.new"), {}, h("p", { class: "quiet" }, t("club.final.few")));
  const n = Math.max(1, judges_there);
  const name = line(t("club.final.name"), { name: "final", value: t("club.final") });
  const pairs = line(t("club.final.pairs"), { name: "pairs", type: "number", value: "1", help: t("club.final.pairs.help") });
  Object.assign(pairs.input, { min: "1", max: String(MOST_PAIRS), step: "1" });
  const size = h("p", { role: "status" });
  const games = (): number => count * (count - 1) * Number(pairs.input.value);
  const tell = (): void => {
    // The strictest bound: both sides use all their time in every game.
    const most = durationText((games() * 2 * club.terms.game_ms) / n);
    const time = game_millis === null ? t("club.final.bound", { most, n }) : t("club.final.about", { time: durationText((games() * game_millis) / n), most, n });
    setText(size, [t("club.final.size", { players: count, games: games() }), time, judges_there === 0 ? t("club.judges.none") : ""].join(" ").trim());
  };
  pairs.input.addEventListener("input", tell);
  tell();
  const begin = form(t("club.final.start"), [name.element, pairs.element, size, h("p", { class: "quiet small" }, termsText(club.terms))], () => {
    const act = (): void =>
      void api.startFinal(name.input.value, Number(pairs.input.value)).then((final) => app.go(`club/finals/${final.id}`), (error: unknown) => sayRefusal(app, error));
    confirm(t("club.final.start"), t("club.final.start.ask", { games: games(), players: count }), t("cancel"), act);
    return Promise.resolve();
  });
  return card(t("club.final.new"), {}, h("p", { class: "quiet" }, t("club.final.new.help")), begin);
}

/** One final: progress, table, files, battles. */
async function finalPage(house: House, id: number): Promise<HTMLElement> {
  const { api } = house;
  const title = h("h2", {});
  const head = h("div", { class: "stack" });
  const tools = h("div", { class: "buttons" });
  const table = h("div", {});
  const grades = isAdministrator(house) ? new Grades(id) : null;
  const battles = new BattleList(house, { account: null, kind: null, of_final: id });
  const drawHead = onChange((final: Final) => {
    setText(title, final.name);
    fill(head, h("p", {}, stateTag(final), " ", h("span", { class: "quiet small" }, `${termsText(final.terms)} · ${t("club.final.pairs.n", { n: final.pairs })}`)), progress(final));
  });
  const drawTools = onChange(({ state }: Pick<Final, "state">) => fill(tools, ...finalTools(house, id, state, () => void load().catch(house.app.failed))));
  const drawTable = onChange((rows: FinalRow[]) => {
    fill(table, standings(rows));
    grades?.show(rows);
  });
  const load = async (): Promise<void> => {
    const { final, rows } = await api.final(id);
    drawHead(final);
    drawTools({ state: final.state });
    drawTable(rows);
    await battles.load();
  };
  await load();
  house.follow(load);
  return h(
    "div",
    { class: "stack" },
    h("p", {}, h("a", { href: "#/club/finals" }, `← ${t("club.finals.all")}`)),
    h("section", { class: "card" }, title, head, tools),
    card(t("club.final.table"), {}, h("p", { class: "quiet small" }, t("club.final.table.help")), table),
    grades && grades.element,
    card(t("club.battles"), {}, battles.element),
  );
}

/** The buttons of a final: the proof for everybody, stop and resume for administrators. */
function finalTools(house: House, id: number, state: Final["state"], changed: () => void): (HTMLElement | null)[] {
  const { api, app } = house;
  const change = (to: "running" | "stopped"): void => void api.changeFinal(id, to).then(changed, (error: unknown) => sayRefusal(app, error));
  const isBoss = isAdministrator(house);
  const stop = (): void => confirm(t("club.final.stop"), t("club.final.stop.ask"), t("cancel"), () => change("stopped"));
  const resume = (): void => confirm(t("club.final.resume"), t("club.final.resume.ask"), t("cancel"), () => change("running"));
  return [
    isBoss && state === "running" ? button(t("club.final.stop"), stop, { icon: "pause", class: "small" }) : null,
    isBoss && state === "stopped" ? button(t("club.final.resume"), resume, { icon: "play", class: "small primary" }) : null,
    linkButton(t("club.final.proof"), fileAddress(`finals/${id}/proof`), { icon: "download", class: "small", file: "" }),
  ];
}

/** The table: points, rating, and between which ranks the games leave each one. */
function standings(rows: readonly FinalRow[]): HTMLElement {
  const head: [string, string][] = [
    [t("club.rank"), "right"],
    [t("club.name"), ""],
    [t("club.points"), "right"],
    [t("club.rating"), "right"],
    [t("club.final.ranks"), "right"],
    [t("club.results"), "right"],
    [t("club.final.forfeits"), "right"],
  ];
  const row = (each: FinalRow): HTMLElement => {
    const cell = (index: number, words: string | number): HTMLElement => h("td", { class: "right", "data-label": head[index]![0] }, words);
    return h(
      "tr",
      {},
      h("td", { class: "right rank" }, each.rank),
      h("th", { scope: "row" }, h("a", { href: `#/club/battles/${each.account}` }, each.name), " ", h("span", { class: "quiet small", title: each.digest }, `${t("club.version.short", { number: each.number })}${each.section === "" ? "" : ` · ${each.section}`}`)),
      cell(2, signed(each.points)),
      cell(3, ratingText(each.rating)),
      cell(4, ranksText(each)),
      cell(5, `${each.wins} / ${each.draws} / ${each.losses}`),
      cell(6, each.forfeits),
    );
  };
  return h("div", { class: "scroll" }, h("table", { class: "data standings" }, h("caption", { class: "visually-hidden" }, t("club.final.table")), h("thead", {}, h("tr", {}, ...head.map(([words, name]) => h("th", { scope: "col", class: name }, words)))), h("tbody", {}, ...rows.map(row))));
}

function ranksText({ best_rank, worst_rank }: FinalRow): string {
  return best_rank === worst_rank ? String(best_rank) : `${best_rank}–${worst_rank}`;
}

/** Grades by a rule: a preview, and the table as a file. */
class Grades {
  readonly element: HTMLElement;
  private rows: readonly FinalRow[] = [];
  private readonly rule = line(t("club.grades.rule"), { name: "rule", value: RULE, help: t("club.grades.help") });
  private readonly fault = h("p", { class: "fault", role: "alert" });
  private readonly preview = h("div", {});
  private readonly file: HTMLElement;

  constructor(private readonly id: number) {
    this.file = linkButton(t("club.grades.file"), "", { icon: "download", class: "small primary", file: "" });
    this.rule.input.addEventListener("input", () => this.draw());
    this.element = card(t("club.grades"), { class: "grades" }, this.rule.element, this.fault, this.preview, h("div", { class: "buttons" }, this.file));
  }

  show(rows: readonly FinalRow[]): void {
    this.rows = rows;
    this.draw();
  }

  private draw(): void {
    const text = this.rule.input.value.trim();
    const rule = readRule(text);
    setText(this.fault, rule === null ? t("club.grades.wrong") : "");
    this.file.hidden = rule === null;
    this.preview.hidden = rule === null;
    if (rule === null) return;
    this.file.setAttribute("href", fileAddress(`finals/${this.id}/grades?${new URLSearchParams({ rule: text })}`));
    const groups = new Map<string, string[]>();
    for (const { rank, name } of this.rows) {
      const grade = gradeOf(rank, this.rows.length, rule) ?? "–";
      groups.set(grade, [...(groups.get(grade) ?? []), name]);
    }
    const item = ([grade, names]: [string, string[]]): HTMLElement => h("div", {}, h("dt", {}, grade), h("dd", {}, h("span", { class: "count" }, t("club.grades.count", { n: names.length })), " ", h("span", { class: "quiet small" }, names.join(", "))));
    fill(this.preview, h("dl", { class: "grade-list" }, ...[...groups].map(item)));
  }
}
