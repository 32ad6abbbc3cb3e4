// The notes on squares: what a move's value looks like.
import { describe, expect, it } from "vitest";
import type { Values } from "../src/api/wire";
import { chips, scoreChip } from "../src/parts/values";

describe("the note of the best move", () => {
  it("is good in a lost position too: only what gives discs away is bad", () => {
    expect(scoreChip(-40, -40, "black")).toMatchObject({ tone: "good", isBest: true });
    expect(scoreChip(-64, -40, "black")).toMatchObject({ tone: "bad", isBest: false });
    const move = (name: string, value: number): Values["moves"][number] => ({ move: name, value, depth: 9, percent: 49, exact: false, pv: [name] });
    const notes = chips({ moves: [move("d6", -30), move("f4", -52)] } as unknown as Values, "white");
    expect(notes.get("d6")).toMatchObject({ tone: "good", isBest: true });
    expect(notes.get("f4")).toMatchObject({ tone: "bad", isBest: false });
  });
});
