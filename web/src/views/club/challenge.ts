// Asking for a battle that does not count.

import type { Version } from "../../api/club";
import { playerGroups } from "../../parts/names";
import { button, card, enable, type Groups, select } from "../../ui/controls";
import { h } from "../../ui/dom";
import { toast } from "../../ui/toast";
import { t } from "../../messages/messages";
import type { House } from "../club";
import { contestantName, linkButton, sayRefusal } from "./parts";

/** Whom to play against. */
export type Challenged = Parameters<House["api"]["challenge"]>[1];

/** Asks for a battle of a version of one's own; says what became of the wish. */
export async function challenge({ api, app }: House, version: number, opponent: Challenged): Promise<void> {
  try {
    const { players } = await api.challenge(version, opponent);
    const [one, other] = players.map(contestantName) as [string, string];
    toast(t("club.challenge.asked", { one, other }));
  } catch (error) {
    sayRefusal(app, error);
  }
}

/** A button that challenges somebody's agent. */
export function challengeButton(house: House, version: number, opponent: { version: number }, name: string): HTMLElement {
  const ask = button(
    t("club.challenge"),
    () => {
      enable(ask, false);
      void challenge(house, version, opponent).finally(() => enable(ask, true));
    },
    { class: "small" },
  );
  ask.setAttribute("aria-label", t("club.challenge.whom", { name }));
  return ask;
}

/** A choice of opponents by what they are: `version:7`, `agent:random`. */
function challengedOf(value: string): Challenged {
  const [kind = "", ...rest] = value.split(":");
  const name = rest.join(":");
  return kind === "version" ? { version: Number(name) } : { agent: name };
}

/** Whom versions of one's own can play: everybody's active agent, one's other versions, built-in agents. */
export async function challengeCard(house: House, able: readonly Version[]): Promise<HTMLElement | null> {
  const { api, app, club } = house;
  if (able.length === 0) return null;
  if (!club.sparring_open) return card(t("club.challenge.title"), {}, h("p", { class: "warning" }, t("club.challenge.closed")));
  const { rungs } = await api.ladder(null);
  const own = club.visitor?.account.id;
  const others = rungs.filter(({ account }) => account !== own).map(({ version, name, number }): [string, string] => [`version:${version}`, t("club.version.of", { name, number })]);
  const builtIn = playerGroups(app, club.terms, false)
    .filter(({ name }) => name !== t("group.own"))
    .map(({ name, options }) => ({ name, options: options.map(([spec, words]): [string, string] => [`agent:${spec}`, words]) }));
  const groups = (version: number): Groups =>
    [
      { name: t("club.challenge.others"), options: others },
      { name: t("club.challenge.own"), options: able.filter(({ id }) => id !== version).map(({ id, number }): [string, string] => [`version:${id}`, t("club.version.name", { number })]) },
      ...builtIn,
    ].filter(({ options }) => options.length > 0);
  let version = (able.find(({ active }) => active) ?? able[0]!).id;
  const first = (all: Groups): string => all[0]?.options[0]?.[0] ?? "";
  let opponent = first(groups(version));
  const list = select(t("club.challenge.opponent"), groups(version), opponent, (value) => (opponent = value));
  const mine = select(t("club.challenge.mine"), [{ name: null, options: able.map(({ id, number, file }) => [String(id), `${t("club.version.name", { number })} · ${file}`] as const) }], String(version), (value) => {
    version = Number(value);
    list.fill(groups(version));
    if (opponent === `version:${version}`) opponent = first(groups(version));
    list.set(opponent);
  });
  const ask = button(
    t("club.challenge"),
    () => {
      enable(ask, false);
      void challenge(house, version, challengedOf(opponent)).finally(() => enable(ask, true));
    },
    { class: "primary" },
  );
  return card(t("club.challenge.title"), {}, h("p", { class: "quiet" }, t("club.challenge.help")), h("div", { class: "stack narrow" }, mine, list), h("div", { class: "buttons" }, ask, linkButton(t("club.battles"), `#/club/battles/${own}`)));
}
