// What the pages of the battle platform have in common.

import type { App } from "../../app";
import type { Contestant } from "../../api/club";
import { Refusal } from "../../api/client";
import { explain } from "../../parts/errors";
import { playerName } from "../../parts/names";
import { fill, h } from "../../ui/dom";
import { toast } from "../../ui/toast";
import { type Icon, icon } from "../../ui/icons";
import { isKey, language, LANGUAGES, t } from "../../messages/messages";

/** A labelled line of text. */
export function line(label: string, options: { type?: string; name: string; complete?: string; value?: string; help?: string }): { element: HTMLElement; input: HTMLInputElement } {
  const input = h("input", { type: options.type ?? "text", name: options.name, autocomplete: options.complete ?? "off", value: options.value ?? "", required: true, autocapitalize: "off", spellcheck: "false" });
  const help = options.help === undefined ? null : h("span", { class: "quiet small", id: `help-${options.name}` }, options.help);
  if (help) input.setAttribute("aria-describedby", help.id);
  return { element: h("label", { class: "line" }, h("span", {}, label), input, help), input };
}

/** A form that says below itself why something was refused. */
export function form(words: string, fields: readonly HTMLElement[], act: () => Promise<void>): HTMLFormElement {
  const said = h("p", { class: "fault", role: "alert" });
  const send = h("button", { type: "submit", class: "button primary" }, words);
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    fill(said);
    send.disabled = true;
    act()
      .catch((error: unknown) => {
        if (!(error instanceof Refusal)) throw error;
        fill(said, refusalText(error));
      })
      .finally(() => (send.disabled = false));
  };
  return h("form", { class: "stack narrow", onsubmit: submit }, ...fields, h("div", { class: "buttons" }, send), said);
}

/** Why something was refused: beside the words for all refusals those for what is wrong with a field. */
export function refusalText(error: Refusal): string {
  const key = `club.${error.code === "bad-request" ? "fault" : error.code}.${error.field ?? ""}`;
  return language() !== "en" && isKey(key) ? t(key) : explain(error);
}

/** Says why something was refused, or that it failed. */
export function sayRefusal(app: App, error: unknown): void {
  if (error instanceof Refusal && error.code !== "offline") toast(refusalText(error), "error");
  else app.failed(error);
}

/** A time as people write it. */
export function timeWords(time: string): string {
  return new Date(time).toLocaleString(LANGUAGES[language()].tag, { dateStyle: "medium", timeStyle: "short" });
}

/** A player of a battle: the author and the version, a person, or a built-in agent. */
export function contestantName({ name, account, number }: Contestant): string {
  if (number !== null) return t("club.version.of", { name, number });
  return account === null ? playerName(name, "") : name;
}

/** A link that looks like a button. It may download a file, under a name of its own or the server's. */
export function linkButton(words: string, href: string, options: { icon?: Icon; class?: string; isFile?: boolean; file?: string } = {}): HTMLElement {
  return h("a", { class: `button ${options.class ?? ""}`.trim(), href, download: options.file ?? (options.isFile ? "" : null) }, options.icon ? icon(options.icon) : null, h("span", {}, words));
}
