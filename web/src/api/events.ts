// Server-sent events over fetch. EventSource would hide the status and body of a refusal, and
// reconnect after the stream has ended.

/** One event: its name (`message` if it has none) and its data. */
export interface ServerEvent {
  readonly name: string;
  readonly data: string;
}

/** Splits a stream of text into events; an incomplete one waits for the next piece. */
export class Splitter {
  private rest = "";

  /** The events that `piece` completes. */
  push(piece: string): ServerEvent[] {
    this.rest += piece;
    const blocks = this.rest.split(/\r\n\r\n|\n\n|\r\r/);
    this.rest = blocks.pop()!;
    return blocks.flatMap((block) => event(block) ?? []);
  }
}

/** The event in a block of lines; null for a block of comments. */
function event(block: string): ServerEvent | null {
  let name = "message";
  const data: string[] = [];
  for (const line of block.split(/\r\n|\n|\r/)) {
    const colon = line.indexOf(":");
    if (colon === 0) continue;
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? "" : line.slice(colon + 1).replace(/^ /, "");
    if (field === "event") name = value;
    else if (field === "data") data.push(value);
  }
  return data.length === 0 ? null : { name, data: data.join("\n") };
}

/** The events of a response's body, as they come. `heard` is told of every piece, comments too. */
export async function* events(body: ReadableStream<Uint8Array>, heard?: () => void): AsyncGenerator<ServerEvent> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  const splitter = new Splitter();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      heard?.();
      yield* splitter.push(decoder.decode(value, { stream: true }));
    }
  } finally {
    // Ends the request, and with it the search on the server.
    await reader.cancel().catch(() => undefined);
  }
}
