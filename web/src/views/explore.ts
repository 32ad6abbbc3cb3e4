// The explorer: a person walks through the book, by the board, the list of moves, or the small tree of
// the best lines ahead. The address names the line: `explore/r8/f5d6`.

import "../messages/explore";
import "../styles/explore.css";
import type { App, View } from "../app";
import { Lookup } from "../game/lookup";
import { type Game, read, type Rule, type Size, write } from "../game/notation";
import { Session } from "../game/session";
import { Tree } from "../game/tree";
import { MoveList } from "../parts/moves";
import { startGame } from "../parts/newgame";
import { openingName } from "../parts/opening";
import { GamePanel, statusOf } from "../parts/panel";
import { button, card, select, tool } from "../ui/controls";
import { fill, h } from "../ui/dom";
import { announce, toast } from "../ui/toast";
import { language, LANGUAGES, sentences, t } from "../messages/messages";
import { BookList, hasBook } from "./explore/list";
import { treeOf } from "./explore/tree";

export { BookCard } from "./explore/card";

/** The line that was walked last: the screen goes on with it. */
let last: Session | null = null;

/** The explorer at a line, which is the text behind `explore/`; without one, where it was last. */
export async function explore(app: App, text: string): Promise<ExploreView> {
  // Redrawn in another language, it is the same line.
  const isSame = last !== null && text === write(last.game);
  const game = text === "" || isSame ? null : lineOf(text);
  if (text !== "" && !isSame && !game) toast(t("error.link"), "error");
  if (game || !last) {
    const session = new Session(app.client);
    session.failed.on(app.failed);
    await session.open(game ?? { rule: "reversed", size: 8, start: null, tree: new Tree() });
    last = session;
  }
  return new ExploreView(app, last);
}

function lineOf(text: string): Game | null {
  try {
    return read(decodeURIComponent(text));
  } catch {
    // A percent sign that stands for nothing.
    return null;
  }
}

export class ExploreView implements View {
  readonly element: HTMLElement;
  readonly title = t("nav.explore");
  readonly keys: Record<string, () => void>;
  private readonly panel: GamePanel;
  private readonly lookup: Lookup;
  private readonly list: BookList;
  private readonly moves: MoveList;
  private readonly help = h("div", { class: "book-help", hidden: true });
  private readonly books = h("div", { class: "book-choice" });
  private readonly walk = h("span", { class: "by-key", hidden: true }, t("explore.walk"));
  private readonly treeCard: HTMLElement;
  private readonly treePlace = h("div", { class: "tree-box" });
  private readonly stops: (() => void)[];
  /** The square that the list points at. */
  private pointed: string | null = null;

  constructor(
    private readonly app: App,
    private readonly session: Session,
  ) {
    this.panel = new GamePanel(session, app.settings, () => ({ black: "", white: "" }));
    this.panel.add(
      tool("chart", t("tool.analyse"), () => this.analyse(), "a", t("tool.analyse")),
      tool("play", t("tool.playon"), () => this.playOn(), undefined, t("short.playon")),
    );
    this.lookup = new Lookup(app.client, session);
    this.list = new BookList(session, this.lookup);
    this.moves = new MoveList(session);
    this.treeCard = card(t("explore.tree"), { class: "ahead", hidden: true }, this.treePlace);
    const book = card(null, { class: "book", "aria-label": t("explore.book") }, h("div", { class: "card-head" }, h("h2", {}, t("explore.book")), this.books), this.list.element, this.help, h("p", { class: "quiet small legend" }, t("analyse.legend"), " ", this.walk));
    this.element = h("div", { class: "screen game explore" }, this.panel.element, h("div", { class: "side" }, book, this.treeCard, card(t("moves.title"), { class: "grow" }, this.moves.element)));
    this.keys = {
      a: () => this.analyse(),
      b: () => this.panel.board.enter(),
      u: () => void session.back(),
      Home: () => void session.first(),
      End: () => void session.last(),
      ArrowLeft: () => void session.back(),
      ArrowRight: () => this.forward(),
    };
    this.stops = [
      this.panel.board.chosen.on((square) => session.play(square)),
      session.changed.on(() => this.show()),
      this.lookup.changed.on(() => {
        this.draw();
        this.tell();
      }),
      this.list.pointed.on((square) => {
        this.pointed = square;
        this.drawBoard();
      }),
    ];
    this.show();
  }

