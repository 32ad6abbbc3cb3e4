// The page's streams over one WebSocket. Browsers open six connections to a server at most, whatever
// the number of tabs, and a stream takes one; WebSockets are not counted.

/** A message about a stream: an event, why it is refused, or only a sign of life. */
export interface Message {
  readonly stream: number;
  readonly event?: string;
  readonly data?: unknown;
  /** Of a refusal. */
  readonly status?: number;
  /** Seconds after which to ask again, if that makes sense. */
  readonly retry?: number | null;
}

/** Hears a stream's messages, and null when the channel breaks. */
type Listener = (message: Message | null) => void;

/** The channel cannot be opened. */
export class NoChannel extends Error {}

export class Channel {
  private socket: Promise<WebSocket> | null = null;
  private readonly listeners = new Map<number, Listener>();
  private last = 0;
  private breakOff = (): void => undefined;

  constructor(private readonly make: () => WebSocket) {}

  /** The messages of a stream until the channel breaks or the reader leaves; throws NoChannel if there is none. */
  async *stream(path: string, signal: AbortSignal, token: string | null = null): AsyncGenerator<Message> {
    const socket = await this.opened();
    if (signal.aborted) return;
    const stream = (this.last += 1);
    const waiting: (Message | null)[] = [];
    let wake = (): void => undefined;
    const put = (message: Message | null): void => {
      waiting.push(message);
      wake();
    };
    const leave = (): void => put(null);
    this.listeners.set(stream, put);
    signal.addEventListener("abort", leave);
    try {
      socket.send(JSON.stringify({ stream, path, ...(token === null ? {} : { token }) }));
      for (;;) {
        if (waiting.length === 0) await new Promise<void>((resolve) => (wake = resolve));
        const message = waiting.shift();
        if (!message || signal.aborted) return;
        yield message;
      }
    } finally {
      signal.removeEventListener("abort", leave);
      this.listeners.delete(stream);
      // Ends the search on the server.
      if (socket.readyState === socket.OPEN) socket.send(JSON.stringify({ stream }));
    }
  }

  /** Gives up the socket, whose other end may be gone; the next stream opens another. */
  close(): void {
    this.breakOff();
  }

  /** The open socket; all who ask meanwhile wait for the same one. */
  private opened(): Promise<WebSocket> {
    this.socket ??= new Promise<WebSocket>((resolve, reject) => {
      const socket = this.make();
      let isBroken = false;
      const breakOff = (): void => {
        if (isBroken) return;
        isBroken = true;
        this.socket = null;
        this.breakOff = () => undefined;
        reject(new NoChannel("the channel cannot be opened"));
        for (const listener of [...this.listeners.values()]) listener(null);
        // A dead connection takes its time to close, and nobody waits for that.
        socket.close();
      };
      this.breakOff = breakOff;
      socket.addEventListener("open", () => resolve(socket));
      socket.addEventListener("message", ({ data }) => {
        const message = JSON.parse(String(data)) as Message;
        if (!isBroken) this.listeners.get(message.stream)?.(message);
      });
      socket.addEventListener("close", breakOff);
    });
    return this.socket;
  }
}

/** The channel of this page's server. */
export function ownChannel(): Channel {
  return new Channel(() => {
    const { protocol, host } = globalThis.location;
    return new WebSocket(`${protocol === "https:" ? "wss" : "ws"}://${host}/api/channel`);
  });
}
