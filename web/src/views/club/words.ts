// What the platform's screens say in the same words: who played whom, how a game ended, when, how long.

import type { Battle, BattleGame, Contestant, Rating, Terms } from "../../api/club";
import type { Side } from "../../game/clock";
import { forfeitName } from "../../parts/forfeits";
import { language, LANGUAGES, signed, t } from "../../messages/messages";
import { contestantName } from "./parts";

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** The tag of the page's language. */
function tag(): string {
  return LANGUAGES[language()].tag;
}

/** A number with a unit, as the language writes it. */
function measured(value: number, unit: string, unitDisplay: "short" | "long" = "short"): string {
  return new Intl.NumberFormat(tag(), { style: "unit", unit, unitDisplay, maximumFractionDigits: 1 }).format(value);
}

/** A duration in the unit that suits it. */
export function durationText(ms: number, display: "short" | "long" = "short"): string {
  if (ms < SECOND) return measured(Math.round(ms), "millisecond", display);
  if (ms < 2 * MINUTE) return measured(ms / SECOND, "second", display);
  if (ms < 2 * HOUR) return measured(ms / MINUTE, "minute", display);
  if (ms < 2 * DAY) return measured(ms / HOUR, "hour", display);
  return measured(ms / DAY, "day", display);
}

/** How far a time is from now: `in 3 days`. */
export function distanceText(time: string | number, now: string | number = Date.now()): string {
  const ms = new Date(time).getTime() - new Date(now).getTime();
  const [unit, size] = ([["day", DAY], ["hour", HOUR], ["minute", MINUTE]] as const).find(([, each]) => Math.abs(ms) >= each) ?? (["second", SECOND] as const);
  return new Intl.RelativeTimeFormat(tag(), { numeric: "auto" }).format(Math.round(ms / size), unit);
}

/** Bytes in the unit that suits them. */
export function bytesText(bytes: number): string {
  const [unit, size] = bytes >= 1e12 ? ["terabyte", 1e12] : bytes >= 1e9 ? ["gigabyte", 1e9] : ["megabyte", 1e6];
  return measured(bytes / (size as number), unit as string);
}

/** What games are played by, in a line. */
export function termsText({ rule, size, move_ms, game_ms, memory_mib }: Terms): string {
  const kind = t(rule === "reversed" ? "rule.short.reversed" : "rule.short.normal");
  return [kind, `${size}×${size}`, t("club.terms.move", { time: durationText(move_ms) }), t("club.terms.game", { time: durationText(game_ms) }), `${memory_mib} MiB`].join(" · ");
}

/** Black and white of a battle's game. */
export function seated({ players }: Battle, place: number): Record<Side, Contestant> {
  const [one, other] = players;
  return place === 0 ? { black: one, white: other } : { black: other, white: one };
}

/** What became of a game; `isLive` if it is being played right now. */
export function gameText({ players }: Battle, { state, score, end }: BattleGame, isLive = false): string {
  if (state === "annulled") return t("club.game.annulled");
  if (state === "waiting" || score === null) return t(isLive ? "club.game.live" : "club.game.waiting");
  const [one, other] = players.map(contestantName) as [string, string];
  const [winner, loser] = score > 0 ? [one, other] : [other, one];
  return outcomeText({ winner, loser, score, end });
}

/** How a game ended: by so many discs, drawn, or for another reason. */
export function outcomeText({ winner, loser, score, end }: { winner: string; loser: string; score: number; end: string | null }): string {
  if (end !== null && end !== "over") return t("club.game.forfeited", { winner, loser, reason: forfeitName(end) });
  if (score === 0) return t("club.game.drawn");
  return t("club.game.won", { winner, n: Math.abs(score) });
}

/** A rating with half of its interval. */
export function ratingText({ elo, low, high }: Rating): string {
  const reach = low === null || high === null ? "∞" : String(Math.round((high - low) / 2));
  return `${signed(Math.round(elo))} ± ${reach}`;
}
