// A game as a tree of moves and variations, and its current node. It knows no rules: a move is a
// word that the caller has checked. It contains no passes, because moves imply them.

/** A node: the position after `move`; the start has none. */
export interface Node {
  /** Never changes; the start's is 0. */
  readonly id: number;
  readonly move: string;
  readonly parent: Node | null;
  /** The first child is the main line, the others are variations in the order they were tried. */
  readonly children: Node[];
  /** How many moves lead here. */
  readonly ply: number;
}

/** A tree of moves and its current node. */
export class Tree {
  readonly root: Node = { id: 0, move: "", parent: null, children: [], ply: 0 };
  current: Node = this.root;
  private readonly byId = new Map<number, Node>([[0, this.root]]);
  private next = 1;

  /** A tree of one line; the last node is the current one. */
  static of(moves: readonly string[]): Tree {
    const tree = new Tree();
    for (const move of moves) tree.play(move);
    return tree;
  }

  /** How many nodes there are, the start included. */
  get size(): number {
    return this.byId.size;
  }

  /** The node with this number, if it is still there. */
  node(id: number): Node | undefined {
    return this.byId.get(id);
  }

  /** Goes to the child by `move`, which it adds if necessary. */
  play(move: string): Node {
    this.current = this.add(this.current, move);
    return this.current;
  }

  /** The child of `parent` by `move`, which it adds if necessary. The current node stays. */
  add(parent: Node, move: string): Node {
    const known = parent.children.find((child) => child.move === move);
    if (known) return known;
    const node: Node = { id: this.next++, move, parent, children: [], ply: parent.ply + 1 };
    parent.children.push(node);
    this.byId.set(node.id, node);
    return node;
  }

  /** Goes to a node of this tree. */
  jump(node: Node): void {
    if (this.byId.get(node.id) !== node) throw new Error("a node of another tree");
    this.current = node;
  }

  /** One move back; false at the start. */
  back(): boolean {
    if (!this.current.parent) return false;
    this.current = this.current.parent;
    return true;
  }

  /** One move on along `line()`; false at its end. */
  forward(): boolean {
    const line = this.line();
    const next = line[this.current.ply + 1];
    if (!next) return false;
    this.current = next;
    return true;
  }

  /** The nodes from the start to `node`, both included. */
  path(node: Node = this.current): Node[] {
    const path: Node[] = [];
    for (let at: Node | null = node; at; at = at.parent) path.push(at);
    return path.reverse();
  }

  /** The moves that lead to `node`. */
  moves(node: Node = this.current): string[] {
    return this.path(node).slice(1).map((step) => step.move);
  }

  /** The whole game through the current node: the path to it, then on by the children visited last. */
  line(): Node[] {
    const line = this.path();
    for (let at = this.current; at.children.length > 0; ) {
      at = this.visited.get(at) ?? at.children[0]!;
      line.push(at);
    }
    return line;
  }

  /** The child of each node that was visited last: redo returns to it. */
  private readonly visited = new WeakMap<Node, Node>();

  /** Makes the path to the current node the one that redo follows. */
  remember(): void {
    for (let at = this.current; at.parent; at = at.parent) this.visited.set(at.parent, at);
  }

  /** Makes the path to `node` the main line. */
  promote(node: Node): void {
    for (let at = node; at.parent; at = at.parent) {
      const { children } = at.parent;
      children.splice(children.indexOf(at), 1);
      children.unshift(at);
    }
  }

  /** Deletes `node` and all moves after it, but not the start. A deleted current node gives way to its parent. */
  remove(node: Node): void {
    const { parent } = node;
    if (!parent) return;
    if (this.path().includes(node)) this.current = parent;
    parent.children.splice(parent.children.indexOf(node), 1);
    if (this.visited.get(parent) === node) this.visited.delete(parent);
    const drop = (gone: Node): void => {
      this.byId.delete(gone.id);
      gone.children.forEach(drop);
    };
    drop(node);
  }

  /** The node that these moves lead to, which it adds if necessary. The current node stays. */
  follow(moves: readonly string[]): Node {
    let at = this.root;
    for (const move of moves) at = this.add(at, move);
    return at;
  }

  /** The node that these moves lead to, if it is there. */
  find(moves: readonly string[]): Node | undefined {
    return moves.reduce<Node | undefined>((at, move) => at?.children.find((child) => child.move === move), this.root);
  }

  /** Adds all moves of another tree. */
  merge(other: Tree): void {
    this.copy(other.root, this.root, false);
  }

  /** Takes over another tree: its moves in its order. Nodes that are in both stay what they are. */
  match(other: Tree): void {
    this.copy(other.root, this.root, true);
  }

  private copy(from: Node, to: Node, isExact: boolean): void {
    for (const child of from.children) this.copy(child, this.add(to, child.move), isExact);
    if (!isExact) return;
    const wanted = from.children.map((child) => child.move);
    for (const child of to.children.filter(({ move }) => !wanted.includes(move))) this.remove(child);
    to.children.sort((one, other) => wanted.indexOf(one.move) - wanted.indexOf(other.move));
  }

  /** All lines but the one that ends with `main` and those that continue it, each from the start. */
  variations(main: Node): string[][] {
    const ends = [...this.byId.values()].filter((node) => node.children.length === 0 && node !== this.root && !this.path(node).includes(main));
    return ends.map((node) => this.moves(node));
  }

  /** The end of the main line that goes through `node`. */
  end(node: Node = this.root): Node {
    let at = node;
    while (at.children[0]) at = at.children[0];
    return at;
  }
}
