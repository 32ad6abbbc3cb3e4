// The board on the screen: a grid of squares that mouse, finger and keyboard can reach, with discs
// that turn over. It draws a `Picture` and reports the chosen square; it knows no rules.

import { Arrows } from "./arrows";
import { h, setAttributes, svg } from "../ui/dom";
import { Topic } from "../ui/topic";
import { t } from "../messages/messages";
import { LETTERS } from "../game/notation";
import { cell, square as nameOf } from "../game/session";

/** The note on a legal square: its value, and how certain it is. */
export interface Chip {
  readonly text: string;
  readonly note: string;
  readonly tone: "good" | "even" | "bad";
  readonly isBest: boolean;
  readonly label: string;
  /** The plies that were searched, if it is not proved. */
  readonly depth?: number;
}

/** How much an agent thought of a square. */
export interface Thought {
  /** The part of its playouts that began here, from 0 to 1. */
  readonly share: number;
  readonly text: string;
  readonly note: string;
  readonly isChosen: boolean;
  readonly label: string;
}

/** A move of a line that is drawn on the board. */
export interface LineMove {
  readonly square: string;
  readonly side: "black" | "white";
}

export interface Picture {
  readonly size: number;
  /** `X`, `O` and `-`, row by row from a1. */
  readonly board: string;
  /** Squares that can be chosen, with the discs they would turn. */
  readonly legal: ReadonlyMap<string, readonly string[]>;
  /** The colour of the disc that would be placed. */
  readonly turn: "black" | "white" | null;
  readonly last: string | null;
  /** The discs the last move turned, nearest first: they turn over one after another. */
  readonly flips: readonly string[];
  readonly chips?: ReadonlyMap<string, Chip>;
  /** A square to point at: a hint, a puzzle's answer, a better move. */
  readonly pointed?: string | null;
  /** Moves to come, drawn as numbered discs with arrows between them. */
  readonly line?: readonly LineMove[];
  /** What an agent thought of the squares before its last move. */
  readonly thoughts?: ReadonlyMap<string, Thought>;
  /** The squares that a lesson mentions. */
  readonly lit?: readonly string[];
  /** Whether legal squares show a dot. */
  readonly dots?: boolean;
  /** Whether every square can be chosen, to set up a position. */
  readonly isFree?: boolean;
}

interface Square {
  readonly name: string;
  readonly element: HTMLElement;
  readonly disc: HTMLElement;
  readonly chip: HTMLElement;
  readonly thought: HTMLElement;
}

export class BoardView {
  readonly element: HTMLElement;
  readonly chosen = new Topic<string>();
  private readonly grid: HTMLElement;
  private readonly arrows = new Arrows();
  private squares = new Map<string, Square>();
  private size = 0;
  private picture: Picture | null = null;
  /** The one square that the tab key reaches. */
  private focus = "";

  constructor(label: string) {
    this.grid = h("div", { class: "board", role: "grid", "aria-label": label });
    this.element = h("div", { class: "board-frame" }, this.grid);
    this.grid.addEventListener("click", (event) => this.choose(this.hit(event)));
    this.grid.addEventListener("keydown", (event) => this.key(event));
    this.grid.addEventListener("pointerover", (event) => {
      if (event.pointerType !== "touch") this.preview(this.hit(event));
    });
    this.grid.addEventListener("pointerleave", () => this.preview(null));
    this.grid.addEventListener("focusin", (event) => {
      const name = this.hit(event);
      if (name) this.rove(name);
      if (name && this.squares.get(name)!.element.matches(":focus-visible")) this.preview(name);
    });
    this.grid.addEventListener("focusout", () => this.preview(null));
  }

  /** Draws a picture; discs that differ from the one before turn over or appear. */
  show(picture: Picture): void {
    const isFresh = picture.size !== this.size;
    if (isFresh) this.build(picture.size);
    const before = isFresh ? null : this.picture;
    this.picture = picture;
    this.preview(null);
    for (const [index, mark] of [...picture.board].entries()) {
      this.draw(this.squares.get(nameOf(index, picture.size))!, mark, before?.board[index] ?? null);
    }
    this.grid.dataset["turn"] = picture.turn ?? "";
    this.grid.classList.toggle("dots", picture.dots ?? true);
    this.arrows.show(picture.line ?? [], picture.size);
  }

