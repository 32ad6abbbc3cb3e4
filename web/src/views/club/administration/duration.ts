// A field for a duration: a number, and the unit it is in.

import { h } from "../../../ui/dom";
import { t } from "../../../messages/messages";
import { durationText } from "../words";

const UNITS = [["min", 60_000], ["s", 1000], ["ms", 1]] as const;

type Unit = (typeof UNITS)[number][0];

/** The largest unit in which a duration is a short number. */
export function unitOf(ms: number): Unit {
  return UNITS.find(([, size]) => ms >= size && Number.isInteger((ms * 10) / size))?.[0] ?? "ms";
}

/** The milliseconds of one unit. */
function size(unit: Unit): number {
  return UNITS.find(([name]) => name === unit)![1];
}

/** A labelled duration between two limits, in milliseconds. */
export function durationField(label: string, name: string, ms: number, [least, most]: readonly [number, number]): { element: HTMLElement; readonly ms: number } {
  const input = h("input", { type: "number", name, required: true, step: "any", "aria-label": label });
  const unit = h("select", { name: `${name}-unit`, "aria-label": t("club.unit", { label }) }, ...[...UNITS].reverse().map(([each]) => h("option", { value: each }, t(`club.unit.${each}`))));
  const read = (): number => Math.round(Number(input.value) * size(unit.value as Unit));
  const range = t("club.terms.range", { least: durationText(least, "long"), most: durationText(most, "long") });
  const help = h("span", { class: "quiet small", id: `help-${name}` }, range);
  input.setAttribute("aria-describedby", help.id);
  const limit = (): void => {
    input.min = String(least / size(unit.value as Unit));
    input.max = String(most / size(unit.value as Unit));
    // The browser would name the bare number.
    input.setCustomValidity(input.value !== "" && (read() < least || read() > most) ? range : "");
  };
  unit.value = unitOf(ms);
  input.value = String(ms / size(unit.value as Unit));
  limit();
  unit.addEventListener("change", limit);
  input.addEventListener("input", limit);
  return {
    element: h("div", { class: "line" }, h("span", { "aria-hidden": "true" }, label), h("div", { class: "duration" }, input, unit), help),
    get ms(): number {
      return read();
    },
  };
}
