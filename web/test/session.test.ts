// The game on the table: moves are drawn at once and taken back if refused; agents answer when it is
// their turn by a move; searches end when the game goes elsewhere; games are kept.
import { beforeEach, describe, expect, it } from "vitest";
import { Refusal } from "../src/api/client";
import { Analyst } from "../src/game/analyst";
import { Keeper } from "../src/game/keeper";
import { Opponent } from "../src/game/opponent";
import { places } from "../src/game/review";
import { HUMAN, Session } from "../src/game/session";
import { Tree } from "../src/game/tree";
import { settled, TableClient, values } from "./table";

let client: TableClient;
let session: Session;

beforeEach(async () => {
  client = new TableClient();
  session = new Session(client);
  session.players = { black: HUMAN, white: HUMAN };
  await session.begin("reversed", 4);
});

describe("the game on the table", () => {
  it("draws a move before the server answers, and stands by it after", async () => {
    expect(session.turn).toBe("black");
    expect(session.play("b1")).toBe(true);
    expect(session.seen).toMatchObject({ pending: true, position: { board: "-X---XX--XO-----", discs: { black: 4, white: 1 } } });
    expect(session.turn).toBeNull();
    expect(session.play("a1")).toBe(false);
    await settled();
    expect(session.seen).toMatchObject({ pending: false, position: { board: "-X---XX--XO-----", turn: "white" } });
  });

  it("leaves an illegal square alone", async () => {
    expect(session.play("a4")).toBe(false);
    await settled();
    expect(session.tree.size).toBe(1);
  });

  it("takes a move back that the server never heard of, and says so", async () => {
    const told: unknown[] = [];
    session.failed.on((error) => told.push(error));
    client.fault = new Refusal("offline", "gone");
    session.play("b1");
    await settled();
    expect(session.tree.size).toBe(1);
    expect(session.turn).toBe("black");
    expect(told).toEqual([client.fault]);
  });

  it("loses no branch of a kept game when the server is away", async () => {
    await session.open({ rule: "reversed", size: 4, start: null, tree: Tree.of(["b1", "a1"]) });
    client.fault = new Refusal("offline", "gone");
    await session.first();
    expect(session.tree.size).toBe(3);
    expect(session.tree.current.move).toBe("a1");
  });

  it("opens as much of a game as is legal", async () => {
    const told: unknown[] = [];
    session.failed.on((error) => told.push(error));
    await session.open({ rule: "reversed", size: 4, start: null, tree: Tree.of(["b1", "a1", "d4", "d4"]) });
    expect(session.tree.moves()).toEqual(["b1", "a1"]);
    expect(told).toHaveLength(1);
  });

  it("makes forced passes by itself and remembers who passed", async () => {
    // White has no square here, black has.
    await session.open({ rule: "reversed", size: 4, start: "-OXXXXXXXXXXXXXX O", tree: new Tree() });
    expect(session.seen).toMatchObject({ passed: "white", position: { turn: "black", moves: ["pass"] } });
    expect(session.body().moves).toEqual(["pass"]);
  });

  it("takes back to where a person was to move", async () => {
    for (const square of ["b1", "a1", "a2"]) {
      session.play(square);
      await settled();
    }
    session.players = { black: HUMAN, white: "greedy" };
    await session.undo();
    expect(session.tree.moves()).toEqual(["b1", "a1"]);
    await session.undo();
    expect(session.tree.moves()).toEqual([]);
    await session.last();
    expect(session.tree.moves()).toEqual(["b1", "a1", "a2"]);
  });

  it("plays again what was taken back, an agent's answer with it", async () => {
    for (const square of ["b1", "a1", "a2"]) {
      session.play(square);
      await settled();
    }
    session.players = { black: HUMAN, white: "greedy" };
    await session.first();
    await session.redo();
    expect(session.tree.moves()).toEqual(["b1", "a1"]);
    await session.redo();
    expect(session.tree.moves()).toEqual(["b1", "a1", "a2"]);
    await session.redo();
    expect(session.tree.moves()).toEqual(["b1", "a1", "a2"]);
  });

  it("asks for a position once", async () => {
    session.play("b1");
    await settled();
    const { length } = client.asked;
    await session.back();
    await session.forward();
    expect(client.asked).toHaveLength(length);
  });
});

