// Looking positions up in the book: each once, and never the answer of another position; how sure values
// are, in words.
import { describe, expect, it } from "vitest";
import "../src/messages/explore";
import type { Book, BookMove, GameBody } from "../src/api/wire";
import { Client } from "../src/api/client";
import { Lookup } from "../src/game/lookup";
import { Session } from "../src/game/session";
import { sureOf } from "../src/views/explore/sure";
import { aheadOf } from "./fake";

/** A server that answers when it is told to. */
class SlowBook extends Client {
  readonly asked: { moves: string; answer: () => void; fail: () => void }[] = [];

  override ahead(game: GameBody): ReturnType<Client["ahead"]> {
    return Promise.resolve(aheadOf(game));
  }

  override book({ moves }: GameBody, signal: AbortSignal): Promise<Book> {
    return new Promise((resolve, reject) => {
      const book: Book = { books: [], opening: null, known: null, games: moves.length, moves: [], tree: [] };
      this.asked.push({ moves: moves.join(""), answer: () => resolve(book), fail: () => reject(new Error("away")) });
      signal.addEventListener("abort", () => reject(signal.reason as Error));
    });
  }
}

async function opened(): Promise<{ client: SlowBook; session: Session; lookup: Lookup }> {
  const client = new SlowBook();
  const session = new Session(client);
  await session.begin("reversed", 8);
  return { client, session, lookup: new Lookup(client, session) };
}

describe("looking up positions", () => {
  it("asks for each once and shows none in place of another", async () => {
    const { client, session, lookup } = await opened();
    const first = lookup.show();
    expect(lookup.isWaiting).toBe(true);
    session.play("f5");
    const second = lookup.show();
    await first;
    client.asked.at(-1)!.answer();
    await second;
    expect(lookup.book?.games).toBe(1);
    await session.back();
    expect(lookup.book).toBeNull();
    const third = lookup.show();
    client.asked.at(-1)!.answer();
    await third;
    await session.forward();
    await lookup.show();
    expect(client.asked.map(({ moves }) => moves)).toEqual(["", "f5", ""]);
    expect(lookup.book?.games).toBe(1);
  });

  it("goes on without an answer", async () => {
    const { client, lookup } = await opened();
    const shown = lookup.show();
    client.asked.at(-1)!.fail();
    await shown;
    expect([lookup.isFailed, lookup.isWaiting]).toEqual([true, false]);
    const again = lookup.show();
    client.asked.at(-1)!.answer();
    await again;
    expect(lookup.isFailed).toBe(false);
  });

  it("asks nothing of large boards", async () => {
    const { client, session, lookup } = await opened();
    await session.begin("reversed", 12);
    await lookup.show();
    expect([client.asked.length, lookup.isAble, lookup.isWaiting]).toEqual([0, false, false]);
  });
});

describe("how sure a value is", () => {
  const move = (kind: BookMove["kind"], reached?: BookMove["reached"]): BookMove => ({ move: "f5", kind, value: 1, games: 0, ...(reached ? { reached } : {}) });
  const known = { lower: -64, upper: 64, plies: 9, depth: 20, selectivity: 95 };

  it("is a word, a level and its numbers", () => {
    expect(sureOf(move("known", known), false)).toMatchObject({ level: 3, words: "deep" });
    expect(sureOf(move("known", known), false)?.numbers).toMatch(/^9 moves .* 20 plies .* 95 of 100/);
    expect(sureOf(move("known", { ...known, plies: 1 }), false)).toMatchObject({ level: 2, words: "good" });
    expect(sureOf(move("known", { ...known, plies: 1 }), false)?.numbers).toMatch(/^1 move of the best line is /);
    expect(sureOf(move("known", { ...known, lower: 4, upper: 4 }), false)).toMatchObject({ level: 4, words: "proved" });
    expect(sureOf(move("searched"), false)).toMatchObject({ level: 2, words: "first look" });
    expect(sureOf(move("searched"), true)).toMatchObject({ level: 4, words: "proved" });
    expect(sureOf(move("estimated"), true)).toMatchObject({ level: 1, words: "rough" });
    expect(sureOf(move("over"), false)).toMatchObject({ level: 4, words: "ends the game" });
    expect(sureOf(move("unknown"), false)).toBeNull();
  });
});
