// A server for tests of the game logic, without a network: the real rules, in the plainest form.

import { Client, Refusal } from "../src/api/client";
import { usual } from "../src/game/notation";
import { cell, square } from "../src/game/session";
import type { GameBody, GameChange, Player, Position, SavedGame, ToldMove, Values } from "../src/api/wire";

const DIRECTIONS = [-1, 0, 1].flatMap((dx) => [-1, 0, 1].map((dy) => [dx, dy] as const)).filter(([dx, dy]) => dx !== 0 || dy !== 0);

function flips(board: readonly string[], cell: number, own: string): number[] {
  if (board[cell] !== "-") return [];
  const size = Math.sqrt(board.length);
  return DIRECTIONS.flatMap(([dx, dy]) => {
    const row: number[] = [];
    for (let x = (cell % size) + dx, y = Math.floor(cell / size) + dy; x >= 0 && y >= 0 && x < size && y < size; x += dx, y += dy) {
      const at = y * size + x;
      if (board[at] === "-") return [];
      if (board[at] === own) return row;
      row.push(at);
    }
    return [];
  });
}

/** What `/api/position` answers. */
export function positionOf(game: GameBody): Position {
  const start = game.start ?? usual(game.size);
  const { size } = game;
  const name = (cell: number): string => square(cell, size);
  const [squares, side] = start.split(" ") as [string, string];
  const board = [...squares];
  let own = side;
  const other = (mark: string): string => (mark === "X" ? "O" : "X");
  const color = (mark: string): "black" | "white" => (mark === "X" ? "black" : "white");
  const legal = (mark: string): { square: string; flips: string[] }[] =>
    board.flatMap((_, at) => {
      const turned = flips(board, at, mark);
      return turned.length > 0 ? [{ square: name(at), flips: turned.map(name) }] : [];
    });
  const moves: string[] = [];
  let last: Position["last"] = null;
  for (const [at, move] of game.moves.entries()) {
    if (move !== "pass" && legal(own).length === 0) {
      moves.push("pass");
      own = other(own);
    }
    if (move !== "pass") {
      const found = legal(own).find((each) => each.square === move);
      if (!found) throw new Refusal("illegal-move", `move ${at + 1}: ${move} is not legal`, "moves");
      for (const each of [move, ...found.flips]) board[cell(each, size)] = own;
      last = { move, color: color(own), flips: found.flips };
    } else last = { move, color: color(own), flips: [] };
    moves.push(move);
    own = other(own);
  }
  const count = (mark: string): number => board.filter((each) => each === mark).length;
  const discs = { black: count("X"), white: count("O"), empty: count("-") };
  const open = legal(own);
  const over = open.length === 0 && legal(other(own)).length === 0;
  const margin = (discs.white - discs.black) * (game.rule === "reversed" ? 1 : -1);
  const score = { black: margin, white: -margin };
  const winner = margin > 0 ? "black" : margin < 0 ? "white" : null;
  return {
    rule: game.rule,
    size,
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

/** What `/api/position` answers with `ahead`. */
export function aheadOf(game: GameBody): Position {
  const position = passedOf(game);
  const moves = position.moves;
  return { ...position, legal: position.legal.map((legal) => ({ ...legal, after: passedOf({ ...game, moves: [...moves, legal.square] }) })) };
}

/** The position with a forced pass played, and who had to make it. */
export function passedOf(game: GameBody): Position {
  const position = positionOf(game);
  if (!position.must_pass) return position;
  const after = positionOf({ ...game, moves: [...position.moves, "pass"] });
  return { ...after, last: position.last, passed: position.turn! };
}

/** A client whose server is a function. It records its requests, and can fail on demand. */
export class FakeClient extends Client {
  asked: string[] = [];
  fault: Error | null = null;
  /** What asking an agent for a move fails with. */
  moveFault: Error | null = null;
  /** What saving a game fails with. */
  saveFault: Error | null = null;
  saved: SavedGame[] = [];
  /** What agents print with each move. */
  output = "";
  /** The open analyses. */
  open: { game: GameBody; limits: { seconds: number }; listener: (name: string, data: unknown) => void; signal: AbortSignal; end: () => void; fail: (error: Error) => void }[] = [];

  override async ahead(game: GameBody): Promise<Position> {
    this.asked.push(`position ${game.moves.join("")}`);
    await Promise.resolve();
    if (this.fault) throw this.fault;
    return aheadOf(game);
  }

  override async move(game: GameBody, agent: string): ReturnType<Client["move"]> {
    this.asked.push(`move ${game.moves.join("")}`);
    await Promise.resolve();
    if (this.fault ?? this.moveFault) throw this.fault ?? this.moveFault;
    const { square } = positionOf(game).legal[0]!;
    return { ...(this.output === "" ? {} : { output: this.output }), move: square, value: 0, depth: 1, seconds: 0, agent, position: aheadOf({ ...game, moves: [...game.moves, square] }) };
  }

  override analysis(game: GameBody, limits: { seconds: number }, listener: (name: string, data: unknown) => void, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, fail) => {
      const entry = { game, limits, listener, signal, end: () => resolve(), fail };
      this.open.push(entry);
      signal.addEventListener("abort", () => {
        this.open.splice(this.open.indexOf(entry), 1);
        resolve();
      });
    });
  }

  /** Receives the events of the saved games that are followed. */
  followers: ((name: string, data: unknown) => void)[] = [];

  override follow(_: string, listener: (name: string, data: unknown) => void, signal: AbortSignal): Promise<void> {
    this.followers.push(listener);
    return new Promise((resolve) => signal.addEventListener("abort", () => resolve()));
  }

  override async begin(game: GameBody, black: Player, white: Player): ReturnType<Client["begin"]> {
    await Promise.resolve();
    if (this.saveFault) throw this.saveFault;
    const saved = { id: `g${this.saved.length}`, moves: [...game.moves], black, white, revision: 0, rule: game.rule, size: game.size, end: null } as unknown as SavedGame;
    this.saved.push(saved);
    return { id: saved.id, token: "secret", game: { ...saved } };
  }

  override async save(id: string, _: string, moves: readonly string[], change: GameChange = {}): ReturnType<Client["save"]> {
    await Promise.resolve();
    if (this.saveFault) throw this.saveFault;
    const game = this.find(id);
    if (game.end) throw new Refusal("game-over", "over");
    if (change.revision !== undefined && change.revision !== game.revision) throw new Refusal("conflict", "changed");
    Object.assign(game, { moves: [...moves], revision: game.revision + 1, ...(change.black && { black: change.black }), ...(change.white && { white: change.white }) });
    this.tales.push(...(change.told ?? []));
    if (change.end) game.end = { reason: change.end.reason, winner: change.end.loser === "black" ? "white" : "black" };
    this.tellFollowers(game);
    return { ...game };
  }

  /** What was told with moves, of all games. */
  tales: ToldMove[] = [];

  override async told(): Promise<ToldMove[]> {
    this.asked.push("told");
    await Promise.resolve();
    return [...this.tales];
  }

  override async game(id: string): Promise<SavedGame> {
    await Promise.resolve();
    return { ...this.find(id) };
  }

  private tellFollowers(game: SavedGame): void {
    for (const follower of this.followers) follower("game", { ...game });
  }

  private find(id: string): SavedGame {
    const game = this.saved.find((each) => each.id === id);
    if (!game) throw new Refusal("not-found", "no such game");
    return game;
  }
}

/** A browser's storage; several tabs may share it. */
export class FakeStorage {
  readonly items = new Map<string, string>();
  /** How many characters it takes. */
  room = Infinity;
  /** Hears of every change, as other tabs do. */
  readonly tabs = new Set<(key: string) => void>();

  get length(): number {
    return this.items.size;
  }

  key(index: number): string | null {
    return [...this.items.keys()][index] ?? null;
  }

  getItem(key: string): string | null {
    return this.items.get(key) ?? null;
  }

  setItem(key: string, value: string): void {
    const used = [...this.items].reduce((sum, [name, text]) => sum + (name === key ? 0 : text.length), 0);
    if (used + value.length > this.room) throw new Error("quota");
    this.items.set(key, value);
  }

  removeItem(key: string): void {
    this.items.delete(key);
  }
}

/** A table of values with one move in it. */
export function values(depth: number, rest: Partial<Values> = {}): Values {
  return { depth, percent: 73, exact: false, best: "b1", value: 2, wld: null, nodes: 1, seconds: 0, pv: ["b1"], moves: [], ...rest };
}

/** Waits until all pending promises have settled. */
export async function settled(): Promise<void> {
  for (let turn = 0; turn < 50; turn += 1) await Promise.resolve();
}
