// To come.

import { h } from "../../ui/dom";
import type { House } from "../club";

export async function opponentsPage(_house: House): Promise<HTMLElement> {
  return h("div", {});
}
