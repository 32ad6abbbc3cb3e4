// The server's API as functions. A refusal throws a `Refusal` with the server's message; so does a
// server that cannot be reached, with the code `offline`. A request is retried only if the server
// asks for that.

import { Topic } from "../ui/topic";
import { type Channel, type Message, NoChannel } from "./channel";
import { events } from "./events";
import type * as wire from "./wire";

/** Why a request was not answered. */
export class Refusal extends Error {
  constructor(
    readonly code: string,
    message: string,
    readonly field: string | null = null,
    /** Seconds after which to try again, if the server said so. */
    readonly retry: number | null = null,
    /** What an agent that failed has printed. */
    readonly output: string | null = null,
  ) {
    super(message);
  }
}

/** Receives the events of a stream: name and data. */
export type Listener = (name: string, data: unknown) => void;

type Fetch = (input: string, init?: RequestInit) => Promise<Response>;
type Query = Record<string, string | number | boolean | null | undefined>;

/** Who listens to a stream: the bearer of a token, and somebody who is told of every sign of life. */
interface Following {
  token?: string | null;
  heard?: () => void;
}

/** How often a request is tried while the server is busy. */
const TRIES = 4;

/** What a server says that is there and has too much to do. */
const TOO_MANY = 429;

export class Client {
  /** Told when the server could not be reached, or could not do what it was asked for. */
  readonly troubled = new Topic();

  constructor(
    private readonly fetch: Fetch = (input, init) => globalThis.fetch(input, init),
    private readonly wait: (seconds: number, signal?: AbortSignal) => Promise<void> = pause,
    /** What carries streams that need a search; without it each takes a connection. */
    private readonly channel: Channel | null = null,
  ) {}

  position(game: wire.GameBody, history = false): Promise<wire.Position> {
    return this.ask("POST", "/api/position", history ? { ...body(game), history } : body(game));
  }

  /** The position with forced passes played, and the position after each legal move. */
  ahead(game: wire.GameBody): Promise<wire.Position> {
    return this.ask("POST", "/api/position", { ...body(game), ahead: true });
  }

  /** An agent's move, and the position after it as `ahead` describes it. */
  move(
    game: wire.GameBody,
    agent: string,
    options: { seconds?: number; signal?: AbortSignal } = {},
  ): Promise<wire.AgentMove> {
    const { signal, seconds } = options;
    const asked = { ...body(game), agent, ahead: true, ...(seconds === undefined ? {} : { seconds }) };
    return this.ask("POST", "/api/move", asked, signal ? { signal } : {});
  }

  agents(): Promise<wire.Agents> {
    return this.ask("GET", "/api/agents");
  }

  /** Values of every move; a depth of 0 is no limit. */
  analysis(game: wire.GameBody, limits: { seconds: number; depth?: number; threads?: number }, listener: Listener, signal: AbortSignal): Promise<void> {
    const { seconds, depth = 0, threads = 1 } = limits;
    return this.overChannel("/api/analysis", { ...query(game), seconds, depth: depth || null, threads: threads > 1 ? threads : null }, listener, signal);
  }

  solve(
    game: wire.GameBody,
    goal: "exact" | "wld",
    listener: Listener,
    signal: AbortSignal,
  ): Promise<void> {
    return this.overChannel("/api/solve", { ...query(game), goal, seconds: 60 }, listener, signal);
  }

  review(game: wire.GameBody, seconds: number, listener: Listener, signal: AbortSignal): Promise<void> {
    return this.overChannel("/api/review", { ...query(game), seconds }, listener, signal);
  }

  watch(
    game: wire.GameBody,
    settings: { black: string; white: string; seconds: number; pause: number },
    listener: Listener,
    signal: AbortSignal,
  ): Promise<void> {
    return this.overChannel("/api/watch", { ...query(game), ...settings }, listener, signal);
  }

  /** What the book knows of a position. */
  book(game: wire.GameBody, signal: AbortSignal): Promise<wire.Book> {
    return this.ask("GET", `/api/book${text(query(game))}`, undefined, { signal });
  }

  read(text: string, rule: string, size: number): Promise<wire.Read> {
    return this.ask("POST", "/api/read", { text, rule, size });
  }

