// Retrying the mistakes of a game, without a network: what is asked, what counts as found, and when it
// ends.
import { beforeEach, describe, expect, it } from "vitest";
import type { MoveValue, ReviewedMove } from "../src/api/wire";
import { rank, Retry } from "../src/game/retry";
import { Review } from "../src/game/review";
import { HUMAN, Session } from "../src/game/session";
import { Tree } from "../src/game/tree";
import { FakeClient, settled, values } from "./fake";

let client: FakeClient;
let session: Session;
let retry: Retry;

const move = (name: string, value: number): MoveValue => ({ move: name, value, depth: 9, percent: 73, exact: false, pv: [name] });

/** The verdict on a move of the game b1 a1 d4 on 4×4. */
const verdict = (ply: number, rest: Partial<ReviewedMove>): ReviewedMove => ({
  ply, move: "", color: "black", value: 0, best: "", best_value: 0, loss: 0, mark: null, exact: false, depth: 9, percent: 73, pv: [], value_black: 0, forced: false, pass_number: 2, ...rest,
});

beforeEach(async () => {
  client = new FakeClient();
  session = new Session(client);
  session.players = { black: HUMAN, white: HUMAN };
  const failed = (error: unknown): never => expect.unreachable(String(error));
  const review = new Review(client, session, failed);
  client.review = async (_, __, listener) => {
    listener("move", verdict(1, { move: "b1", color: "black", best: "a2", loss: 8, mark: "mistake" }));
    listener("move", verdict(2, { move: "a1", color: "white", best: "c1", loss: 13, mark: "blunder" }));
    listener("move", verdict(3, { move: session.tree.end().move, color: "black", best: "d1", loss: 3, mark: "inaccuracy" }));
    listener("done", { reason: "complete" });
    return Promise.resolve();
  };
  const tree = Tree.of(["b1", "a1"]);
  await session.open({ rule: "reversed", size: 4, start: null, tree });
  await settled();
  session.play(session.position!.legal[0]!.square);
  await settled();
  await review.run(1);
  retry = new Retry(client, session, review, failed);
});

/** Ends the engine's search of the question. */
async function weighed(...moves: MoveValue[]): Promise<void> {
  await settled();
  const search = client.open.pop()!;
  search.listener("values", values(9, { moves }));
  search.listener("done", { reason: "depth" });
  search.end();
  await settled();
}

describe("retrying mistakes", () => {
  it("asks about each mistake of both sides, and leaves inaccuracies alone", async () => {
    expect(await retry.start("both")).toBe(true);
    expect([retry.progress, session.tree.current.ply]).toEqual([{ n: 1, of: 2 }, 0]);
    expect(client.open.at(-1)!.limits).toMatchObject({ depth: 9 });
    await retry.next();
    expect([retry.progress, session.tree.current.ply]).toEqual([{ n: 2, of: 2 }, 1]);
    await retry.next();
    expect([retry.stage, retry.found]).toEqual(["over", 0]);
    expect(client.open).toEqual([]);
  });

  it("asks about one side's only", async () => {
    expect(await retry.start("white")).toBe(true);
    expect(retry.progress).toEqual({ n: 1, of: 1 });
    expect(session.tree.current.ply).toBe(1);
  });

  it("takes the best move, and every other that loses next to nothing", async () => {
    const tried = async (square: string): Promise<string> => {
      await retry.start("black");
      void retry.choose(square);
      expect(retry.stage).toBe("checking");
      await weighed(move("a2", 4), move("c4", 2), move("d3", 0), move("b1", -4));
      return retry.stage;
    };
    expect(await tried("a2")).toBe("right");
    expect(retry.found).toBe(1);
    expect(retry.reasons).not.toBeNull();
    expect(await tried("c4")).toBe("right");
    expect(retry.better).toBe("c4");
    expect(await tried("d3")).toBe("wrong");
    expect(retry.loss).toBe(4);
    expect(retry.values).toBeNull();
    expect(await tried("b1")).toBe("wrong");
    expect(retry.found).toBe(0);
  });

  it("does not take a move that throws away a proved win, however few discs it costs", async () => {
    const proved = (name: string, value: number): MoveValue => ({ ...move(name, value), exact: true });
    await retry.start("black");
    void retry.choose("c4");
    await weighed(proved("a2", 2), proved("c4", 0), proved("b1", -4));
    expect([retry.stage, retry.loss]).toEqual(["wrong", 2]);
    expect([rank(proved("a", 2), proved("b", 2)), rank(move("a", 0), move("b", 2)), rank(move("a", -2), move("b", 2)), rank(move("a", -4), move("b", 2))]).toEqual(["good", "good", "even", "bad"]);
  });

  it("may be tried again, but is found only at the first try", async () => {
    await retry.start("black");
    void retry.choose("b1");
    await weighed(move("a2", 4), move("b1", -4));
    expect(retry.isOpen).toBe(true);
    await retry.choose("a2");
    expect([retry.stage, retry.found]).toEqual(["right", 0]);
    expect(session.tree.size).toBe(4);
  });

  it("ends when somebody goes elsewhere, and its search with it", async () => {
    await retry.start("black");
    expect(client.open).toHaveLength(1);
    await session.last();
    expect(retry.isOn).toBe(false);
    expect(client.open).toEqual([]);
  });

  it("shows the answer, which is not found then", async () => {
    await retry.start("black");
    void retry.show();
    await weighed(move("a2", 4), move("b1", -4));
    expect([retry.stage, retry.better, retry.found]).toEqual(["shown", "a2", 0]);
    expect(retry.values?.moves[0]?.move).toBe("a2");
  });
});
