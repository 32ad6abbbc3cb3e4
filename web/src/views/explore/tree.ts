// The best lines ahead as a small tree. It is drawn as lists within lists, so that keyboards and screen
// readers walk it as they walk any list; the style sheet draws the branches.

import type { Book, TreeMove } from "../../api/wire";
import type { Session } from "../../game/session";
import { openingName } from "../../parts/opening";
import { worth } from "../../parts/values";
import { h } from "../../ui/dom";
import { t } from "../../messages/messages";

/** The tree of a position; a click plays up to that move. */
export function treeOf({ tree }: Book, session: Session): HTMLElement {
  const list = (moves: readonly TreeMove[], before: readonly string[]): HTMLElement => h("ul", {}, ...moves.map((move, at) => item(move, before, at === 0)));
  const item = (branch: TreeMove, before: readonly string[], isBest: boolean): HTMLElement => {
    const path = [...before, branch.move];
    const value = worth(branch.value, branch.color);
    const name = openingName(branch.opening);
    const words = t("explore.tree.move", { side: t(`side.${branch.color}`), move: branch.move, value });
    const label = name === "" ? words : `${words}, ${name}`;
    return h(
      "li",
      {},
      h(
        "button",
        { type: "button", class: isBest ? "leaf best" : "leaf", "aria-label": label, title: label, onclick: () => walk(session, path) },
        h("span", { class: `stone small ${branch.color}`, "aria-hidden": "true" }),
        h("b", {}, branch.move),
        h("span", { class: "value" }, value),
      ),
      branch.tree.length > 0 && list(branch.tree, path),
    );
  };
  const element = list(tree, []);
  element.classList.add("book-tree");
  return element;
}

/** Plays moves from the position on the board. */
export function walk(session: Session, moves: readonly string[]): void {
  const { tree } = session;
  const node = moves.reduce((at, move) => tree.add(at, move), tree.current);
  void session.jump(node);
}
