// A table: its game is kept and saved move by move, goes on where it was, and takes in what other
// screens do with it. Two screens that contradict each other lose nothing.
import { beforeEach, describe, expect, it } from "vitest";
import { Refusal } from "../src/api/client";
import { Games } from "../src/game/games";
import { joined } from "../src/game/origins";
import { type GameRecord, isUnfinished } from "../src/game/record";
import { HUMAN, type Players } from "../src/game/session";
import { type Surroundings, Table } from "../src/game/table";
import { FakeClient, FakeStorage, settled } from "./fake";

let client: FakeClient;
let storage: FakeStorage;
let now: number;
let faults: unknown[];

/** What a tab or a device gives its tables. */
function around(games = new Games(storage), name = "Ann"): Surroundings {
  return { client, games, name: () => name, words: { guest: () => "Guest" }, agentsKnown: () => Promise.resolve(), isOwn: (spec) => spec === "mine", drawn: () => Promise.resolve(), failed: (error) => faults.push(error), now: () => now };
}

async function begun(players: Players = { black: HUMAN, white: HUMAN }, clock = "", place = around()): Promise<Table> {
  const table = new Table(place, place.games.begin({ rule: "reversed", size: 4, players, clock }));
  await table.open();
  return table;
}

async function opened(id: string, place = around()): Promise<Table> {
  const table = new Table(place, place.games.get(id)!);
  await table.open();
  await settled();
  return table;
}

async function play(table: Table, ...squares: string[]): Promise<void> {
  for (const square of squares) {
    table.choose(square);
    await settled();
  }
}

const line = ({ session }: Table): string[] => session.tree.moves(session.tip);

beforeEach(() => {
  client = new FakeClient();
  storage = new FakeStorage();
  now = 0;
  faults = [];
});

describe("a table", () => {
  it("is found again as it was, variations and all", async () => {
    const table = await begun();
    await play(table, "b1", "a1");
    await table.session.undo();
    await play(table, "a3");
    table.close();
    const again = await opened(table.id);
    expect(line(again)).toEqual(["b1", "a3"]);
    expect(again.session.tree.variations(again.session.tip)).toEqual([["b1", "a1"]]);
  });

  it("looks back without changing the game", async () => {
    const table = await begun();
    await play(table, "b1", "a1");
    const before = storage.getItem(`isrever.game.${table.id}`);
    await table.session.first();
    expect(storage.getItem(`isrever.game.${table.id}`)).toBe(before);
    const again = await opened(table.id);
    expect(line(again)).toEqual(["b1", "a1"]);
  });

  it("gives copies that do not touch it", async () => {
    const table = await begun();
    await play(table, "b1");
    const copy = table.copy();
    copy.tree.play("a1");
    expect(table.session.tree.size).toBe(2);
  });

  it("lets two games be played side by side", async () => {
    const one = await begun();
    await play(one, "b1");
    const two = await begun();
    await play(two, "a2", "a1");
    expect(line(await opened(one.id))).toEqual(["b1"]);
    expect(line(await opened(two.id))).toEqual(["a2", "a1"]);
    expect(client.saved.map(({ moves }) => moves)).toEqual([["b1"], ["a2", "a1"]]);
  });

  it("resigns for the person here, and takes no move after that", async () => {
    const table = await begun({ black: "greedy", white: HUMAN });
    await settled();
    table.resign();
    await settled();
    expect(table.end).toEqual({ reason: "resigned", winner: "black", margin: null });
    const [square] = table.session.position!.legal;
    await play(table, square!.square);
    expect(line(table)).toHaveLength(1);
    expect(client.saved[0]!.end).toEqual({ reason: "resigned", winner: "black" });
    const again = await opened(table.id);
    expect(again.isOver).toBe(true);
    expect(again.opponent.isThinking).toBe(false);
  });

  it("loses on time, while somebody looks back too, and for good", async () => {
    const table = await begun({ black: HUMAN, white: HUMAN }, "1+0");
    await play(table, "b1");
    await table.session.first();
    now = 59_000;
    table.tick();
    expect(table.isOver).toBe(false);
    now = 61_000;
    table.tick();
    await settled();
    expect(table.end).toEqual({ reason: "time", winner: "black", margin: null });
    expect(client.saved[0]!.end).toEqual({ reason: "time", winner: "black" });
    expect((await opened(table.id)).end?.reason).toBe("time");
  });

  it("goes on with the time that was left", async () => {
    const table = await begun({ black: HUMAN, white: HUMAN }, "1+0");
    await play(table, "b1");
    now = 20_000;
    table.close();
    now = 500_000;
    const again = await opened(table.id);
    expect(again.clock!.remaining("white", now)).toBe(40_000);
    expect(again.clock!.side).toBe("white");
  });

  it("remembers who played which part", async () => {
    const table = await begun({ black: HUMAN, white: "greedy" });
    table.setPlayers({ black: HUMAN, white: HUMAN });
    expect(table.record.earlier).toEqual([]);
    await play(table, "b1");
    // White has not moved yet.
    table.setPlayers({ black: HUMAN, white: "random" });
    table.setPlayers({ black: HUMAN, white: HUMAN });
    expect(table.record.earlier).toEqual([]);
    await settled();
    await play(table, "a1");
    table.setPlayers({ black: HUMAN, white: "greedy" });
    await settled();
    expect(table.record.earlier).toEqual([{ until: 2, players: { black: HUMAN, white: HUMAN } }]);
    expect(client.saved[0]!.white).toEqual({ kind: "agent", name: "greedy" });
    // What is taken back and played again is the present players'.
    await table.session.first();
    await play(table, "a2");
    await settled();
    expect(table.record.earlier).toEqual([]);
  });
});

