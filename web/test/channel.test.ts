import { expect, test } from "vitest";
import { Channel, NoChannel } from "../src/api/channel";
import { Client, Refusal } from "../src/api/client";

/** What a page sends. */
interface Asked {
  stream: number;
  path?: string;
  token?: string;
}

/** A WebSocket whose other end is the test. */
class Socket extends EventTarget {
  readonly sent: Asked[] = [];
  readonly OPEN = 1;
  readyState = 1;

  send(text: string): void {
    this.sent.push(JSON.parse(text) as Asked);
  }

  tell(message: unknown): void {
    this.dispatchEvent(new MessageEvent("message", { data: JSON.stringify(message) }));
  }

  close(): void {
    if (this.readyState === 1) this.break();
  }

  break(): void {
    this.readyState = 3;
    this.dispatchEvent(new Event("close"));
  }
}

const GAME = { rule: "reversed", size: 8, start: null, moves: [] } as const;

/** Lets everything happen that can. */
const settled = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));

/** A client over a channel whose sockets open at once, or never. */
function connected(opens = true): { client: Client; sockets: Socket[]; asked: string[] } {
  const sockets: Socket[] = [];
  const asked: string[] = [];
  const channel = new Channel(() => {
    const socket = new Socket();
    sockets.push(socket);
    queueMicrotask(() => (opens ? socket.dispatchEvent(new Event("open")) : socket.break()));
    return socket as unknown as WebSocket;
  });
  const fetch = (input: string): Promise<Response> => {
    asked.push(input);
    return Promise.resolve(new Response('event: done\ndata: {"reason":"time"}\n\n'));
  };
  return { client: new Client(fetch, () => Promise.resolve(), channel), sockets, asked };
}

test("several streams share one socket, and each hears its own", async () => {
  const { client, sockets, asked } = connected();
  const heard: string[] = [];
  const listen = (name: string) => (event: string, data: unknown) => heard.push(`${name} ${event} ${JSON.stringify(data)}`);
  const { signal } = new AbortController();
  const first = client.analysis(GAME, { seconds: 1 }, listen("first"), signal);
  const second = client.solve(GAME, "exact", listen("second"), signal);
  await settled();
  const [socket] = sockets;
  expect(sockets).toHaveLength(1);
  expect(socket!.sent.map(({ path }) => path?.split("?")[0])).toEqual(["/api/analysis", "/api/solve"]);
  const [one, two] = socket!.sent.map(({ stream }) => stream);
  socket!.tell({ stream: two, event: "solution", data: 2 });
  socket!.tell({ stream: one });
  socket!.tell({ stream: one, event: "values", data: 1 });
  socket!.tell({ stream: 99, event: "values", data: 9 });
  socket!.tell({ stream: one, event: "done", data: "end" });
  socket!.tell({ stream: two, event: "done", data: "end" });
  await Promise.all([first, second]);
  const of = (name: string): string[] => heard.filter((line) => line.startsWith(name));
  expect(of("first")).toEqual(["first values 1", 'first done "end"']);
  expect(of("second")).toEqual(["second solution 2", 'second done "end"']);
  expect(asked).toEqual([]);
});

test("who leaves ends the search on the server", async () => {
  const { client, sockets } = connected();
  const reader = new AbortController();
  const stream = client.analysis(GAME, { seconds: 1 }, () => undefined, reader.signal);
  await settled();
  reader.abort();
  await stream;
  const sent = sockets[0]!.sent;
  expect(sent.at(-1)).toEqual({ stream: sent[0]!.stream });
});

test("a busy server is asked again, and a refusal is told", async () => {
  const { client, sockets } = connected();
  const { signal } = new AbortController();
  const stream = client.analysis(GAME, { seconds: 1 }, () => undefined, signal);
  await settled();
  const socket = sockets[0]!;
  const error = { code: "busy", message: "busy", field: null };
  socket.tell({ stream: socket.sent[0]!.stream, status: 503, retry: 1, data: { error } });
  await settled();
  const again = socket.sent.filter(({ path }) => path !== undefined);
  expect(again).toHaveLength(2);
  socket.tell({ stream: again[1]!.stream, status: 400, retry: null, data: { error: { ...error, code: "bad-request" } } });
  await expect(stream).rejects.toMatchObject({ code: "bad-request" });
});

test("a channel that breaks is trouble, and the next stream opens another", async () => {
  const { client, sockets } = connected();
  const { signal } = new AbortController();
  const stream = client.analysis(GAME, { seconds: 1 }, () => undefined, signal);
  await settled();
  sockets[0]!.break();
  await expect(stream).rejects.toBeInstanceOf(Refusal);
  const next = client.analysis(GAME, { seconds: 1 }, () => undefined, signal);
  await settled();
  sockets[1]!.tell({ stream: sockets[1]!.sent[0]!.stream, event: "done", data: null });
  await next;
});

test("without WebSockets streams take connections of their own", async () => {
  const { client, asked } = connected(false);
  const heard: string[] = [];
  await client.analysis(GAME, { seconds: 1 }, (event) => heard.push(event), new AbortController().signal);
  expect(heard).toEqual(["done"]);
  expect(asked).toHaveLength(1);
  expect(new NoChannel("")).toBeInstanceOf(Error);
});

test("followed games share the socket, with the token of a seat, and every sign of life is told", async () => {
  const { client, sockets, asked } = connected();
  const heard: string[] = [];
  let signs = 0;
  const leaving = new AbortController();
  const followed = ["a", "b", "c", "d", "e", "f", "g"].map((id) =>
    client.follow(id, (event, data) => heard.push(`${id} ${event} ${String(data)}`), leaving.signal, id === "a" ? "secret" : null, () => (signs += 1)),
  );
  await settled();
  const { sent } = sockets[0]!;
  expect(sockets).toHaveLength(1);
  expect(sent.map(({ path }) => path)).toEqual(["a", "b", "c", "d", "e", "f", "g"].map((id) => `/api/games/${id}/follow`));
  expect(sent.map(({ token }) => token)).toEqual(["secret", ...Array.from({ length: 6 }, () => undefined)]);
  for (const { stream } of sent) sockets[0]!.tell({ stream, event: "game", data: stream });
  sockets[0]!.tell({ stream: sent[0]!.stream });
  await settled();
  expect(heard).toHaveLength(7);
  expect(signs).toBe(8);
  leaving.abort();
  await Promise.all(followed);
  expect(asked).toEqual([]);
});

test("a channel that is given up ends its streams, and the next one opens another", async () => {
  const { client, sockets } = connected();
  const first = client.follow("a", () => undefined, new AbortController().signal);
  await settled();
  client.renew();
  await expect(first).rejects.toMatchObject({ code: "offline" });
  expect(sockets[0]!.readyState).toBe(3);
  const leaving = new AbortController();
  const second = client.follow("a", () => undefined, leaving.signal);
  await settled();
  expect(sockets).toHaveLength(2);
  // What the old socket still says is for nobody.
  sockets[0]!.tell({ stream: sockets[1]!.sent[0]!.stream, event: "done", data: null });
  leaving.abort();
  await second;
});
