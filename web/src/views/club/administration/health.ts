// How all is going: the queue, the judges, the disk, and jobs that were set aside.

import type { State } from "../../../api/club";
import { button, card } from "../../../ui/controls";
import { fill, h } from "../../../ui/dom";
import { toast } from "../../../ui/toast";
import { t } from "../../../messages/messages";
import type { House } from "../../club";
import { onChange, Rows } from "../rows";
import { bytesText } from "../words";

/** Below so many free bytes the disk is low. */
const LOW_BYTES = 1e9;

type Trouble = State["troubles"][number];

export async function healthCard({ api, app, follow }: House): Promise<HTMLElement> {
  const figures = h("dl", { class: "figures" });
  const words = h("p", { role: "status" });
  const troubles = new Rows<Trouble>(h("ul", { class: "troubles" }), ({ kind, subject }) => `${kind} ${subject}`, troubleItem);
  const again = async (): Promise<void> => {
    await api.retry();
    toast(t("club.health.retried"));
    await load();
  };
  const retry = button(t("club.health.retry"), () => void again().catch(app.failed), { icon: "redo", class: "small" });
  const draw = onChange((state: State) => {
    fill(figures, ...figuresOf(state));
    fill(words, t(state.troubles.length > 0 ? "club.health.troubles" : "club.health.fine", { n: state.troubles.length }));
    troubles.show(state.troubles);
    retry.hidden = state.troubles.length === 0;
  });
  const load = async (): Promise<void> => draw(await api.state());
  await load();
  follow(load);
  return card(t("club.health"), { class: "club-health" }, figures, words, troubles.place, h("div", { class: "buttons" }, retry));
}

function figuresOf({ waiting, taken, judges_there, python, disk_bytes }: State): HTMLElement[] {
  const figure = (words: string, value: string, warning: string | null = null): HTMLElement => h("div", { class: warning === null ? "" : "warned" }, h("dt", {}, words), h("dd", {}, value, warning !== null && h("span", { class: "small" }, ` ${warning}`)));
  const isLow = disk_bytes !== null && disk_bytes < LOW_BYTES;
  return [
    figure(t("club.health.waiting"), String(waiting)),
    figure(t("club.health.taken"), String(taken)),
    figure(t("club.health.judges"), String(judges_there), judges_there === 0 ? t("club.health.judges.none") : null),
    figure(t("club.health.python"), python ?? t("club.health.python.none")),
    figure(t("club.health.disk"), disk_bytes === null ? "–" : bytesText(disk_bytes), isLow ? t("club.health.disk.low") : null),
  ];
}

/** A job that was set aside, with its reason. */
function troubleItem({ kind, subject, reason }: Trouble): HTMLElement {
  const name = kind === "check" ? t("club.trouble.check", { id: subject }) : t(kind === "review" ? "club.trouble.review" : "club.trouble.game", { id: subject });
  const what = kind === "check" ? h("a", { href: `#/club/agent/${subject}` }, name) : h("a", { href: `#/club/game/${subject}` }, name);
  return h("li", {}, what, h("p", { class: "small" }, reason));
}
