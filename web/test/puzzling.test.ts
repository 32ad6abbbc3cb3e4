// Solving a puzzle, without a network: which moves are right, what is played in answer, and ratings.
import { beforeEach, describe, expect, it } from "vitest";
import type { MoveValue, Puzzle } from "../src/api/wire";
import { Puzzling, rated, ratingOf } from "../src/game/puzzling";
import { aheadOf, FakeClient, passedOf, settled, values } from "./fake";

let client: FakeClient;
let puzzle: Puzzle;

const move = (name: string, value: number, pv = [name]): MoveValue => ({ move: name, value, depth: 9, percent: 100, exact: true, pv });

/** What the server answers about the first move: b1 wins, White's best answer is a1. */
const SCORES = [{ move: "b1", score: 4 }, { move: "a2", score: 0 }, { move: "c4", score: -2 }];

beforeEach(() => {
  client = new FakeClient();
  const position = passedOf({ rule: "reversed", size: 4, start: null, moves: [] });
  puzzle = { id: "r4-1-1", rule: "reversed", size: 4, level: 1, position, empties: 12, goal: "win", next: null };
  client.answer = (_, given) => Promise.resolve({ correct: given === "b1", best: "b1", score: 4, pv: ["b1", "a1", "a2"], moves: SCORES });
});

/** Ends the search for the values of the position on the board. */
async function weighed(...moves: MoveValue[]): Promise<void> {
  await settled();
  const search = client.open.pop()!;
  search.listener("values", values(9, { exact: true, moves }));
  search.listener("done", { reason: "proved" });
  search.end();
  await settled();
}

describe("a puzzle", () => {
  it("goes on after a right move with the best answer, and is solved by the next", async () => {
    const puzzling = new Puzzling(client, puzzle);
    await puzzling.choose("b1");
    expect([puzzling.stage, puzzling.found, puzzling.position.moves]).toEqual(["asking", 1, ["b1", "a1"]]);
    const [good, bad] = aheadOf({ ...puzzle.position, moves: ["b1", "a1"] }).legal.map((legal) => legal.square) as [string, string];
    void puzzling.choose(good);
    expect(puzzling.stage).toBe("checking");
    // Any move that keeps the win is right.
    await weighed(move(bad, 6), move(good, 2));
    await weighed(move(aheadOf({ ...puzzle.position, moves: ["b1", "a1", good] }).legal[0]!.square, 1));
    expect([puzzling.stage, puzzling.found]).toEqual(["solved", 2]);
  });

  it("is failed by a move that throws away what it asks for", async () => {
    const puzzling = new Puzzling(client, puzzle);
    await puzzling.choose("a2");
    expect(puzzling.stage).toBe("failed");
    expect(puzzling.given).toMatchObject({ move: "a2", before: puzzle.position });
    expect(puzzling.given?.scores.moves[0]).toEqual({ move: "b1", score: 4 });
    await puzzling.choose("b1");
    expect(puzzling.stage).toBe("failed");
  });

  it.each([["draw", "a2", "asking"], ["margin", "a2", "failed"], ["win", "d4", "asking"]] as const)("to %s takes %s so: %s", async (goal, square, stage) => {
    const puzzling = new Puzzling(client, { ...puzzle, goal });
    void puzzling.choose(square);
    await settled();
    if (client.open.length > 0 && puzzling.stage === "checking") await weighed(move("a1", 0));
    expect(puzzling.stage).toBe(stage);
  });

  it("can be tried again when the server did not answer", async () => {
    const puzzling = new Puzzling(client, puzzle);
    const { answer } = client;
    client.answer = () => Promise.reject(new Error("away"));
    await expect(puzzling.choose("b1")).rejects.toThrow("away");
    client.answer = answer;
    await puzzling.choose("b1");
    expect(puzzling.found).toBe(1);
  });
});

describe("ratings", () => {
  it("rise with what is solved, and most with what is hard", () => {
    expect(rated(1000, 1000, true)).toBe(1016);
    expect(rated(1000, 1000, false)).toBe(984);
    expect(rated(1000, 1400, true)).toBeGreaterThan(rated(1000, 1000, true));
    expect(rated(1000, 1400, false)).toBeGreaterThan(rated(1000, 1000, false));
  });

  it("of puzzles follow from what they are", () => {
    expect(ratingOf({ ...puzzle, level: 3 })).toBeGreaterThan(ratingOf(puzzle));
    expect(ratingOf({ ...puzzle, goal: "margin" })).toBeLessThan(ratingOf(puzzle));
  });
});
