// The API client: what it asks, what it makes of refusals, and how streams end.
import { describe, expect, it } from "vitest";
import { Client, Refusal } from "../src/api/client";
import { Splitter } from "../src/api/events";

interface Asked {
  path: string;
  init: RequestInit;
}

/** A client whose server gives these answers one after another, and what it was asked. */
function scripted(...answers: (Response | Error)[]): { client: Client; asked: Asked[]; waited: number[] } {
  const asked: Asked[] = [];
  const waited: number[] = [];
  const client = new Client(
    async (path, init = {}) => {
      asked.push({ path, init });
      const answer = answers.shift();
      if (!answer) throw new Error("asked too often");
      if (answer instanceof Error) throw answer;
      return answer;
    },
    async (seconds) => void waited.push(seconds),
  );
  return { client, asked, waited };
}

const json = (body: unknown, status = 200, headers: Record<string, string> = {}): Response => new Response(JSON.stringify(body), { status, headers });
const refused = (code: string, status: number, headers = {}): Response => json({ error: { code, message: `no: ${code}`, field: "moves" } }, status, headers);
const game = { rule: "reversed", size: 8, start: null, moves: ["f5", "d6"] } as const;

/** A response that streams these pieces. */
function streaming(...pieces: string[]): Response {
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const piece of pieces) controller.enqueue(new TextEncoder().encode(piece));
      controller.close();
    },
  });
  return new Response(body, { headers: { "Content-Type": "text/event-stream" } });
}

describe("requests", () => {
  it("send a game without its usual start", async () => {
    const { client, asked } = scripted(json({ board: "…" }));
    await client.position(game, true);
    expect(asked[0]!.path).toBe("/api/position");
    expect(JSON.parse(asked[0]!.init.body as string)).toEqual({ rule: "reversed", size: 8, moves: ["f5", "d6"], history: true });
  });

  it("ask for what follows a position and an agent's move", async () => {
    const { client, asked } = scripted(json({ board: "…" }), json({ move: "c3" }));
    await client.ahead(game);
    await client.move(game, "greedy");
    expect(asked.map(({ path }) => path)).toEqual(["/api/position", "/api/move"]);
    for (const { init } of asked) expect(JSON.parse(init.body as string)).toMatchObject({ moves: ["f5", "d6"], ahead: true });
  });

  it("put a game into the address for streams", async () => {
    const { client, asked } = scripted(streaming('event: done\ndata: {"reason":"over"}\n\n'));
    await client.analysis({ ...game, start: "-----OX--XO----- O", size: 4 }, { seconds: 30 }, () => undefined, new AbortController().signal);
    const query = new URL(asked[0]!.path, "http://here").searchParams;
    expect(Object.fromEntries(query)).toEqual({ rule: "reversed", size: "4", start: "-----OX--XO----- O", moves: "f5,d6", seconds: "30" });
  });

  it("leave out limits of an analysis that are none", async () => {
    const done = (): Response => streaming('event: done\ndata: {"reason":"over"}\n\n');
    const { client, asked } = scripted(done(), done());
    await client.analysis(game, { seconds: 5, depth: 12, threads: 4 }, () => undefined, new AbortController().signal);
    await client.analysis(game, { seconds: 5, depth: 0, threads: 1 }, () => undefined, new AbortController().signal);
    const limits = asked.map(({ path }) => ["seconds", "depth", "threads"].map((name) => new URL(path, "http://here").searchParams.get(name)));
    expect(limits).toEqual([["5", "12", "4"], ["5", null, null]]);
  });

  it("tell the server's own words when it refuses", async () => {
    const { client } = scripted(refused("illegal-move", 400));
    const error = await client.position(game).catch((each: unknown) => each);
    expect(error).toBeInstanceOf(Refusal);
    expect(error).toMatchObject({ code: "illegal-move", message: "no: illegal-move", field: "moves" });
  });

  it("tell an answer that is none, and no answer", async () => {
    const { client } = scripted(new Response("<html>", { status: 502 }), new TypeError("network"));
    await expect(client.position(game)).rejects.toMatchObject({ code: "internal" });
    await expect(client.position(game)).rejects.toMatchObject({ code: "offline" });
  });

  it("wait as long as a busy server says, and then ask again", async () => {
    const busy = (): Response => refused("busy", 503, { "Retry-After": "2" });
    const { client, asked, waited } = scripted(busy(), busy(), json({ text: "f5\n" }));
    expect(await client.write(game, "moves", { black: "a", white: "b" })).toBe("f5\n");
    expect(asked).toHaveLength(3);
    expect(waited).toEqual([2, 2]);
  });

  it("give up on a server that stays busy", async () => {
    const busy = (): Response => refused("busy", 503, { "Retry-After": "1" });
    const { client, asked } = scripted(busy(), busy(), busy(), busy());
    await expect(client.position(game)).rejects.toMatchObject({ code: "busy" });
    expect(asked).toHaveLength(4);
  });

  it("tell when the server is in trouble, and not when the request was wrong", async () => {
    const full = refused("disk-full", 507);
    const { client } = scripted(refused("illegal-move", 400), refused("too-many", 429), full, new TypeError("network"), streaming("event: values\ndata: {}\n\n"));
    let count = 0;
    client.troubled.on(() => (count += 1));
    const counts: number[] = [];
    for (let turn = 0; turn < 4; turn += 1) {
      await expect(client.position(game)).rejects.toBeInstanceOf(Refusal);
      counts.push(count);
    }
    await expect(client.analysis(game, { seconds: 1 }, () => undefined, new AbortController().signal)).rejects.toMatchObject({ code: "offline" });
    expect([...counts, count]).toEqual([0, 1, 2, 3, 4]);
  });

  it("ask for the server's health, and call no answer to that a trouble", async () => {
    const degraded = { status: "degraded", reasons: [{ code: "disk-low", message: "…" }] };
    const { client, asked } = scripted(json(degraded), refused("busy", 503, { "Retry-After": "2" }), new TypeError("network"));
    let count = 0;
    client.troubled.on(() => (count += 1));
    expect(await client.health()).toEqual(degraded);
    await expect(client.health()).rejects.toThrow();
    await expect(client.health()).rejects.toThrow();
    expect([asked.map(({ path }) => path), count]).toEqual([["/api/health", "/api/health", "/api/health"], 0]);
  });

  it("show the token of a saved game to the server only", async () => {
    const { client, asked } = scripted(json({}));
    await client.save("abc", "secret", ["f5"], { revision: 0 });
    expect(asked[0]!.path).toBe("/api/games/abc");
    expect(asked[0]!.init.headers).toMatchObject({ Authorization: "Bearer secret" });
    expect(JSON.parse(asked[0]!.init.body as string)).toEqual({ moves: ["f5"], revision: 0 });
  });
});

