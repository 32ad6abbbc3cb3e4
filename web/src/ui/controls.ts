// Buttons, choices and cards for all screens.

import { type Attributes, fill, h } from "./dom";
import { type Icon, icon } from "./icons";

/** Whether single letters and digits are shortcuts. */
let hasLetters = true;

/** Has buttons name shortcuts that are single letters, or not. */
export function nameLetters(isOn: boolean): void {
  hasLetters = isOn;
}

/** A shortcut to be named, if it is one. */
function shortcut(key: string | undefined): string | null {
  return key !== undefined && (hasLetters || key.length > 1) ? key : null;
}

/** A button with a label, and with an icon if there is one. */
export function button(words: string, onclick: () => void, options: { icon?: Icon; class?: string; key?: string } = {}): HTMLButtonElement {
  const attributes: Attributes = {
    type: "button",
    class: `button ${options.class ?? ""}`.trim(),
    onclick: unlessDisabled(onclick),
    "aria-keyshortcuts": shortcut(options.key),
  };
  return h("button", attributes, options.icon ? icon(options.icon) : null, h("span", {}, words));
}

/** A button that is only an icon; its text is its label and its tooltip. `short` stands below it where there is room. */
export function tool(name: Icon, words: string, onclick: () => void, key?: string, short?: string): HTMLButtonElement {
  const named = shortcut(key);
  const tip = named === null ? words : `${words} (${named})`;
  const attributes: Attributes = { type: "button", class: "tool", onclick: unlessDisabled(onclick), title: tip, "aria-label": words, "aria-keyshortcuts": named };
  return h("button", attributes, icon(name), short === undefined ? null : h("span", { class: "word" }, short));
}

/** Enables or disables a button. It keeps the focus, which the attribute `disabled` would lose. */
export function enable(button: HTMLButtonElement, isEnabled: boolean): void {
  button.setAttribute("aria-disabled", String(!isEnabled));
}

function unlessDisabled(act: () => void): (event: Event) => void {
  return ({ currentTarget }) => {
    if ((currentTarget as Element).getAttribute("aria-disabled") !== "true") act();
  };
}

/** A choice among a few: a row of radio buttons that looks like one control. */
export function segmented<T extends string>(
  label: string,
  choices: readonly (readonly [T, string])[],
  value: T,
  onchange: (value: T) => void,
): HTMLElement {
  const name = `choice-${(serial += 1)}`;
  return h(
    "fieldset",
    { class: "segmented" },
    h("legend", {}, label),
    h(
      "div",
      { class: choices.length > 4 ? "segments many" : "segments" },
      ...choices.map(([choice, words]) =>
        h(
          "label",
          {},
          h("input", { type: "radio", name, value: choice, checked: choice === value, onchange: () => onchange(choice) }),
          h("span", {}, words),
        ),
      ),
    ),
  );
}

let serial = 0;

/** The options of a list, in groups with names or without: values and words. */
export type Groups = readonly { name: string | null; options: readonly (readonly [string, string])[] }[];

/** A labelled drop-down list with named groups. */
export function select(
  label: string,
  groups: Groups,
  value: string,
  onchange: (value: string) => void,
  isLabelShown = true,
  nameOf: (id: string) => string = (id) => id,
): HTMLElement & { set(value: string): void; fill(groups: Groups): void; enable(isEnabled: boolean): void } {
  const id = `list-${(serial += 1)}`;
  const list = h("select", { id, "aria-label": isLabelShown ? null : label, onchange: () => onchange(list.value) });
  const option = ([id, words]: readonly [string, string]): HTMLOptionElement => h("option", { value: id }, words);
  const fill = (groups: Groups): void => {
    list.replaceChildren();
    for (const { name, options } of groups) {
      if (name === null) list.append(...options.map(option));
      else list.append(h("optgroup", { label: name }, ...options.map(option)));
    }
  };
  fill(groups);
  const set = (wanted: string): void => {
    // Shows a spec that is in no list, of a saved game for example.
    if (![...list.options].some((each) => each.value === wanted)) list.append(option([wanted, nameOf(wanted)]));
    list.value = wanted;
  };
  set(value);
  const element = h("div", { class: "field" }, isLabelShown && h("label", { for: id }, label), list);
  return Object.assign(element, { set, fill, enable: (isEnabled: boolean) => (list.disabled = !isEnabled) });
}

/** A switch: on or off. */
export function toggle(label: string, isOn: boolean, onchange: (isOn: boolean) => void, key?: string): HTMLElement & { set(isOn: boolean): void } {
  const box = h("input", {
    type: "checkbox",
    role: "switch",
    checked: isOn,
    onchange: () => onchange(box.checked),
    "aria-keyshortcuts": shortcut(key),
  });
  const element = h("label", { class: "switch" }, box, h("span", { class: "track", "aria-hidden": "true" }), h("span", {}, label));
  return Object.assign(element, {
    set(wanted: boolean): void {
      box.checked = wanted;
    },
  });
}

/** A titled box. */
export function card(title: string | null, attributes: Attributes, ...children: Parameters<typeof h>[2][]): HTMLElement {
  const { class: name, ...rest } = attributes;
  const element = h("section", { class: `card ${typeof name === "string" ? name : ""}`.trim(), ...rest });
  fill(element, title === null ? null : h("h2", {}, title), ...children);
  return element;
}

/** Asks whether to do something; `act` does it. */
export function confirm(title: string, question: string, no: string, act: () => void): void {
  const box = dialog(
    title,
    no,
    h("p", {}, question),
    h(
      "div",
      { class: "buttons end" },
      button(no, () => box.close()),
      button(
        title,
        () => {
          box.close();
          act();
        },
        { class: "danger" },
      ),
    ),
  );
}

/** Opens a dialog that Escape and its close button close. */
export function dialog(title: string, close: string, ...children: Parameters<typeof h>[2][]): HTMLDialogElement {
  const id = `dialog-${(serial += 1)}`;
  const element = h("dialog", { class: "dialog", "aria-labelledby": id });
  fill(
    element,
    h("header", {}, h("h2", { id }, title), tool("close", close, () => element.close())),
    h("div", { class: "dialog-body" }, ...children),
  );
  element.addEventListener("close", () => element.remove());
  // A click beside the dialog is a click on its backdrop, which belongs to the dialog itself.
  element.addEventListener("pointerdown", (event) => {
    if (event.target === element) element.close();
  });
  document.body.append(element);
  element.showModal();
  // Focuses the first input rather than the close button.
  const body = element.lastElementChild!;
  (body.querySelector<HTMLElement>("input:checked, select, textarea, input[type=text]") ?? body.querySelector<HTMLElement>("button"))?.focus();
  return element;
}
