// Games of the battle platform, move by move.
import { describe, expect, it } from "vitest";
import type { GameRecord, PlayedMove } from "../src/api/club";
import { discsOf, leftAt, markOf, pointsOf, turnAt, turned, winnerOf } from "../src/game/replay";

const move = (color: "black" | "white", more: Partial<PlayedMove> = {}): PlayedMove => ({ move: "d3", color, seconds: 0.5, value: null, depth: null, nodes: null, best: null, loss: null, better: null, exact: false, ...more });

const record = (more: Partial<GameRecord>): GameRecord =>
  ({ moves: [], boards: [], losing_move: null, end: "over", score_black: -4, battle: { terms: { rule: "reversed", size: 4, move_ms: 1000, game_ms: 2000, memory_mib: 100 } }, ...more }) as GameRecord;

describe("a game move by move", () => {
  it("tells the time that is left, never less than none", () => {
    const game = record({ moves: [move("black"), move("white", { seconds: 3 }), move("black", { seconds: null }), move("black")] });
    expect(leftAt(game, 0)).toEqual({ black: 2000, white: 2000 });
    expect(leftAt(game, 1)).toEqual({ black: 1500, white: 2000 });
    expect(leftAt(game, 4)).toEqual({ black: 1000, white: 0 });
  });

  it("knows whose turn it was, and who won", () => {
    const game = record({ moves: [move("black"), move("white")] });
    expect([0, 1, 2].map((ply) => turnAt(game, ply))).toEqual(["black", "white", null]);
    expect([4, -4, 0, null].map((score_black) => winnerOf(record({ score_black })))).toEqual(["black", "white", null, null]);
  });

  it("finds the discs that were turned", () => {
    expect(turned("-----OX--XO-----", "-X---XX--XO-----", 4)).toEqual(["b2"]);
    expect(discsOf("-X---XX--XO-----")).toEqual({ black: 4, white: 1, empty: 11 });
  });

  it("marks bad moves by what they gave away, and the one that lost the game", () => {
    const mark = (loss: number | null, isLosing = false): unknown => markOf(move("black", { loss }), isLosing);
    expect([null, 2.9, 3, 6, 12].map((loss) => mark(loss))).toEqual([null, null, "inaccuracy", "mistake", "blunder"]);
    expect(mark(2, true)).toBe("blunder");
  });

  it("draws values for Black, and the result at the end of a game that was played to it", () => {
    const moves = [move("black", { best: 4, loss: 0 }), move("white", { best: -4, loss: 7 }), move("black", { best: null, loss: null })];
    const points = pointsOf(record({ moves, losing_move: 0 }));
    expect(points).toEqual([
      { value: 4, mark: null },
      { value: 4, mark: "blunder" },
      { value: null, mark: "mistake" },
      { value: -4, mark: null },
    ]);
    expect(pointsOf(record({ moves, end: "time" })).at(-1)).toEqual({ value: null, mark: null });
  });
});
