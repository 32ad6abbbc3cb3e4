// A game on a board: how many requests its moves take, when agents answer, and when searches stop.
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { Refusal } from "../src/api/client";
import { Analyzer } from "../src/game/analyzer";
import { Opponent } from "../src/game/opponent";
import { places } from "../src/game/review";
import { HUMAN, Session } from "../src/game/session";
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
    client.asked = [];
    await session.open({ rule: "reversed", size: 4, start: null, tree: Tree.of(["b1", "a1", ...Array.from({ length: 9 }, () => "d4")]) });
    expect(session.tree.moves()).toEqual(["b1", "a1"]);
    expect(told).toHaveLength(1);
    expect(client.asked).toHaveLength(2);
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

  it("takes nothing back where no person has moved", async () => {
    session.players = { black: "greedy", white: HUMAN };
    session.play("b1");
    await settled();
    expect(session.undoTarget).toBeNull();
    await session.undo();
    expect(session.tree.moves()).toEqual(["b1"]);
  });

  it("knows whose turn it was before a game was opened, passes included", async () => {
    // White has no move after a1; Black has d4.
    const tree = Tree.of(["a1"]);
    session.players = { black: HUMAN, white: "greedy" };
    await session.open({ rule: "reversed", size: 4, start: "-OX-XXXXXXXXXXO- X", tree });
    expect(session.position?.passed).toBe("white");
    expect(session.undoTarget).toBe(tree.root);
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
    return new Opponent(client, session, () => Promise.resolve(), () => true, (error) => expect.unreachable(String(error)));
  };

  /** A game against an agent whose failures are told, with time that the test lets pass. */
  const withFaults = (): { opponent: Opponent; told: unknown[] } => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    session.players = { black: HUMAN, white: "greedy" };
    const told: unknown[] = [];
    return { opponent: new Opponent(client, session, () => Promise.resolve(), () => true, (error) => told.push(error)), told };
  };

  it("answers a person's move, once", async () => {
    session.players = { black: HUMAN, white: "greedy" };
    seated();
    session.play("b1");
    await settled();
    expect(session.tree.current.ply).toBe(2);
    expect(session.turn).toBe("black");
  });

  it("goes on by itself when the server is back, and says once that it was away", async () => {
    const { opponent, told } = withFaults();
    const fault = new Refusal("offline", "gone");
    client.moveFault = fault;
    session.play("b1");
    for (const seconds of [0, 0.2, 0.5, 1]) {
      await vi.advanceTimersByTimeAsync(seconds * 1000);
      expect([opponent.isAway, session.tip.ply, told.length]).toEqual([true, 1, 1]);
    }
    client.moveFault = null;
    await vi.advanceTimersByTimeAsync(2000);
    expect([opponent.isAway, session.tip.ply]).toEqual([false, 2]);
    // A paused game does not ask again.
    client.moveFault = fault;
    await session.undo();
    opponent.resume();
    session.play("b1");
    await vi.advanceTimersByTimeAsync(0);
    expect(told).toHaveLength(2);
    opponent.pause();
    client.moveFault = null;
    await vi.advanceTimersByTimeAsync(60_000);
    expect([opponent.isAway, session.tip.ply]).toEqual([false, 1]);
  });

  it("says that an agent failed after the server was away", async () => {
    const { opponent, told } = withFaults();
    const [offline, failed] = [new Refusal("offline", "gone"), new Refusal("agent-failed", "it crashed")];
    client.moveFault = offline;
    session.play("b1");
    await vi.advanceTimersByTimeAsync(0);
    await vi.advanceTimersByTimeAsync(200);
    client.moveFault = failed;
    await vi.advanceTimersByTimeAsync(500);
    expect(told).toEqual([offline, failed]);
    expect([opponent.isPaused, opponent.isAway]).toEqual([true, false]);
    expect(opponent.failure?.message).toBe("it crashed");
    // The next outage is told again.
    client.moveFault = offline;
    opponent.resume();
    await vi.advanceTimersByTimeAsync(0);
    expect(told).toEqual([offline, failed, offline]);
  });

  it("tells of another outage after a pause", async () => {
    const { opponent, told } = withFaults();
    const offline = new Refusal("offline", "gone");
    client.moveFault = offline;
    session.play("b1");
    await vi.advanceTimersByTimeAsync(1000);
    expect(told).toEqual([offline]);
    opponent.pause();
    opponent.resume();
    await vi.advanceTimersByTimeAsync(0);
    expect(told).toEqual([offline, offline]);
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

  it("answers while somebody looks back at the game, and leaves the board alone", async () => {
    session.players = { black: HUMAN, white: "greedy" };
    const opponent = seated();
    session.play("b1");
    void session.first();
    await settled();
    expect(session.tree.current.ply).toBe(0);
    expect(session.tip.ply).toBe(2);
    expect(opponent.isPaused).toBe(false);
    await session.last();
    expect(session.tree.current).toBe(session.tip);
  });

  it("does not answer again what it has answered, when somebody steps through the game", async () => {
    session.players = { black: HUMAN, white: "greedy" };
    const opponent = seated();
    session.play("b1");
    await settled();
    const { size } = session.tree;
    await session.first();
    client.asked = [];
    await session.forward();
    await settled();
    expect(client.asked).toEqual([]);
    expect(opponent.isPaused).toBe(false);
    expect(session.tree.current.ply).toBe(1);
    expect(session.tree.size).toBe(size);
  });

  it("waits after moves were taken back between agents, and goes on when told", async () => {
    const opponent = seated();
    session.setPlayers({ black: "greedy", white: "greedy" });
    await settled();
    opponent.pause();
    const { ply } = session.tip;
    await session.undo();
    await settled();
    expect(session.tip.ply).toBe(ply - 1);
    expect(opponent.isPaused).toBe(true);
    opponent.resume();
    await settled();
    expect(session.tip.ply).toBeGreaterThan(ply - 1);
  });

  it("makes one move from a position that is looked at, and the game goes on from there", async () => {
    session.players = { black: HUMAN, white: "greedy" };
    const opponent = seated();
    session.play("b1");
    await settled();
    await session.first();
    await opponent.once("greedy", session.tree.current);
    await settled();
    expect(session.tree.path(session.tip)[0]).toBe(session.tree.root);
    expect(session.tree.current).toBe(session.tip);
  });

  it("plays a whole game against itself", async () => {
    const opponent = seated();
    session.setPlayers({ black: "greedy", white: "greedy" });
    for (let turn = 0; turn < 20 && !session.position?.over; turn += 1) await settled();
    expect(session.position?.over).toBe(true);
    expect(opponent.isThinking).toBe(false);
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

describe("an analysis without an end", () => {
  let effort = { seconds: 0, depth: 0, threads: 1 };
  const analyzer = (): Analyzer => new Analyzer(client, session, (error) => expect.unreachable(String(error)), () => effort);

  beforeEach(() => {
    effort = { seconds: 0, depth: 0, threads: 1 };
    vi.useFakeTimers();
  });
  afterEach(() => vi.useRealTimers());

  const finish = async (reason: string): Promise<void> => {
    const search = client.open.at(-1)!;
    search.listener("values", values(9));
    search.listener("done", { reason });
    client.open.pop();
    search.end();
    await settled();
  };

  it("asks again when the longest search that the server takes is over", async () => {
    const eye = analyzer();
    eye.follow(true);
    expect(client.open.map(({ limits }) => limits)).toEqual([{ seconds: 3600, depth: 0, threads: 1 }]);
    await finish("time");
    expect(client.open).toHaveLength(1);
    await finish("proved");
    expect(client.open).toEqual([]);
    expect(eye.evaluation?.isDone).toBe(true);
  });

  it("ends after the seconds that are set, and goes on when more are", async () => {
    effort = { seconds: 5, depth: 12, threads: 4 };
    const eye = analyzer();
    eye.follow(true);
    expect(client.open.map(({ limits }) => limits)).toEqual([effort]);
    await finish("time");
    expect(client.open).toEqual([]);
    effort = { ...effort, seconds: 30 };
    eye.restart();
    expect(client.open.map(({ limits }) => limits)).toEqual([effort]);
    expect(eye.evaluation?.values.depth).toBe(9);
  });

  it("pauses while nobody looks", async () => {
    const eye = analyzer();
    eye.pause(true);
    eye.follow(true);
    expect(client.open).toEqual([]);
    eye.pause(false);
    expect(client.open).toHaveLength(1);
    eye.pause(true);
    session.play("b1");
    await settled();
    expect(client.open).toEqual([]);
    eye.pause(false);
    expect(client.open.map(({ game }) => game.moves)).toEqual([["b1"]]);
  });

  it.each(["room", "busy"])("waits for a place on the server and asks again: %s", async (reason) => {
    const eye = analyzer();
    eye.follow(true);
    if (reason === "room") await finish("room");
    else {
      client.open.pop()!.fail(new Refusal("busy", "busy"));
      await settled();
    }
    expect([client.open.length, eye.isWaiting]).toEqual([0, true]);
    await vi.runAllTimersAsync();
    expect(client.open).toHaveLength(1);
    eye.follow(false);
    expect([client.open.length, eye.isWaiting]).toEqual([0, false]);
  });
});

describe("the opponent's thoughts", () => {
  it("belong to the move that they led to", async () => {
    const candidates = [{ square: "b1", prior: 0.5, visits: 7, value: 0.1 }];
    const { move } = client;
    client.move = async (game, agent) => ({ ...(await move.call(client, game, agent)), candidates });
    session.players = { black: "zero", white: HUMAN };
    const opponent = new Opponent(client, session, () => Promise.resolve(), () => true, (error) => expect.unreachable(String(error)));
    opponent.resume();
    await settled();
    expect(opponent.candidates(session.tree.current)).toBe(candidates);
    expect(opponent.candidates(session.tree.root)).toBeUndefined();
    expect(session.tree.size).toBe(2);
  });
});

describe("the review", () => {
  it("finds the node of a ply, passes left out", () => {
    const line = Tree.of(["b1", "a1", "d4"]).path();
    const nodes = places(["b1", "pass", "a1", "d4"], line);
    expect([...nodes].map(([ply, node]) => [ply, node.move])).toEqual([[1, "b1"], [3, "a1"], [4, "d4"]]);
  });
});
