// The report of a version: every case of its check, and how quick the judges' machine is.

import type { Report, Version } from "../../api/club";
import { fileAddress } from "../../api/club";
import { caseRow, totalText } from "../../parts/check";
import { timeText } from "../../parts/output";
import { card } from "../../ui/controls";
import { fill, h } from "../../ui/dom";
import { t } from "../../messages/messages";
import type { House } from "../club";
import { stateTag } from "./agents";
import { linkButton, timeWords } from "./parts";

/** Speeds that differ by less are the same to people. */
const SAME = 1.15;

/** A search that is long on the author's machine, in seconds. */
const EXAMPLE = 2;

export async function agentPage(house: House, id: number): Promise<HTMLElement> {
  const { api } = house;
  const head = h("div", { class: "version-head" });
  const body = h("div", { class: "stack", role: "status" });
  let shown: Version["state"] | null = null;
  const load = async (): Promise<void> => {
    if (shown !== null && shown !== "waiting") return;
    const version = await api.version(id);
    if (version.state === shown) return;
    const report = version.state === "waiting" ? null : await api.report(id);
    shown = version.state;
    fill(head, stateTag(version), version.active && h("span", { class: "tag-of active" }, t("club.version.active")), h("time", { class: "quiet small", datetime: version.created }, timeWords(version.created)));
    fill(title, t("club.report.title", { number: version.number, file: version.file }));
    fill(body, report ? reportWords(report) : h("p", {}, t("club.report.waiting")));
    fill(cases, ...[...(report?.cases ?? [])].sort((one, other) => Number(one.passed) - Number(other.passed)).map(caseRow));
    fill(files, linkButton(t("club.version.source"), fileAddress(`versions/${id}/source`), { class: "small", icon: "download", file: version.file }));
  };
  const title = h("h2", {});
  const cases = h("ol", { class: "cases" });
  const files = h("div", { class: "buttons" });
  await load();
  house.follow(load);
  return h("div", { class: "stack" }, h("p", {}, h("a", { href: "#/club/agents" }, `← ${t("club.agents")}`)), card(null, { class: "report" }, title, head, body, files, cases));
}

function reportWords(report: Report): HTMLElement {
  const { total, sandbox, python } = report;
  const hasPassed = total.failed === 0 && total.skipped === 0;
  return h(
    "div",
    { class: "stack" },
    h("p", { class: hasPassed ? "check-state passed" : "check-state" }, totalText(total)),
    h("p", {}, t(hasPassed ? "club.report.passed" : "club.report.failed")),
    h("p", { class: "quiet" }, speedText(report)),
    python !== null && h("p", { class: "quiet small" }, t("club.report.python", { python })),
    sandbox !== null && h("p", { class: "quiet small" }, t("club.report.sandbox", { sandbox })),
  );
}

/** How the judges' machine compares with the author's, in words. */
function speedText({ seconds, own_seconds: own }: Report): string {
  if (seconds === null || seconds <= 0) return t("club.speed.none");
  if (own === null || own <= 0) return t("club.speed.unknown", { seconds: timeText(seconds) });
  const factor = seconds / own;
  const rounded = (value: number): string => value.toFixed(value < 10 ? 1 : 0);
  if (factor < SAME && factor > 1 / SAME) return t("club.speed.same");
  return t(factor > 1 ? "club.speed.slower" : "club.speed.faster", { factor: rounded(Math.max(factor, 1 / factor)), own: EXAMPLE, theirs: rounded(EXAMPLE * factor) });
}
