// A puzzle as it is solved: its first move is judged by the server, and the best answer is played; then
// the next one must keep what was won, and so on. Ratings of puzzles and of the person are here too.

import type { Client } from "../api/client";
import type { GameBody, Position, Puzzle, Values } from "../api/wire";
import { Topic } from "../ui/topic";
import type { Side } from "./clock";

/** `asking`: a person looks for the move. `checking`: it is judged. `solved` and `failed`: it is over. */
export type Stage = "asking" | "checking" | "solved" | "failed";

/** The proved score of each move of a position for the side to move, best first, and the best line. */
export interface Scores {
  readonly moves: readonly { readonly move: string; readonly score: number }[];
  readonly line: readonly string[];
}

/** The most time for the scores of a later move; there are few squares left. */
const SECONDS = 60;

/** How many moves a person must find. */
export function depthOf({ level }: Pick<Puzzle, "level">): number {
  return level === 1 ? 2 : 3;
}

export class Puzzling {
  readonly changed = new Topic();
  stage: Stage = "asking";
  position: Position;
  /** How many moves were found. */
  found = 0;
  /** Whether it was counted in the ratings. */
  isCounted = false;
  /** The move that was made last, and the scores of the position it was made in. */
  given: { readonly move: string; readonly scores: Scores; readonly before: Position } | null = null;
  private readonly search = new AbortController();
  /** The scores of the position on the board, from the second move on. */
  private scores: Promise<Map<string, Values["moves"][number]>> | null = null;

  constructor(
    private readonly client: Client,
    readonly puzzle: Puzzle,
  ) {
    this.position = puzzle.position;
  }

  /** The side of the person. */
  get side(): Side {
    return this.puzzle.position.turn ?? "black";
  }

  get isOver(): boolean {
    return this.stage === "solved" || this.stage === "failed";
  }

  /** Plays a move for the person; ignores what is not legal. */
  async choose(square: string): Promise<void> {
    const before = this.position;
    if (this.stage !== "asking" || !before.legal.some((move) => move.square === square)) return;
    this.stage = "checking";
    this.changed.tell();
    try {
      const scores = this.scores ? await this.later() : await this.first(square);
      if (this.search.signal.aborted) return;
      this.given = { move: square, scores, before };
      if (this.isGood(square, scores)) await this.goOn(before, square, scores);
      else this.stage = "failed";
    } catch (error) {
      this.stage = "asking";
      throw error;
    } finally {
      this.changed.tell();
    }
  }

  /** Stops what is in progress. */
  end(): void {
    this.search.abort();
  }

  /** Whether a move keeps what the puzzle asks for: the win, the draw, or all discs. */
  private isGood(square: string, { moves }: Scores): boolean {
    const score = moves.find(({ move }) => move === square)?.score ?? -Infinity;
    const { goal } = this.puzzle;
    return goal === "win" ? score > 0 : goal === "draw" ? score >= 0 : score === moves[0]?.score;
  }

  /** Plays the move and the best answer to it, and asks for the next one if there is a choice. */
  private async goOn(before: Position, square: string, { line }: Scores): Promise<void> {
    const answer = line[0] === square ? line[1] : await this.answerTo(before, square);
    const moves = [...before.moves, square, ...(answer && answer !== "pass" ? [answer] : [])];
    const position = await this.client.ahead({ ...this.body(before), moves });
    if (this.search.signal.aborted) return;
    this.position = position;
    this.found += 1;
    const isChoice = position.turn === this.side && position.legal.length > 1;
    if (this.found >= depthOf(this.puzzle) || !isChoice) {
      this.stage = "solved";
      return;
    }
    this.stage = "asking";
    this.scores = this.weigh(position);
    this.scores.catch(() => undefined);
  }

  /** The best answer to a move that is not the expected one. */
  private async answerTo(before: Position, square: string): Promise<string | undefined> {
    const after = await this.client.ahead({ ...this.body(before), moves: [...before.moves, square] });
    if (after.turn === null || after.turn === this.side) return undefined;
    const values = [...(await this.weigh(after)).values()];
    return values[0]?.move;
  }

  private async first(square: string): Promise<Scores> {
    const { moves, pv } = await this.client.answer(this.puzzle.id, square);
    return { moves, line: pv };
  }

  private async later(): Promise<Scores> {
    try {
      const values = [...(await this.scores!).values()];
      return { moves: values.map(({ move, value }) => ({ move, score: value })), line: values[0]?.pv ?? [] };
    } catch (error) {
      // It can be tried again.
      this.scores = this.weigh(this.position);
      this.scores.catch(() => undefined);
      throw error;
    }
  }

  /** The proved values of all moves of a position, best first. */
  private async weigh(position: Position): Promise<Map<string, Values["moves"][number]>> {
    let values: Values | null = null;
    await this.client.analysis(this.body(position), { seconds: SECONDS }, (name, data) => {
      if (name === "values") values = data as Values;
    }, this.search.signal);
    const { moves } = (values as Values | null) ?? { moves: [] };
    return new Map(moves.map((move) => [move.move, move]));
  }

  private body({ rule, size, start, moves }: Position): GameBody {
    return { rule, size, start, moves };
  }
}

/** The rating of a puzzle: what it asks for, how many moves there are to choose from, how deep it is. */
export function ratingOf({ level, goal, position, empties }: Pick<Puzzle, "level" | "goal" | "position" | "empties">): number {
  return 700 + 150 * level + 30 * (empties - 8) + 20 * position.legal.length + (goal === "margin" ? 0 : 80);
}

/** The most that a rating changes by one puzzle. */
const STEP = 32;

/** A person's rating after a puzzle of rating `puzzle`, by Elo's formula. */
export function rated(own: number, puzzle: number, isSolved: boolean): number {
  const expected = 1 / (1 + 10 ** ((puzzle - own) / 400));
  return Math.round(own + STEP * ((isSolved ? 1 : 0) - expected));
}
