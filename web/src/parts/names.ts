// The names of players on the screen, and the list of agents to choose from.

import type { App } from "../app";
import type { Agent, Agents, GameKind } from "../api/wire";
import { isLarge, type Size, SIZES } from "../game/notation";
import { HUMAN } from "../game/session";
import { type Key, t } from "../messages/messages";
import { en } from "../messages/en";

/** A player's name: a person's, a level, or an agent's own. */
export function playerName(spec: string, person: string): string {
  if (spec === HUMAN) return person === "" ? t("player.human") : person;
  const level = /^engine:level=(\d+)$/.exec(spec);
  if (level) return t("player.level", { level: level[1]! });
  const key = `agent.${spec}` as Key;
  return Object.hasOwn(en, key) ? t(key) : spec;
}

/**
 * The groups of the list for a game: people if they may, the owner's agents, levels, simple agents,
 * reports.
 */
export function playerGroups(app: App, game: GameKind, withPeople: boolean): { name: string | null; options: [string, string][] }[] {
  const { levels } = app.agents;
  const agents = app.agents.agents.filter((agent) => isFor(agent, game));
  const named = (spec: string): [string, string] => [spec, playerName(spec, app.settings.name)];
  const kind = (wanted: string): [string, string][] => agents.filter((agent) => agent.kind === wanted && !agent.own).map((agent) => named(agent.spec));
  const groups: { name: string | null; options: [string, string][] }[] = [
    { name: t("group.own"), options: agents.filter(({ own }) => own).map(({ spec, about }) => [spec, about === "" ? spec : `${spec} · ${about}`]) },
    { name: t("group.levels"), options: levels.map(({ level, spec }) => [spec, levelName(level)]) },
    { name: t("group.engine"), options: kind("engine") },
    { name: t("group.simple"), options: kind("simple") },
    { name: t("group.report"), options: kind("report") },
  ];
  const full = groups.filter((group) => group.options.length > 0);
  return withPeople ? [{ name: null, options: [named(HUMAN)] }, ...full] : full;
}

function isFor({ only, sizes }: Agent, game: GameKind): boolean {
  return sizes.includes(game.size) && (only === null || only.rule === game.rule);
}

/** The agent of a player, if the server has it. */
function agentOf(agents: Agents, spec: string): Agent | undefined {
  const name = spec.split(":")[0];
  return agents.agents.find((agent) => agent.spec.split(":")[0] === name);
}

/** An agent of the server's owner. */
export function ownAgent(agents: Agents, spec: string): Agent | undefined {
  return agents.agents.find((agent) => agent.own && agent.spec === spec);
}

/**
 * The boards to choose from: the usual ones, where another agent can take over, and larger ones that
 * all players know.
 */
export function sizesFor(agents: Agents, players: readonly string[]): Size[] {
  const knows = (spec: string, size: Size): boolean => spec === HUMAN || (agentOf(agents, spec)?.sizes.includes(size) ?? false);
  return SIZES.filter((size) => !isLarge(size) || players.every((spec) => knows(spec, size)));
}

/** Whether the server offers an agent for a game, as far as its name tells. */
export function isOffered(agents: Agents, game: GameKind, spec: string): boolean {
  const name = spec.split(":")[0];
  return agents.agents.some((agent) => agent.spec.split(":")[0] === name && isFor(agent, game)) || agents.levels.some((level) => level.spec === spec);
}

/** Elo above level 1 of each level from 1 on, as docs/guide/engine-and-levels.md has them; a test compares. */
export const LEVEL_ELO: readonly number[] = [0, 108, 249, 404, 505, 674, 794, 994, 1115, 1241, 1330, 1506, 1586, 1667, 1801, 1908, 1986, 2076, 2156, 2256];

/** What a player is, in one line; empty for people and for agents that nothing is known of. */
export function aboutPlayer(agents: Agents, spec: string): string {
  const level = /^engine:level=(\d+)$/.exec(spec);
  if (level) return t(level[1] === "1" ? "about.level.first" : "about.level", { elo: LEVEL_ELO[Number(level[1]) - 1] ?? "?" });
  const own = ownAgent(agents, spec);
  if (own) return t("about.own", { about: own.about });
  const key = `about.${spec.split(":")[0]}` as Key;
  return Object.hasOwn(en, key) ? t(key) : "";
}

/** A level with a word for how strong it is. */
function levelName(level: number): string {
  const word: Key = level <= 3 ? "strength.beginner" : level <= 7 ? "strength.casual" : level <= 12 ? "strength.club" : level <= 16 ? "strength.expert" : "strength.master";
  return `${t("player.level", { level })} · ${t(word)}`;
}
