// A game with a friend at one screen: what is sent, what is shown meanwhile, and what the server says.
import { beforeEach, describe, expect, it } from "vitest";
import { Refusal } from "../src/api/client";
import type { Action, Friends, SavedGame } from "../src/api/wire";
import { FriendGame } from "../src/game/friend";
import { Seats, summary } from "../src/game/seats";
import { FakeClient, FakeStorage, positionOf, settled } from "./fake";

const START = "-----OX--XO----- X";
let now = 0;
let faults: unknown[] = [];

/** A referee that answers as the server does, in the plainest form. */
class FakeReferee extends FakeClient {
  state: SavedGame = game();
  sent: { action: Action; revision: number; request: string }[] = [];
  /** What requests fail with, one after the other; null for a request that is carried out, but whose answer is lost. */
  faults: (Refusal | null)[] = [];
  private listeners: { listener: (name: string, data: unknown) => void; fail: (error: Error) => void }[] = [];

  override async act(_: string, __: string, action: Action, revision: number, request: string): Promise<SavedGame> {
    await Promise.resolve();
    const isAgain = this.sent.some((each) => each.request === request && this.carried.has(request));
    this.sent.push({ action, revision, request });
    const fault = this.faults.shift();
    if (fault) throw fault;
    if (!isAgain) this.carry(action, request);
    if (fault === null) throw new Refusal("offline", "the answer is lost");
    return { ...this.state };
  }

  private readonly carried = new Set<string>();

  private carry(action: Action, request: string): void {
    this.carried.add(request);
    if (action.action === "move") this.play(action.move!);
    if (action.action === "decline") this.change({}, { offer: null });
  }

  /** Plays for the side to move. It voids every offer but the own one of a draw. */
  play(move: string): void {
    const { rule, size } = this.state;
    const at = (moves: string[]) => positionOf({ rule, size, start: null, moves });
    const moves = [...this.state.moves!, move];
    const { offer } = this.state.friends!;
    const stays = offer?.what === "draw" && offer.by === at(this.state.moves!).turn;
    this.change({ moves, position: at(moves).position }, { offer: stays ? offer : null });
  }

  /** Changes the game as the other side, or the referee, does. */
  change(change: Partial<SavedGame>, friends: Partial<Friends> = {}): void {
    this.state = { ...this.state, ...change, friends: { ...this.state.friends!, ...friends }, revision: this.state.revision + 1 };
    for (const { listener } of this.listeners) listener("game", { ...this.state });
  }

  override game(): Promise<SavedGame> {
    return Promise.resolve({ ...this.state });
  }

  override follow(_: string, listener: (name: string, data: unknown) => void, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, fail) => {
      const entry = { listener, fail };
      this.listeners.push(entry);
      signal.addEventListener("abort", () => resolve());
      listener("presence", { black: true, white: false, watchers: 0 });
      listener("game", { ...this.state });
    });
  }

  /** Breaks all connections. */
  drop(): void {
    for (const { fail } of this.listeners.splice(0)) fail(new Refusal("offline", "gone"));
  }
}

function game(): SavedGame {
  const friends: Friends = { joined: { black: true, white: true }, clock: null, offer: null, next: null };
  const player = (name: string) => ({ kind: "human" as const, name });
  return { id: "abc", rule: "reversed", size: 4, black: player("Ann"), white: player("Bob"), state: "running", ply: 0, revision: 1, result: null, end: null, position: START, created: "", changed: "", start: START, moves: [], friends };
}

let client: FakeReferee;
let seats: Seats;

async function opened(side: "black" | "white" | null = "black"): Promise<FriendGame> {
  if (side) seats.put({ id: "abc", side, token: "secret", code: null, last: summary(client.state) });
  const around = { client, seats, now: () => now, pause: () => Promise.resolve(), failed: (error: unknown) => faults.push(error) };
  const game = new FriendGame(around, client.state, seats.get("abc"));
  await game.open();
  await settled();
  return game;
}

