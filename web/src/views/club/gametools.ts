// What administrators do with a game: annul it, have it played again, block an agent. Each has a reason.

import type { Contestant, GameRecord } from "../../api/club";
import { button, card, dialog } from "../../ui/controls";
import { h } from "../../ui/dom";
import { toast } from "../../ui/toast";
import { t } from "../../messages/messages";
import type { House } from "../club";
import { contestantName, form, line } from "./parts";

/** The most characters of a reason that the server takes. */
const LONGEST_REASON = 200;

/** The card with what an administrator may do; `changed` shows the game again. */
export function gameTools({ api }: House, record: GameRecord, changed: () => void): HTMLElement {
  const { id, state, battle } = record;
  const annul = (again: boolean): void =>
    askReason(t(again ? "club.again" : "club.annul"), t(again ? "club.again.help" : "club.annul.help"), async (reason) => {
      await api.annul(id, reason, again);
      toast(t(again ? "club.again.done" : "club.annul.done"));
      changed();
    });
  const block = (who: Contestant): void =>
    askReason(t("club.block.version", { name: contestantName(who) }), t("club.block.version.help"), async (reason) => {
      await api.block(who.version!, reason);
      toast(t("club.block.done", { name: contestantName(who) }));
      changed();
    });
  const versions = battle.players.filter(({ version }) => version !== null);
  return card(
    t("club.admin"),
    { class: "admin-tools" },
    h(
      "div",
      { class: "buttons" },
      state !== "annulled" && button(t("club.annul"), () => annul(false), { icon: "close", class: "small" }),
      state !== "annulled" && battle.kind !== "casual" && button(t("club.again"), () => annul(true), { icon: "redo", class: "small" }),
      ...versions.map((who) => h("a", { class: "button small", href: `#/club/agent/${who.version}` }, t("club.version.look", { name: contestantName(who) }))),
      ...versions.map((who) => button(t("club.block.version", { name: contestantName(who) }), () => block(who), { icon: "stop", class: "small" })),
    ),
  );
}

/** Asks for a reason in a dialog; a refusal is told there. */
function askReason(title: string, help: string, act: (reason: string) => Promise<void>): void {
  const reason = line(t("club.reason"), { name: "reason" });
  reason.input.maxLength = LONGEST_REASON;
  const box = dialog(
    title,
    t("close"),
    h("p", { class: "quiet" }, help),
    form(title, [reason.element], async () => {
      await act(reason.input.value);
      box.close();
    }),
  );
}
