// Why a game was forfeited, in people's words.

import { type Key, t } from "../messages/messages";
import { en } from "../messages/en";

/** The words for a reason of the server; one that is not known stays as it is. */
export function forfeitName(reason: string): string {
  const key = `end.${reason}` as Key;
  return Object.hasOwn(en, key) ? t(key) : reason;
}
