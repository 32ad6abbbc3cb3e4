// How far a value of the book can be trusted: in a word, as a level from 1 to 4, and with its numbers.

import type { BookMove } from "../../api/wire";
import { t } from "../../messages/messages";

/** From how many moves in the book on a value is called deep. */
const DEEP_MOVES = 5;

export interface Sure {
  /** From 1, a rough estimate, to 4, a proof. */
  readonly level: 1 | 2 | 3 | 4;
  readonly words: string;
  /** The numbers behind the words. */
  readonly numbers: string;
}

/** How sure the value of a move is; null if it has none. `isExact` if the position's own search is a proof. */
export function sureOf(move: BookMove, isExact: boolean): Sure | null {
  const { kind, reached } = move;
  if (kind !== "over" && isProved(move, isExact)) return { level: 4, words: t("explore.sure.proved"), numbers: t("explore.tip.proved") };
  switch (kind) {
    case "unknown":
      return null;
    case "over":
      return { level: 4, words: t("explore.sure.over"), numbers: t("explore.tip.over") };
    case "searched":
      return { level: 2, words: t("explore.sure.searched"), numbers: t("explore.tip.searched") };
    case "estimated":
      return { level: 1, words: t("explore.sure.estimated"), numbers: t("explore.tip.estimated") };
    case "known": {
      const { plies = 1, depth = 0, selectivity = 0 } = reached ?? {};
      const numbers = t("explore.tip.known", { n: plies, depth, percent: selectivity });
      return plies >= DEEP_MOVES ? { level: 3, words: t("explore.sure.deep"), numbers } : { level: 2, words: t("explore.sure.good"), numbers };
    }
  }
}

/** Whether a value is certain. */
export function isProved({ kind, reached }: BookMove, isExact: boolean): boolean {
  return kind === "over" || (kind === "searched" && isExact) || (reached !== undefined && reached.lower === reached.upper);
}
