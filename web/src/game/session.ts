// A game on a board: the tree of moves, the players, and the position at each node. Views listen to
// `changed`. Only the server knows the rules: with a position it sends the position after each legal
// move, so that the page can play the next move without a request.
//
// The board shows the tree's current node; the game itself has come to `tip`. To look back at the
// game leaves the tip alone.

import { type Client, Refusal } from "../api/client";
import type { GameBody, Position } from "../api/wire";
import { Topic } from "../ui/topic";
import type { Side } from "./clock";
import { type Game, LETTERS, type Rule, type Size } from "./notation";
import { type Node, Tree } from "./tree";

/**
 * What has changed. `move`: a move was made, and the board shows it. `tip`: the same, but the board
 * shows an earlier position. `step` and `jump`: the board shows another position, one move on or
 * anywhere. `back`: moves were taken back, or played again. `news`: another screen has changed the
 * game. `new`: another game. `update`: the tree. `players`: the players.
 */
export type Change = "move" | "tip" | "step" | "jump" | "back" | "news" | "new" | "update" | "players";

export const HUMAN = "human";
export type Players = Record<Side, string>;

/** Whether a player is an agent. */
export function isAgent(spec: string): boolean {
  return spec !== HUMAN;
}

export class Session {
  game: Game = { rule: "reversed", size: 8, start: null, tree: new Tree() };
  players: Players = { black: HUMAN, white: HUMAN };
  /** The position on the board, forced passes played; null until the server has answered. */
  position: Position | null = null;
  /** How far the game has come. */
  tip: Node = this.game.tree.root;
  readonly changed = new Topic<Change>();
  readonly failed = new Topic<unknown>();
  /** The positions that the server has sent, by node. */
  private known = new Map<number, Position>();
  /** The node of `position`. */
  private drawn: Node | null = null;
  /** Requests in progress for the positions after the moves of a node. */
  private readonly asked = new WeakMap<Node, Promise<void>>();

  constructor(private readonly client: Client) {}

  get tree(): Tree {
    return this.game.tree;
  }

  /** The side to move on the board; null before the first answer, and when the game is over. */
  get turn(): Side | null {
    return this.position?.turn ?? null;
  }

  /** The side to move at the tip. */
  get tipTurn(): Side | null {
    return this.at(this.tip)?.turn ?? null;
  }

  /** Whether an agent is to move at the tip. */
  get isAgentsTurn(): boolean {
    return this.tipTurn !== null && isAgent(this.players[this.tipTurn]);
  }

  /** Whether the person at this screen is to move in the position on the board. */
  get isOwnTurn(): boolean {
    return this.turn !== null && this.players[this.turn] === HUMAN;
  }

  /** The game up to `node` as the API takes it, with passes written out if they are known. */
  body(node: Node = this.tree.current): GameBody {
    const { rule, size, start } = this.game;
    return { rule, size, start, moves: this.at(node)?.moves ?? this.tree.moves(node) };
  }

