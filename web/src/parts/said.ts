// What screen readers hear of a move: who made it, what it turned, and how the game stands.

import type { Position } from "../api/wire";
import { sentences, t } from "../messages/messages";
import { soundEnd, soundMove } from "../ui/sound";
import { announce, toast } from "../ui/toast";

/** Announces the last move, a pass or the end; `isPlayed` if it was made just now, and is heard. */
export function sayPosition(position: Position | null, status: string, isPlayed = true): void {
  if (!position) return;
  const { last, discs, passed, over } = position;
  if (isPlayed && last) soundPosition(position);
  const words = [];
  if (last && last.move !== "pass") words.push(t("said.move", { side: t(`side.${last.color}`), move: last.move, n: last.flips.length }));
  words.push(status, t("said.count", { black: discs.black, white: discs.white }));
  announce(sentences(words));
  if (passed && !over) toast(t("status.passed", { side: t(`side.${passed}`) }));
}

/** Lets the last move be heard, and the end of the game. */
export function soundPosition({ last, over }: Position): void {
  if (last && last.move !== "pass") soundMove(last.flips.length);
  if (over) soundEnd();
}
