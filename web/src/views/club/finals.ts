// To come.

import { h } from "../../ui/dom";
import type { House } from "../club";

export async function finalsPage(_house: House, _id: number | null): Promise<HTMLElement> {
  return h("div", {});
}
