// A game of the battle platform, move by move: what the board, the clocks and the values were.

import type { GameRecord, PlayedMove } from "../api/club";
import type { Mark } from "../api/wire";
import type { Left, Side } from "./clock";
import { square } from "./session";

/** What a position was worth to Black, and how bad the move was that led to it. */
export interface Worth {
  readonly value: number | null;
  readonly mark: Mark | null;
}

/** The fewest discs that a move with a mark gives away, the worst first; the server's reviews use the same. */
const MARKS = [["blunder", 12], ["mistake", 6], ["inaccuracy", 3]] as const;

/** How bad a move was: by the discs it gave away, or because it lost the game. */
export function markOf({ loss }: PlayedMove, isLosing: boolean): Worth["mark"] {
  if (isLosing) return "blunder";
  return MARKS.find(([, least]) => (loss ?? 0) >= least)?.[0] ?? null;
}

/** Whether the move lost a game that was not lost before it, and is not only the loser's worst. */
export function hasLost({ losing_move, moves }: GameRecord, index: number): boolean {
  return losing_move === index && (moves[index]?.best ?? 0) >= 0;
}

/** The discs on a board. */
export function discsOf(board: string): { black: number; white: number; empty: number } {
  const count = (mark: string): number => board.split(mark).length - 1;
  return { black: count("X"), white: count("O"), empty: count("-") };
}

/** The squares of discs that were turned between two boards. */
export function turned(before: string, after: string, size: number): string[] {
  return [...after].flatMap((mark, cell) => (before[cell] !== "-" && before[cell] !== mark ? [square(cell, size)] : []));
}

/** The milliseconds that each side had left after so many moves. */
export function leftAt({ moves, battle }: GameRecord, ply: number): Left {
  const used = (side: Side): number => moves.slice(0, ply).reduce((sum, { color, seconds }) => (color === side ? sum + (seconds ?? 0) : sum), 0);
  const left = (side: Side): number => Math.max(0, battle.terms.game_ms - 1000 * used(side));
  return { black: left("black"), white: left("white") };
}

/** Whose turn it was after so many moves; null at the end. */
export function turnAt({ moves }: GameRecord, ply: number): Side | null {
  return moves[ply]?.color ?? null;
}

/** The winner; null for a draw, or before the end. */
export function winnerOf({ score_black }: GameRecord): Side | null {
  return score_black === null || score_black === 0 ? null : score_black > 0 ? "black" : "white";
}

/** What the position after each move was worth to Black, and how bad the move was that led to it. */
export function pointsOf(record: GameRecord): Worth[] {
  const { moves, end, score_black } = record;
  const forBlack = ({ color, best }: PlayedMove): number | null => (best === null ? null : color === "black" ? best : -best);
  const last = end === "over" ? score_black : null;
  return Array.from({ length: moves.length + 1 }, (_, ply) => {
    const [next, before] = [moves[ply], moves[ply - 1]];
    return { value: next ? forBlack(next) : last, mark: before ? markOf(before, hasLost(record, ply - 1)) : null };
  });
}