describe("files", () => {
  it("are sent as they are, because not every format is text", async () => {
    const { client, asked } = scripted(json({ format: "wthor", count: 0, truncated: false, games: [] }));
    const file = new Blob([new Uint8Array([0xff, 0x00, 0x80])]);
    await client.readFile(file, "reversed", 8);
    expect(asked[0]!.path).toBe("/api/read?rule=reversed&size=8");
    expect(asked[0]!.init.headers).toMatchObject({ "Content-Type": "application/octet-stream" });
    expect(asked[0]!.init.body).toBe(file);
  });
});

describe("streams", () => {
  it("tell each event until the last", async () => {
    const { client } = scripted(streaming("event: values\nda", 'ta: {"depth":1}\n\n: still here\n\nevent: values\ndata: {"depth":2}\n\n', 'event: done\ndata: {"reason":"time"}\n\n'));
    const heard: unknown[] = [];
    await client.analysis(game, { seconds: 1 }, (name, data) => heard.push([name, data]), new AbortController().signal);
    expect(heard).toEqual([["values", { depth: 1 }], ["values", { depth: 2 }], ["done", { reason: "time" }]]);
  });

  it("fail as the server says, or if they break off", async () => {
    const { client } = scripted(streaming('event: failed\ndata: {"error":{"code":"busy","message":"no","field":null}}\n\n'), streaming('event: values\ndata: {"depth":1}\n\n'));
    const listen = (): Promise<void> => client.analysis(game, { seconds: 1 }, () => undefined, new AbortController().signal);
    await expect(listen()).rejects.toMatchObject({ code: "busy" });
    await expect(listen()).rejects.toMatchObject({ code: "offline" });
  });

  it("end quietly when nobody wants to hear more", async () => {
    const stop = new AbortController();
    const { client } = scripted(streaming('event: values\ndata: {"depth":1}\n\nevent: values\ndata: {"depth":2}\n\n'));
    const heard: unknown[] = [];
    await client.analysis(
      game,
      { seconds: 1 },
      (_, data) => {
        heard.push(data);
        stop.abort();
      },
      stop.signal,
    );
    expect(heard).toEqual([{ depth: 1 }]);
  });

  it("are cut the same wherever the pieces end", () => {
    const text = 'event: a\r\ndata: 1\r\ndata: 2\r\n\r\n:\n\ndata: {"x":"é"}\n\ndata\n\n';
    const whole = new Splitter().push(text);
    expect(whole).toEqual([
      { name: "a", data: "1\n2" },
      { name: "message", data: '{"x":"é"}' },
      { name: "message", data: "" },
    ]);
    for (let cut = 1; cut < text.length; cut += 1) {
      const splitter = new Splitter();
      expect([...splitter.push(text.slice(0, cut)), ...splitter.push(text.slice(cut))], `cut at ${cut}`).toEqual(whole);
    }
  });
});
