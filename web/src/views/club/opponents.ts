// The agents that people may play against on the board.

import type { Opponent } from "../../api/club";
import type { Side } from "../../game/clock";
import type { Size } from "../../game/notation";
import { button, card, enable, segmented } from "../../ui/controls";
import { h } from "../../ui/dom";
import { t } from "../../messages/messages";
import type { House } from "../club";
import { contestantName, linkButton, sayRefusal, timeWords } from "./parts";
import { Rows } from "./rows";

export async function opponentsPage(house: House): Promise<HTMLElement> {
  const { api, app, club } = house;
  const first = await api.opponents();
  let size: Size = first.sizes.includes(club.terms.size) ? club.terms.size : (first.sizes[0] ?? 8);
  let color: Side = "black";
  const none = h("p", { class: "quiet" }, t("club.opponents.none"));
  const play = async (version: number): Promise<void> => {
    const { game } = await api.play(version, size, color);
    app.go(`club/casual/${game}`);
  };
  const row = ({ version, name, number, section }: Opponent): HTMLElement => {
    const begin = button(
      t("club.play"),
      () => {
        enable(begin, false);
        void play(version)
          .catch((error: unknown) => sayRefusal(app, error))
          .finally(() => enable(begin, true));
      },
      { icon: "play", class: "primary small" },
    );
    begin.setAttribute("aria-label", t("club.play.whom", { name: t("club.version.of", { name, number }) }));
    return h("li", {}, h("span", { class: "game-words" }, h("strong", {}, t("club.version.of", { name, number })), section !== "" && h("span", { class: "quiet small" }, t("club.section.of", { section }))), begin);
  };
  const rows = new Rows<Opponent>(h("ul", { class: "opponents" }), ({ version }) => version, row);
  const show = (opponents: readonly Opponent[]): void => {
    rows.show(opponents);
    none.hidden = opponents.length > 0;
  };
  show(first.opponents);
  house.follow(async () => show((await api.opponents()).opponents));
  const choices = card(
    t("club.opponents"),
    {},
    h("p", { class: "quiet" }, t("club.opponents.help")),
    !club.sparring_open && h("p", { class: "warning" }, t("club.challenge.closed")),
    h(
      "div",
      { class: "two-up" },
      segmented<string>(t("new.size"), first.sizes.map((each) => [String(each), `${each}×${each}`] as const), String(size), (value) => (size = Number(value) as Size)),
      segmented<Side>(t("friend.side"), [["black", t("side.black")], ["white", t("side.white")]], color, (value) => (color = value)),
    ),
    rows.place,
    none,
    club.visitor?.account.role !== "guest" && h("div", { class: "buttons" }, linkButton(t("club.opponents.own"), "#/club/agents")),
  );
  return h("div", { class: "stack" }, choices, await unfinishedCard(house));
}

/** One's own games that go on; only so many may. */
async function unfinishedCard({ api, club }: House): Promise<HTMLElement | null> {
  const { battles } = await api.battles({ kind: "casual" });
  const own = club.visitor?.account.id;
  const games = battles.filter(({ players: [, person] }) => person.account === own).flatMap((battle) => battle.games.filter(({ state }) => state === "waiting").map(({ id }) => ({ id, battle })));
  if (games.length === 0) return null;
  const row = ({ id, battle: { players, terms, created } }: (typeof games)[number]): HTMLElement =>
    h("li", {}, h("span", { class: "game-words" }, h("strong", {}, contestantName(players[0])), h("span", { class: "quiet small" }, `${terms.size}×${terms.size} · ${timeWords(created)}`)), linkButton(t("club.casual.on"), `#/club/casual/${id}`, { class: "small" }));
  return card(t("club.casual.unfinished"), {}, h("ul", { class: "opponents" }, ...games.map(row)));
}
