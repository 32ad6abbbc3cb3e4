// To come.

import { h } from "../../ui/dom";
import type { House } from "../club";

export async function casualPage(_house: House, _game: number): Promise<HTMLElement> {
  return h("div", {});
}
