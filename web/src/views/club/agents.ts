// To come.

import { h } from "../../ui/dom";
import type { House } from "../club";

export async function agentsPage(_house: House): Promise<HTMLElement> {
  return h("div", {});
}

export async function agentPage(_house: House, _id: number): Promise<HTMLElement> {
  return h("div", {});
}