  /** Reads a file as it is: not every format is text. */
  readFile(bytes: Blob, rule: string, size: number): Promise<wire.Read> {
    return this.ask("POST", `/api/read${text({ rule, size })}`, bytes);
  }

  async write(game: wire.GameBody, format: wire.Format, names: { black?: string; white?: string }, variations: readonly string[] = []): Promise<string> {
    const asked = { ...body(game), format, ...names, ...(variations.length > 0 ? { variations } : {}) };
    return (await this.ask<{ text: string }>("POST", "/api/write", asked)).text;
  }

  /** The board after the last move as an SVG file, the same that the API gives others. */
  async picture(game: wire.GameBody, language: string): Promise<Blob> {
    return (await this.request(`/api/board.svg${text({ ...query(game), language })}`, {})).blob();
  }

  begin(game: wire.GameBody, black: wire.Player, white: wire.Player): Promise<{ id: string; token: string; game: wire.SavedGame }> {
    return this.ask("POST", "/api/games", { ...body(game), black, white });
  }

  save(
    id: string,
    token: string,
    moves: readonly string[],
    options: wire.GameChange = {},
  ): Promise<wire.SavedGame> {
    return this.ask("PUT", `/api/games/${id}`, { moves, ...options }, { headers: { Authorization: `Bearer ${token}` } });
  }

  async delete(id: string, token: string): Promise<void> {
    await this.ask("DELETE", `/api/games/${id}`, undefined, { headers: { Authorization: `Bearer ${token}` } });
  }

  games(filters: Query): Promise<wire.SavedGames> {
    return this.ask("GET", `/api/games${text(filters)}`);
  }

  game(id: string): Promise<wire.SavedGame> {
    return this.ask("GET", `/api/games/${encodeURIComponent(id)}`);
  }

  /** What the owner's agents told with the moves of a saved game. */
  async told(id: string, token: string): Promise<wire.ToldMove[]> {
    const headers = { Authorization: `Bearer ${token}` };
    return (await this.ask<{ told: wire.ToldMove[] }>("GET", `/api/games/${encodeURIComponent(id)}/told`, undefined, { headers })).told;
  }

  /** Follows a game, for a seat if there is a token. `heard` is told of every sign of life. */
  follow(id: string, listener: Listener, signal: AbortSignal, token: string | null = null, heard?: () => void): Promise<void> {
    return this.overChannel(`/api/games/${encodeURIComponent(id)}/follow`, {}, listener, signal, { token, ...(heard ? { heard } : {}) });
  }

  /** Opens another channel for all streams: nothing comes over this one any more. */
  renew(): void {
    this.channel?.close();
  }

  /** Begins a game with a friend. */
  host(
    game: wire.GameBody,
    side: "black" | "white",
    name: string,
    clock: { seconds: number; increment: number } | null,
  ): Promise<{ id: string; token: string; code: string; side: "black" | "white"; game: wire.SavedGame }> {
    return this.ask("POST", "/api/friends", { ...body(game), side, name, ...(clock ? { clock } : {}) });
  }

  /** Takes the free seat of a game; the same token gets the same seat again. */
  join(id: string, code: string, token: string, name: string): Promise<{ side: "black" | "white"; game: wire.SavedGame }> {
    return this.ask("POST", `/api/friends/${encodeURIComponent(id)}/join`, { code, token, name });
  }

  /** Asks the referee for something; the same `request` again changes nothing. */
  act(id: string, token: string, action: wire.Action, revision: number, request: string): Promise<wire.SavedGame> {
    return this.ask("POST", `/api/friends/${encodeURIComponent(id)}/act`, { ...action, revision, request }, { headers: { Authorization: `Bearer ${token}` } });
  }

  /** Tests the file of one of the owner's agents, until `signal` aborts it. */
  check(agent: string, { rule, size }: wire.GameKind, listener: Listener, signal: AbortSignal): Promise<void> {
    return this.stream(`/api/agents/${encodeURIComponent(agent)}/check`, { rule, size }, listener, signal);
  }

  /** Where others reach the server; null if only this machine does. */
  address(): Promise<{ url: string | null; public: boolean }> {
    return this.ask("GET", "/api/address");
  }

