// The report of a version: every case of its check, and how quick the judges' machine is.

import type { Report, Version } from "../../api/club";
import { fileAddress } from "../../api/club";
import { Refusal } from "../../api/client";
import { caseRow, totalText } from "../../parts/check";
import { text, timeText } from "../../parts/output";
import { card } from "../../ui/controls";
import { fill, h } from "../../ui/dom";
import { t } from "../../messages/messages";
import type { House } from "../club";
import { blockedText, stateTag } from "./agents";
import { blockButton } from "./gametools";
import { linkButton, timeWords } from "./parts";
import { onChange } from "./rows";

/** Speeds that differ by less are the same to people. */
const SAME = 1.15;

/** The bytes of a MiB. */
const MIB = 2 ** 20;

/** A search that is long on the author's machine, in seconds. */
const EXAMPLE = 2;

export async function agentPage(house: House, id: number): Promise<HTMLElement> {
  const { api, app, club } = house;
  const title = h("h2", {});
  const head = h("div", { class: "version-head" });
  const body = h("div", { class: "stack", role: "status" });
  const cases = h("ol", { class: "cases" });
  const files = h("div", { class: "buttons" });
  // Administrators see those of others too.
  const isOwn = ({ account }: Version): boolean => account === club.visitor?.account.id;
  const isBoss = club.visitor?.account.role === "administrator";
  const draw = onChange(({ version, report }: { version: Version; report: Report | null }) => {
    fill(head, stateTag(version), version.active && h("span", { class: "tag-of active" }, isOwn(version) ? t("club.version.active") : t("club.version.active.of", { name: version.name })), h("time", { class: "quiet small", datetime: version.created }, timeWords(version.created)));
    const { number, file, name } = version;
    fill(title, isOwn(version) ? t("club.report.title", { number, file }) : t("club.report.title.of", { name, number, file }));
    fill(body, version.reason !== null && h("p", { class: "fault" }, blockedText(version.reason)), report ? reportWords(report, version.state, isOwn(version)) : version.state === "waiting" && h("p", {}, version.queue ? t("club.report.queued", { n: version.queue }) : t("club.report.waiting")));
    fill(cases, ...[...(report?.cases ?? [])].sort((one, other) => Number(one.passed) - Number(other.passed)).map(caseRow));
    const changed = (): void => void load().catch(app.failed);
    fill(files, linkButton(t("club.version.source"), fileAddress(`versions/${id}/source`), { class: "small", icon: "download", file: version.file }), isBoss && blockButton(house, id, t("club.version.name", { number: version.number }), version.state, changed));
  });
  let known: Report | null = null;
  const load = async (): Promise<void> => {
    const version = await api.version(id);
    // A report never changes, and a version may be blocked before it has one.
    if (known === null && version.state !== "waiting") known = await api.report(id).catch(unchecked);
    draw({ version, report: known });
  };
  await load();
  house.follow(load);
  return h("div", { class: "stack" }, h("p", {}, h("a", { href: "#/club/agents" }, `← ${t("club.agents")}`)), card(null, { class: "report" }, title, head, body, files, cases));
}

/** Stands for the report of a version that was never checked. */
function unchecked(error: unknown): null {
  if (error instanceof Refusal && error.code === "not-found") return null;
  throw error;
}

function reportWords(report: Report, state: Version["state"], isOwn: boolean): HTMLElement {
  const { total, sandbox, python, slowest, memory_bytes, printed } = report;
  const hasPassed = total.failed === 0 && total.skipped === 0;
  const costs = [slowest !== null && t("club.report.slowest", { seconds: timeText(slowest) }), memory_bytes !== null && t("club.report.memory", { memory: (memory_bytes / MIB).toFixed(1) })].filter((words) => words !== false);
  return h(
    "div",
    { class: "stack" },
    h("p", { class: hasPassed ? "check-state passed" : "check-state" }, totalText(total)),
    state !== "blocked" && h("p", {}, t(hasPassed ? "club.report.passed" : isOwn ? "club.report.failed" : "club.report.failed.of")),
    costs.length > 0 && h("p", {}, costs.join(" ")),
    h("p", { class: "quiet" }, speedText(report, isOwn)),
    printed.length > 0 && h("details", {}, h("summary", {}, t("club.report.printed")), text(printed.join("\n"), t("club.report.printed"))),
    python !== null && h("p", { class: "quiet small" }, t("club.report.python", { python })),
    sandbox !== null && h("p", { class: "quiet small" }, t("club.report.sandbox", { sandbox })),
  );
}

/** How the judges' machine compares with the author's, in words. */
function speedText({ seconds, own_seconds: own }: Report, isOwn: boolean): string {
  if (seconds === null || seconds <= 0) return t("club.speed.none");
  if (own === null || own <= 0) return t(isOwn ? "club.speed.unknown" : "club.speed.unknown.of", { seconds: timeText(seconds) });
  const factor = seconds / own;
  const rounded = (value: number): string => value.toFixed(value < 10 ? 1 : 0);
  if (factor < SAME && factor > 1 / SAME) return t(isOwn ? "club.speed.same" : "club.speed.same.of");
  const key = factor > 1 ? (isOwn ? "club.speed.slower" : "club.speed.slower.of") : isOwn ? "club.speed.faster" : "club.speed.faster.of";
  return t(key, { factor: rounded(Math.max(factor, 1 / factor)), own: EXAMPLE, theirs: rounded(EXAMPLE * factor) });
}
