// The game on the table: the tree of moves, who plays, and what the server says of each position.
// Whoever draws listens to `changed`. The rules are the server's: a move is drawn at once from
// the flips it told beforehand, and stands when its answer is there.

import { type Client, Refusal } from "../api/client";
import type { GameBody, Position } from "../api/wire";
import { Topic } from "../ui/topic";
import type { Side } from "./clock";
import { type Game, type Rule, type Size } from "./notation";
import { type Node, Tree } from "./tree";

/** What is known of a node: its position with a forced pass already made, and who had to make it. */
export interface Seen {
  readonly position: Position;
  readonly passed: Side | null;
  /** Drawn before the server has answered: no move can be made from it. */
  readonly pending: boolean;
}

/** How the present position was reached: a step goes forward over a move that was answered before. */
export type Change = "move" | "step" | "jump" | "new" | "seen" | "players";

export const HUMAN = "human";
/** A person at another screen. */
export const REMOTE = "remote";
export type Players = Record<Side, string>;

export class Session {
  game: Game = { rule: "reversed", size: 8, start: null, tree: new Tree() };
  players: Players = { black: HUMAN, white: "engine:level=3" };
  /** What is drawn; null until the server has answered for the first time. */
  seen: Seen | null = null;
  readonly changed = new Topic<Change>();
  readonly failed = new Topic<unknown>();
  private known = new Map<number, Seen>();
  /** The node that `seen` is of. */
  private drawn: Node | null = null;

  constructor(private readonly client: Client) {}

  get tree(): Tree {
    return this.game.tree;
  }

  /** The side to move, if anybody is and the server has said so. */
  get turn(): Side | null {
    return this.seen && !this.seen.pending ? this.seen.position.turn : null;
  }

  /** Whether the side to move is played by an agent. */
  get isAgentsTurn(): boolean {
    return this.turn !== null && ![HUMAN, REMOTE].includes(this.players[this.turn]);
  }

  /** Whether the person at this screen is to move. */
  get isOwnTurn(): boolean {
    return this.turn !== null && this.players[this.turn] === HUMAN;
  }

  /** The game up to `node` as the API takes it, with passes written out as far as they are known. */
  body(node: Node = this.tree.current): GameBody {
    const { rule, size, start } = this.game;
    const seen = this.known.get(node.id);
    return { rule, size, start, moves: seen && !seen.pending ? seen.position.moves : this.tree.moves(node) };
  }

  /** Puts another game on the table. */
  async open(game: Game): Promise<void> {
    this.game = game;
    this.known = new Map();
    this.seen = null;
    this.drawn = null;
    await this.show("new");
  }

  /** A new game from a start. */
  begin(rule: Rule, size: Size, start: string | null = null): Promise<void> {
    return this.open({ rule, size, start, tree: new Tree() });
  }

  setPlayers(players: Players): void {
    this.players = players;
    this.changed.tell("players");
  }

  /** Plays a legal square; anything else is left alone, and false. */
  play(square: string): boolean {
    const { seen } = this;
    if (!seen || seen.pending) return false;
    const legal = seen.position.legal.find((move) => move.square === square);
    if (!legal) return false;
    const node = this.tree.play(square);
    this.tree.remember();
    if (!this.known.has(node.id)) {
      this.known.set(node.id, { position: provisional(seen.position, square, legal.flips), passed: null, pending: true });
    }
    void this.show("move");
    return true;
  }

  /** Plays what an agent has answered from `node`, if that is still looked at. */
  async answer(node: Node, square: string, position: Position): Promise<void> {
    if (node !== this.tree.current) return;
    const next = this.tree.play(square);
    this.tree.remember();
    if (!position.must_pass) this.known.set(next.id, { position, passed: null, pending: false });
    await this.show("move");
  }

  /** Looks at another node. */
  async jump(node: Node): Promise<void> {
    if (node === this.tree.current) return;
    const isStep = node.parent === this.tree.current;
    this.tree.jump(node);
    this.tree.remember();
    await this.show(!isStep ? "jump" : node.children.length > 0 ? "step" : "move");
  }

  back(): Promise<void> {
    const { parent } = this.tree.current;
    return parent ? this.jump(parent) : Promise.resolve();
  }

  forward(): Promise<void> {
    const next = this.tree.line()[this.tree.current.ply + 1];
    return next ? this.jump(next) : Promise.resolve();
  }

