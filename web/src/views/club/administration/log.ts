// The audit log: who did what, and when.

import type { LogEntry } from "../../../api/club";
import { button, card } from "../../../ui/controls";
import { fill, h } from "../../../ui/dom";
import { type Key, t } from "../../../messages/messages";
import { en } from "../../../messages/en";
import type { House } from "../../club";
import { timeWords } from "../parts";
import { Rows } from "../rows";

export async function logCard({ api, app, follow }: House): Promise<HTMLElement> {
  const rows = new Rows<LogEntry>(h("tbody", {}), ({ id }) => id, entryRow);
  const foot = h("div", { class: "buttons" });
  let entries: readonly LogEntry[] = [];
  let next: number | null = null;
  const draw = (): void => {
    rows.show(entries);
    if ((foot.childElementCount > 0) !== (next !== null)) fill(foot, next !== null && button(t("club.log.more"), () => void more().catch(app.failed)));
  };
  const load = async (): Promise<void> => {
    const page = await api.log(null);
    const last = page.entries.at(-1)?.id ?? 0;
    const older = entries.filter(({ id }) => id < last);
    if (older.length === 0) next = page.next;
    entries = [...page.entries, ...older];
    draw();
  };
  const more = async (): Promise<void> => {
    const page = await api.log(next);
    entries = [...entries, ...page.entries];
    next = page.next;
    draw();
  };
  await load();
  follow(load);
  const heads = (["club.log.time", "club.log.who", "club.log.what", "club.log.subject"] as const).map((key) => h("th", { scope: "col" }, t(key)));
  return card(t("club.admin.log"), {}, h("p", { class: "quiet" }, t("club.log.help")), h("div", { class: "scroll" }, h("table", { class: "data fits folds log-table" }, h("caption", { class: "visually-hidden" }, t("club.admin.log")), h("thead", {}, h("tr", {}, ...heads)), rows.place)), foot);
}

function entryRow({ time, actor, action, subject }: LogEntry): HTMLElement {
  return h("tr", {}, h("td", { class: "quiet" }, h("time", { datetime: time }, timeWords(time))), h("td", {}, h("b", {}, actor ?? t("club.log.server"))), h("td", {}, actionText(action)), h("td", { class: "subject" }, subject));
}

/** What was done, in words; what is not known stays as it is. */
function actionText(action: string): string {
  const key = `club.action.${action}` as Key;
  return Object.hasOwn(en, key) ? t(key) : action;
}