const line = (game: FriendGame): string[] => game.session.tree.moves(game.session.tip);

beforeEach(() => {
  client = new FakeReferee();
  seats = new Seats(new FakeStorage());
  faults = [];
  now = 0;
});

describe("a move", () => {
  it("is shown at once and sent until it is answered, always as the same request", async () => {
    const game = await opened();
    client.faults = [new Refusal("offline", "away"), new Refusal("busy", "busy"), null];
    game.choose("b1");
    expect(line(game)).toEqual(["b1"]);
    expect(game.pending).toEqual({ action: "move", move: "b1" });
    expect(game.isOwnTurn).toBe(false);
    await settled();
    await settled();
    expect(game.pending).toBeNull();
    expect(client.sent).toHaveLength(4);
    expect(new Set(client.sent.map(({ request }) => request)).size).toBe(1);
    expect(client.state.moves).toEqual(["b1"]);
    expect(line(game)).toEqual(["b1"]);
    expect(faults).toEqual([]);
    game.close();
  });

  it("that the server refuses is taken off the board, and it says why", async () => {
    const game = await opened();
    const told: string[] = [];
    game.refused.on(({ code }) => told.push(code));
    client.faults = [new Refusal("conflict", "the game has moved on")];
    game.choose("b1");
    await settled();
    await settled();
    expect(told).toEqual(["conflict"]);
    expect(line(game)).toEqual([]);
    expect(game.session.tree.size).toBe(1);
    expect(game.isOwnTurn).toBe(true);
    game.close();
  });

  it("is refused here in the other side's turn, to those who watch, before both have joined and after the end", async () => {
    const white = await opened("white");
    white.choose("b1");
    expect([line(white), client.sent]).toEqual([[], []]);
    white.close();
    seats.remove("abc");
    const watcher = await opened(null);
    watcher.choose("b1");
    expect([watcher.side, line(watcher), client.sent]).toEqual([null, [], []]);
    watcher.close();
    client.change({}, { joined: { black: true, white: false } });
    const early = await opened();
    early.choose("b1");
    expect(client.sent).toEqual([]);
    client.change({ state: "finished", end: { reason: "agreed", winner: null } }, { joined: { black: true, white: true } });
    await settled();
    early.choose("b1");
    expect([client.sent, early.isOver, early.end?.reason]).toEqual([[], true, "agreed"]);
    early.close();
  });
});

