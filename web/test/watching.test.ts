// Watching two agents: pause, single moves, going on, and agents that fail.
import { describe, expect, it } from "vitest";
import { Refusal } from "../src/api/client";
import type { GameBody, WatchMove } from "../src/api/wire";
import { Watching } from "../src/game/watching";
import { FakeClient, passedOf, positionOf, settled } from "./fake";

/** A server that streams moves when it is told to. */
class Stream extends FakeClient {
  begun: { game: GameBody; seconds: number; tell: (name: string, data: unknown) => void; fail: (error: Error) => void; signal: AbortSignal }[] = [];

  override position(game: GameBody): Promise<ReturnType<typeof positionOf>> {
    return Promise.resolve(positionOf(game));
  }

  override watch(game: GameBody, { seconds }: { seconds: number }, listener: (name: string, data: unknown) => void, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, fail) => {
      this.begun.push({ game, seconds, tell: (name, data) => (listener(name, data), name === "done" && resolve()), fail, signal });
      signal.addEventListener("abort", () => resolve());
    });
  }

  /** Streams the first legal move of the game. */
  move1(): void {
    const { game, tell } = this.begun.at(-1)!;
    const before = passedOf(game);
    const { square } = before.legal[0]!;
    const moves = [...before.moves, square];
    Object.assign(game, { moves });
    tell("move", { move: square, color: before.turn, value: null, depth: null, seconds: 0.5, output: "hm", position: passedOf({ ...game, moves }) } as WatchMove);
  }
}

function watching(client: Stream, failed: unknown[] = []): Watching {
  return new Watching(client, { black: "mine", white: "random", rule: "reversed", size: 4, pace: "fast" }, (error) => failed.push(error), (spec) => spec === "mine");
}

describe("watching", () => {
  it("pauses, goes on by one move, and then by itself from where it was", async () => {
    const client = new Stream();
    const game = watching(client);
    void game.run();
    client.move1();
    client.move1();
    expect([game.isRunning, game.isPaused, game.moves.length]).toEqual([true, false, 2]);
    // An agent of the owner has the time that it is used to.
    expect(client.begun[0]!.seconds).toBe(5);
    game.pause();
    expect([game.isRunning, game.isPaused]).toEqual([false, true]);
    expect(client.begun[0]!.signal.aborted).toBe(true);
    client.move1();
    expect(game.moves).toHaveLength(2);
    await game.step();
    expect(game.moves.filter(({ move }) => move !== "pass")).toHaveLength(3);
    expect(game.isPaused).toBe(true);
    const { moves } = game.position!;
    void game.resume();
    await settled();
    expect(client.begun[1]!.game.moves).toEqual(moves);
    expect(game.told.map(({ number }) => number)).toEqual([1, 2, 3]);
    expect(game.told[0]).toMatchObject({ agent: "mine", output: "hm", seconds: 0.5 });
  });

  it("begins with a single move, too", async () => {
    const client = new Stream();
    const game = watching(client);
    await game.step();
    expect(game.moves).toHaveLength(1);
    expect(game.isPaused).toBe(true);
  });

  it("notes which agent failed, at which move, and what it had printed", async () => {
    const client = new Stream();
    const failed: unknown[] = [];
    const game = watching(client, failed);
    void game.run();
    client.move1();
    client.move1();
    client.begun[0]!.fail(new Refusal("agent-failed", "mine: crashed", "agent", null, "Traceback"));
    await settled();
    expect(game.failure).toEqual({ agent: "mine", number: 3, message: "mine: crashed", output: "Traceback" });
    expect(failed).toHaveLength(1);
    expect(game.isPaused).toBe(true);
    void game.resume();
    expect(game.failure).toBeNull();
  });
});
