// A server for tests of the game logic, without a network: the rules on a row of four squares would
// do, but these are the real ones, in the plainest form, on a 4×4 board.

import { Client, Refusal } from "../src/api/client";
import type { GameBody, Position, Values } from "../src/api/wire";

const SIZE = 4;
const DIRECTIONS = [-1, 0, 1].flatMap((dx) => [-1, 0, 1].map((dy) => [dx, dy] as const)).filter(([dx, dy]) => dx !== 0 || dy !== 0);

const name = (cell: number): string => `${"abcd"[cell % SIZE]}${Math.floor(cell / SIZE) + 1}`;

function flips(board: readonly string[], cell: number, own: string): number[] {
  if (board[cell] !== "-") return [];
  return DIRECTIONS.flatMap(([dx, dy]) => {
    const row: number[] = [];
    for (let x = (cell % SIZE) + dx, y = Math.floor(cell / SIZE) + dy; x >= 0 && y >= 0 && x < SIZE && y < SIZE; x += dx, y += dy) {
      const at = y * SIZE + x;
      if (board[at] === "-") return [];
      if (board[at] === own) return row;
      row.push(at);
    }
    return [];
  });
}

/** What `/api/position` answers for a 4×4 game. */
export function positionOf(game: GameBody): Position {
  const start = game.start ?? "-----OX--XO----- X";
  const [squares, side] = start.split(" ") as [string, string];
  const board = [...squares];
  let own = side;
  const other = (mark: string): string => (mark === "X" ? "O" : "X");
  const color = (mark: string): "black" | "white" => (mark === "X" ? "black" : "white");
  const legal = (mark: string): { square: string; flips: string[] }[] =>
    board.flatMap((_, cell) => {
      const turned = flips(board, cell, mark);
      return turned.length > 0 ? [{ square: name(cell), flips: turned.map(name) }] : [];
    });
  const moves: string[] = [];
  let last: Position["last"] = null;
  for (const move of game.moves) {
    if (move !== "pass" && legal(own).length === 0) {
      moves.push("pass");
      own = other(own);
    }
    if (move !== "pass") {
      const found = legal(own).find((each) => each.square === move);
      if (!found) throw new Refusal("illegal-move", `${move} is not legal`, "moves");
      for (const square of [move, ...found.flips]) board[square.charCodeAt(0) - 97 + (Number(square[1]) - 1) * SIZE] = own;
      last = { move, color: color(own), flips: found.flips };
    } else last = { move, color: color(own), flips: [] };
    moves.push(move);
    own = other(own);
  }
  const count = (mark: string): number => board.filter((each) => each === mark).length;
  const discs = { black: count("X"), white: count("O"), empty: count("-") };
  const open = legal(own);
  const over = open.length === 0 && legal(other(own)).length === 0;
  const margin = discs.white - discs.black;
  const score = { black: margin, white: -margin };
  const winner = margin > 0 ? "black" : margin < 0 ? "white" : null;
  return {
    rule: game.rule,
    size: SIZE,
    start,
    moves,
    position: `${board.join("")} ${own}`,
    board: board.join(""),
    turn: over ? null : color(own),
    ply: moves.length,
    discs,
    legal: open,
    must_pass: !over && open.length === 0,
    over,
    score,
    leader: winner,
    result: over ? { winner, score, discs } : null,
    last,
    history: null,
  };
}

/** A client whose server is a function; what it was asked is kept, and it can be made to fail. */
export class TableClient extends Client {
  asked: string[] = [];
  fault: Error | null = null;
  saved: { id: string; moves: readonly string[] }[] = [];
  /** Analyses that are listened to right now. */
  open: { game: GameBody; listener: (name: string, data: unknown) => void; signal: AbortSignal; end: () => void; fail: (error: Error) => void }[] = [];

  override async position(game: GameBody): Promise<Position> {
    this.asked.push(game.moves.join(""));
    await Promise.resolve();
    if (this.fault) throw this.fault;
    return positionOf(game);
  }

  override async move(game: GameBody, agent: string): ReturnType<Client["move"]> {
    await Promise.resolve();
    const before = positionOf(game);
    const { square } = before.legal[0]!;
    return { move: square, value: 0, depth: 1, seconds: 0, agent, position: positionOf({ ...game, moves: [...before.moves, square] }) };
  }

  override analysis(game: GameBody, _: number, listener: (name: string, data: unknown) => void, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, fail) => {
      const entry = { game, listener, signal, end: () => resolve(), fail };
      this.open.push(entry);
      signal.addEventListener("abort", () => {
        this.open.splice(this.open.indexOf(entry), 1);
        resolve();
      });
    });
  }

  override async begin(game: GameBody): Promise<{ id: string; token: string }> {
    await Promise.resolve();
    const id = `g${this.saved.length}`;
    this.saved.push({ id, moves: game.moves });
    return { id, token: "secret" };
  }

  override async save(id: string, _: string, moves: readonly string[]): ReturnType<Client["save"]> {
    await Promise.resolve();
    const game = this.saved.find((each) => each.id === id);
    if (!game) throw new Refusal("not-found", "no such game");
    game.moves = moves;
    return {} as Awaited<ReturnType<Client["save"]>>;
  }
}

/** A table of values with one move in it. */
export function values(depth: number, rest: Partial<Values> = {}): Values {
  return { depth, percent: 73, exact: false, best: "b1", value: 2, wld: null, nodes: 1, seconds: 0, pv: ["b1"], moves: [], ...rest };
}

/** Lets everything that waits for nothing but its turn happen. */
export async function settled(): Promise<void> {
  for (let turn = 0; turn < 50; turn += 1) await Promise.resolve();
}
