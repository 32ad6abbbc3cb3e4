// Values in words and on squares. The page counts discs for Black everywhere: + is good for Black,
// − for White. A colour says something else: how much worse a move is than the best one.

import type { Side } from "../game/clock";
import { rank } from "../game/retry";
import type { MoveValue, Values } from "../api/wire";
import type { Chip } from "../board/board";
import { signed, t } from "../messages/messages";

/** The server's value for the side to move as a value for Black. */
export function forBlack(value: number, side: Side): number {
  return side === "black" ? value : -value;
}

/** A value for Black as text, from one for the side to move. */
export function worth(value: number, side: Side): string {
  return signed(forBlack(value, side));
}

/** What a move is worth, and how it compares with the best one, both for the side to move. */
export function chipOf(move: Pick<MoveValue, "value" | "depth" | "percent" | "exact">, best: Pick<MoveValue, "value" | "exact">, side: Side): Chip {
  const { value, depth, percent, exact } = move;
  const text = worth(value, side);
  const label = t(exact ? "value.exact" : "value.searched", { value: text, depth, percent });
  return { text, note: exact ? "✓" : "", tone: rank(move, best), isBest: Math.round(value) >= Math.round(best.value), label, ...(exact ? {} : { depth }) };
}

/** A proved score on a square. */
export function scoreChip(score: number, best: number, side: Side): Chip {
  return chipOf({ value: score, exact: true, depth: 0, percent: 100 }, { value: best, exact: true }, side);
}

/** The values of the legal squares. */
export function chips({ moves }: Values, side: Side): Map<string, Chip> {
  return new Map(moves.map((move) => [move.move, chipOf(move, moves[0]!, side)]));
}

/** "White is better by about 3 discs." The value is for the side to move. */
export function lead(value: number, side: Side): string {
  const rounded = Math.round(forBlack(value, side));
  if (rounded === 0) return t("lead.even");
  return t("lead.better", { side: t(rounded > 0 ? "side.black" : "side.white"), n: Math.abs(rounded) });
}

/** "Black wins by 6, proved." The score is for the side to move. */
export function proved(score: number, side: Side): string {
  if (score === 0) return t("proved.draw");
  return t("proved.win", { side: t(forBlack(score, side) > 0 ? "side.black" : "side.white"), n: Math.abs(score) });
}

/** How far a value can be trusted, in a player's words; `empties` are the empty squares. */
export function certainty({ depth, percent, exact }: Pick<MoveValue, "depth" | "percent" | "exact">, empties: number): string {
  if (exact) return t("sure.proved");
  if (depth >= empties) return t(percent >= 95 ? "sure.end.nearly" : "sure.end");
  return t(depth < 8 ? "sure.first" : depth < 16 ? "sure.good" : "sure.deep");
}
