// The games of a browser: each has its own place, and none is lost without need.
import { beforeEach, describe, expect, it } from "vitest";
import { Games } from "../src/game/games";
import { inherited } from "../src/game/origins";
import type { GameRecord } from "../src/game/record";
import { HUMAN } from "../src/game/session";
import { FakeStorage } from "./fake";

let storage: FakeStorage;
let games: Games;
let now = 0;

const begin = (moves: readonly string[] = ["f5"]): GameRecord => games.begin({ rule: "reversed", size: 8, moves, players: { black: HUMAN, white: "greedy" }, clock: "" });

beforeEach(() => {
  storage = new FakeStorage();
  games = new Games(storage, () => (now += 1));
});

describe("games", () => {
  it("are listed, the last played first", () => {
    const [one, two] = [begin(), begin()];
    games.put(one);
    expect(games.list().map(({ id }) => id)).toEqual([one.id, two.id]);
    expect(new Games(storage).get(two.id)).toEqual(two);
    games.remove(one.id);
    expect(games.list().map(({ id }) => id)).toEqual([two.id]);
    expect(games.get(one.id)).toBeNull();
  });

  it("in which nothing happened are forgotten when another is begun", () => {
    const empty = begin([]);
    expect(games.get(empty.id)).not.toBeNull();
    begin([]);
    expect(games.get(empty.id)).toBeNull();
    expect(games.list()).toHaveLength(1);
  });

  it("that are broken are not there", () => {
    const { id } = begin();
    const key = `isrever.game.${id}`;
    for (const text of ["{", "7", "null", "{}", storage.getItem(key)!.replace('"r8/f5"', '"r9/f5"'), storage.getItem(key)!.replace('"ply":1', '"ply":"x"')]) {
      storage.setItem(key, text);
      expect(games.get(id)).toBeNull();
      expect(games.list()).toEqual([]);
    }
  });

  it("that are finished make room, the oldest first; unfinished ones never do", () => {
    const running = begin();
    const [old, recent] = [begin(), begin()].map((record) => {
      record.end = { reason: "resigned", winner: "black", margin: null };
      games.put(record);
      return record;
    }) as [GameRecord, GameRecord];
    storage.room = [...storage.items.values()].reduce((sum, text) => sum + text.length, 0) + 10;
    const next = begin();
    expect(games.get(old.id)).toBeNull();
    for (const { id } of [running, recent, next]) expect(games.get(id)).not.toBeNull();
  });

  it("are there until the page is closed where nothing can be stored", () => {
    games = new Games(null);
    const { id } = begin();
    expect(games.get(id)?.game).toBe("r8/f5");
    expect(games.list()).toHaveLength(1);
  });

  it("of older versions are taken over", () => {
    const record = inherited('{"game":"r8/f5d6(f4)c3@1","players":{"black":"human","white":"engine:level=5"},"saved":{"id":"a","token":"b"}}')!;
    expect(record).toMatchObject({ game: "r8/f5d6(f4)c3", ply: 3, players: { black: "human", white: "engine:level=5" } });
    for (const text of [null, "{", "7", "{}", '{"game":"r8/"}', '{"game":"x"}']) expect(inherited(text)).toBeNull();
  });
});
