// Why one move is better than another, as far as positions show it: facts that can be counted on the
// board or along the lines that were searched, and nothing else. Positions come from the server; there
// are no rules here, but for the one that decides whether corners are good or bad.

import type { Position } from "../api/wire";
import type { Side } from "./clock";
import type { Rule } from "./notation";
import { cell, square } from "./session";

/** A move, and the line that is expected after it. */
export interface Choice {
  readonly move: string;
  /** For the side to move, in discs. */
  readonly value: number;
  readonly isExact: boolean;
  /** The line without passes; it begins with the move. */
  readonly moves: readonly string[];
  /** The position after each move of the line, forced passes played. */
  readonly line: readonly Position[];
}

/** A position in which `better` could have been played instead of `worse`. */
export interface Case {
  readonly before: Position;
  readonly better: Choice;
  readonly worse: Choice;
}

/** One fact. `after` are moves, the first of them the better or the worse one. */
export type Reason =
  /** Both scores are proved, for the side to move. */
  | { readonly kind: "proved"; readonly better: number; readonly worse: number }
  /** The side that moves loses all its discs along the line: it has won, or under the normal rule lost. */
  | { readonly kind: "wiped"; readonly after: readonly string[] }
  /** The opponent can play only corners. */
  | { readonly kind: "corner-forced"; readonly after: readonly string[]; readonly squares: readonly string[] }
  /** The side that moves can play only corners. */
  | { readonly kind: "corner-suffered"; readonly after: readonly string[]; readonly squares: readonly string[] }
  /** The worse move takes a corner, the better one does not. */
  | { readonly kind: "corner-taken"; readonly square: string }
  /** The better move takes a corner, the worse one does not. */
  | { readonly kind: "corner-won"; readonly square: string }
  /** The opponent can take these corners after the worse move, but not after the better one. */
  | { readonly kind: "corner-given"; readonly squares: readonly string[] }
  /** The opponent has no move after the worse move, and some after the better one. */
  | { readonly kind: "pass-given" }
  /** The opponent has no move after the better move, and some after the worse one. */
  | { readonly kind: "pass-forced" }
  /** How many moves the opponent has after either. */
  | { readonly kind: "mobility"; readonly better: number; readonly worse: number }
  /** Under the normal rule: how many squares are left where each move was played, and who fills the last if sides take turns. */
  | { readonly kind: "parity"; readonly better: number; readonly worse: number }
  /** How many discs either move turns. */
  | { readonly kind: "flips"; readonly better: number; readonly worse: number };

/** How many moves of a line are looked at. */
export const LINE_LENGTH = 6;

/** With more empty squares, odd regions were measured to be worth nothing under the normal rule (docs/theory.md). */
const PARITY_EMPTIES = 15;
const PARITY_REGION = 8;

/** With fewer empty squares, under the normal rule, few discs turned are no merit any more. */
const FLIPS_EMPTIES = 20;

/** The facts that speak for the better move, the weightiest first. */
export function reasons({ before, better, worse }: Case): Reason[] {
  const own = before.turn;
  const [good, bad] = [better.line[0], worse.line[0]];
  if (!own || !good || !bad) return [];
  const isReversed = before.rule === "reversed";
  const found: (Reason | null)[] = [
    better.isExact && worse.isExact ? { kind: "proved", better: better.value, worse: worse.value } : null,
    wiped(isReversed ? better : worse, own),
    ...(isReversed ? [taken(better, worse, before.size), onlyCorners(better, other(own), "corner-forced"), onlyCorners(worse, own, "corner-suffered")] : [won(better, worse, before.size), given(good, bad, other(own))]),
    passed(good, bad, own, before.rule),
    mobility(good, bad, other(own)),
    parity(before, better.move, worse.move),
    flips(before, better.move, worse.move),
  ];
  return found.filter((reason) => reason !== null);
}

/** The connected empty squares around an empty square, itself included; diagonals connect. */
export function region(board: string, size: number, from: string): string[] {
  const seen = new Set([cell(from, size)]);
  for (const at of seen) {
    const [x, y] = [at % size, Math.floor(at / size)];
    for (let dy = -1; dy <= 1; dy += 1) {
      for (let dx = -1; dx <= 1; dx += 1) {
        const isOnBoard = x + dx >= 0 && x + dx < size && y + dy >= 0 && y + dy < size;
        const next = (y + dy) * size + x + dx;
        if (isOnBoard && board[next] === "-") seen.add(next);
      }
    }
  }
  return [...seen].map((each) => square(each, size));
}

