// To come.

import { h } from "../../ui/dom";
import type { House } from "../club";

export async function administrationPage(_house: House): Promise<HTMLElement> {
  return h("div", {});
}
