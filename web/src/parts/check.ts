// The test of an own agent's file, as `isrever arena check` does it: a list of cases as they come, each
// failed one with its board, what was expected and what came.

import type { App } from "../app";
import type { Agent, CheckedCase, CheckTotal, GameKind } from "../api/wire";
import { markedBoard } from "../board/board";
import { dialog } from "../ui/controls";
import { fill, h } from "../ui/dom";
import { icon } from "../ui/icons";
import { announce } from "../ui/toast";
import { type Key, language, t } from "../messages/messages";
import { en } from "../messages/en";
import { explain } from "./errors";
import { forfeitName } from "./forfeits";
import { text, timeText } from "./output";

/** Tests an agent in a dialog; closing it ends the test. */
export function openCheck(app: App, { spec }: Agent, { rule, size }: GameKind): void {
  const state = h("p", { class: "check-state" }, t("check.running", { n: 0 }));
  const list = h("ol", { class: "cases" });
  const search = new AbortController();
  let count = 0;
  const listener = (name: string, data: unknown): void => {
    if (name === "case") {
      count += 1;
      list.append(caseRow(data as CheckedCase));
      fill(state, t("check.running", { n: count }));
    } else if (name === "done") {
      const words = totalText(data as CheckTotal);
      fill(state, words);
      state.classList.toggle("passed", (data as CheckTotal).failed === 0);
      announce(words);
    }
  };
  const box = dialog(t("check.title", { name: spec, size }), t("close"), h("p", { class: "quiet" }, t("check.help")), state, list);
  box.classList.add("wide");
  box.addEventListener("close", () => search.abort());
  app.client.check(spec, { rule, size }, listener, search.signal).catch((error: unknown) => {
    if (search.signal.aborted) return;
    const refusal = error as { code?: string; message?: string };
    fill(state, explain({ code: refusal.code ?? "internal", message: refusal.message ?? "" }));
    state.classList.add("fault");
  });
}

/** How many cases passed; `reason` if the test may have been ended early. */
export function totalText({ reason, passed, failed, skipped }: Omit<CheckTotal, "reason"> & { reason?: CheckTotal["reason"] }): string {
  const words = [t("check.done", { passed, n: passed + failed + skipped })];
  if (skipped > 0) words.push(t("check.skipped", { n: skipped }));
  if (reason === "time") words.push(t("check.late"));
  return words.join(" ");
}

/** A case: passed in one line, failed with everything that helps to find out why. */
export function caseRow(each: CheckedCase): HTMLElement {
  const { name, passed, seconds } = each;
  const time = seconds === null ? null : h("span", { class: "quiet small" }, t("time.seconds", { seconds: timeText(seconds) }));
  const head = [h("span", { class: passed ? "mark passed" : "mark failed" }, icon(passed ? "check" : "close"), h("span", { class: "visually-hidden" }, t(passed ? "check.passed" : "check.failed"))), h("span", {}, aboutText(each)), time];
  if (passed) return h("li", { "data-case": name, "data-passed": "true" }, h("p", { class: "case-head" }, ...head));
  return h("li", { "data-case": name, "data-passed": "false" }, h("p", { class: "case-head" }, ...head), failedCase(each));
}

function failedCase({ name, board, size, color, expected, list, decision, forfeit, faults, notes }: CheckedCase): HTMLElement {
  const came = list ?? [];
  const wrong = came.filter((square) => !expected.includes(square));
  const missing = list === null ? [] : expected.filter((square) => !came.includes(square));
  const squares = (names: readonly string[]): string => (names.length === 0 ? t("check.empty") : names.join(", "));
  const lines = [
    t("check.expected", { side: t(`side.${color}`), squares: squares(expected) }),
    list === null ? t("check.came.none") : t("check.came", { squares: squares(came) }),
    decision === null ? null : t("check.decision", { move: decision }),
    missing.length > 0 ? t("check.missing", { squares: missing.join(", ") }) : null,
    wrong.length > 0 ? t("check.illegal", { squares: wrong.join(", ") }) : null,
    forfeit === null ? null : t("check.forfeit", { reason: forfeitName(forfeit) }),
  ];
  return h(
    "div",
    { class: "case-body" },
    markedBoard(board, size, t("check.board", { case: name }), { rings: expected, crosses: wrong }),
    h("div", { class: "stack" }, ...lines.map((line) => (line === null ? null : h("p", { class: "small" }, line))), text([...faults, "", ...notes].join("\n").trim(), t("check.words", { case: name }))),
  );
}

/** What is special about a case: in the words of the test on an English page, else in the page's own. */
function aboutText({ name, about }: CheckedCase): string {
  const key = `check.case.${name}` as Key;
  return language() === "en" || !Object.hasOwn(en, key) ? about : t(key);
}
