// Links: what is written can be read again, and what was not written by us is refused.
import { describe, expect, it } from "vitest";
import { type Game, LETTERS, LONGEST, read, SIZES, write } from "../src/game/notation";
import { Tree } from "../src/game/tree";

const game = (tree: Tree, rest: Partial<Game> = {}): Game => ({ rule: "reversed", size: 8, start: null, tree, ...rest });

/** A small generator of numbers, so that every run tries the same trees. */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return state / 0x80000000;
  };
}

describe("a game as text", () => {
  it("is short and readable", () => {
    expect(write(game(Tree.of(["f5", "d6", "c3"])))).toBe("r8/f5d6c3");
    const tree = Tree.of(["f5", "d6", "c3"]);
    tree.jump(tree.path()[1]!);
    expect(write(game(tree))).toBe("r8/f5d6c3@1");
    tree.play("f4");
    tree.play("f3");
    expect(write(game(tree))).toBe("r8/f5d6(f4f3)c3@.3");
    expect(write(game(new Tree(), { rule: "normal", size: 4, start: "-----OX--XO----- O" }))).toBe("n4/-----OX--XO-----O/");
  });

  it("comes back with its branches and its place, whatever was tried", () => {
    const next = numbers(7);
    for (let round = 0; round < 300; round += 1) {
      const tree = new Tree();
      const size = SIZES[round % SIZES.length]!;
      for (let step = 0; step < 40; step += 1) {
        // No line is longer than the board is large.
        if (next() < 0.3 || tree.current.ply === size * size - 4) {
          const path = tree.path();
          tree.jump(path[Math.floor(next() * (path.length - 1))]!);
        }
        tree.play(`${LETTERS[Math.floor(next() * size)]}${1 + Math.floor(next() * size)}`);
      }
      const path = tree.path();
      tree.jump(path[Math.floor(next() * path.length)]!);
      const text = write(game(tree, { size }));
      const back = read(text)!;
      expect(back, text).not.toBeNull();
      expect(write(back)).toBe(text);
      expect(back.tree.size).toBe(tree.size);
      expect(back.tree.moves()).toEqual(tree.moves());
    }
  });

  it("is at its end if it has not the place", () => {
    for (const place of ["@9", "@.7", "@99999"]) expect(read(`r8/f5d6${place}`)!.tree.current.ply).toBe(2);
    expect(read(`r8/${"f5".repeat(60)}`)!.tree.current.ply).toBe(60);
  });

  it("is refused if it is nobody's", () => {
    for (const text of [
      "", "r8", "x8/f5", "r5/", "r8/f9", "r4/f5", "r8/f5)", "r8/f5(d6", "r8/(f5)", "r8/f5(f5)", "r8/f5@1@1", "r8/f5@x",
      "r8/XO/f5", `r4/${"-".repeat(16)}Z/`, "r8/f5/f5/f5", "r8/<script>", `r8/${"f5".repeat(LONGEST)}`,
      `r8/${"f5".repeat(61)}`, `n4/-----OX--XO----O O/`, `n4/XXXXXOX-XXOXXXXXO/a2b2`,
    ]) {
      expect(read(text), text.slice(0, 40)).toBeNull();
    }
  });

  it("keeps a start and its side", () => {
    const start = "-----OX--XO----- O";
    const back = read(write(game(Tree.of(["a1"]), { size: 4, start })))!;
    expect(back.start).toBe(start);
    expect(back.size).toBe(4);
  });
});