  /** Resolves when no disc is turning. */
  async rested(): Promise<void> {
    const moving = this.grid.getAnimations({ subtree: true });
    await Promise.allSettled(moving.map((animation) => animation.finished));
  }

  /** Focuses the square that had the focus last. */
  enter(): void {
    this.squares.get(this.focus)?.element.focus();
  }

  private build(size: number): void {
    this.size = size;
    this.squares = new Map();
    this.grid.setAttribute("aria-rowcount", String(size));
    this.grid.setAttribute("aria-colcount", String(size));
    this.grid.dataset["size"] = String(size);
    this.element.dataset["size"] = String(size);
    const rows = Array.from({ length: size }, (_, row) =>
      h("div", { class: "row", role: "row" }, ...Array.from({ length: size }, (_, column) => this.cell(row * size + column))),
    );
    this.grid.replaceChildren(...rows);
    const letters = h("div", { class: "letters", "aria-hidden": "true" });
    letters.append(...Array.from({ length: size }, (_, at) => h("span", {}, LETTERS[at])));
    const numbers = h("div", { class: "numbers", "aria-hidden": "true" });
    numbers.append(...Array.from({ length: size }, (_, at) => h("span", {}, at + 1)));
    this.element.replaceChildren(letters, numbers, this.grid, this.arrows.element);
    this.focus = nameOf((size / 2 - 1) * size + size / 2 - 1, size);
    this.rove(this.focus);
  }

  private cell(index: number): HTMLElement {
    const name = nameOf(index, this.size);
    const disc = h("span", { class: "disc", "aria-hidden": "true" }, h("span", { class: "face black" }), h("span", { class: "face white" }));
    const chip = h("span", { class: "chip", "aria-hidden": "true" });
    const thought = h("span", { class: "thought", "aria-hidden": "true" });
    const element = h("div", { class: "square", role: "gridcell", tabindex: -1, "data-square": name }, disc, chip, thought);
    this.squares.set(name, { name, element, disc, chip, thought });
    return element;
  }

  private draw(square: Square, mark: string, before: string | null): void {
    const { element, disc, name } = square;
    const { last, flips, legal, chips, pointed, lit, isFree, line, thoughts } = this.picture!;
    const color = mark === "X" ? "black" : mark === "O" ? "white" : "none";
    if (element.dataset["disc"] !== color) {
      const order = flips.indexOf(name);
      disc.style.setProperty("--order", String(order < 0 ? 0 : order + 1));
      // An old disc turns over and a new one drops in; the first picture is not animated.
      disc.classList.toggle("turns", before !== null && before !== "-" && mark !== "-");
      disc.classList.toggle("drops", before === "-" && mark !== "-");
      element.dataset["disc"] = color;
    }
    element.classList.toggle("legal", legal.has(name));
    element.classList.toggle("last", last === name);
    element.classList.toggle("turned", flips.includes(name));
    element.classList.toggle("pointed", pointed === name);
    element.classList.toggle("lit", lit?.includes(name) ?? false);
    element.setAttribute("aria-disabled", String(!isFree && !legal.has(name)));
    const chip = chips?.get(name);
    square.chip.className = chip ? `chip ${chip.tone}${chip.isBest ? " best" : ""}` : "chip";
    setNote(square.chip, chip);
    setAttributes(square.chip, { "data-depth": chip?.depth ?? null });
    const thought = thoughts?.get(name);
    square.thought.className = thought?.isChosen ? "thought chosen" : "thought";
    square.thought.style.setProperty("--share", String(thought?.share ?? 0));
    setNote(square.thought, thought);
    setAttributes(element, { title: chip?.label ?? thought?.label ?? null });
    element.classList.toggle("on-line", line?.some((move) => move.square === name) ?? false);
    const words = [name, t(color === "none" ? "square.empty" : `side.${color}`)];
    const turns = legal.get(name);
    if (turns) words.push(t("square.legal", { n: turns.length }));
    if (last === name) words.push(t("square.last"));
    if (chip) words.push(chip.label);
    if (thought) words.push(thought.label);
    if (pointed === name) words.push(t("square.pointed"));
    element.setAttribute("aria-label", words.join(", "));
  }

