// Keeps the game that is played on the server, move by move, so that it is there after a crash and
// others can see it. Requests go one after another; a server that cannot keep it does not stop play.

import { type Client, Refusal } from "../api/client";
import type { Player } from "../api/wire";
import { Topic } from "../ui/topic";
import { t } from "../words/words";
import { HUMAN, REMOTE, type Session } from "./session";
import type { Side } from "./clock";

export interface Place {
  id: string;
  token: string;
}

export class Keeper {
  readonly changed = new Topic();
  place: Place | null = null;
  private isOn = false;
  private queue: Promise<void> = Promise.resolve();
  /** What was saved last, so that nothing is sent twice. */
  private saved = "";

  constructor(
    private readonly client: Client,
    private readonly session: Session,
    private readonly nameOf: () => string,
  ) {
    session.changed.on((change) => {
      if (change === "new") this.place = null;
      if (change === "new" || change === "players") this.saved = "";
      if (this.isOn && (change === "move" || change === "seen")) this.write();
    });
  }

  /** Keeps what is played from now on (on the board to play), or not (in analysis). */
  attend(isOn: boolean): void {
    this.isOn = isOn;
  }

  /** Goes on with a game that is kept already. */
  resume(place: Place | null): void {
    this.place = place;
  }

  /** These moves are on the server already. */
  know(moves: readonly string[]): void {
    this.saved = moves.join("");
  }

  /** Where the game on the table is kept; begins to keep it if it is not. */
  async begin(): Promise<Place> {
    await this.queue;
    if (this.place) return this.place;
    const body = this.session.body();
    const { id, token } = await this.client.begin(body, this.player("black"), this.player("white"));
    this.place = { id, token };
    this.know(body.moves);
    this.changed.tell();
    return this.place;
  }

  private write(): void {
    const { session } = this;
    const { seen } = session;
    if (!seen || seen.pending || seen.position.moves.length === 0) return;
    const { rule, size, start } = session.game;
    const { moves } = seen.position;
    const line = moves.join("");
    if (line === this.saved) return;
    this.saved = line;
    const { tree } = session;
    this.queue = this.queue.then(async () => {
      // Another game is on the table by now.
      if (session.tree !== tree) return;
      try {
        if (this.place) {
          await this.client.save(this.place.id, this.place.token, moves);
        } else {
          const body = { rule, size, start, moves };
          const { id, token } = await this.client.begin(body, this.player("black"), this.player("white"));
          if (session.tree !== tree) return;
          this.place = { id, token };
        }
        this.changed.tell();
      } catch (error) {
        // Deleted on the server, or never there: the next move begins it anew.
        if (error instanceof Refusal && error.code === "not-found") this.place = null;
        this.saved = "";
      }
    });
  }

  private player(side: Side): Player {
    const spec = this.session.players[side];
    if (spec === HUMAN) return { kind: "human", name: this.nameOf() };
    return spec === REMOTE ? { kind: "human", name: t("player.remote") } : { kind: "agent", name: spec };
  }
}
