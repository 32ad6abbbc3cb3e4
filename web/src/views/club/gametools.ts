// What administrators do with a game: annul it, have it played again, block an agent. Each has a reason.

import type { GameRecord, Version } from "../../api/club";
import { button, card, confirm, dialog } from "../../ui/controls";
import { fill, h } from "../../ui/dom";
import { toast } from "../../ui/toast";
import { t } from "../../messages/messages";
import type { House } from "../club";
import { contestantName, form, line, sayRefusal } from "./parts";

/** The most characters of a reason that the server takes. */
const LONGEST_REASON = 200;

/** The card with what an administrator may do; `changed` shows the game again. */
export function gameTools(house: House, record: GameRecord, changed: () => void): HTMLElement {
  const { api, app } = house;
  const { id, state, place, battle } = record;
  const annul = (again: boolean): void =>
    askReason(t(again ? "club.again" : "club.annul"), t(again ? "club.again.help" : "club.annul.help"), async (reason) => {
      await api.annul(id, reason, again);
      toast(t(again ? "club.again.done" : "club.annul.done"));
      changed();
    });
  const isReplaced = battle.games.some((game) => game.place === place && game.state !== "annulled");
  const isAgain = battle.kind !== "casual" && (state !== "annulled" || !isReplaced);
  const agents = battle.players.flatMap((who) => (who.version === null ? [] : [{ name: contestantName(who), version: who.version }]));
  const blocks = h("div", { class: "buttons" });
  const drawBlocks = async (): Promise<void> => {
    const states = await Promise.all(agents.map(async ({ version }) => (await api.version(version)).state));
    fill(blocks, ...agents.map(({ name, version }, index) => blockButton(house, version, name, states[index]!, again)));
  };
  const again = (): void => {
    void drawBlocks().catch(app.failed);
    changed();
  };
  void drawBlocks().catch(app.failed);
  return card(
    t("club.admin"),
    { class: "admin-tools" },
    h(
      "div",
      { class: "buttons" },
      state !== "annulled" && button(t("club.annul"), () => annul(false), { icon: "close", class: "small" }),
      isAgain && button(t("club.again"), () => annul(true), { icon: "redo", class: "small" }),
      ...agents.map(({ name, version }) => h("a", { class: "button small", href: `#/club/agent/${version}` }, t("club.version.look", { name }))),
    ),
    blocks,
  );
}

/** The button that blocks a version for a reason, or lets one play again that is blocked. */
export function blockButton({ api, app }: House, version: number, name: string, state: Version["state"], changed: () => void): HTMLElement {
  const unblock = async (): Promise<void> => {
    await api.unblock(version);
    toast(t("club.unblock.done", { name }));
    changed();
  };
  if (state === "blocked") {
    const words = t("club.unblock.version", { name });
    return button(words, () => confirm(words, t("club.unblock.version.help"), t("cancel"), () => void unblock().catch((error: unknown) => sayRefusal(app, error))), { icon: "redo", class: "small" });
  }
  const block = (): void =>
    askReason(t("club.block.version", { name }), t("club.block.version.help"), async (reason) => {
      await api.block(version, reason);
      toast(t("club.block.done", { name }));
      changed();
    });
  return button(t("club.block.version", { name }), block, { icon: "stop", class: "small" });
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