describe("two tabs", () => {
  /** Two tabs of one browser, each hearing of the other's changes. */
  async function tabs(): Promise<[Table, Table, () => Promise<void>]> {
    const [one, two] = [new Games(storage), new Games(storage)];
    const first = await begun({ black: HUMAN, white: HUMAN }, "", around(one));
    const second = await opened(first.id, around(two));
    const sync = async (): Promise<void> => {
      one.notice(`isrever.game.${first.id}`);
      two.notice(`isrever.game.${first.id}`);
      await settled();
    };
    return [first, second, sync];
  }

  it("play one game together", async () => {
    const [first, second, sync] = await tabs();
    await play(first, "b1");
    await sync();
    expect(line(second)).toEqual(["b1"]);
    expect(second.session.position?.moves).toEqual(["b1"]);
    await play(second, "a1");
    await sync();
    expect(line(first)).toEqual(["b1", "a1"]);
    expect(client.saved.map(({ moves }) => moves)).toEqual([["b1", "a1"]]);
    expect(faults).toEqual([]);
  });

  it("keep both moves that were made at the same time, and say so", async () => {
    const [first, second, sync] = await tabs();
    const told: string[] = [];
    for (const each of [first, second]) each.conflict.on((move) => told.push(move));
    await play(first, "b1");
    // The second tab has not heard of it yet.
    await play(second, "a2");
    await sync();
    await sync();
    for (const each of [first, second]) {
      const { tree } = each.session;
      expect(tree.root.children.map(({ move }) => move).sort()).toEqual(["a2", "b1"]);
    }
    expect(line(first)).toEqual(line(second));
    expect(told.length).toBeGreaterThan(0);
    expect(line(await opened(first.id))).toEqual(line(first));
  });

  it("do not both ask an agent", async () => {
    const [first, second, sync] = await tabs();
    first.setPlayers({ black: HUMAN, white: "greedy" });
    await sync();
    client.asked = [];
    first.choose("b1");
    await sync();
    await settled();
    await sync();
    expect(client.asked.filter((asked) => asked.startsWith("move"))).toEqual(["move b1"]);
    expect(line(second)).toEqual(line(first));
    expect(line(second)).toHaveLength(2);
  });

  it("take over what was taken back, deleted or ended in the other", async () => {
    const [first, second, sync] = await tabs();
    await play(first, "b1", "a1");
    await sync();
    await first.session.undo();
    await play(first, "a3");
    await first.session.remove(first.session.tree.root.children[0]!.children[0]!);
    await sync();
    expect(line(second)).toEqual(["b1", "a3"]);
    expect(second.session.tree.size).toBe(3);
    second.resign();
    await sync();
    expect(first.end?.reason).toBe("resigned");
  });

  it("hear that the game was deleted", async () => {
    const [first, second, sync] = await tabs();
    let isTold = false;
    second.deleted.on(() => (isTold = true));
    await play(first, "b1");
    await sync();
    first.discard();
    new Games(storage).remove(first.id);
    await sync();
    expect(isTold).toBe(true);
    expect(new Games(storage).list()).toEqual([]);
  });
});

