// The book in the screen for analysis: one line where the book knows the position, and behind it the
// same list of moves as in the explorer.

import type { App } from "../../app";
import { Lookup } from "../../game/lookup";
import { write } from "../../game/notation";
import type { Session } from "../../game/session";
import { Tree } from "../../game/tree";
import { card } from "../../ui/controls";
import { h, setText } from "../../ui/dom";
import { t } from "../../messages/messages";
import { BookList } from "./list";

/** Whether the list was open when it was last looked at. */
let wasOpen = false;

export class BookCard {
  readonly element: HTMLElement;
  private readonly lookup: Lookup;
  private readonly list: BookList;
  private readonly verdict = h("span", { class: "quiet" });
  private readonly link = h("a", {}, t("explore.explore"));
  private readonly stops: (() => void)[];
  private isHidden = false;

  constructor(
    app: App,
    private readonly session: Session,
  ) {
    this.lookup = new Lookup(app.client, session);
    this.list = new BookList(session, this.lookup);
    const details = h("details", { open: wasOpen }, h("summary", {}, h("b", {}, t("explore.book")), this.verdict), this.list.element, h("p", {}, this.link));
    details.addEventListener("toggle", () => (wasOpen = details.open));
    this.element = card(null, { class: "book", "aria-label": t("explore.book"), hidden: true }, details);
    this.stops = [session.changed.on(() => void this.lookup.show()), this.lookup.changed.on(() => this.draw())];
    void this.lookup.show();
  }

  /** Hides it while it would give an answer away. */
  hide(isHidden: boolean): void {
    this.isHidden = isHidden;
    this.element.hidden = isHidden || !this.list.hasAny;
  }

  end(): void {
    for (const stop of this.stops) stop();
    this.lookup.stop();
  }

  private draw(): void {
    const { rule, size, start, tree } = this.session.game;
    this.link.href = `#/explore/${write({ rule, size, start, tree: Tree.of(tree.moves()) })}`;
    this.list.update();
    setText(this.verdict, this.list.verdict);
    this.hide(this.isHidden);
  }
}
