// The move tree: branches are kept, and undo, redo and jumps find their way among them.
import { describe, expect, it } from "vitest";
import { Tree } from "../src/game/tree";

describe("the move tree", () => {
  it("goes back and forward along a line", () => {
    const tree = Tree.of(["f5", "d6", "c3"]);
    expect(tree.moves()).toEqual(["f5", "d6", "c3"]);
    expect(tree.forward()).toBe(false);
    expect(tree.back()).toBe(true);
    expect(tree.back()).toBe(true);
    expect(tree.moves()).toEqual(["f5"]);
    expect(tree.forward()).toBe(true);
    expect(tree.current.move).toBe("d6");
    tree.jump(tree.root);
    expect(tree.back()).toBe(false);
  });

  it("keeps a branch when another move is played, and finds it again", () => {
    const tree = Tree.of(["f5", "d6", "c3"]);
    const old = tree.current;
    tree.back();
    const other = tree.play("c5");
    expect(tree.size).toBe(5);
    expect(old.parent!.children).toEqual([old, other]);
    tree.back();
    expect(tree.play("c3")).toBe(old);
    expect(tree.size).toBe(5);
  });

  it("follows the way that was last taken", () => {
    const tree = Tree.of(["f5", "d6"]);
    tree.jump(tree.root);
    tree.play("d3");
    tree.play("c5");
    tree.remember();
    tree.jump(tree.root);
    expect(tree.line().map((node) => node.move)).toEqual(["", "d3", "c5"]);
    tree.forward();
    expect(tree.current.move).toBe("d3");
  });

  it("makes a variation the main line", () => {
    const tree = Tree.of(["f5", "d6", "c3"]);
    tree.jump(tree.root);
    tree.play("d3");
    tree.promote(tree.play("c5"));
    expect(tree.moves(tree.end())).toEqual(["d3", "c5"]);
    expect(tree.root.children.map((node) => node.move)).toEqual(["d3", "f5"]);
  });

  it("drops a branch, and whoever looked at it stands before it", () => {
    const tree = Tree.of(["f5", "d6", "c3"]);
    const branch = tree.path()[2]!;
    const { size } = tree;
    tree.remove(branch);
    expect(tree.current.move).toBe("f5");
    expect(tree.size).toBe(size - 2);
    expect(tree.node(branch.id)).toBeUndefined();
    tree.remove(tree.root);
    expect(tree.size).toBe(2);
  });

  it("refuses a node of another tree", () => {
    const tree = Tree.of(["f5"]);
    expect(() => tree.jump(Tree.of(["f5"]).current)).toThrow("another tree");
  });

  it("takes in another tree, or takes it over", () => {
    const here = Tree.of(["f5", "d6", "c3"]);
    const kept = here.node(2);
    const there = Tree.of(["f5", "f4"]);
    there.follow(["f5", "d6", "d3"]);
    here.merge(there);
    expect(here.variations(here.end())).toEqual([["f5", "f4"], ["f5", "d6", "d3"]]);
    here.match(there);
    expect(here.moves(here.end())).toEqual(["f5", "f4"]);
    expect(here.variations(here.end())).toEqual([["f5", "d6", "d3"]]);
    expect(here.node(2)).toBe(kept);
    // The board showed c3, which is gone.
    expect(here.moves()).toEqual(["f5", "d6"]);
  });
});
