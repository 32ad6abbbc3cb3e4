// The dialog with the limits of the engine's analysis: time, depth, threads, lines.

import type { App } from "../app";
import { CHOICES } from "../settings";
import { button, dialog, select } from "../ui/controls";
import { h } from "../ui/dom";
import { t } from "../messages/messages";

type Name = keyof typeof CHOICES;

/** Asks for the limits; `changed` is told which of them has changed. */
export function openEffort(app: App, changed: (name: Name) => void): void {
  const { settings } = app;
  const words = (name: Name, choice: number): string => {
    if (choice === 0) return t(name === "lines" ? "effort.all" : "effort.endless");
    if (name === "analysisSeconds") return choice < 60 ? t("effort.seconds", { n: choice }) : t("effort.minutes", { n: choice / 60 });
    return name === "analysisDepth" ? t("effort.plies", { n: choice }) : String(choice);
  };
  const list = (name: Name): HTMLElement => {
    const options = CHOICES[name].map((choice) => [String(choice), words(name, choice)] as const);
    return select(t(`effort.${name}`), [{ name: null, options }], String(settings[name]), (choice) => {
      settings[name] = Number(choice);
      app.keep();
      changed(name);
    });
  };
  const box = dialog(
    t("effort.title"),
    t("close"),
    h("p", { class: "quiet" }, t("effort.help")),
    ...(Object.keys(CHOICES) as Name[]).map(list),
    h("div", { class: "buttons end" }, button(t("close"), () => box.close(), { class: "primary" })),
  );
}