describe("an untouched game", () => {
  it("is not missed when another tab forgets it, and is there again with its first move", async () => {
    const [one, two] = [new Games(storage), new Games(storage)];
    const table = await begun({ black: HUMAN, white: HUMAN }, "", around(one));
    let isTold = false;
    table.deleted.on(() => (isTold = true));
    two.begin({ rule: "reversed", size: 4, players: { black: HUMAN, white: HUMAN }, clock: "" });
    one.notice(`isrever.game.${table.id}`);
    await settled();
    expect(two.get(table.id)).toBeNull();
    expect(isTold).toBe(false);
    await play(table, "b1");
    expect(two.get(table.id)?.ply).toBe(1);
  });
});

describe("two devices", () => {
  /** A game of one device, and the same one at another, which has a storage of its own. */
  async function devices(players: Players): Promise<[Table, Table]> {
    const here = await begun(players);
    await play(here, "b1");
    const { id, token } = await here.share();
    const games = new Games(new FakeStorage());
    const record = joined({ ...(await client.game(id)), start: "-----OX--XO----- X", position: "-X---XX--XO----- O" }, token, 0);
    games.put(record);
    const there = new Table(around(games, "Bob"), record);
    await there.open();
    await settled();
    return [here, there];
  }

  it("of one person play one game, and only one of them asks the agent", async () => {
    const [here, there] = await devices({ black: HUMAN, white: "greedy" });
    await settled();
    expect(there.record.players).toEqual({ black: HUMAN, white: "greedy" });
    client.asked = [];
    const [move] = there.session.position!.legal;
    await play(there, move!.square);
    await settled();
    expect(client.asked.filter((asked) => asked.startsWith("move"))).toHaveLength(1);
    expect(line(here)).toEqual(line(there));
    expect(line(here).length).toBeGreaterThan(2);
  });

  it("see a conflict: the move that was saved first stands, the other is a variation", async () => {
    const [here, there] = await devices({ black: HUMAN, white: HUMAN });
    // Neither hears of the other.
    client.followers = [];
    const told: string[] = [];
    there.conflict.on((move) => told.push(move));
    await play(here, "a1");
    await play(there, "a3");
    expect(told).toEqual(["a3"]);
    expect(line(there)).toEqual(["b1", "a1"]);
    expect(there.session.tree.variations(there.session.tip)).toEqual([["b1", "a3"]]);
    expect(there.session.position?.moves).toEqual(["b1", "a1"]);
    expect(client.saved[0]!.moves).toEqual(["b1", "a1"]);
    expect(line(here)).toEqual(["b1", "a1"]);
  });

  it("go on after one has made several moves that the other did not hear of", async () => {
    const [here, there] = await devices({ black: HUMAN, white: HUMAN });
    client.followers = [];
    await play(here, "a1");
    await there.session.undo();
    await settled();
    expect(line(there)).toEqual(["b1", "a1"]);
    await play(there, "a2");
    expect(client.saved[0]!.moves).toEqual(["b1", "a1", "a2"]);
  });

  it("hear that the other has resigned", async () => {
    const [here, there] = await devices({ black: HUMAN, white: HUMAN });
    there.resign();
    await settled();
    expect(here.end).toEqual({ reason: "resigned", winner: "black", margin: null });
  });
});

