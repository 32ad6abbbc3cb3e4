// What is asked for again and again: draws only what changed, and keeps the focus where it was.

/** What a row was drawn from, and the row. */
interface Drawn {
  readonly text: string;
  readonly element: HTMLElement;
}

const FOCUSABLE = "a, button, input, select, summary";

export class Rows<T> {
  private drawn = new Map<string | number, Drawn>();

  constructor(
    readonly place: HTMLElement,
    private readonly keyOf: (item: T) => string | number,
    private readonly draw: (item: T) => HTMLElement,
    /** What else a row shows beside its item. */
    private readonly more: (item: T) => unknown = () => null,
  ) {}

  /** Shows these items, in this order. */
  show(items: readonly T[]): void {
    const before = this.drawn;
    this.drawn = new Map(items.map((item) => [this.keyOf(item), this.row(item, before)]));
    const rows = [...this.drawn.values()].map(({ element }) => element);
    const { children } = this.place;
    if (rows.length === children.length && rows.every((row, index) => row === children[index])) return;
    const focused = focusWithin(this.place);
    this.place.replaceChildren(...rows);
    if (focused) this.refocus(focused, before);
  }

  private row(item: T, before: ReadonlyMap<string | number, Drawn>): Drawn {
    const text = JSON.stringify([item, this.more(item)]);
    const known = before.get(this.keyOf(item));
    return known?.text === text ? known : { text, element: this.draw(item) };
  }

  /** Focuses an element again; in a row that was drawn anew, the one in its place. */
  private refocus(focused: HTMLElement, before: ReadonlyMap<string | number, Drawn>): void {
    if (focused.isConnected) {
      focused.focus({ preventScroll: true });
      return;
    }
    const [key, old] = [...before].find(([, { element }]) => element.contains(focused)) ?? [];
    const row = key === undefined ? undefined : this.drawn.get(key);
    if (!row || !old) return;
    const place = [...old.element.querySelectorAll(FOCUSABLE)].indexOf(focused);
    row.element.querySelectorAll<HTMLElement>(FOCUSABLE)[place]?.focus({ preventScroll: true });
  }
}

/** The element within `place` that has the focus. */
function focusWithin(place: HTMLElement): HTMLElement | null {
  const { activeElement } = document;
  return activeElement instanceof HTMLElement && activeElement !== place && place.contains(activeElement) ? activeElement : null;
}

/** Draws something only if it has changed, so that nobody loses focus or place to the same again. */
export function onChange<T>(draw: (value: T) => void): (value: T) => void {
  let drawn = "";
  return (value) => {
    const now = JSON.stringify(value);
    if (now === drawn) return;
    drawn = now;
    draw(value);
  };
}
