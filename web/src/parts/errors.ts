// Refusals of the server in the page's language.

import { type Key, language, t } from "../messages/messages";
import { en } from "../messages/en";

/**
 * A refusal in words. The server speaks English: on an English page its own words say more than the
 * code; elsewhere the code is put into words, with the move that is wrong if one is.
 */
export function explain({ code, message }: { code: string; message: string }, hasDetails = true): string {
  const key = `error.${code}` as Key;
  const isKnown = Object.hasOwn(en, key);
  if (language() === "en" && (hasDetails || !isKnown)) return message;
  const move = /(?:^|: )([a-p]1?\d) (?:is|turns)\b/.exec(message);
  if (hasDetails && move) return t("error.move", { move: move[1]! });
  return isKnown ? t(key) : t("error.internal");
}