  /** Opens a game; it has come to its current node. */
  async open(game: Game): Promise<void> {
    this.game = game;
    this.tip = game.tree.current;
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

  /** Plays a legal square; ignores any other, and returns false. */
  play(square: string): boolean {
    const node = this.drawn;
    const legal = this.position?.legal.find((move) => move.square === square);
    if (!node || !legal) return false;
    if (legal.after) {
      this.tip = this.tree.play(square);
      this.tree.remember();
      void this.show("move");
    } else {
      void this.playLater(node, square);
    }
    return true;
  }

  /** Plays what an agent has answered at `node`, if the game is still there. */
  async answer(node: Node, square: string, position: Position): Promise<void> {
    if (node !== this.tip) return;
    const next = this.tree.add(node, square);
    this.known.set(next.id, position);
    await this.advance(next, "move");
  }

  /** Takes over how another screen has left the game. The board follows if it showed the tip. */
  async adopt(node: Node): Promise<void> {
    if (node === this.tip) {
      this.changed.tell("news");
      return;
    }
    if (!this.at(node)) {
      const { tree } = this;
      const position = await this.ask(node);
      if (this.tree !== tree || tree.node(node.id) !== node) return;
      this.known.set(node.id, position);
    }
    await this.advance(node, "news");
  }

  /** Goes to another node. */
  async jump(node: Node): Promise<void> {
    if (node === this.tree.current) return;
    const isStep = node.parent === this.tree.current;
    this.tree.jump(node);
    this.tree.remember();
    await this.show(isStep ? "step" : "jump");
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

  /** Goes to the tip, or beyond it to the end of the line that the board shows. */
  last(): Promise<void> {
    const { current } = this.tree;
    const isBefore = current !== this.tip && this.tree.path(this.tip).includes(current);
    return this.jump(isBefore ? this.tip : this.tree.line().at(-1)!);
  }

  /**
   * Where `undo` goes: back to the last turn of a person, so that it also takes back an agent's
   * answer. Null if there was none; between agents it is the move before.
   */
  get undoTarget(): Node | null {
    const path = this.tree.path().slice(0, -1);
    const isAgents = isAgent(this.players.black) && isAgent(this.players.white);
    return (isAgents ? path.at(-1) : path.findLast((node) => this.isPersons(node))) ?? null;
  }

  /** Takes back moves. */
  undo(): Promise<void> {
    return this.takeTo(this.undoTarget);
  }

  /** Plays again what `undo` took back, an agent's answer included. */
  redo(): Promise<void> {
    const rest = this.tree.line().slice(this.tree.current.ply + 1);
    return this.takeTo(rest.find((node) => this.isPersons(node)) ?? rest[0] ?? null);
  }

  /** Deletes a node and all moves after it. */
  async remove(node: Node): Promise<void> {
    const { parent } = node;
    if (!parent) return;
    const before = this.tree.current;
    const hasTip = this.tree.path(this.tip).includes(node);
    this.tree.remove(node);
    if (hasTip) this.tip = this.tree.end(parent);
    await this.show(this.tree.current === before ? "update" : "jump");
  }

  promote(node: Node): void {
    this.tree.promote(node);
    this.changed.tell("update");
  }

  /** Goes back to the tip if the board shows a node that is no longer there. */
  async recover(): Promise<void> {
    if (this.drawn && this.tree.node(this.drawn.id) === this.drawn) return;
    this.tree.jump(this.tip);
    await this.show("jump");
  }

  /** The position at a node, if the server has sent it. */
  at(node: Node): Position | undefined {
    const before = node.parent && this.known.get(node.parent.id);
    return this.known.get(node.id) ?? before?.legal.find((move) => move.square === node.move)?.after;
  }

  private async takeTo(node: Node | null): Promise<void> {
    if (!node) return;
    this.tip = node;
    this.tree.jump(node);
    this.tree.remember();
    await this.show("back");
  }

  /** Moves the tip. The board follows if it showed the tip. */
  private async advance(node: Node, change: "move" | "news"): Promise<void> {
    const isWatched = this.tree.current === this.tip;
    this.tip = node;
    if (isWatched) {
      this.tree.jump(node);
      this.tree.remember();
      await this.show(change);
    } else {
      this.changed.tell(change === "move" ? "tip" : change);
    }
  }

  /** The side that moved to a node. */
  mover(node: Node): Side | null {
    return node.parent && this.turnAt(node.parent);
  }

  /** Whether a person at this screen was to move at `node`. */
  private isPersons(node: Node): boolean {
    const turn = this.turnAt(node);
    return turn !== null && this.players[turn] === HUMAN;
  }

  private turnAt(node: Node): Side | null {
    const known = this.at(node);
    return known ? known.turn : this.guessTurn(node);
  }

  /** The side to move at a node that was not shown yet, by the moves that lead on from it or to it. */
  private guessTurn(node: Node): Side {
    const moves = this.position?.moves ?? [];
    let plies = 0;
    for (let squares = 0; squares < node.ply && plies < moves.length; plies += 1) if (moves[plies] !== "pass") squares += 1;
    while (moves[plies] === "pass") plies += 1;
    // Beyond the moves that are known, the sides take turns.
    plies += Math.max(0, node.ply - this.tree.current.ply);
    const isBlack = (this.game.start?.endsWith("O") ?? false) === (plies % 2 === 1);
    return isBlack ? "black" : "white";
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
        // What cannot be played goes, and with it all that comes after it.
        const wrong = tree.path(node)[illegal(error) ?? node.ply] ?? node;
        const hadTip = tree.path(this.tip).includes(wrong);
        tree.remove(wrong);
        if (hadTip) this.tip = tree.current;
        await this.show(change === "new" ? "new" : "jump", true);
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
    if (isKnown || turn === null || isAgent(this.players[turn])) return Promise.resolve();
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

/** The number of the move that the server refuses; null if it does not say. */
function illegal({ message }: Refusal): number | null {
  const number = Number(/^move (\d+):/.exec(message)?.[1] ?? 0);
  return number > 0 ? number : null;
}

/** The index of a square in a board's text: `a1` is 0. */
export function cell(square: string, size: number): number {
  return square.charCodeAt(0) - 97 + (Number(square.slice(1)) - 1) * size;
}

/** The square at an index of a board's text. */
export function square(cell: number, size: number): string {
  return `${LETTERS[cell % size]}${Math.floor(cell / size) + 1}`;
}