describe("the server's news", () => {
  it("are the game: moves come and are taken back", async () => {
    const game = await opened("white");
    client.change({ moves: ["b1"] });
    await settled();
    expect([line(game), game.isOwnTurn]).toEqual([["b1"], true]);
    game.choose("a1");
    await settled();
    expect(client.state.moves).toEqual(["b1", "a1"]);
    expect([game.hasMoved, game.isOwnTurn]).toEqual([true, false]);
    client.change({ moves: ["b1"] });
    await settled();
    expect([line(game), game.session.tree.size, game.isOwnTurn]).toEqual([["b1"], 2, true]);
    game.close();
  });

  it("come again after the connection broke", async () => {
    const game = await opened("white");
    expect([game.isConnected, game.presence?.black]).toEqual([true, true]);
    client.drop();
    client.state = { ...client.state, moves: ["b1"], revision: 7 };
    await settled();
    expect([game.isConnected, line(game), game.state.revision]).toEqual([true, ["b1"], 7]);
    game.close();
    client.change({ moves: [] });
    await settled();
    expect(line(game)).toEqual(["b1"]);
  });

  it("that are older than what is known change nothing", async () => {
    const game = await opened("white");
    client.change({ moves: ["b1"] });
    await settled();
    client.state = { ...client.state, moves: [], revision: 0 };
    client.change({});
    await settled();
    expect(line(game)).toEqual(["b1"]);
    game.close();
  });

  it("tell offers, and the rematch once", async () => {
    const game = await opened();
    client.change({}, { offer: { by: "white", what: "draw" } });
    expect([game.offered, game.ownOffer]).toEqual(["draw", null]);
    client.change({}, { offer: { by: "black", what: "take-back" } });
    expect([game.offered, game.ownOffer]).toEqual([null, "take-back"]);
    const told: string[] = [];
    game.rematch.on((id) => told.push(id));
    client.change({ state: "finished" }, { next: "def" });
    client.change({ state: "finished" }, { next: "def" });
    expect(told).toEqual(["def"]);
    game.close();
  });

  it("tell that an offer was declined, or answered by a move", async () => {
    const game = await opened();
    const told: string[] = [];
    game.declined.on((what) => told.push(what));
    client.change({}, { offer: { by: "black", what: "draw" } });
    client.play("b1");
    expect([told, game.ownOffer]).toEqual([[], "draw"]);
    client.play("a1");
    expect(told).toEqual(["draw"]);
    client.change({}, { offer: { by: "black", what: "take-back" } });
    client.change({}, { offer: null });
    expect(told).toEqual(["draw", "take-back"]);
    game.close();
  });

  it("do not tell that an offer was declined which the person here has ended", async () => {
    const game = await opened();
    const told: string[] = [];
    game.declined.on((what) => told.push(what));
    client.play("b1");
    client.play("a1");
    await settled();
    const ask = (): void => client.change({}, { offer: { by: "black", what: "take-back" } });
    ask();
    await game.send({ action: "decline", offer: "take-back" });
    expect(game.ownOffer).toBeNull();
    ask();
    game.choose("a2");
    await settled();
    expect([line(game), game.ownOffer]).toEqual([["b1", "a1", "a2"], null]);
    // Accepted: the move is taken back.
    ask();
    client.change({ moves: ["b1", "a1"], position: positionOf({ rule: "reversed", size: 4, start: null, moves: ["b1", "a1"] }).position }, { offer: null });
    // The same person moves on another device.
    ask();
    client.play("a2");
    await settled();
    expect([line(game), told]).toEqual([["b1", "a1", "a2"], []]);
    game.close();
  });

  it("set the clocks", async () => {
    const game = await opened();
    now = 1000;
    client.change({ moves: ["b1"] }, { clock: { seconds: 60, increment: 2, left: { black: 50_000, white: 40_000 }, running: "white" } });
    now = 4000;
    expect([game.clock!.remaining("black", now), game.clock!.remaining("white", now), game.clock!.side]).toEqual([50_000, 37_000, "white"]);
    game.close();
  });
});

describe("seats", () => {
  it("are kept with what was heard last, and forgotten", async () => {
    const game = await opened();
    client.change({ moves: ["b1"], ply: 1, position: positionOf({ rule: "reversed", size: 4, start: null, moves: ["b1"] }).position });
    expect(seats.list().map(({ id, last }) => [id, last.ply, last.black])).toEqual([["abc", 1, "Ann"]]);
    game.close();
    seats.remove("abc");
    expect([seats.list(), seats.get("abc")]).toEqual([[], null]);
  });

  it("are asked for with one token until they are taken", () => {
    const token = seats.joining("xyz");
    expect(token).toMatch(/^[a-z2-9]{32}$/);
    expect(seats.joining("xyz")).toBe(token);
    seats.put({ id: "xyz", side: "white", token, code: null, last: summary(client.state) });
    expect(seats.joining("xyz")).not.toBe(token);
  });

  it("work without a storage, and ignore what is not theirs", () => {
    const none = new Seats(null);
    none.put({ id: "a", side: "white", token: "t", code: null, last: summary(client.state) });
    expect(none.get("a")?.side).toBe("white");
    const storage = new FakeStorage();
    storage.setItem("isrever.seat.b", "{nonsense");
    storage.setItem("isrever.seat.c", '{"id":"c","side":"green"}');
    expect(new Seats(storage).list()).toEqual([]);
  });
});
