// The audit log: who did what, and when.

import type { LogEntry, Terms } from "../../../api/club";
import { button, card } from "../../../ui/controls";
import { fill, h } from "../../../ui/dom";
import { isKey, language, LANGUAGES, t } from "../../../messages/messages";
import type { House } from "../../club";
import { timeWords } from "../parts";
import { Rows } from "../rows";
import { termsText } from "../words";

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

function entryRow(entry: LogEntry): HTMLElement {
  const { time, actor, action } = entry;
  return h("tr", {}, h("td", { class: "quiet" }, h("time", { datetime: time }, new Date(time).toLocaleString(LANGUAGES[language()].tag, { dateStyle: "medium", timeStyle: "medium" }))), h("td", { class: "actor" }, h("b", {}, actor ?? t("club.log.server"))), h("td", {}, actionText(action)), h("td", { class: "subject" }, subjectOf(entry)));
}

/** What it was about: games and finals as links, settings in words, and nothing that stands there already. */
function subjectOf({ actor, action, subject }: LogEntry): HTMLElement | string {
  if (subject === actor) return "";
  if (action === "set-terms") return termsOf(subject);
  if (action === "invite") return invitationOf(subject);
  if (action === "set-deadline") return /^\d+$/.test(subject) ? timeWords(new Date(Number(subject)).toISOString()) : t("club.log.none");
  const found = /^(game|final|battle) (\d+)(.*)$/.exec(subject);
  if (!found) return subject;
  const [, kind, id = "", rest = ""] = found;
  if (kind === "battle") return `${t("club.log.battle", { id })}${rest}`;
  return h("span", {}, h("a", { href: `#/club/${kind === "game" ? "game" : "finals"}/${id}` }, t(kind === "game" ? "club.log.game" : "club.log.final", { id })), rest);
}

/** Terms that the log has as plain data. */
function termsOf(subject: string): string {
  try {
    return termsText(JSON.parse(subject) as Terms);
  } catch {
    return subject;
  }
}

/** Whom an invitation is for: `30 × member, "A"`. */
function invitationOf(subject: string): string {
  const [, uses = "", role = "", section = ""] = /^(\d+) × (\w+), "(.*)"$/.exec(subject) ?? [];
  const key = `club.role.${role}`;
  if (!isKey(key)) return subject;
  return [`${uses} × ${t(key)}`, section !== "" && t("club.section.of", { section })].filter(Boolean).join(" · ");
}

/** What was done, in words; what is not known stays as it is. */
function actionText(action: string): string {
  const key = `club.action.${action}`;
  return isKey(key) ? t(key) : action;
}