  leave(): void {
    for (const stop of this.stops) stop();
    this.lookup.stop();
  }

  refresh(): void {
    this.draw();
  }

  /** Shows the position on the board, and asks what the book knows of it. */
  private show(): void {
    const { session } = this;
    this.pointed = null;
    history.replaceState(null, "", `#/explore/${write(session.game)}`);
    this.draw();
    void this.lookup.show();
  }

  /** The best move of the book, if it knows one. */
  private get best(): { move: string } | undefined {
    return this.lookup.book?.moves.find(({ value }) => value !== null);
  }

  /** Goes on along the line that was walked, and beyond its end by the best move of the book. */
  private forward(): void {
    const { session, best } = this;
    if (session.tree.current.children.length > 0) void session.forward();
    else if (best) session.play(best.move);
  }

  private analyse(): void {
    const { rule, size, start, tree } = this.session.game;
    this.app.analyse({ rule, size, start, tree: Tree.of(tree.moves()) }, {});
  }

  private playOn(): void {
    const { rule, size, start, tree } = this.session.game;
    const { players, clock } = this.app.settings;
    startGame(this.app, { rule, size, start, moves: tree.moves(), players, clock });
  }

  private tell(): void {
    const { position } = this.session;
    if (position) announce(sentences([openingName(position.opening), statusOf(position), this.list.verdict]));
  }

  private draw(): void {
    const { book, isWaiting } = this.lookup;
    this.list.update();
    this.moves.update();
    if (!isWaiting) {
      this.treeCard.hidden = !book || book.tree.length === 0;
      this.drawHelp();
    }
    if (book) {
      const hadFocus = this.treePlace.contains(document.activeElement);
      fill(this.treePlace, treeOf(book, this.session));
      if (hadFocus) this.treePlace.querySelector("button")?.focus();
    }
    this.walk.hidden = this.best === undefined;
    this.drawBooks();
    this.drawBoard();
  }

  private drawBoard(): void {
    const { position, turn } = this.session;
    this.panel.update({ values: null, chips: this.list.chips(), pointed: this.pointed, isOpen: turn !== null }, position ? statusOf(position) : "", false);
  }

  /** Where the book knows nothing, there is a way on. */
  private drawHelp(): void {
    const { book, isAble } = this.lookup;
    const { game, turn } = this.session;
    const isThere = book !== null && hasBook(book, game);
    const isLost = turn !== null && (!isAble || (book !== null && book.known === null));
    this.help.hidden = !isLost;
    if (!isLost) return;
    const others = isThere ? [] : (book?.books ?? []);
    fill(
      this.help,
      book !== null && book.books.length === 0 && h("pre", { tabindex: 0 }, "isrever serve --book FILE"),
      h(
        "div",
        { class: "buttons" },
        button(t("explore.analyse"), () => this.analyse(), { icon: "chart", class: "primary" }),
        isThere && button(t("tool.previous"), () => void this.session.back(), { icon: "previous" }),
        ...others.map((other) => button(t("explore.open", { size: other.size, rule: t(`rule.short.${other.rule}`) }), () => this.openBook(other.rule, other.size), { icon: "book" })),
      ),
    );
  }

  /** The choice among several books; of one, how much it knows. */
  private drawBooks(): void {
    const books = this.lookup.book?.books;
    if (!books) return;
    const { rule, size } = this.session.game;
    const id = (each: { rule: Rule; size: number }): string => `${each.rule}/${each.size}`;
    const current = books.find((each) => id(each) === id({ rule, size }));
    const state = JSON.stringify([books, current]);
    if (this.books.dataset["state"] === state) return;
    this.books.dataset["state"] = state;
    const name = (each: { rule: Rule; size: number }): string => `${each.size} × ${each.size} · ${t(`rule.short.${each.rule}`)}`;
    const choice = (): HTMLElement =>
      select(t("explore.choose"), [{ name: null, options: books.map((each) => [id(each), name(each)] as const) }], id({ rule, size }), (wanted) => {
        const book = books.find((each) => id(each) === wanted);
        if (book) this.openBook(book.rule, book.size);
      }, false);
    fill(this.books, current && h("span", { class: "quiet small" }, t("explore.count", { n: current.positions === 1 ? 1 : current.positions.toLocaleString(LANGUAGES[language()].tag) })), books.length > 1 && current !== undefined && choice());
  }

  private openBook(rule: Rule, size: Size): void {
    void this.session.begin(rule, size);
  }
}
