// The moves of the book in a position: value, how sure it is, games, the name that a move leads to.
// Explorer and analysis show the same list.

import type { Book, BookMove, GameKind } from "../../api/wire";
import type { Chip } from "../../board/board";
import type { Side } from "../../game/clock";
import type { Lookup } from "../../game/lookup";
import { rank } from "../../game/retry";
import type { Session } from "../../game/session";
import { openingName } from "../../parts/opening";
import { resultText } from "../../parts/panel";
import { forBlack, lead, proved, worth } from "../../parts/values";
import { fill, h, setAttributes, setText } from "../../ui/dom";
import { Topic } from "../../ui/topic";
import { t } from "../../messages/messages";
import { isProved, type Sure, sureOf } from "./sure";

/** A move that has a value. */
type Valued = BookMove & { value: number };

/** The least number of discs that a bar is drawn for as a full one. */
const FULL_BAR = 8;

export class BookList {
  readonly element: HTMLElement;
  /** Told with a square that is pointed at in the list, or null. */
  readonly pointed = new Topic<string | null>();
  private readonly name = h("p", { class: "opening-name" });
  private readonly words = h("p", { class: "verdict-line" });
  private readonly rows = h("tbody");
  private readonly table: HTMLElement;
  private readonly here = h("p", { class: "quiet small" });

  constructor(
    private readonly session: Session,
    private readonly lookup: Lookup,
  ) {
    const column = (words: string, name: string): HTMLElement => h("th", { scope: "col", class: name }, words);
    const games = h("th", { scope: "col", class: "played", title: t("explore.games.tip") }, t("explore.games"));
    const head = h("thead", {}, h("tr", {}, column(t("explore.move"), "move-cell"), column(t("explore.value"), "value"), column(t("explore.sure"), "sure-cell"), games));
    this.table = h("table", { class: "book-moves" }, h("caption", { class: "visually-hidden" }, t("explore.moves")), head, this.rows);
    this.element = h("div", { class: "book-list" }, this.name, this.words, this.table, this.here);
    this.rows.addEventListener("pointerover", (event) => {
      if (event.pointerType === "mouse") this.pointed.tell(squareOf(event.target));
    });
    this.rows.addEventListener("pointerleave", () => this.pointed.tell(null));
    this.rows.addEventListener("focusin", (event) => this.pointed.tell(squareOf(event.target)));
    this.rows.addEventListener("focusout", () => this.pointed.tell(null));
    this.rows.addEventListener("click", (event) => {
      const square = squareOf(event.target);
      if (square) this.session.play(square);
    });
    this.rows.addEventListener("keydown", (event) => this.key(event));
  }

  /** Whether the book knows anything here. */
  get hasAny(): boolean {
    const { book } = this.lookup;
    return book !== null && (book.known !== null || book.moves.some(({ value }) => value !== null));
  }

  /** The position in one sentence. */
  get verdict(): string {
    return this.words.textContent;
  }

  update(): void {
    const { session, lookup } = this;
    const { position } = session;
    const { book } = lookup;
    const turn = position?.turn ?? "black";
    setText(this.name, openingName(position?.opening));
    this.name.hidden = this.name.textContent === "";
    setAttributes(this.element, { "aria-busy": lookup.isWaiting ? "true" : null });
    // What was shown stays until the answer is there, so that nothing jumps.
    if (lookup.isWaiting && this.words.textContent !== "") return;
    setText(this.words, position?.result ? resultText(position.result) : verdict(book, turn, lookup, session.game));
    const shown = book ? different(book).filter(({ move }) => move.value !== null || (move.games ?? 0) > 0) : [];
    this.table.hidden = shown.length === 0;
    const isExact = book?.known?.exact ?? false;
    const hadFocus = this.rows.contains(document.activeElement);
    const most = Math.max(FULL_BAR, ...shown.map(({ move }) => Math.abs(move.value ?? 0)));
    fill(this.rows, ...shown.map(({ move, same }) => row(move, same, turn, most, { best: shown[0]!.move.value, isExact })));
    if (hadFocus) this.rows.querySelector<HTMLElement>("button")?.focus();
    const games = book?.games ?? 0;
    setText(this.here, games > 0 ? t("explore.here", { n: games }) : "");
    this.here.hidden = games === 0;
  }

  /** The values of the legal squares. */
  chips(): Map<string, Chip> {
    const { book } = this.lookup;
    const turn = this.session.turn ?? "black";
    const valued = book?.moves.filter((move): move is Valued => move.value !== null) ?? [];
    const best = valued[0];
    if (!best) return new Map();
    return new Map(valued.map((move) => [move.move, chip(move, best, turn, book?.known?.exact ?? false)]));
  }

