// The names of openings in the page's language.

import type { Opening } from "../api/wire";
import { language } from "../messages/messages";

/** The name of an opening; empty if there is none. */
export function openingName(opening: Opening | null | undefined): string {
  if (!opening) return "";
  return language() === "zh" ? opening.chinese : opening.name;
}
