// To come.

import { h } from "../../ui/dom";
import type { House } from "../club";

export async function gamePage(_house: House, _id: number): Promise<HTMLElement> {
  return h("div", {});
}
