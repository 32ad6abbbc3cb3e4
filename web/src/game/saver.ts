// Saves a game on the server after every change, so that it survives a crash and others can see it.
// Sends one request at a time; play goes on if saving fails. A full disk is told once, until a game
// can be saved again.
//
// The server refuses a change of a game that somebody else has changed. Then the saver asks how it is
// there, and its table brings the two together.

import { type Client, Refusal } from "../api/client";
import type { GameBody, Player, SavedGame, ToldMove } from "../api/wire";
import { Topic } from "../ui/topic";
import type { Side } from "./clock";
import type { End, Place } from "./record";

/** What is saved of a game. */
export interface Saveable {
  readonly body: GameBody;
  readonly players: Record<Side, Player>;
  readonly end: End | null;
  /** What agents told that the server does not have yet. */
  readonly told: readonly ToldMove[];
  /** Differs if there is something to save. */
  readonly key: string;
}

/** How often a change is tried while others change the game too. */
const TRIES = 4;

export class Saver {
  /** The game cannot be saved for want of space. */
  readonly failed = new Topic<Refusal>();
  private queue: Promise<void> = Promise.resolve();
  private requests = 0;
  private isDiskFull = false;

  constructor(
    private readonly client: Client,
    /** The game as it is now. */
    private readonly game: () => Saveable,
    /** Where it is saved. */
    private readonly place: () => Place | null,
    /** Notes where and what was saved. */
    private readonly note: (place: Place | null) => void,
    /** The server has this of what agents told. */
    private readonly kept: (told: readonly ToldMove[]) => void,
    /** Takes in how the server has the game; it may change both sides' moves. */
    private readonly reconcile: (saved: SavedGame) => Promise<void>,
    /** Keeps other tabs from saving the same game at the same time. */
    private readonly alone: <T>(act: () => Promise<T>) => Promise<T> = (act) => act(),
  ) {}

  /** Whether the server has the game as it is. */
  get isSaved(): boolean {
    return this.place()?.sent === this.game().key;
  }

  /** Saves the game if it has changed. */
  write(): void {
    const request = (this.requests += 1);
    this.queue = this.queue.then(async () => {
      // A later request sends more.
      if (this.requests !== request) return;
      try {
        await this.alone(() => this.save());
        this.isDiskFull = false;
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        if (error.code === "disk-full" && !this.isDiskFull) {
          this.isDiskFull = true;
          this.failed.tell(error);
        }
      }
    });
  }

  /** Saves the game now; returns its place. */
  async begin(): Promise<Place> {
    await this.queue;
    await this.alone(() => this.save(true));
    return this.place()!;
  }

  /** Resolves when nothing waits to be saved. */
  rested(): Promise<void> {
    return this.queue;
  }

  private async save(isWanted = false): Promise<void> {
    for (let tries = 1; tries <= TRIES; tries += 1) {
      const place = this.place();
      const game = this.game();
      const { body, players, end, told, key: sent } = game;
      if (place?.sent === sent && told.length === 0) return;
      if (!place) {
        if (body.moves.length === 0 && !isWanted) return;
        const begun = await this.client.begin(body, players.black, players.white);
        const isWhole = (end === null || end.reason === "board") && told.length === 0;
        this.note({ id: begun.id, token: begun.token, revision: begun.game.revision, moves: body.moves, sent: isWhole ? sent : "" });
        if (isWhole) return;
        continue;
      }
      const loss = end && (end.reason === "resigned" || end.reason === "time") && end.winner ? { reason: end.reason, loser: end.winner === "black" ? "white" : "black" } as const : null;
      try {
        const saved = await this.client.save(place.id, place.token, body.moves, { revision: place.revision, ...players, ...(loss ? { end: loss } : {}), ...(told.length > 0 ? { told } : {}) });
        this.kept(told);
        this.note({ ...place, revision: saved.revision, moves: body.moves, sent });
        // What did not fit is sent at once.
        if (told.length > 0 && this.game().told.length > 0) continue;
        return;
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        // The game was deleted: the next change saves a new one.
        if (error.code === "not-found") this.note(null);
        if (error.code !== "conflict" && error.code !== "game-over") throw error;
        await this.reconcile(await this.client.game(place.id));
      }
    }
  }
}