  first(): Promise<void> {
    return this.jump(this.tree.root);
  }

  last(): Promise<void> {
    return this.jump(this.tree.line().at(-1)!);
  }

  /** Back to where a person was to move last, so that an agent's answer is taken back too. */
  undo(): Promise<void> {
    const path = this.tree.path().slice(0, -1);
    const target = path.findLast((node) => this.isPersons(node)) ?? path.at(-1);
    return target ? this.jump(target) : Promise.resolve();
  }

  /** Forward again to where a person was to move, an agent's answer with it: what `undo` took back. */
  redo(): Promise<void> {
    const rest = this.tree.line().slice(this.tree.current.ply + 1);
    const target = rest.find((node) => this.isPersons(node)) ?? rest[0];
    return target ? this.jump(target) : Promise.resolve();
  }

  /** Drops a node and what follows it. */
  async remove(node: Node): Promise<void> {
    const before = this.tree.current;
    this.tree.remove(node);
    await this.show(this.tree.current === before ? "seen" : "jump");
  }

  promote(node: Node): void {
    this.tree.promote(node);
    this.changed.tell("seen");
  }

  /** What is known of a node, if it was ever looked at. */
  at(node: Node): Seen | undefined {
    return this.known.get(node.id);
  }

  /** Whether a person at this screen was to move at `node`, as far as it was ever looked at. */
  private isPersons(node: Node): boolean {
    const turn = this.known.get(node.id)?.position.turn;
    return turn !== undefined && turn !== null && this.players[turn] === HUMAN;
  }

  /** Draws the present node: what is known at once, the rest when the server has answered. */
  private async show(change: Change, isTold = false): Promise<void> {
    const { tree } = this;
    const node = tree.current;
    const known = this.known.get(node.id);
    if (known) {
      this.draw(node, known, change);
      if (!known.pending) return;
    }
    try {
      const seen = await this.ask(node);
      if (this.tree !== tree) return;
      this.known.set(node.id, seen);
      if (tree.current === node) this.draw(node, seen, known ? "seen" : change);
    } catch (error) {
      if (this.tree !== tree) return;
      const isRefused = error instanceof Refusal && error.code === "illegal-move";
      if (node.parent && (isRefused || known?.pending)) {
        // A move that the server refused, or never heard of, was not played.
        this.known.delete(node.id);
        tree.remove(node);
        await this.show("jump", true);
      } else if (this.drawn && tree.node(this.drawn.id) === this.drawn) {
        // Nothing is known of the move; what was on the board stays there.
        tree.jump(this.drawn);
      }
      if (!isTold) this.failed.tell(error);
    }
  }

  private draw(node: Node, seen: Seen, change: Change): void {
    this.drawn = node;
    this.seen = seen;
    this.changed.tell(change);
  }

  /** Asks the server for a node, and makes the pass that is forced there. */
  private async ask(node: Node): Promise<Seen> {
    const { rule, size, start } = this.game;
    const position = await this.client.position({ rule, size, start, moves: this.tree.moves(node) });
    if (!position.must_pass) return { position, passed: null, pending: false };
    const moves = [...position.moves, "pass"];
    const after = await this.client.position({ rule, size, start, moves });
    // The move before the pass is what was played: it is the one to mark and animate.
    return { position: { ...after, last: position.last }, passed: position.turn, pending: false };
  }
}

/** The position after a move, as far as its flips tell: for the moment until the server answers. */
function provisional(before: Position, square: string, flips: readonly string[]): Position {
  const color = before.turn!;
  const mark = color === "black" ? "X" : "O";
  const cells = [...before.board];
  for (const name of [square, ...flips]) cells[cell(name, before.size)] = mark;
  const count = (wanted: string): number => cells.filter((each) => each === wanted).length;
  const discs = { black: count("X"), white: count("O"), empty: count("-") };
  const moves = [...before.moves, square];
  const board = cells.join("");
  const last = { move: square, color, flips: [...flips] };
  return { ...before, board, discs, moves, last, ply: moves.length, legal: [], turn: null, leader: null };
}

/** The place of a square in a board's text: `a1` is 0. */
export function cell(square: string, size: number): number {
  return square.charCodeAt(0) - 97 + (Number(square.slice(1)) - 1) * size;
}

/** The square at a place in a board's text. */
export function square(cell: number, size: number): string {
  return `${"abcdefgh"[cell % size]}${Math.floor(cell / size) + 1}`;
}
