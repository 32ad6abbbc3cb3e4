// The current game: the tree of moves, the players, and the position at each node. Views listen to
// `changed`. Only the server knows the rules: with a position it sends the position after each legal
// move, so that the page can play the next move without a request.

import { type Client, Refusal } from "../api/client";
import type { GameBody, Position } from "../api/wire";
import { Topic } from "../ui/topic";
import type { Side } from "./clock";
import { type Game, type Rule, type Size } from "./notation";
import { type Node, Tree } from "./tree";

/** How the current position was reached; a step goes forward to a node that has children. */
export type Change = "move" | "step" | "jump" | "new" | "update" | "players";

export const HUMAN = "human";
/** A person at another screen. */
export const REMOTE = "remote";
export type Players = Record<Side, string>;

export class Session {
  game: Game = { rule: "reversed", size: 8, start: null, tree: new Tree() };
  players: Players = { black: HUMAN, white: "engine:level=3" };
  /** The position on the board, forced passes played; null until the server has answered. */
  position: Position | null = null;
  readonly changed = new Topic<Change>();
  readonly failed = new Topic<unknown>();
  /** The positions that the server has sent, by node. */
  private known = new Map<number, Position>();
  /** The node of `position`. */
  private drawn: Node | null = null;
  /** Requests in progress for the positions after the moves of a node. */
  private readonly asked = new WeakMap<Node, Promise<void>>();
  /** Whether only agents make the moves of agents. */
  private agentsMove = false;

  constructor(private readonly client: Client) {}

  get tree(): Tree {
    return this.game.tree;
  }

  /** The side to move; null before the first answer, and when the game is over. */
  get turn(): Side | null {
    return this.position?.turn ?? null;
  }

  /** Whether the side to move is played by an agent. */
  get isAgentsTurn(): boolean {
    return this.turn !== null && this.isAgents(this.turn);
  }

  /** Whether the person at this screen is to move. */
  get isOwnTurn(): boolean {
    return this.turn !== null && this.players[this.turn] === HUMAN;
  }

  /** The game up to `node` as the API takes it, with passes written out if they are known. */
  body(node: Node = this.tree.current): GameBody {
    const { rule, size, start } = this.game;
    return { rule, size, start, moves: this.at(node)?.moves ?? this.tree.moves(node) };
  }

  /** Replaces the current game. */
  async open(game: Game): Promise<void> {
    this.game = game;
    this.known = new Map();
    this.position = null;
    this.drawn = null;
    await this.show("new");
  }

  /** Starts a new game. */
  begin(rule: Rule, size: Size, start: string | null = null): Promise<void> {
    return this.open({ rule, size, start, tree: new Tree() });
  }

  setPlayers(players: Players): void {
    this.players = players;
    this.changed.tell("players");
    if (this.drawn) void this.lookAhead(this.drawn);
  }

  /** Sets whether agents make their moves (when playing) or people make all moves (in analysis). */
  letAgentsMove(agentsMove: boolean): void {
    this.agentsMove = agentsMove;
    if (this.drawn) void this.lookAhead(this.drawn);
  }

  /** Plays a legal square; ignores any other, and returns false. */
  play(square: string): boolean {
    const node = this.drawn;
    const legal = this.position?.legal.find((move) => move.square === square);
    if (!node || !legal) return false;
    if (legal.after) {
      this.tree.play(square);
      this.tree.remember();
      void this.show("move");
    } else {
      void this.playLater(node, square);
    }
    return true;
  }

  /** Plays what an agent has answered at `node`, if that is still the current node. */
  async answer(node: Node, square: string, position: Position): Promise<void> {
    if (node !== this.tree.current) return;
    const next = this.tree.play(square);
    this.tree.remember();
    this.known.set(next.id, position);
    await this.show("move");
  }

  /** Goes to another node. */
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

  /** Goes back to the last turn of a person, so that it also takes back an agent's answer. */
  undo(): Promise<void> {
    const path = this.tree.path().slice(0, -1);
    const target = path.findLast((node) => this.isPersons(node)) ?? path.at(-1);
    return target ? this.jump(target) : Promise.resolve();
  }