describe("the opponent", () => {
  const seated = (): Opponent => {
    const opponent = new Opponent(client, session, () => Promise.resolve(), (error) => expect.unreachable(String(error)));
    opponent.seat(true);
    return opponent;
  };

  it("answers a person's move, once", async () => {
    session.players = { black: HUMAN, white: "greedy" };
    seated();
    session.play("b1");
    await settled();
    expect(session.tree.current.ply).toBe(2);
    expect(session.turn).toBe("black");
  });

  it("waits while somebody looks back, and goes on when told", async () => {
    session.players = { black: HUMAN, white: "greedy" };
    const opponent = seated();
    session.play("b1");
    await settled();
    await session.back();
    expect(opponent.isPaused).toBe(true);
    await settled();
    expect(session.tree.current.ply).toBe(1);
    opponent.resume();
    await settled();
    expect(session.tree.current.ply).toBe(2);
  });

  it("does not answer again what it has answered, when somebody steps through the game", async () => {
    session.players = { black: HUMAN, white: "greedy" };
    const opponent = seated();
    session.play("b1");
    await settled();
    const { size } = session.tree;
    await session.first();
    let asked = 0;
    client.move = () => {
      asked += 1;
      return new Promise(() => undefined);
    };
    await session.forward();
    await settled();
    expect(asked).toBe(0);
    expect(opponent.isPaused).toBe(true);
    expect(session.tree.current.ply).toBe(1);
    expect(session.tree.size).toBe(size);
  });

  it("plays a whole game against itself", async () => {
    const opponent = seated();
    session.setPlayers({ black: "greedy", white: "greedy" });
    for (let turn = 0; turn < 20 && !session.seen?.position.over; turn += 1) await settled();
    expect(session.seen?.position.over).toBe(true);
    expect(opponent.isThinking).toBe(false);
  });

  it("does not move in analysis", async () => {
    session.players = { black: HUMAN, white: "greedy" };
    const opponent = seated();
    opponent.seat(false);
    session.play("b1");
    await settled();
    expect(session.tree.current.ply).toBe(1);
  });
});

describe("the analyst", () => {
  const analyst = (): Analyst => new Analyst(client, session, (error) => expect.unreachable(String(error)));

  it("leaves the old position the moment there is a new one", async () => {
    const eye = analyst();
    eye.follow(true);
    await settled();
    expect(client.open.map(({ game }) => game.moves)).toEqual([[]]);
    const [first] = client.open;
    first!.listener("values", values(3));
    expect(eye.opinion?.values.depth).toBe(3);
    session.play("b1");
    expect(first!.signal.aborted).toBe(true);
    first!.listener("values", values(4));
    await settled();
    expect(client.open.map(({ game }) => game.moves)).toEqual([["b1"]]);
    expect(eye.opinion).toBeNull();
    await session.back();
    expect(eye.opinion?.values.depth).toBe(3);
    eye.follow(false);
    expect(client.open).toEqual([]);
  });

  it("asks about a move while the server is told of it, and again if a pass is forced", async () => {
    const eye = analyst();
    eye.follow(true);
    session.play("b1");
    expect(session.seen?.pending).toBe(true);
    expect(client.open.map(({ game }) => game.moves)).toEqual([["b1"]]);
    const [asked] = client.open;
    asked!.listener("values", values(3));
    expect(eye.opinion?.values.depth).toBe(3);
    expect(eye.of(session.tree.current)).toBeNull();
    await settled();
    expect(client.open).toEqual([asked]);
    expect(eye.of(session.tree.current)?.values.depth).toBe(3);

    // White has no move after a1, Black has d4.
    await session.begin("reversed", 4, "-OX-XXXXXXXXXXO- X");
    session.play("a1");
    const [before] = client.open;
    before!.listener("values", values(9));
    await settled();
    expect(session.seen?.passed).toBe("white");
    expect(before!.signal.aborted).toBe(true);
    expect(client.open.map(({ game }) => game.moves)).toEqual([["a1", "pass"]]);
    expect(eye.opinion).toBeNull();
  });

  it("leaves it to the session to tell of a move that was not taken", async () => {
    const eye = analyst();
    eye.follow(true);
    client.fault = new Error("away");
    session.play("b1");
    const [asked] = client.open;
    asked!.fail(new Error("away"));
    await settled();
    expect(session.tree.current).toBe(session.tree.root);
    expect(eye.isRunning).toBe(true);
  });

  it("keeps the deeper of two looks, and a proof above all", async () => {
    const eye = analyst();
    eye.follow(true);
    const [search] = client.open;
    search!.listener("values", values(9));
    search!.listener("values", values(2));
    expect(eye.opinion?.values.depth).toBe(9);
    search!.listener("values", values(5, { exact: true }));
    expect(eye.opinion?.values.exact).toBe(true);
    search!.listener("done", { reason: "proved" });
    search!.end();
    await settled();
    expect(eye.isRunning).toBe(false);
    eye.follow(false);
    eye.follow(true);
    expect(client.open).toHaveLength(1);
  });
});

describe("the keeper", () => {
  it("keeps a game from its first move on, and begins anew what was deleted", async () => {
    const keeper = new Keeper(client, session, () => "Ann");
    session.play("b1");
    await settled();
    expect(client.saved).toEqual([]);
    keeper.attend(true);
    session.play("a1");
    await settled();
    expect(client.saved.map(({ moves }) => moves)).toEqual([["b1", "a1"]]);
    session.play("a2");
    await settled();
    expect(client.saved.map(({ moves }) => moves)).toEqual([["b1", "a1", "a2"]]);
    client.saved = [];
    session.play(session.seen!.position.legal[0]!.square);
    await settled();
    expect(keeper.place).toBeNull();
    session.play(session.seen!.position.legal[0]!.square);
    await settled();
    expect(client.saved).toHaveLength(1);
    expect(client.saved[0]!.moves).toHaveLength(5);
  });
});

describe("the review", () => {
  it("finds the node of a ply, passes left out", () => {
    const line = Tree.of(["b1", "a1", "d4"]).path();
    const nodes = places(["b1", "pass", "a1", "d4"], line);
    expect([...nodes].map(([ply, node]) => [ply, node.move])).toEqual([[1, "b1"], [3, "a1"], [4, "d4"]]);
  });
});
