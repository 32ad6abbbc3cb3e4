// Analyses a whole game: each move's value, its loss, and the better move. A verdict belongs to a
// node of the tree, so it survives new variations, and goes with its own.

import type { Client } from "../api/client";
import type { Mark, ReviewDone, ReviewedMove } from "../api/wire";
import { Topic } from "../ui/topic";
import type { Side } from "./clock";
import type { Session } from "./session";
import type { Node } from "./tree";

export class Review {
  readonly changed = new Topic();
  private verdicts = new WeakMap<Node, ReviewedMove>();
  /** The summary, and the last node of the line it is for. */
  private sums: { end: Node; done: ReviewDone } | null = null;
  private search: AbortController | null = null;
  /** The last node of the line that was analysed. */
  private end: Node | null = null;
  private total = 0;
  private heard = new Set<number>();

  constructor(
    private readonly client: Client,
    private readonly session: Session,
    private readonly failed: (error: unknown) => void,
  ) {
    session.changed.on((change) => {
      if (change === "new") this.forget();
    });
  }

  get isRunning(): boolean {
    return this.search !== null;
  }

  /** The part of the thorough analysis that is done, from 0 to 1. */
  get share(): number {
    return this.total === 0 ? 0 : Math.min(1, this.heard.size / this.total);
  }

  of(node: Node): ReviewedMove | null {
    return this.verdicts.get(node) ?? null;
  }

  /** The summary of the game. */
  get summary(): ReviewDone | null {
    return this.sums && this.sums.end === this.line.at(-1) ? this.sums.done : null;
  }

  /** Whether there is a verdict on any move of the game. */
  get hasAny(): boolean {
    return this.line.some((node) => this.verdicts.has(node));
  }

  /** The game: the line that was analysed, else the main line. Variations do not change it. */
  get line(): Node[] {
    const { tree } = this.session;
    const { end } = this;
    return tree.path(end && tree.node(end.id) === end ? end : tree.end());
  }

  /** The moves of a side that lost much, or if there are none those that lost a little. */
  mistakes(side: Side | "both"): Node[] {
    const marked = (marks: readonly Mark[]): Node[] =>
      this.line.filter((node) => {
        const verdict = this.of(node);
        return verdict?.mark && marks.includes(verdict.mark) && (side === "both" || verdict.color === side);
      });
    const grave = marked(["mistake", "blunder"]);
    return grave.length > 0 ? grave : marked(["inaccuracy"]);
  }

  /** Analyses every move of the main line, which is the game from now on. */
  async run(seconds: number): Promise<void> {
    this.stop();
    const { session } = this;
    const line = session.tree.path(session.tree.end());
    const end = line.at(-1)!;
    if (line.length < 2) return;
    this.end = end;
    const search = new AbortController();
    this.search = search;
    this.heard = new Set();
    this.total = line.length - 1;
    this.changed.tell();
    try {
      const body = session.body(end);
      // The server counts passes as plies; the tree leaves them out.
      const moves = session.at(end) ? body.moves : (await this.client.position(body)).moves;
      const nodes = places(moves, line);
      const listener = (name: string, data: unknown): void => {
        if (this.search !== search) return;
        if (name === "move") {
          const verdict = data as ReviewedMove;
          const node = nodes.get(verdict.ply);
          if (node) this.verdicts.set(node, verdict);
          if (node && verdict.pass_number > 1) this.heard.add(verdict.ply);
        } else if (name === "done") {
          this.sums = { end, done: data as ReviewDone };
        }
        this.changed.tell();
      };
      await this.client.review({ ...body, moves }, seconds, listener, search.signal);
    } catch (error) {
      if (this.search === search) this.failed(error);
    }
    if (this.search === search) {
      this.search = null;
      this.changed.tell();
    }
  }

  stop(): void {
    this.search?.abort();
    this.search = null;
    this.changed.tell();
  }

  private forget(): void {
    this.verdicts = new WeakMap();
    this.sums = null;
    this.end = null;
    this.total = 0;
    this.stop();
  }
}

/** The node of each ply; plies count from 1 and include passes. */
export function places(moves: readonly string[], line: readonly Node[]): Map<number, Node> {
  const nodes = new Map<number, Node>();
  let next = 1;
  moves.forEach((move, index) => {
    if (move === "pass") return;
    const node = line[next++];
    if (node) nodes.set(index + 1, node);
  });
  return nodes;
}
