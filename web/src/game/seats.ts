// The seats that this browser has in games with friends, each under a key of its own: the side, the
// token that allows its moves, and what was heard last, for lists.

import type { SavedGame } from "../api/wire";
import { Topic } from "../ui/topic";
import type { Side } from "./clock";
import type { GamesStorage } from "./games";
import { type Rule, type Size, SIZES } from "./notation";
import type { End } from "./record";

/** A seat, and the game as it was heard last. */
export interface Seat {
  readonly id: string;
  readonly side: Side;
  readonly token: string;
  /** The code of the invitation, for the one who invites; null for a guest. */
  readonly code: string | null;
  readonly last: Summary;
  /** Milliseconds since 1970. */
  readonly changed: number;
}

/** What a list shows of a game. */
export interface Summary {
  readonly rule: Rule;
  readonly size: Size;
  readonly black: string;
  readonly white: string;
  readonly board: string;
  readonly ply: number;
  readonly end: End | null;
  readonly isStopped: boolean;
}

const PREFIX = "isrever.seat.";
const JOINING = "isrever.joining.";
const LETTERS = "abcdefghjkmnpqrstuvwxyz23456789";

export class Seats {
  /** Told when a seat was taken, changed or given up. */
  readonly changed = new Topic();
  /** Seats that the storage did not take. */
  private readonly unstored = new Map<string, string>();

  constructor(
    private readonly storage: GamesStorage | null,
    private readonly now: () => number = Date.now,
  ) {}

  get(id: string): Seat | null {
    const text = this.unstored.get(PREFIX + id) ?? this.storage?.getItem(PREFIX + id) ?? null;
    const seat = parsed(text);
    return seat?.id === id ? seat : null;
  }

  /** All seats, the last changed first. */
  list(): Seat[] {
    const keys = Array.from({ length: this.storage?.length ?? 0 }, (_, index) => this.storage!.key(index) ?? "");
    const ids = new Set([...keys, ...this.unstored.keys()].filter((key) => key.startsWith(PREFIX)).map((key) => key.slice(PREFIX.length)));
    return [...ids].flatMap((id) => this.get(id) ?? []).sort((one, other) => other.changed - one.changed);
  }

  put(seat: Omit<Seat, "changed">): Seat {
    const kept = { ...seat, changed: this.now() };
    this.write(PREFIX + seat.id, JSON.stringify(kept));
    this.drop(JOINING + seat.id);
    this.changed.tell();
    return kept;
  }

  remove(id: string): void {
    this.drop(PREFIX + id);
    this.changed.tell();
  }

  /** The token to join a game with: the same until the seat is taken, so that asking twice is asking once. */
  joining(id: string): string {
    const key = JOINING + id;
    const kept = this.unstored.get(key) ?? this.storage?.getItem(key) ?? "";
    if (kept !== "") return kept;
    const token = fresh(32);
    this.write(key, token);
    return token;
  }

  private write(key: string, text: string): void {
    try {
      if (!this.storage) throw new Error("no storage");
      this.storage.setItem(key, text);
      this.unstored.delete(key);
    } catch {
      // The storage is full or forbidden: the seat is kept until the page is closed.
      this.unstored.set(key, text);
    }
  }

  private drop(key: string): void {
    this.unstored.delete(key);
    this.storage?.removeItem(key);
  }
}

/** A word that nobody can guess. */
export function fresh(length: number): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(length)), (byte) => LETTERS[byte % LETTERS.length]).join("");
}

/** What a list shows of a game as the server has it. */
export function summary(game: SavedGame): Summary {
  const { rule, size, black, white, position, ply, end, state } = game;
  const margin = game.result ? Math.abs(game.result.score.black) : null;
  return { rule, size, black: black.name, white: white.name, board: position.split(" ")[0]!, ply, end: end && { ...end, margin }, isStopped: state === "stopped" };
}

function parsed(text: string | null): Seat | null {
  let value: unknown;
  try {
    value = JSON.parse(text ?? "null");
  } catch {
    return null;
  }
  const seat = value as Partial<Seat> | null;
  const last = seat?.last as Partial<Summary> | undefined;
  const isText = (each: unknown): boolean => typeof each === "string";
  const isSound =
    isText(seat?.id) && isText(seat?.token) && (seat?.side === "black" || seat?.side === "white") && (seat.code === null || isText(seat.code)) && typeof seat.changed === "number" &&
    isText(last?.black) && isText(last?.white) && isText(last?.board) && SIZES.some((size) => size === last?.size) && isText(last?.rule) && typeof last?.ply === "number";
  return isSound ? (seat as Seat) : null;
}
