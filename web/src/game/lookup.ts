// What the book knows of the position on a board: it is looked up for every position that the board
// shows, and remembered for as long as the screen is there.

import type { Client } from "../api/client";
import type { Book } from "../api/wire";
import { Topic } from "../ui/topic";
import { isLarge } from "./notation";
import type { Session } from "./session";

export class Lookup {
  /** Told when there is something else to show. */
  readonly changed = new Topic();
  /** Whether the last answer did not come. */
  isFailed = false;
  private readonly known = new Map<string, Book>();
  private asked: AbortController | null = null;

  constructor(
    private readonly client: Client,
    private readonly session: Session,
  ) {}

  /** Whether there can be a book for the board. */
  get isAble(): boolean {
    return !isLarge(this.session.game.size);
  }

  /** What is known of the position on the board; null until the server has answered. */
  get book(): Book | null {
    return this.known.get(this.key) ?? null;
  }

  /** Whether an answer is on its way. */
  get isWaiting(): boolean {
    return this.isAble && !this.isFailed && this.book === null;
  }

  /** Looks up the position on the board. */
  async show(): Promise<void> {
    this.stop();
    const { key } = this;
    if (!this.isAble || this.known.has(key)) {
      this.changed.tell();
      return;
    }
    const asked = new AbortController();
    this.asked = asked;
    this.isFailed = false;
    try {
      this.known.set(key, await this.client.book(this.session.body(), asked.signal));
    } catch {
      // The frame says what the server cannot do; the board goes on without the book.
      if (asked.signal.aborted) return;
      this.isFailed = true;
    }
    if (!asked.signal.aborted) this.changed.tell();
  }

  /** Waits for no answer any more. */
  stop(): void {
    this.asked?.abort();
    this.asked = null;
  }

  private get key(): string {
    const { rule, size, start, moves } = this.session.body();
    return `${rule}${size}${start ?? ""}/${moves.filter((move) => move !== "pass").join("")}`;
  }
}
