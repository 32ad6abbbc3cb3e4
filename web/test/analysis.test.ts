// Addresses of analyses: the game, its players, where it was copied from.
import { describe, expect, it } from "vitest";
import { readRoute, routeTo } from "../src/game/analysis";
import { read } from "../src/game/notation";

const game = read("r8/f5d6(f4)c3@2")!;

describe("the address of an analysis", () => {
  it("holds the game alone if nothing else is known", () => {
    expect(routeTo(game, { names: {} })).toBe("analyse/r8/f5d6(f4)c3@2");
  });

  it("holds the players and the game it came from", () => {
    const route = routeTo(game, { names: { black: "Ann & Bob?", white: "python:ai.py" }, id: "abc" });
    const found = readRoute(route.slice("analyse/".length))!;
    expect(found.origin).toEqual({ names: { black: "Ann & Bob?", white: "python:ai.py" }, id: "abc" });
    expect(found.game.tree.moves()).toEqual(["f5", "d6"]);
    expect(found.isReviewed).toBe(false);
    expect(readRoute(`${route.slice("analyse/".length)}&review`)!.isReviewed).toBe(true);
  });

  it.each(["%", "%zz", "r8/f9", "", "review", "?black=Ann"])("is refused if it holds no game: %s", (text) => {
    expect(readRoute(text)).toBeNull();
  });
});
