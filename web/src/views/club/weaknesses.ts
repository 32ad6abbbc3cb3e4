// Where an agent loses: by phase, square, number of moves to choose from and opponent; its worst moves.

import type { Given, Weaknesses, WorstMove } from "../../api/club";
import { fileAddress } from "../../api/club";
import { markedBoard } from "../../board/board";
import { forfeitName } from "../../parts/forfeits";
import { card } from "../../ui/controls";
import { h, svg } from "../../ui/dom";
import { t } from "../../messages/messages";
import type { House } from "../club";
import { linkButton } from "./parts";

export async function weaknessesPage({ api }: House, id: number): Promise<HTMLElement> {
  const [version, found] = await Promise.all([api.version(id), api.weaknesses(id)]);
  return h(
    "div",
    { class: "stack" },
    h("p", {}, h("a", { href: "#/club/agents" }, `← ${t("club.agents")}`)),
    card(t("club.weaknesses.title", { number: version.number, file: version.file }), {}, ...summary(found, id)),
    ...(found.reviewed === 0 ? [] : charts(found)),
    worstCard(found.worst),
  );
}

function summary(found: Weaknesses, id: number): (HTMLElement | null)[] {
  const { games, reviewed, wins, draws, losses, forfeits, worst } = found;
  if (games === 0) return [h("p", {}, t("club.weaknesses.none"))];
  const lost = forfeits.map(({ reason, count }) => t("club.weaknesses.forfeit", { reason: forfeitName(reason), n: count }));
  return [
    h("p", {}, t("club.weaknesses.games", { n: games, wins, draws, losses })),
    lost.length === 0 ? null : h("p", { class: "warning" }, t("club.weaknesses.forfeits", { list: lost.join(", ") })),
    h("p", { class: "quiet" }, t("club.weaknesses.help", { reviewed, games })),
    worst.length === 0 ? null : h("div", { class: "buttons" }, linkButton(t("club.weaknesses.practice"), fileAddress(`versions/${id}/practice`), { icon: "download", class: "primary", isFile: true })),
  ];
}

function charts({ phases, squares, choices, opponents }: Weaknesses): HTMLElement[] {
  return [
    h(
      "div",
      { class: "charts" },
      barsCard(t("club.weaknesses.phases"), phases.map((each) => ({ ...each, words: t(`club.phase.${each.kind}`) }))),
      barsCard(t("club.weaknesses.squares"), squares.map((each) => ({ ...each, words: t(`club.square.${each.kind}`) }))),
      barsCard(t("club.weaknesses.choices"), choices.map((each) => ({ ...each, words: t(`club.choice.${each.kind}`) }))),
    ),
    opponentsCard(opponents),
  ];
}

/** Discs lost for each move. */
function each({ moves, lost }: Given): number {
  return moves === 0 ? 0 : lost / moves;
}

/** A table whose bars show at a glance where most is lost for each move. */
function barsCard(title: string, rows: readonly (Given & { words: string })[]): HTMLElement {
  const most = Math.max(...rows.map(each), 0.01);
  const row = (given: Given & { words: string }): HTMLElement =>
    h("tr", {}, h("th", { scope: "row" }, given.words, h("br"), h("span", { class: "quiet small" }, t("club.weaknesses.moves", { n: given.moves }))), h("td", { class: "right" }, each(given).toFixed(2)), h("td", { class: "bar-cell" }, bar(each(given) / most)));
  return card(
    title,
    {},
    h("table", { class: "data bars" }, h("caption", { class: "visually-hidden" }, title), h("thead", {}, h("tr", {}, h("td", {}), h("th", { scope: "col", colspan: 2 }, t("club.weaknesses.each")))), h("tbody", {}, ...rows.map(row))),
  );
}

function bar(share: number): SVGElement {
  return svg("svg", { class: "bar", viewBox: "0 0 100 10", preserveAspectRatio: "none", "aria-hidden": "true" }, svg("rect", { width: 100 * share, height: 10 }));
}

function opponentsCard(opponents: Weaknesses["opponents"]): HTMLElement {
  const heads = [t("club.challenge.opponent"), t("club.results"), t("club.weaknesses.each")];
  const row = (opponent: Weaknesses["opponents"][number]): HTMLElement => h("tr", {}, h("th", { scope: "row" }, opponent.name), h("td", { class: "right" }, `${opponent.wins} / ${opponent.draws} / ${opponent.losses}`), h("td", { class: "right" }, each(opponent).toFixed(2)));
  const title = t("club.weaknesses.opponents");
  return card(
    title,
    {},
    h("div", { class: "scroll" }, h("table", { class: "data fits" }, h("caption", { class: "visually-hidden" }, title), h("thead", {}, h("tr", {}, ...heads.map((words, index) => h("th", { scope: "col", class: index === 0 ? "" : "right" }, words)))), h("tbody", {}, ...opponents.map(row)))),
  );
}

/** The moves that gave away most, each with its board: what was played is crossed, what was better ringed. */
function worstCard(worst: readonly WorstMove[]): HTMLElement | null {
  if (worst.length === 0) return null;
  const item = ({ game, ply, board, size, color, move, better, loss, exact }: WorstMove): HTMLElement => {
    const words = t(exact ? "club.worst.exact" : "club.worst", { side: t(`side.${color}`), move, better, n: Math.round(loss) });
    return h("li", {}, markedBoard(board, size, words, { rings: [better], crosses: [move] }), h("p", {}, words), h("a", { href: `#/club/game/${game}`, class: "small" }, t("club.worst.game", { game, ply: ply + 1 })));
  };
  return card(t("club.weaknesses.worst"), {}, h("p", { class: "quiet" }, t("club.weaknesses.worst.help")), h("ul", { class: "worst" }, ...worst.map(item)));
}
