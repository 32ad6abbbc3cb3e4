// Asking for a battle that does not count.

import { Refusal } from "../../api/client";
import { button, enable } from "../../ui/controls";
import { toast } from "../../ui/toast";
import { t } from "../../messages/messages";
import type { House } from "../club";
import { contestantName, refusalText } from "./parts";

/** Whom to play against. */
export type Challenged = Parameters<House["api"]["challenge"]>[1];

/** Asks for a battle of a version of one's own; says what became of the wish. */
export async function challenge({ api, app }: House, version: number, opponent: Challenged): Promise<void> {
  try {
    const { players } = await api.challenge(version, opponent);
    const [one, other] = players.map(contestantName) as [string, string];
    toast(t("club.challenge.asked", { one, other }));
  } catch (error) {
    if (error instanceof Refusal && error.code !== "offline") toast(refusalText(error), "error");
    else app.failed(error);
  }
}

/** A button that challenges somebody's agent. */
export function challengeButton(house: House, version: number, opponent: { version: number }, name: string): HTMLElement {
  const ask = button(
    t("club.challenge"),
    () => {
      enable(ask, false);
      void challenge(house, version, opponent).finally(() => enable(ask, true));
    },
    { class: "small" },
  );
  ask.setAttribute("aria-label", t("club.challenge.whom", { name }));
  return ask;
}