export function isCorner(name: string, size: number): boolean {
  const last = "abcdefgh"[size - 1]!;
  return (name[0] === "a" || name[0] === last) && (name.slice(1) === "1" || name.slice(1) === String(size));
}

function other(side: Side): Side {
  return side === "black" ? "white" : "black";
}

/** Whether the line ends with no disc left of the side that began it. */
function wiped({ line, moves }: Choice, own: Side): Reason | null {
  const at = line.findIndex((position) => position.over && position.discs[own] === 0);
  return at < 0 ? null : { kind: "wiped", after: moves.slice(0, at + 1) };
}

/** The first position of a line in which a side can play nothing but corners. */
function onlyCorners({ line, moves }: Choice, side: Side, kind: "corner-forced" | "corner-suffered"): Reason | null {
  const at = line.findIndex(({ turn, legal, size }) => turn === side && legal.length > 0 && legal.every((move) => isCorner(move.square, size)));
  return at < 0 ? null : { kind, after: moves.slice(0, at + 1), squares: line[at]!.legal.map((move) => move.square) };
}

function taken(better: Choice, worse: Choice, size: number): Reason | null {
  return isCorner(worse.move, size) && !isCorner(better.move, size) ? { kind: "corner-taken", square: worse.move } : null;
}

function won(better: Choice, worse: Choice, size: number): Reason | null {
  return isCorner(better.move, size) && !isCorner(worse.move, size) ? { kind: "corner-won", square: better.move } : null;
}

/** The corners that `side` can take in one position and not in the other. */
function given(good: Position, bad: Position, side: Side): Reason | null {
  const open = (position: Position): string[] => (position.turn === side ? position.legal.map((move) => move.square).filter((name) => isCorner(name, position.size)) : []);
  const squares = open(bad).filter((name) => !open(good).includes(name));
  return squares.length > 0 ? { kind: "corner-given", squares } : null;
}

/** Who must pass: under the reversed rule a pass is a present, under the normal rule a loss. */
function passed(good: Position, bad: Position, own: Side, rule: Rule): Reason | null {
  const isPassed = (position: Position): boolean => position.turn === own && position.passed === other(own);
  const canMove = (position: Position): boolean => position.turn === other(own);
  if (rule === "reversed") return isPassed(bad) && canMove(good) ? { kind: "pass-given" } : null;
  return isPassed(good) && canMove(bad) ? { kind: "pass-forced" } : null;
}

function mobility(good: Position, bad: Position, side: Side): Reason | null {
  if (good.turn !== side || bad.turn !== side) return null;
  const [better, worse] = [good.legal.length, bad.legal.length];
  const isClear = worse - better >= 2 || (worse > better && better <= 2);
  return isClear ? { kind: "mobility", better, worse } : null;
}

/**
 * The squares left where a move was played. The opponent moves next: of an odd number it fills the last
 * one if sides take turns, of an even number the side that moved does. Under the reversed rule odd
 * regions were measured to be worth nothing, and are no reason.
 */
function parity({ board, size, discs, rule }: Position, good: string, bad: string): Reason | null {
  const left = (move: string): number => region(board, size, move).length - 1;
  const [better, worse] = [left(good), left(bad)];
  if (rule === "reversed") return null;
  const isNear = discs.empty <= PARITY_EMPTIES && better < PARITY_REGION && worse < PARITY_REGION && region(board, size, good).length < discs.empty;
  return isNear && better % 2 === 0 && worse % 2 === 1 ? { kind: "parity", better, worse } : null;
}

/** Few discs turned are few to be counted, and under the normal rule few to be turned back. */
function flips({ legal, discs, rule }: Position, good: string, bad: string): Reason | null {
  const turned = (name: string): number => legal.find((move) => move.square === name)?.flips.length ?? 0;
  const [better, worse] = [turned(good), turned(bad)];
  const isEarly = rule === "reversed" || discs.empty > FLIPS_EMPTIES;
  return isEarly && worse - better >= 3 ? { kind: "flips", better, worse } : null;
}