  /** Goes from row to row. */
  private key(event: KeyboardEvent): void {
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (step === 0 || !(event.target instanceof Element)) return;
    const buttons = [...this.rows.querySelectorAll("button")];
    const next = buttons[buttons.indexOf(event.target as HTMLButtonElement) + step];
    event.preventDefault();
    next?.focus();
  }
}

/** The square of the row that an event is about. */
function squareOf(target: EventTarget | null): string | null {
  const row = target instanceof Element ? target.closest<HTMLElement>("tr[data-move]") : null;
  return row?.dataset["move"] ?? null;
}

/** The moves that differ, each with those that are the same by symmetry. */
function different({ moves }: Book): { move: BookMove; same: string[] }[] {
  const images = (move: string): string[] => moves.filter(({ same_as }) => same_as === move).map((each) => each.move);
  return moves.filter(({ same_as }) => same_as === undefined).map((move) => ({ move, same: images(move.move) }));
}

/** Whether there is a book for a board. */
export function hasBook({ books }: Book, game: GameKind): boolean {
  return books.some(({ rule, size }) => rule === game.rule && size === game.size);
}

/** The position in one sentence. */
function verdict(book: Book | null, turn: Side, { isAble, isFailed }: Lookup, game: GameKind): string {
  if (!isAble) return t("explore.large");
  if (!book) return t(isFailed ? "explore.away" : "explore.wait");
  if (!hasBook(book, game)) return t(book.books.length > 0 ? "explore.none" : "explore.none.all");
  const { known } = book;
  if (!known) return book.moves.some(({ value }) => value !== null) ? `${t("explore.unknown")} ${t("explore.unknown.next")}` : t("explore.unknown");
  const { value, lower, upper } = known;
  if (lower === upper) return proved(value, turn);
  const least = lower > 0 ? { side: turn, n: lower } : upper < 0 ? { side: turn === "black" ? "white" : "black", n: -upper } : null;
  return least ? `${lead(value, turn)}; ${t("explore.least", { side: t(`side.${least.side as Side}`), n: least.n })}` : lead(value, turn);
}

function row(move: BookMove, same: readonly string[], turn: Side, most: number, { best, isExact }: { best: number | null; isExact: boolean }): HTMLElement {
  const sure = sureOf(move, isExact);
  const value = move.value === null ? null : worth(move.value, turn);
  const name = openingName(move.opening);
  const label = value === null || !sure ? t("explore.row.unknown", { move: move.move }) : t("explore.row", { move: move.move, value, sure: sure.words });
  const isBest = value !== null && move.value === best && move.kind !== "estimated";
  return h(
    "tr",
    { "data-move": move.move, class: isBest ? "best" : "" },
    h(
      "td",
      { class: "move-cell" },
      h("button", { type: "button", class: "book-move", "aria-label": name === "" ? label : `${label}, ${name}` }, move.move),
      same.length > 0 && h("span", { class: "same quiet", title: t("explore.same", { moves: same.join(" ") }) }, `= ${same.join(" ")}`),
      name !== "" && h("span", { class: "named quiet" }, name),
    ),
    h("td", { class: "value" }, value === null ? "–" : h("span", { class: "number" }, value), value === null ? null : bar(forBlack(move.value!, turn), most)),
    h("td", { class: "sure-cell" }, sure && sureness(sure)),
    h("td", { class: "played" }, move.games === null ? "" : move.games),
  );
}

/** How sure a value is, as a word with a level before it. */
function sureness({ level, words, numbers }: Sure): HTMLElement {
  return h("span", { class: "sureness", title: numbers, "data-level": level }, h("span", { class: "level", "aria-hidden": "true" }, ...[1, 2, 3, 4].map((each) => h("i", { class: each <= level ? "on" : "" }))), words);
}

/** A value for Black as a bar: to the right if it is good for Black, to the left for White. */
function bar(value: number, most: number): HTMLElement {
  const part = h("i", { class: value < 0 ? "white" : "black" });
  part.style.setProperty("--part", String(Math.min(1, Math.abs(value) / most)));
  return h("span", { class: "bar", "aria-hidden": "true" }, part);
}

function chip(move: Valued, best: Valued, turn: Side, isExact: boolean): Chip {
  const value = worth(move.value, turn);
  const of = (each: Valued): { value: number; exact: boolean } => ({ value: each.value, exact: isProved(each, isExact) });
  const label = t("explore.row", { move: move.move, value, sure: sureOf(move, isExact)?.words ?? "" });
  return { text: value, note: isProved(move, isExact) ? "✓" : move.kind === "estimated" ? "?" : "", tone: rank(of(move), of(best)), isBest: move.value >= best.value && move.kind !== "estimated", label };
}