describe("saving", () => {
  it("begins with the first move, and anew what was deleted", async () => {
    const table = await begun();
    expect(client.saved).toEqual([]);
    await play(table, "b1", "a1");
    expect(client.saved.map(({ moves }) => moves)).toEqual([["b1", "a1"]]);
    client.saved = [];
    await play(table, "a2");
    expect(table.record.saved).toBeNull();
    await play(table, table.session.position!.legal[0]!.square);
    expect(client.saved.map(({ moves }) => moves!.length)).toEqual([4]);
  });

  it("is told once to be impossible for want of space, and play goes on", async () => {
    const table = await begun();
    const next = (): Promise<void> => play(table, table.session.position!.legal[0]!.square);
    client.saveFault = new Refusal("disk-full", "there is no space");
    await next();
    await next();
    expect(faults).toHaveLength(1);
    expect(line(table)).toHaveLength(2);
    client.saveFault = null;
    await next();
    expect(client.saved.map(({ moves }) => moves!.length)).toEqual([3]);
    client.saveFault = new Refusal("disk-full", "there is no space");
    await next();
    expect(faults).toHaveLength(2);
  });

  it("is made up for when the game is opened again", async () => {
    const table = await begun();
    client.saveFault = new Refusal("offline", "away");
    await play(table, "b1");
    table.resign();
    await settled();
    table.close();
    client.saveFault = null;
    await opened(table.id);
    expect(client.saved[0]).toMatchObject({ moves: ["b1"], end: { reason: "resigned", winner: "black" } });
  });

  it("of a table that was left changes nothing but its place", async () => {
    const games = new Games(storage);
    const table = await begun({ black: HUMAN, white: HUMAN }, "", around(games));
    table.choose("b1");
    table.close();
    const again = await opened(table.id, around(games));
    await play(again, "a1");
    await settled();
    expect(line(await opened(table.id, around(games)))).toEqual(["b1", "a1"]);
    expect((games.get(table.id) as GameRecord).saved).not.toBeNull();
    expect(isUnfinished(games.get(table.id)!)).toBe(true);
  });
});

describe("what an agent of the owner tells", () => {
  const players = { black: HUMAN, white: "mine" };
  const told = ({ opponent, session }: Table): string[] => opponent.told(session.tip).map(({ number, move, output }) => `${number} ${move} ${output}`);

  it("is kept by the server with the game, and is there again after a reload", async () => {
    client.output = "thinking\n";
    const table = await begun(players);
    await play(table, "b1");
    expect(client.tales).toEqual([{ line: line(table), agent: "mine", seconds: 0, output: "thinking\n" }]);
    const before = told(table);
    expect(before).toHaveLength(1);
    table.close();
    const again = await opened(table.id);
    expect(told(again)).toEqual(before);
    expect(client.tales).toHaveLength(1);
  });

  it("is seen by another tab, also of a variation", async () => {
    const table = await begun(players);
    const other = new Games(storage);
    const there = await opened(table.id, around(other));
    client.output = "one";
    await play(table, "b1");
    await table.session.undo();
    client.output = "two";
    await play(table, "d3");
    other.notice(`isrever.game.${table.id}`);
    await settled();
    expect(told(there)).toEqual(told(table));
    expect(client.tales.map(({ output }) => output)).toEqual(["one", "two"]);
  });

  it("is asked for only of games with such an agent, and of others nothing is sent", async () => {
    client.output = "";
    const table = await begun({ black: HUMAN, white: "greedy" });
    await play(table, "b1");
    table.close();
    await opened(table.id);
    expect(client.tales).toEqual([]);
    expect(client.asked).not.toContain("told");
  });

  it("goes in several requests if it is much", async () => {
    const table = await begun(players);
    client.saveFault = new Refusal("offline", "away");
    client.output = "x".repeat(30_000);
    await play(table, "b1");
    const [square] = table.session.position!.legal;
    await play(table, square!.square);
    expect(client.tales).toEqual([]);
    client.saveFault = null;
    table.saver.write();
    await settled();
    expect(client.tales).toHaveLength(2);
    expect(table.saver.isSaved).toBe(true);
  });
});

it("a table saves a game on a large board as any other", async () => {
  const place = around();
  const table = new Table(place, place.games.begin({ rule: "reversed", size: 10, players: { black: HUMAN, white: HUMAN }, clock: "" }));
  await table.open();
  await play(table, table.session.position!.legal[0]!.square);
  expect(client.saved.map(({ size, moves }) => [size, moves])).toEqual([[10, line(table)]]);
});
