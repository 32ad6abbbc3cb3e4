// A game as a tree: every move that was ever tried from a position is kept, and one path through
// it is being looked at. Knows no rules: a move is a word, and whoever plays it has checked it.
// Passes are implied and never stand in the tree.

/** A place in the tree: the position after `move`, or the start, which has none. */
export interface Node {
  /** Stays the same as long as the tree lives; the start's is 0. */
  readonly id: number;
  readonly move: string;
  readonly parent: Node | null;
  /** The first child is the main line, the others are variations in the order they were tried. */
  readonly children: Node[];
  /** How many moves lead here. */
  readonly ply: number;
}

/** A move tree and the node that is being looked at. */
export class Tree {
  readonly root: Node = { id: 0, move: "", parent: null, children: [], ply: 0 };
  current: Node = this.root;
  private readonly byId = new Map<number, Node>([[0, this.root]]);
  private next = 1;

  /** A tree of one line, looked at from its end. */
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

  /** Goes to the position after `move`: an old branch if it was played here before, else a new one. */
  play(move: string): Node {
    this.current = this.add(this.current, move);
    return this.current;
  }

  /** The child of `parent` by `move`, made if it is not there; what is looked at stays. */
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

  /** The nodes from the start to the one that is looked at, both included. */
  path(node: Node = this.current): Node[] {
    const path: Node[] = [];
    for (let at: Node | null = node; at; at = at.parent) path.push(at);
    return path.reverse();
  }

  /** The moves that lead to the node that is looked at. */
  moves(node: Node = this.current): string[] {
    return this.path(node).slice(1).map((step) => step.move);
  }

  /** The whole game through the present node: the path to it, then on by what was last visited there. */
  line(): Node[] {
    const line = this.path();
    for (let at = this.current; at.children.length > 0; ) {
      at = this.visited.get(at) ?? at.children[0]!;
      line.push(at);
    }
    return line;
  }

  /** Which way was taken last where a game branches: undo and redo come back to it. */
  private readonly visited = new WeakMap<Node, Node>();

  /** Remembers the path to the present node as the one that redo follows. */
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

  /** Drops `node` and all that follows it; the start stays. Whoever looked at it is moved before it. */
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

  /** The end of the main line that goes through `node`. */
  end(node: Node = this.root): Node {
    let at = node;
    while (at.children[0]) at = at.children[0];
    return at;
  }
}