  /** Marks the discs that a square would turn; null marks none. */
  private preview(name: string | null): void {
    for (const square of this.grid.querySelectorAll(".ghost, .would-turn")) square.classList.remove("ghost", "would-turn");
    const turns = name === null ? undefined : this.picture?.legal.get(name);
    if (!turns) return;
    this.squares.get(name!)!.element.classList.add("ghost");
    for (const turned of turns) this.squares.get(turned)?.element.classList.add("would-turn");
  }

  private choose(name: string | null): void {
    if (name === null) return;
    this.rove(name);
    this.chosen.tell(name);
  }

  private hit(event: Event): string | null {
    const square = event.target instanceof Element ? event.target.closest<HTMLElement>("[data-square]") : null;
    return square?.dataset["square"] ?? null;
  }

  private rove(name: string): void {
    this.squares.get(this.focus)?.element.setAttribute("tabindex", "-1");
    this.squares.get(name)?.element.setAttribute("tabindex", "0");
    this.focus = name;
  }

  /** Arrows walk over the board, Home and End to the ends of a row, Enter and the space bar choose. */
  private key(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const name = this.hit(event);
    if (!name) return;
    const { size } = this;
    const column = name.charCodeAt(0) - 97;
    const row = Number(name.slice(1)) - 1;
    const to = {
      ArrowLeft: [column - 1, row],
      ArrowRight: [column + 1, row],
      ArrowUp: [column, row - 1],
      ArrowDown: [column, row + 1],
      Home: [0, row],
      End: [size - 1, row],
    }[event.key];
    if (to) {
      const [x, y] = to.map((at) => Math.max(0, Math.min(size - 1, at))) as [number, number];
      this.squares.get(nameOf(y * size + x, size))!.element.focus();
    } else if (event.key === "Enter" || event.key === " ") {
      this.choose(name);
      this.squares.get(name)!.element.focus();
    } else {
      return;
    }
    event.preventDefault();
    // The page's own shortcuts use some of these keys.
    event.stopPropagation();
  }
}

/** Writes a note of two lines, if it differs. */
function setNote(place: HTMLElement, note: { text: string; note: string } | undefined): void {
  const text = note ? `${note.text}\n${note.note}` : "";
  if (place.dataset["text"] === text) return;
  place.dataset["text"] = text;
  place.replaceChildren(...(note ? [h("b", {}, note.text), h("small", {}, note.note)] : []));
}

/** The squares that a small board marks: with a ring, and with a cross. */
export interface Marks {
  readonly rings: readonly string[];
  readonly crosses: readonly string[];
}

/** A small board with the names of its columns and rows, and marks on squares. */
export function markedBoard(board: string, size: number, label: string, { rings, crosses }: Marks): SVGElement {
  const place = (name: string): [number, number] => [(cell(name, size) % size) + 0.5, Math.floor(cell(name, size) / size) + 0.5];
  const names = Array.from({ length: size }, (_, at) => [
    svg("text", { x: at + 0.5, y: -0.4 }, LETTERS[at]!),
    svg("text", { x: -0.5, y: at + 0.5 }, at + 1),
  ]).flat();
  const marks = [
    ...rings.map(place).map(([x, y]) => svg("circle", { class: "ring", cx: x, cy: y, r: 0.3 })),
    ...crosses.map(place).map(([x, y]) => svg("path", { class: "cross-mark", d: `M${x - 0.25} ${y - 0.25}l.5 .5m0 -.5l-.5 .5` })),
  ];
  const inner = [...thumbnail(board, size).children];
  return svg("svg", { class: "thumbnail marked", viewBox: `-1 -1 ${size + 1.2} ${size + 1.2}`, role: "img", "aria-label": label }, ...names, ...inner, ...marks);
}

/** A small board for lists, which cannot be played on. */
export function thumbnail(board: string, size: number): SVGElement {
  const cells = [...board].flatMap((mark, index) =>
    mark === "-"
      ? []
      : [svg("circle", { cx: (index % size) + 0.5, cy: Math.floor(index / size) + 0.5, r: 0.4, class: mark === "X" ? "black" : "white" })],
  );
  const lines = Array.from({ length: size - 1 }, (_, at) => `M${at + 1} 0V${size}M0 ${at + 1}H${size}`).join("");
  return svg(
    "svg",
    { class: "thumbnail", viewBox: `0 0 ${size} ${size}`, "aria-hidden": "true" },
    svg("rect", { width: size, height: size, class: "felt" }),
    svg("path", { d: lines, class: "lines" }),
    ...cells,
  );
}
