// The names of players on the screen, and the list of agents to choose from.

import type { App } from "../app";
import type { Agents, GameKind } from "../api/wire";
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
  const agents = app.agents.agents.filter(({ only }) => isFor(only, game));
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

function isFor(only: GameKind | null, game: GameKind): boolean {
  return only === null || (only.rule === game.rule && only.size === game.size);
}

/** Whether the server offers an agent for a game, as far as its name tells. */
export function isOffered(agents: Agents, game: GameKind, spec: string): boolean {
  const name = spec.split(":")[0];
  return agents.agents.some((agent) => agent.spec.split(":")[0] === name && isFor(agent.only, game)) || agents.levels.some((level) => level.spec === spec);
}

/** A level with a word for how strong it is. */
function levelName(level: number): string {
  const word: Key = level <= 3 ? "strength.beginner" : level <= 7 ? "strength.casual" : level <= 12 ? "strength.club" : level <= 16 ? "strength.expert" : "strength.master";
  return `${t("player.level", { level })} · ${t(word)}`;
}
