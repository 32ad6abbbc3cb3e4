// A game that two agents play on the server, as it is watched: it goes on while its screen is drawn
// again.

import type { Client } from "../api/client";
import type { Position, WatchMove } from "../api/wire";
import { Topic } from "../ui/topic";
import type { Rule, Size } from "./notation";
import type { Players } from "./session";

/** Seconds between moves. */
export const PACES = { slow: 1.5, normal: 0.6, fast: 0.05 } as const;

/** What is chosen for the next game. */
export interface Wanted extends Players {
  rule: Rule;
  size: Size;
  pace: keyof typeof PACES;
}

export class Watching {
  /** Tells a move, or null for anything else that has changed. */
  readonly changed = new Topic<WatchMove | null>();
  /** The players and moves of the game that is shown. */
  players: Players;
  moves: WatchMove[] = [];
  position: Position | null = null;
  private search: AbortController | null = null;

  constructor(
    private readonly client: Client,
    readonly wanted: Wanted,
    private readonly failed: (error: unknown) => void,
  ) {
    this.players = { black: wanted.black, white: wanted.white };
  }

  get isRunning(): boolean {
    return this.search !== null;
  }

  /** Whether there is a game to look at: not only the board before the first move. */
  get hasGame(): boolean {
    return this.isRunning || this.moves.length > 0;
  }

  /** Shows the board before the first move, if no game is there that it would replace. */
  async preview(): Promise<void> {
    if (this.hasGame) return;
    const { rule, size, black, white } = this.wanted;
    try {
      const position = await this.client.position({ rule, size, start: null, moves: [] });
      if (this.hasGame || rule !== this.wanted.rule || size !== this.wanted.size) return;
      this.players = { black, white };
      this.position = position;
      this.changed.tell(null);
    } catch (error) {
      this.failed(error);
    }
  }

  stop(): void {
    this.search?.abort();
    this.search = null;
    this.changed.tell(null);
  }

  async run(): Promise<void> {
    const { black, white, rule, size, pace } = this.wanted;
    const search = new AbortController();
    this.search = search;
    this.players = { black, white };
    this.moves = [];
    this.changed.tell(null);
    const listener = (name: string, data: unknown): void => {
      if (this.search !== search) return;
      if (name === "start") this.position = (data as { position: Position }).position;
      if (name === "move") {
        const move = data as WatchMove;
        this.position = move.position;
        this.moves.push(move);
        this.changed.tell(move);
      } else this.changed.tell(null);
    };
    try {
      await this.client.watch({ rule, size, start: null, moves: [] }, { black, white, seconds: 1, pause: PACES[pace] }, listener, search.signal);
    } catch (error) {
      if (this.search === search) this.failed(error);
    }
    if (this.search !== search) return;
    this.search = null;
    this.changed.tell(null);
  }
}
