// What is open, until when agents can be submitted, and what games are played by.

import type { Settings, Terms } from "../../../api/club";
import { type Rule, type Size, SIZES } from "../../../game/notation";
import { sizeChoice } from "../../../parts/sizes";
import { button, card, confirm, segmented, toggle } from "../../../ui/controls";
import { h, setText } from "../../../ui/dom";
import { toast } from "../../../ui/toast";
import { t } from "../../../messages/messages";
import type { House } from "../../club";
import { form, line, sayRefusal, timeWords } from "../parts";
import { distanceText } from "../words";
import { durationField } from "./duration";

/** The limits that the server takes. */
const LIMITS = { move: [10, 600_000], game: [100, 36_000_000], memory: [48, 65_536] } as const;

/** Whether the ladder and the sparring go on. */
export function phasesCard({ api, app, club }: House): HTMLElement {
  const door = (words: string, isOpen: boolean, change: (isOn: boolean) => Settings): HTMLElement => {
    const element = toggle(words, isOpen, (isOn) => {
      const refused = (error: unknown): void => {
        element.set(!isOn);
        sayRefusal(app, error);
      };
      void api.changeSettings(change(isOn)).then(() => toast(t("club.settings.done")), refused);
    });
    return element;
  };
  return card(
    t("club.phases"),
    { class: "phases" },
    door(t("club.phase.ladder"), club.ladder_open, (ladder_open) => ({ ladder_open })),
    h("p", { class: "quiet small" }, t("club.phase.ladder.help")),
    door(t("club.phase.sparring"), club.sparring_open, (sparring_open) => ({ sparring_open })),
    h("p", { class: "quiet small" }, t("club.phase.sparring.help")),
  );
}

/** The time until which agents can be submitted, in the time of whoever sets it. */
export function deadlineCard({ api, app, club }: House): HTMLElement {
  let deadline = club.deadline;
  const now = h("p", { role: "status" });
  const time = line(t("club.deadline.time"), { name: "deadline", type: "datetime-local", value: deadline === null ? "" : localInput(new Date(deadline)), help: t("club.deadline.zone", { zone: Intl.DateTimeFormat().resolvedOptions().timeZone }) });
  const remove = button(t("club.deadline.remove"), () => confirm(t("club.deadline.remove"), t("club.deadline.remove.ask"), t("cancel"), () => void set(null).catch((error: unknown) => sayRefusal(app, error))));
  const tell = (): void => {
    setText(now, deadline === null ? t("club.deadline.none") : t(Date.parse(deadline) > Date.now() ? "club.deadline" : "club.deadline.over", { time: timeWords(deadline), distance: distanceText(deadline) }));
    remove.hidden = deadline === null;
  };
  const set = async (wanted: Date | null): Promise<void> => {
    await api.changeSettings(wanted === null ? { no_deadline: true } : { deadline_ms: wanted.getTime() });
    deadline = wanted === null ? null : wanted.toISOString();
    tell();
    toast(t("club.settings.done"));
  };
  tell();
  const fields = form(t("club.deadline.set"), [time.element], () => set(new Date(time.input.value)));
  fields.querySelector(".buttons")?.append(remove);
  return card(t("club.deadline.title"), {}, now, fields);
}

/** A time as the browser's field for local times takes it. */
function localInput(time: Date): string {
  return new Date(time.getTime() - time.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

/** The rule, the board, and what each side may spend. */
export function termsCard({ api, club }: House): HTMLElement {
  const terms: Terms = { ...club.terms };
  const move = durationField(t("club.terms.move.label"), "move", terms.move_ms, LIMITS.move);
  const game = durationField(t("club.terms.game.label"), "game", terms.game_ms, LIMITS.game);
  const [least, most] = LIMITS.memory;
  const range = t("club.terms.range", { least: `${least} MiB`, most: `${most / 1024} GiB` });
  const memory = line(t("club.terms.memory"), { name: "memory", type: "number", value: String(terms.memory_mib), help: `${range} ${t("club.terms.memory.help")}` });
  Object.assign(memory.input, { min: String(least), max: String(most), step: "1" });
  memory.input.addEventListener("input", () => {
    const { value } = memory.input;
    memory.input.setCustomValidity(value !== "" && (Number(value) < least || Number(value) > most) ? range : "");
  });
  const fields = [
    segmented<Rule>(t("new.rule"), [["reversed", t("rule.reversed")], ["normal", t("rule.normal")]], terms.rule, (rule) => (terms.rule = rule)),
    sizeChoice(SIZES, terms.size, (size: Size) => (terms.size = size)),
    move.element,
    game.element,
    memory.element,
  ];
  const save = async (): Promise<void> => {
    await api.changeSettings({ terms: { ...terms, move_ms: move.ms, game_ms: game.ms, memory_mib: Number(memory.input.value) } });
    toast(t("club.settings.done"));
  };
  return card(t("club.terms"), {}, h("p", { class: "quiet" }, t("club.terms.help")), form(t("club.terms.save"), fields, save));
}
