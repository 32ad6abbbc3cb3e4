// The positions of the introduction, and their right answers. The solver has proved them; the browser
// suite checks that again.

import type { GameBody } from "../api/wire";

export type LessonId = "move" | "count" | "corner" | "mobility";

export interface Lesson {
  readonly id: LessonId;
  readonly game: GameBody;
  /** The squares that the text mentions. */
  readonly lit: readonly string[];
  /** The question: which square, or which winner. */
  readonly asks: "square" | "winner";
  /** The right squares; null if every legal one is. */
  readonly right: readonly string[] | null;
  /** The proved score of each move, if the lesson shows scores. */
  readonly scores?: Readonly<Record<string, number>>;
}

export const LESSONS: readonly Lesson[] = [
  {
    id: "move",
    game: { rule: "reversed", size: 6, start: null, moves: [] },
    lit: [],
    asks: "square",
    right: null,
  },
  {
    // Perfect play by both sides on 6×6: 17 discs against 19.
    id: "count",
    game: {
      rule: "reversed",
      size: 6,
      start: null,
      moves: "c2b4d5e2e3c1b1e4d1d2f2e1f3f4b3d6a5a4a3a2b5b2e6c5c6f1f5e5f6b6a6a1".match(/../g)!,
    },
    lit: [],
    asks: "winner",
    right: null,
  },
  {
    id: "corner",
    game: { rule: "reversed", size: 6, start: "--O-X-OOOO-XOOOOOXXXOOOXX-OOOX-OOOO- X", moves: [] },
    lit: ["a1"],
    asks: "square",
    right: ["d1", "b5", "b1"],
    scores: { d1: 14, b5: 12, b1: 8, a1: -6 },
  },
  {
    id: "mobility",
    game: { rule: "reversed", size: 6, start: "----X-XXXXX-XXOXX-XXOXXXOOOOO--X--O- X", moves: [] },
    lit: [],
    asks: "square",
    right: ["c6"],
    scores: { c6: 2, f6: -12, a6: -16, d6: -20 },
  },
];
