// The current game: how many requests its moves take, when agents answer, when searches stop, and
// how games are saved.
import { beforeEach, describe, expect, it } from "vitest";
import { Refusal } from "../src/api/client";
import { Analyzer } from "../src/game/analyzer";
import { Saver } from "../src/game/saver";
import { Opponent } from "../src/game/opponent";
import { Remote } from "../src/game/remote";
import { places } from "../src/game/review";
import { HUMAN, REMOTE, Session } from "../src/game/session";
import { Tree } from "../src/game/tree";
import { settled, FakeClient, values } from "./fake";

let client: FakeClient;
let session: Session;

beforeEach(async () => {
  client = new FakeClient();
  session = new Session(client);
  session.players = { black: HUMAN, white: HUMAN };
  await session.begin("reversed", 4);
});

describe("the session", () => {
  it("plays a move from what the server has told, and asks what follows it", async () => {
    expect(session.turn).toBe("black");
    const { length } = client.asked;
    expect(session.play("b1")).toBe(true);
    expect(session.position).toMatchObject({ board: "-X---XX--XO-----", discs: { black: 4, white: 1 }, turn: "white" });
    await settled();
    expect(client.asked.slice(length)).toEqual(["position b1"]);
    expect(session.position!.legal.every((move) => move.after)).toBe(true);
  });

  it("plays a move that is made before the server has told where it leads", async () => {
    session.play("b1");
    const { length } = client.asked;
    expect(session.play("a1")).toBe(true);
    expect(session.play("a1")).toBe(true);
    expect(session.tree.moves()).toEqual(["b1"]);
    await settled();
    expect(session.tree.moves()).toEqual(["b1", "a1"]);
    expect(session.tree.size).toBe(3);
    expect(client.asked.slice(length)).toEqual(["position b1a1"]);
  });

  it("leaves an illegal square alone", async () => {
    expect(session.play("a4")).toBe(false);
    await settled();
    expect(session.tree.size).toBe(1);
  });

  it("goes no further than the server has told while it is away, and says so", async () => {
    const told: unknown[] = [];
    session.failed.on((error) => told.push(error));
    const fault = new Refusal("offline", "gone");
    client.fault = fault;
    session.play("b1");
    await settled();
    expect(session.tree.moves()).toEqual(["b1"]);
    expect(told).toEqual([fault]);
    session.play("a1");
    await settled();
    expect(session.tree.moves()).toEqual(["b1"]);
    expect(told).toEqual([fault, fault]);
    client.fault = null;
    session.play("a1");
    await settled();
    expect(session.tree.moves()).toEqual(["b1", "a1"]);
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
    expect(session.position).toMatchObject({ passed: "white", turn: "black", moves: ["pass"], last: null });
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
    opponent.setActive(true);
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

  it("costs one request for a move and its answer, and no more for a forced pass", async () => {
    session.players = { black: HUMAN, white: "greedy" };
    seated();
    await settled();
    const requests = (): string[] => client.asked.splice(0);
    requests();
    session.play("b1");
    await settled();
    expect(requests()).toEqual(["move b1"]);
    expect(session.turn).toBe("black");
    session.play(session.position!.legal[0]!.square);
    await settled();
    expect(requests()).toEqual(["move b1a1a2"]);

    // The agent must pass after a1: the one request asks what follows.
    await session.begin("reversed", 4, "-OX-XXXXXXXXXXO- X");
    await settled();
    requests();
    session.play("a1");
    expect(session.position).toMatchObject({ passed: "white", turn: "black" });
    await settled();
    expect(requests()).toEqual(["position a1"]);
    session.play("d4");
    await settled();
    expect(session.position?.over).toBe(true);
    expect(requests()).toEqual([]);
  });

  it("moves twice if a person must pass, with one request for each move", async () => {
    // After White's a1 Black has no move, and White has d4.
    session.players = { black: HUMAN, white: "greedy" };
    await session.begin("reversed", 4, "-XO-OOOOOOOOOOX- O");
    client.asked = [];
    seated().resume();
    await settled();
    expect(client.asked).toEqual(["move ", "move a1pass"]);
    expect(session.at(session.tree.path()[1]!)?.passed).toBe("black");
    expect(session.position?.over).toBe(true);
  });

  it("lets a person make every move in analysis", async () => {
    session.players = { black: HUMAN, white: "greedy" };
    const opponent = seated();
    opponent.setActive(false);
    client.asked = [];
    session.play("b1");
    await settled();
    session.play("a1");
    await settled();
    expect(session.tree.moves()).toEqual(["b1", "a1"]);
    expect(client.asked).toEqual(["position b1", "position b1a1"]);
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
    for (let turn = 0; turn < 20 && !session.position?.over; turn += 1) await settled();
    expect(session.position?.over).toBe(true);
    expect(opponent.isThinking).toBe(false);
  });

  it("does not move in analysis", async () => {
    session.players = { black: HUMAN, white: "greedy" };
    const opponent = seated();
    opponent.setActive(false);
    session.play("b1");
    await settled();
    expect(session.tree.current.ply).toBe(1);
  });
});

describe("the analyzer", () => {
  const analyzer = (): Analyzer => new Analyzer(client, session, (error) => expect.unreachable(String(error)));

  it("leaves the old position the moment there is a new one", async () => {
    const eye = analyzer();
    eye.follow(true);
    await settled();
    expect(client.open.map(({ game }) => game.moves)).toEqual([[]]);
    const [first] = client.open;
    first!.listener("values", values(3));
    expect(eye.evaluation?.values.depth).toBe(3);
    session.play("b1");
    expect(first!.signal.aborted).toBe(true);
    first!.listener("values", values(4));
    await settled();
    expect(client.open.map(({ game }) => game.moves)).toEqual([["b1"]]);
    expect(eye.evaluation).toBeNull();
    await session.back();
    expect(eye.evaluation?.values.depth).toBe(3);
    eye.follow(false);
    expect(client.open).toEqual([]);
  });

  it("asks about a move at once, after the pass that it forces", async () => {
    const eye = analyzer();
    // White has no move after a1, Black has d4.
    await session.begin("reversed", 4, "-OX-XXXXXXXXXXO- X");
    eye.follow(true);
    session.play("a1");
    expect(session.position?.passed).toBe("white");
    expect(client.open.map(({ game }) => game.moves)).toEqual([["a1", "pass"]]);
    const [asked] = client.open;
    await settled();
    expect(client.open).toEqual([asked]);
  });

  it("tells of a search that fails", async () => {
    const told: unknown[] = [];
    const eye = new Analyzer(client, session, (error) => told.push(error));
    eye.follow(true);
    const fault = new Error("away");
    client.open[0]!.fail(fault);
    await settled();
    expect(told).toEqual([fault]);
    expect(eye.isRunning).toBe(false);
  });

  it("keeps the deeper of two looks, and a proof above all", async () => {
    const eye = analyzer();
    eye.follow(true);
    const [search] = client.open;
    search!.listener("values", values(9));
    search!.listener("values", values(2));
    expect(eye.evaluation?.values.depth).toBe(9);
    search!.listener("values", values(5, { exact: true }));
    expect(eye.evaluation?.values.exact).toBe(true);
    search!.listener("done", { reason: "proved" });
    search!.end();
    await settled();
    expect(eye.isRunning).toBe(false);
    eye.follow(false);
    eye.follow(true);
    expect(client.open).toHaveLength(1);
  });
});

describe("the saver", () => {
  it("keeps a game from its first move on, and begins anew what was deleted", async () => {
    const saver = new Saver(client, session, () => "Ann");
    session.play("b1");
    await settled();
    expect(client.saved).toEqual([]);
    saver.setActive(true);
    session.play("a1");
    await settled();
    expect(client.saved.map(({ moves }) => moves)).toEqual([["b1", "a1"]]);
    session.play("a2");
    await settled();
    expect(client.saved.map(({ moves }) => moves)).toEqual([["b1", "a1", "a2"]]);
    client.saved = [];
    session.play(session.position!.legal[0]!.square);
    await settled();
    expect(saver.place).toBeNull();
    session.play(session.position!.legal[0]!.square);
    await settled();
    expect(client.saved).toHaveLength(1);
    expect(client.saved[0]!.moves).toHaveLength(5);
  });
});

describe("a server without space", () => {
  it("is told once, until a game can be saved again, and play goes on", async () => {
    const saver = new Saver(client, session, () => "Ann");
    saver.setActive(true);
    const told: string[] = [];
    saver.failed.on((refusal) => told.push(refusal.code));
    const play = async (): Promise<void> => {
      session.play(session.position!.legal[0]!.square);
      await settled();
    };
    client.saveFault = new Refusal("disk-full", "there is no space");
    await play();
    await play();
    expect(told).toEqual(["disk-full"]);
    expect(session.tree.moves()).toHaveLength(2);
    client.saveFault = null;
    await play();
    expect(client.saved.map(({ moves }) => moves.length)).toEqual([3]);
    client.saveFault = new Refusal("disk-full", "there is no space");
    await play();
    expect(told).toHaveLength(2);
  });
});

describe("a person at another screen", () => {
  it("makes a move that the server has told before, without a request", async () => {
    session.players = { black: REMOTE, white: HUMAN };
    client.asked = [];
    const remote = new Remote(client, session, new Saver(client, session, () => "Ann"), (error) => expect.unreachable(String(error)));
    remote.follow({ id: "g0", token: "secret" });
    client.follower!("game", { moves: ["b1"] });
    expect(session.position).toMatchObject({ turn: "white", moves: ["b1"] });
    await settled();
    expect(client.asked).toEqual(["position b1"]);
  });

  it("does not keep an own move from being saved", async () => {
    const saver = new Saver(client, session, () => "Ann");
    saver.setActive(true);
    session.play("b1");
    await settled();
    session.play("a1");
    session.play(session.position!.legal[0]!.square);
    // The news of an earlier state arrives while the last move waits.
    saver.markSaved(["b1"]);
    await settled();
    expect(client.saved[0]!.moves).toEqual(session.position!.moves);
  });
});

describe("the review", () => {
  it("finds the node of a ply, passes left out", () => {
    const line = Tree.of(["b1", "a1", "d4"]).path();
    const nodes = places(["b1", "pass", "a1", "d4"], line);
    expect([...nodes].map(([ply, node]) => [ply, node.move])).toEqual([[1, "b1"], [3, "a1"], [4, "d4"]]);
  });
});
