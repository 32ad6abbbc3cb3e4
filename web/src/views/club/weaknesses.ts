// To come.

import { h } from "../../ui/dom";
import type { House } from "../club";

export async function weaknessesPage(_house: House, _version: number): Promise<HTMLElement> {
  return h("div", {});
}
