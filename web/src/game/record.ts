// A game that is being played, as it is kept in the browser: everything that must be there again
// after a reload. Each has its own id, so that one game never overwrites another.

import type { Left, Side } from "./clock";
import { read, type Rule, type Size, write } from "./notation";
import { HUMAN, type Players } from "./session";
import { Tree } from "./tree";

/** How a game ended. */
export interface End {
  readonly reason: "board" | "resigned" | "time" | "agreed";
  /** Null for a draw. */
  readonly winner: Side | null;
  /** By how many discs, if they were counted. */
  readonly margin: number | null;
}

/** Where the server has saved a game. */
export interface Place {
  readonly id: string;
  /** Allows changes. */
  readonly token: string;
  /** The last revision that this browser has seen. */
  readonly revision: number;
  /** The moves of that revision. */
  readonly moves: readonly string[];
  /** What was saved last, so that nothing is sent twice; empty if that is unknown. */
  readonly sent: string;
}

/** The players until one of them was changed. */
export interface Earlier {
  /** How many moves had been made. */
  readonly until: number;
  readonly players: Players;
}

export interface GameRecord {
  readonly id: string;
  /** Grows with every change. */
  version: number;
  /** The game as `notation` writes it; its current node is how far it has come. */
  game: string;
  players: Players;
  /** The players before the present ones, earliest first. */
  earlier: readonly Earlier[];
  /** Minutes and increment in seconds, as `5+3`; empty for none. */
  clock: string;
  /** The time left; null before the clock has run. */
  left: Left | null;
  end: End | null;
  saved: Place | null;
  /** Whether other screens may play on. */
  isShared: boolean;
  /** The board and the number of moves, for lists. */
  board: string;
  ply: number;
  /** Milliseconds since 1970. */
  created: number;
  changed: number;
}

/** What a new game is begun with. */
export interface Beginning {
  readonly rule: Rule;
  readonly size: Size;
  readonly start?: string | null;
  /** The moves that are made already. */
  readonly moves?: readonly string[];
  readonly players: Players;
  readonly clock: string;
}

/** A new game. */
export function begun({ rule, size, start = null, moves = [], players, clock }: Beginning, id: string, now: number): GameRecord {
  const game = write({ rule, size, start, tree: Tree.of(moves) });
  const board = start ? start.split(" ")[0]! : "";
  return { id, version: 0, game, players, earlier: [], clock, left: null, end: null, saved: null, isShared: false, board, ply: moves.length, created: now, changed: now };
}

/** A word that no other game has. */
export function freshId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(10));
  return Array.from(bytes, (byte) => "abcdefghjkmnpqrstuvwxyz23456789"[byte % 31]).join("");
}

/**
 * Earlier players without those who made no move before others took over; `movers` are the sides that
 * made the moves of the game.
 */
export function tidied(earlier: readonly Earlier[], present: Players, movers: readonly (Side | null)[]): Earlier[] {
  const kept: Earlier[] = [];
  for (const [index, each] of earlier.entries()) {
    const next = earlier[index + 1]?.players ?? present;
    const made = movers.slice(kept.at(-1)?.until ?? 0, each.until);
    if ((["black", "white"] as const).some((side) => each.players[side] !== next[side] && made.includes(side))) kept.push(each);
  }
  return kept;
}

/** Whether moves were made, and more can be. */
export function isUnfinished(record: GameRecord): boolean {
  return record.end === null && (record.ply > 0 || record.isShared);
}

/** Whether nothing has happened in a game yet. */
export function isUntouched(record: GameRecord): boolean {
  return record.end === null && record.ply === 0 && !record.isShared && read(record.game)?.tree.size === 1;
}

const isText = (value: unknown): value is string => typeof value === "string";
const isCount = (value: unknown): value is number => typeof value === "number" && value >= 0;
const isSide = (value: unknown): boolean => value === "black" || value === "white";
const isPlayers = (value: unknown): boolean => isText((value as Players | null)?.black) && isText((value as Players | null)?.white);

/** A record from the browser's storage; null if it is not one. */
export function parsed(text: string | null): GameRecord | null {
  let value: unknown;
  try {
    value = JSON.parse(text ?? "null");
  } catch {
    return null;
  }
  if (typeof value !== "object" || value === null) return null;
  const it = value as GameRecord;
  const { left, end, saved } = it;
  const isSound =
    isText(it.id) && isCount(it.version) && isText(it.game) && read(it.game) !== null && isPlayers(it.players) && isText(it.clock) && isText(it.board) &&
    isCount(it.ply) && isCount(it.created) && isCount(it.changed) && typeof it.isShared === "boolean" &&
    Array.isArray(it.earlier) && it.earlier.every((each: Partial<Earlier> | null) => isCount(each?.until) && isPlayers(each?.players)) &&
    (left === null || (isCount(left?.black) && isCount(left.white))) &&
    (end === null || (["board", "resigned", "time"].includes(end?.reason) && (end.winner === null || isSide(end.winner)))) &&
    (saved === null || (isText(saved?.id) && isText(saved.token) && isCount(saved.revision) && Array.isArray(saved.moves) && isText(saved.sent)));
  return isSound ? local(it) : null;
}

/** A game of an older version whose other side was at another screen: this one plays both. */
function local(record: GameRecord): GameRecord {
  const seat = (spec: string): string => (spec === "remote" ? HUMAN : spec);
  const players = ({ black, white }: Players): Players => ({ black: seat(black), white: seat(white) });
  return { ...record, players: players(record.players), earlier: record.earlier.map((each) => ({ ...each, players: players(each.players) })) };
}