  async tournaments(): Promise<wire.Tournament[]> {
    return (await this.ask<{ tournaments: wire.Tournament[] }>("GET", "/api/tournaments")).tournaments;
  }

  tournament(id: number): Promise<wire.TournamentPage> {
    return this.ask("GET", `/api/tournaments/${id}`);
  }

  tournamentGames(id: number, filters: Query): Promise<{ games: wire.TournamentGame[]; next: number | null }> {
    return this.ask("GET", `/api/tournaments/${id}/games${text(filters)}`);
  }

  replay(id: number, number: number): Promise<wire.Replay> {
    return this.ask("GET", `/api/tournaments/${id}/games/${number}`);
  }

  async ratings(): Promise<wire.Series[]> {
    return (await this.ask<{ series: wire.Series[] }>("GET", "/api/ratings")).series;
  }

  puzzle(rule: string, size: number, level: number, after?: string): Promise<wire.Puzzle> {
    return this.ask("GET", `/api/puzzles${text({ rule, size, level, after })}`);
  }

  /** The puzzle with this id. */
  puzzleOf(id: string): Promise<wire.Puzzle> {
    return this.ask("GET", `/api/puzzles/${encodeURIComponent(id)}`);
  }

  answer(id: string, move: string): Promise<wire.PuzzleAnswer> {
    return this.ask("POST", `/api/puzzles/${encodeURIComponent(id)}/answer`, { move });
  }

  /** The server's health; asked once, and no trouble if there is no answer. */
  async health(): Promise<wire.Health> {
    const response = await this.fetch("/api/health", {});
    if (!response.ok) throw new Refusal("internal", "no health");
    return (await response.json()) as wire.Health;
  }

  /** Sends a request and reads its answer; tries again if the server is busy, unless once is enough. */
  async ask<T>(
    method: string,
    path: string,
    asked?: unknown,
    options: { signal?: AbortSignal; headers?: Record<string, string>; isTriedOnce?: boolean } = {},
  ): Promise<T> {
    const { headers, isTriedOnce = false, ...rest } = options;
    const most = isTriedOnce ? 1 : TRIES;
    const isFile = asked instanceof Blob;
    const init: RequestInit = {
      method,
      ...rest,
      headers: { ...headers, ...(asked === undefined ? {} : { "Content-Type": isFile ? "application/octet-stream" : "application/json" }) },
      ...(asked === undefined ? {} : { body: isFile ? asked : JSON.stringify(asked) }),
    };
    for (let tries = 1; ; tries += 1) {
      try {
        const response = await this.request(path, init);
        // 204: there is nothing to say.
        return (response.status === 204 ? null : await response.json()) as T;
      } catch (error) {
        if (!(error instanceof Refusal) || error.retry === null || tries === most) throw error;
        await this.wait(error.retry, options.signal);
      }
    }
  }

  /** Listens to a stream over the channel, or on a connection of its own where no channel can be opened. */
  private async overChannel(path: string, asked: Query, listener: Listener, signal: AbortSignal, more: Following = {}): Promise<void> {
    const { channel } = this;
    if (!channel) return this.stream(path, asked, listener, signal, more);
    try {
      await this.persist(signal, () => this.hear(channel.stream(`${path}${text(asked)}`, signal, more.token ?? null), listener, signal, more.heard));
    } catch (error) {
      if (!(error instanceof NoChannel)) throw error;
      await this.stream(path, asked, listener, signal, more);
    }
  }

  /** Listens to a stream on a connection of its own until it ends or `signal` aborts it. */
  private stream(path: string, asked: Query, listener: Listener, signal: AbortSignal, more: Following = {}): Promise<void> {
    const token = more.token ? { Authorization: `Bearer ${more.token}` } : {};
    const init: RequestInit = { headers: { Accept: "text/event-stream", ...token }, signal };
    return this.persist(signal, async () => {
      const response = await this.request(`${path}${text(asked)}`, init);
      await this.listen(response, listener, signal, more.heard);
    });
  }

