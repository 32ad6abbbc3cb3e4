// What administrators see and do beside games and finals: phases and health, terms, people, the log.

import { h } from "../../ui/dom";
import { type Key, t } from "../../messages/messages";
import type { House } from "../club";
import { healthCard } from "./administration/health";
import { logCard } from "./administration/log";
import { accountsCard, classCard, invitationsCard, inviteCard } from "./administration/people";
import { deadlineCard, phasesCard, termsCard } from "./administration/settings";

const PARTS: readonly (readonly [string, Key])[] = [
  ["", "club.admin.overview"],
  ["people", "club.admin.people"],
  ["terms", "club.admin.terms"],
  ["log", "club.admin.log"],
];

/** A part of the administration, by its name in the address. */
export async function administrationPage(house: House, part: string): Promise<HTMLElement> {
  if (house.club.visitor?.account.role !== "administrator") return h("p", {}, t("error.forbidden"));
  return h("div", { class: "stack" }, parts(part), ...(await cards(house, part)));
}

function parts(part: string): HTMLElement {
  const link = ([route, words]: readonly [string, Key]): HTMLElement => h("a", { href: route === "" ? "#/club/admin" : `#/club/admin/${route}`, "aria-current": part === route ? "page" : null }, t(words));
  return h("nav", { class: "inner-parts", "aria-label": t("club.admin") }, ...PARTS.map(link));
}

async function cards(house: House, part: string): Promise<HTMLElement[]> {
  switch (part) {
    case "people":
      return [inviteCard(house), classCard(house), await invitationsCard(house), await accountsCard(house)];
    case "terms":
      return [termsCard(house)];
    case "log":
      return [await logCard(house)];
    default:
      return [phasesCard(house), deadlineCard(house), await healthCard(house)];
  }
}
