// A whole game as one short text, for the fragment of a link and the browser's storage.
//
//   r8/f5d6(f4f3)c3@2            rule and size, moves with variations in parentheses, present ply
//   n6/---…XO… X/c2              the same from a set-up position: squares, then the side to move
//
// A variation stands behind the move it replaces, as in other game notations. `@` names the ply
// of the current node if it is not the end of the main line, and `@2.7` the node with seven nodes
// written before it if it is off the main line.

import { Tree, type Node } from "./tree";

export type Rule = "reversed" | "normal";
export type Size = 4 | 6 | 8 | 10 | 12 | 14 | 16;

/** All boards. */
export const SIZES: readonly Size[] = [4, 6, 8, 10, 12, 14, 16];

/** The boards that the engine analyses. */
export const SMALL_SIZES: readonly Size[] = [4, 6, 8];

/** The names of columns. */
export const LETTERS = "abcdefghijklmnop";

/** Whether a board is larger than the engine analyses. */
export function isLarge(size: number): boolean {
  return size > 8;
}

/** A game without its players. */
export interface Game {
  readonly rule: Rule;
  readonly size: Size;
  /** The position it began with, as squares, a space and the side; null for the usual start. */
  readonly start: string | null;
  readonly tree: Tree;
}

/** The longest text; a game with many variations is shorter. */
export const LONGEST = 60_000;

/** The game as text, with `current` as its current node. */
export function write(game: Game, current: Node = game.tree.current): string {
  const head = `${game.rule === "reversed" ? "r" : "n"}${game.size}`;
  const start = game.start === null ? "" : `/${game.start.replace(" ", "")}`;
  const order: Node[] = [];
  const moves = branches(game.tree.root, order);
  const at =
    current === game.tree.end() ? "" : isMain(current) ? `@${current.ply}` : `@.${order.indexOf(current)}`;
  return `${head}${start}/${moves}${at}`;
}

/** The moves after `node`, variations behind the main move; `order` collects the nodes in writing order. */
function branches(node: Node, order: Node[]): string {
  let text = "";
  for (let at = node; at.children.length > 0; at = at.children[0]!) {
    const [main, ...variations] = at.children;
    order.push(main!);
    text += main!.move;
    for (const variation of variations) {
      order.push(variation);
      text += `(${variation.move}${branches(variation, order)})`;
    }
  }
  return text;
}

/** Whether a node is on the main line. */
export function isMain(node: Node): boolean {
  for (let at = node; at.parent; at = at.parent) {
    if (at.parent.children[0] !== at) return false;
  }
  return true;
}

/** Reads a game; null if the text is not one. Does not check whether its moves are legal. */
export function read(text: string): Game | null {
  if (text.length > LONGEST) return null;
  const parts = text.split("/");
  const head = /^([rn])(4|6|8|1[0246])$/.exec(parts[0] ?? "");
  if (!head || parts.length < 2 || parts.length > 3) return null;
  const size = Number(head[2]) as Size;
  const start = parts.length === 3 ? squares(parts[1]!, size) : null;
  if (parts.length === 3 && start === null) return null;
  const [moves, at, more] = parts.at(-1)!.split("@");
  if (more !== undefined) return null;
  const order: Node[] = [];
  const tree = parsed(moves!, size, start === null ? size * size - 4 : count(start, "-"), order);
  if (!tree) return null;
  tree.jump(tree.end());
  if (at !== undefined) {
    const place = /^(\.?)(\d{1,5})$/.exec(at);
    if (!place) return null;
    const number = Number(place[2]);
    // A place that the game has not is its end.
    tree.jump((place[1] ? order[number] : tree.path(tree.end())[number]) ?? tree.end());
  }
  tree.remember();
  return { rule: head[1] === "r" ? "reversed" : "normal", size, start, tree };
}

/** A start position with a space before its side, if it has the right number of squares. */
function squares(text: string, size: Size): string | null {
  const parts = /^([-XO]+)([XO])$/.exec(text);
  return parts && parts[1]!.length === size * size ? `${parts[1]} ${parts[2]}` : null;
}

function count(text: string, sign: string): number {
  return text.split(sign).length - 1;
}

/** The tree of a text of moves, no more of them in a line than `most`; `order` collects its nodes as they are written. */
function parsed(text: string, size: Size, most: number, order: Node[]): Tree | null {
  const tree = new Tree();
  const last = LETTERS[size - 1]!;
  const row = size < 10 ? `[1-${size}]` : `(?:1[0-${size - 10}]|[1-9])`;
  const token = new RegExp(`[a-${last}]${row}|[()]`, "y");
  // Where each open parenthesis stood: its variation replaces the move before it.
  const open: Node[] = [];
  let at = tree.root;
  while (token.lastIndex < text.length) {
    const found = token.exec(text);
    if (!found) return null;
    if (found[0] === "(") {
      if (!at.parent) return null;
      open.push(at);
      at = at.parent;
    } else if (found[0] === ")") {
      const main = open.pop();
      if (!main) return null;
      at = main;
    } else {
      const known = at.children.length;
      at = tree.add(at, found[0]);
      if (at.parent!.children.length === known || at.ply > most) return null;
      order.push(at);
    }
  }
  return open.length === 0 ? tree : null;
}

/** The usual start as the server writes it. */
export function usual(size: number): string {
  const cells = Array.from({ length: size * size }, () => "-");
  const middle = size / 2;
  cells[(middle - 1) * size + middle - 1] = "O";
  cells[(middle - 1) * size + middle] = "X";
  cells[middle * size + middle - 1] = "X";
  cells[middle * size + middle] = "O";
  return `${cells.join("")} X`;
}