  /** Does something again while the server asks for that; an aborted attempt is no error. */
  private async persist(signal: AbortSignal, act: () => Promise<void>): Promise<void> {
    try {
      for (let tries = 1; ; tries += 1) {
        try {
          return await act();
        } catch (error) {
          if (!(error instanceof Refusal) || error.retry === null || tries === TRIES) throw error;
          await this.wait(error.retry, signal);
        }
      }
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  }

  /** Tells a channel's messages about a stream. */
  private async hear(messages: AsyncGenerator<Message>, listener: Listener, signal: AbortSignal, heard?: () => void): Promise<void> {
    for await (const { event, data, status, retry } of messages) {
      if (signal.aborted) return;
      heard?.();
      if (status !== undefined) throw this.refused(status, refusal(data, retry ?? null));
      if (event === "failed") throw this.trouble(refusal(data, null));
      if (event !== undefined) listener(event, data);
      if (event === "done") return;
    }
    if (!signal.aborted) throw this.trouble(new Refusal("offline", "the stream broke off"));
  }

  private async listen(response: Response, listener: Listener, signal: AbortSignal, heard?: () => void): Promise<void> {
    if (!response.body) throw this.trouble(new Refusal("offline", "the answer has no body"));
    for await (const { name, data } of this.received(response.body, signal, heard)) {
      if (signal.aborted) return;
      const told: unknown = JSON.parse(data);
      if (name === "failed") throw this.trouble(refusal(told, null));
      listener(name, told);
      if (name === "done") return;
    }
    if (!signal.aborted) throw this.trouble(new Refusal("offline", "the stream broke off"));
  }

  /** The events of a stream; a connection that breaks is the server's silence. */
  private async *received(body: ReadableStream<Uint8Array>, signal: AbortSignal, heard?: () => void): ReturnType<typeof events> {
    try {
      yield* events(body, heard);
    } catch (error) {
      if (signal.aborted) throw error;
      throw this.trouble(new Refusal("offline", "the stream broke off"));
    }
  }

  private async request(path: string, init: RequestInit): Promise<Response> {
    let response: Response;
    try {
      response = await this.fetch(path, init);
    } catch (error) {
      if (init.signal?.aborted) throw error;
      throw this.trouble(new Refusal("offline", "the server does not answer"));
    }
    if (response.ok) return response;
    const retry = Number(response.headers.get("Retry-After") ?? Number.NaN);
    const told: unknown = await response.json().catch(() => null);
    throw this.refused(response.status, refusal(told, Number.isFinite(retry) ? retry : null));
  }

  /** A refusal with this status: some are about the server, others about the request. */
  private refused(status: number, error: Refusal): Refusal {
    return status >= 500 || status === TOO_MANY ? this.trouble(error) : error;
  }

  /** Tells that the server is in trouble. */
  private trouble(error: Refusal): Refusal {
    this.troubled.tell();
    return error;
  }
}

/** The refusal in an error body, or a general one if the body has another shape. */
function refusal(told: unknown, retry: number | null): Refusal {
  const error = (told as { error?: { code?: string; message?: string; field?: string | null; output?: string } } | null)?.error;
  return new Refusal(error?.code ?? "internal", error?.message ?? "an answer that is no answer", error?.field ?? null, retry, error?.output ?? null);
}

/** A game as the API takes it: the usual start is left out. */
function body(game: wire.GameBody): Record<string, unknown> {
  const { rule, size, start, moves } = game;
  return { rule, size, ...(start === null ? {} : { start }), moves };
}

function query(game: wire.GameBody): Query {
  const { rule, size, start, moves } = game;
  return { rule, size, start, moves: moves.length > 0 ? moves.join(",") : null };
}

/** A query; leaves out null values. */
function text(asked: Query): string {
  const pairs = Object.entries(asked).filter(([, value]) => value !== null && value !== undefined);
  return pairs.length === 0 ? "" : `?${new URLSearchParams(pairs.map(([name, value]) => [name, String(value)]))}`;
}

/** Waits until the time is over or `signal` aborts it. */
function pause(seconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, Math.min(seconds, 10) * 1000);
    signal?.addEventListener("abort", () => {
      clearTimeout(timer);
      reject(signal.reason as Error);
    });
  });
}
