// A game that two agents play on the server, as it is watched: it can be paused, goes on from where
// it was, and goes on while its screen is drawn again.

import type { Client } from "../api/client";
import type { Position, WatchMove } from "../api/wire";
import { Topic } from "../ui/topic";
import { type Failure, failureOf, type Told } from "./failure";
import type { Rule, Size } from "./notation";
import type { Players } from "./session";

/** Seconds between moves. */
export const PACES = { slow: 1.5, normal: 0.6, fast: 0.05 } as const;

/** The most seconds for a move, and for one where an agent of the server's owner plays. */
const SECONDS = 1;
const OWN_SECONDS = 5;

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
  /** How an agent has failed, which ended the game. */
  failure: Failure | null = null;
  private search: AbortController | null = null;

  constructor(
    private readonly client: Client,
    readonly wanted: Wanted,
    private readonly failed: (error: unknown) => void,
    /** Whether an agent is one of the server's owner. */
    private readonly isOwn: (spec: string) => boolean = () => false,
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

  /** Whether a game was begun, is not over and does not run. */
  get isPaused(): boolean {
    return !this.isRunning && this.moves.length > 0 && this.position !== null && !this.position.over;
  }

  /** What agents told with their moves, earliest first. */
  get told(): Told[] {
    const told: Told[] = [];
    for (const { move, color, seconds, output = "" } of this.moves) {
      if (move !== "pass") told.push({ agent: this.players[color], number: told.length + 1, move, seconds, output });
    }
    return told;
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

  /** Stops the game where it is; `resume` goes on with it. */
  pause(): void {
    this.search?.abort();
    this.search = null;
    this.changed.tell(null);
  }

  /** Begins a new game. */
  async run(): Promise<void> {
    this.begin();
    await this.play();
  }

  /** Goes on with the game. */
  async resume(): Promise<void> {
    if (this.isPaused) await this.play();
  }

  /** Lets the game go on by one move; begins a new one if none is paused. */
  async step(): Promise<void> {
    if (this.isRunning) return;
    if (!this.isPaused) {
      this.begin();
      const { rule, size } = this.wanted;
      const position = await this.client.position({ rule, size, start: null, moves: [] }).catch((error: unknown) => {
        this.failed(error);
        return null;
      });
      if (!position) return;
      this.position = position;
    }
    const { position } = this;
    const turn = position?.turn;
    if (!position || !turn) return;
    const search = new AbortController();
    this.search = search;
    this.failure = null;
    this.changed.tell(null);
    try {
      const { rule, size, start, moves } = position;
      const answer = await this.client.move({ rule, size, start, moves }, this.players[turn], { seconds: this.seconds, signal: search.signal });
      if (this.search !== search) return;
      this.search = null;
      this.add({ ...answer, color: turn });
      const { passed } = answer.position;
      if (passed) this.add({ move: "pass", color: passed, value: null, depth: null, seconds: 0, position: answer.position });
    } catch (error) {
      this.end(search, error);
    }
  }

  /** Forgets the game before, for one that begins. */
  private begin(): void {
    const { black, white } = this.wanted;
    this.players = { black, white };
    this.moves = [];
    this.position = null;
    this.failure = null;
  }

  /** Lets the agents play on from where the game is. */
  private async play(): Promise<void> {
    const { rule, size, pace } = this.wanted;
    const { black, white } = this.players;
    const from = this.position && this.moves.length > 0 ? this.position : { rule, size, start: null, moves: [] };
    const search = new AbortController();
    this.search = search;
    this.failure = null;
    this.changed.tell(null);
    const listener = (name: string, data: unknown): void => {
      if (this.search !== search) return;
      if (name === "start") this.position = (data as { position: Position }).position;
      if (name === "move") this.add(data as WatchMove);
      else this.changed.tell(null);
    };
    try {
      await this.client.watch({ rule: from.rule, size: from.size, start: from.start, moves: from.moves }, { black, white, seconds: this.seconds, pause: PACES[pace] }, listener, search.signal);
      this.end(search, null);
    } catch (error) {
      this.end(search, error);
    }
  }

  private get seconds(): number {
    return this.isOwn(this.players.black) || this.isOwn(this.players.white) ? OWN_SECONDS : SECONDS;
  }

  private add(move: WatchMove): void {
    this.position = move.position;
    this.moves.push(move);
    this.changed.tell(move);
  }

  /** Notes that a search is over, and why. */
  private end(search: AbortController, error: unknown): void {
    if (this.search !== search) return;
    this.search = null;
    const turn = this.position?.turn;
    if (error !== null) {
      this.failure = turn ? failureOf(error, this.players[turn], this.told.length + 1) : null;
      this.failed(error);
    }
    this.changed.tell(null);
  }
}
