// Saves the current game on the server after every move, so that it survives a crash and others can
// see it. Sends one request at a time; play goes on if saving fails. A full disk is told once, until a
// game can be saved again.

import { type Client, Refusal } from "../api/client";
import type { Player } from "../api/wire";
import { Topic } from "../ui/topic";
import { t } from "../messages/messages";
import { HUMAN, REMOTE, type Session } from "./session";
import type { Side } from "./clock";

/** The id of a saved game, and the token that allows changes. */
export interface Place {
  id: string;
  token: string;
}

export class Saver {
  readonly changed = new Topic();
  /** The games cannot be saved for want of space. */
  readonly failed = new Topic<Refusal>();
  place: Place | null = null;
  private isOn = false;
  private queue: Promise<void> = Promise.resolve();
  /** The moves that were sent last, so that none are sent twice. */
  private saved = "";
  private requests = 0;
  private isDiskFull = false;

  constructor(
    private readonly client: Client,
    private readonly session: Session,
    private readonly nameOf: () => string,
  ) {
    session.changed.on((change) => {
      if (change === "new") this.place = null;
      if (change === "new" || change === "players") this.saved = "";
      if (this.isOn && (change === "move" || change === "update")) this.write();
    });
  }

  /** Saves moves from now on (when playing) or not (in analysis). */
  setActive(isOn: boolean): void {
    this.isOn = isOn;
  }

  /** Resumes a game that was saved before. */
  resume(place: Place | null): void {
    this.place = place;
  }

  /** Notes that the server has these moves. */
  markSaved(moves: readonly string[]): void {
    this.saved = moves.join("");
  }

  /** Saves the current game if it is not yet saved; returns its place. */
  async begin(): Promise<Place> {
    await this.queue;
    if (this.place) return this.place;
    const body = this.session.body();
    const { id, token } = await this.client.begin(body, this.player("black"), this.player("white"));
    this.place = { id, token };
    this.markSaved(body.moves);
    this.changed.tell();
    return this.place;
  }

  private write(): void {
    const { session } = this;
    const { rule, size, start } = session.game;
    const moves = session.position?.moves ?? [];
    if (moves.length === 0) return;
    const line = moves.join("");
    if (line === this.saved) return;
    this.saved = line;
    const { tree } = session;
    const request = (this.requests += 1);
    this.queue = this.queue.then(async () => {
      // Another game has been opened, or a later request sends more moves.
      if (session.tree !== tree || this.requests !== request) return;
      try {
        if (this.place) {
          await this.client.save(this.place.id, this.place.token, moves);
        } else {
          const body = { rule, size, start, moves };
          const { id, token } = await this.client.begin(body, this.player("black"), this.player("white"));
          if (session.tree !== tree) return;
          this.place = { id, token };
        }
        this.isDiskFull = false;
        this.changed.tell();
      } catch (error) {
        // The game was deleted: the next move saves a new one.
        if (error instanceof Refusal && error.code === "not-found") this.place = null;
        this.saved = "";
        if (error instanceof Refusal && error.code === "disk-full" && !this.isDiskFull) {
          this.isDiskFull = true;
          this.failed.tell(error);
        }
      }
    });
  }

  private player(side: Side): Player {
    const spec = this.session.players[side];
    if (spec === HUMAN) return { kind: "human", name: this.nameOf() };
    return spec === REMOTE ? { kind: "human", name: t("player.remote") } : { kind: "agent", name: spec };
  }
}