  /** Plays again what `undo` took back, an agent's answer included. */
  redo(): Promise<void> {
    const rest = this.tree.line().slice(this.tree.current.ply + 1);
    const target = rest.find((node) => this.isPersons(node)) ?? rest[0];
    return target ? this.jump(target) : Promise.resolve();
  }

  /** Deletes a node and all moves after it. */
  async remove(node: Node): Promise<void> {
    const before = this.tree.current;
    this.tree.remove(node);
    await this.show(this.tree.current === before ? "update" : "jump");
  }

  promote(node: Node): void {
    this.tree.promote(node);
    this.changed.tell("update");
  }

  /** The position at a node, if the server has sent it. */
  at(node: Node): Position | undefined {
    const before = node.parent && this.known.get(node.parent.id);
    return this.known.get(node.id) ?? before?.legal.find((move) => move.square === node.move)?.after;
  }

  private isAgents(side: Side): boolean {
    return ![HUMAN, REMOTE].includes(this.players[side]);
  }

  /** Whether a person at this screen was to move at `node`, as far as its position is known. */
  private isPersons(node: Node): boolean {
    const turn = this.at(node)?.turn;
    return turn !== undefined && turn !== null && this.players[turn] === HUMAN;
  }

  /** Draws the current node, at once if its position is known. */
  private async show(change: Change, isTold = false): Promise<void> {
    const { tree } = this;
    const node = tree.current;
    const known = this.at(node);
    if (known) {
      this.draw(node, known, change);
      return;
    }
    try {
      const position = await this.ask(node);
      if (this.tree !== tree) return;
      this.known.set(node.id, position);
      if (tree.current === node) this.draw(node, position, change);
    } catch (error) {
      if (this.tree !== tree) return;
      if (node.parent && error instanceof Refusal && error.code === "illegal-move") {
        tree.remove(node);
        await this.show("jump", true);
      } else if (this.drawn && tree.node(this.drawn.id) === this.drawn) {
        // The board still shows this node.
        tree.jump(this.drawn);
      }
      if (!isTold) this.failed.tell(error);
    }
  }

  private draw(node: Node, position: Position, change: Change): void {
    this.drawn = node;
    this.position = position;
    this.changed.tell(change);
    // A listener may have gone elsewhere.
    if (this.drawn === node) void this.lookAhead(node);
  }

  /** Asks the server for the position at a node and those after its moves. */
  private ask(node: Node): Promise<Position> {
    const { rule, size, start } = this.game;
    return this.client.ahead({ rule, size, start, moves: this.tree.moves(node) });
  }

  /**
   * Asks for the positions after the moves of a node if a person can make one of them. An agent's
   * turn needs no request, because its answer contains them.
   */
  private lookAhead(node: Node): Promise<void> {
    const { turn, legal } = this.at(node)!;
    const isKnown = legal.every((move) => move.after);
    if (isKnown || turn === null || (this.agentsMove && this.isAgents(turn))) return Promise.resolve();
    const asked = this.asked.get(node) ?? this.learn(node);
    this.asked.set(node, asked);
    return asked;
  }

  private async learn(node: Node): Promise<void> {
    const { tree } = this;
    try {
      const position = await this.ask(node);
      if (this.tree !== tree) return;
      this.known.set(node.id, position);
      if (this.drawn === node) this.position = position;
    } catch (error) {
      if (this.tree === tree && this.drawn === node) this.failed.tell(error);
    } finally {
      this.asked.delete(node);
    }
  }

  /** Plays a square as soon as the server has sent the position after it. */
  private async playLater(node: Node, square: string): Promise<void> {
    await this.lookAhead(node);
    if (this.drawn !== node) return;
    const isKnown = this.position?.legal.some((move) => move.after);
    // If the move could not be made, the clock must run on.
    if (isKnown) this.play(square);
    else this.changed.tell("update");
  }
}

/** The index of a square in a board's text: `a1` is 0. */
export function cell(square: string, size: number): number {
  return square.charCodeAt(0) - 97 + (Number(square.slice(1)) - 1) * size;
}

/** The square at an index of a board's text. */
export function square(cell: number, size: number): string {
  return `${"abcdefgh"[cell % size]}${Math.floor(cell / size) + 1}`;
}
