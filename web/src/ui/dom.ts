// Makes elements in one line. The content security policy forbids the style attribute: computed
// styles are CSS variables that are set on the element.

type Child = Element | string | number | null | undefined | false;
type Value = string | number | boolean | null | undefined | ((event: never) => void);
export type Attributes = Record<string, Value>;

/** An element with attributes, listeners (`onclick`) and children; skips null and false. */
export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  setAttributes(element, attributes);
  fill(element, ...children);
  return element;
}

/** The same for SVG. */
export function svg(tag: string, attributes: Attributes = {}, ...children: Child[]): SVGElement {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  setAttributes(element, attributes);
  fill(element, ...children);
  return element;
}

/** Sets attributes; a function is a listener for the event behind `on`. */
export function setAttributes(element: Element, attributes: Attributes): void {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") {
      element.addEventListener(name.slice(2), value as EventListener);
    } else if (value === null || value === undefined || value === false) {
      element.removeAttribute(name);
    } else {
      element.setAttribute(name, value === true ? "" : String(value));
    }
  }
}

/** A text whose options, such as `--host 0.0.0.0`, are set as code and stay on a line. */
export function withOptions(text: string): (string | HTMLElement)[] {
  return text.split(/(--[a-z-]+(?: [\d.]+)?)/).map((part) => (part.startsWith("--") ? h("code", { class: "option" }, part) : part));
}

/** Replaces the children of an element. */
export function fill(element: Element, ...children: Child[]): void {
  element.replaceChildren(
    ...children
      .filter((child) => child !== null && child !== undefined && child !== false)
      .map((child) => (child instanceof Element ? child : String(child))),
  );
}

/** Sets a text if it differs, so that a live region is read out once. */
export function setText(element: Element, text: string): void {
  if (element.textContent !== text) element.textContent = text;
}
