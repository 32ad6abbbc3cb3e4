// What agents told with the moves of a game, by the node that each move led to. The server keeps it
// with the game: what it does not have yet waits here.

import type { ToldMove } from "../api/wire";
import type { Told } from "./failure";
import type { Session } from "./session";
import type { Node } from "./tree";

/** The most moves that one request tells of, and about how many bytes of JSON. */
const MOST = 64;
const MOST_BYTES = 45_000;

export class Tales {
  private readonly byNode = new WeakMap<Node, Told>();
  /** What the server does not have yet, earliest first. */
  private unkept: ToldMove[] = [];

  constructor(private readonly session: Session) {}

  /** An agent told this with the move to `node`. */
  add(node: Node, told: Told): void {
    const { agent, seconds, output } = told;
    this.byNode.set(node, told);
    this.unkept.push({ line: this.session.tree.moves(node), agent, seconds, output });
  }

  /** What agents told with the moves that led to `node`, earliest first. */
  of(node: Node): Told[] {
    return this.session.tree.path(node).flatMap((each) => this.byNode.get(each) ?? []);
  }

  /** What the server is to keep next: of these agents, and no more than fits into a request. */
  next(isOwn: (agent: string) => boolean): ToldMove[] {
    this.unkept = this.unkept.filter(({ agent }) => isOwn(agent));
    const told: ToldMove[] = [];
    let bytes = 0;
    for (const each of this.unkept) {
      bytes += new TextEncoder().encode(JSON.stringify(each)).length;
      if (told.length === MOST || (told.length > 0 && bytes > MOST_BYTES)) break;
      told.push(each);
    }
    return told;
  }

  /** The server has these. */
  kept(told: readonly ToldMove[]): void {
    this.unkept = this.unkept.filter((each) => !told.includes(each));
  }

  /** Takes in what the server has, of moves that are still in the tree. */
  take(told: readonly ToldMove[]): void {
    for (const { line, agent, seconds, output } of told) {
      const node = this.session.tree.find(line);
      if (node?.parent && !this.byNode.has(node)) this.byNode.set(node, { agent, number: node.ply, move: node.move, seconds, output });
    }
  }
}
