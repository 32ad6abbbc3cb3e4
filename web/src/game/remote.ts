// A game against a person at another screen. Both write to the same saved game on the server, and
// follow its changes. The link of the invitation contains the token that allows moves.

import type { Client } from "../api/client";
import type { SavedGame } from "../api/wire";
import type { Side } from "./clock";
import type { Saver, Place } from "./saver";
import { REMOTE, type Session } from "./session";

export class Remote {
  private stream: AbortController | null = null;

  constructor(
    private readonly client: Client,
    private readonly session: Session,
    private readonly saver: Saver,
    private readonly failed: (error: unknown) => void,
  ) {
    session.changed.on((change) => {
      if (change === "new" || (change === "players" && !this.isWanted)) this.stop();
    });
  }

  /** Whether one of the players is at another screen. */
  get isWanted(): boolean {
    const { black, white } = this.session.players;
    return black === REMOTE || white === REMOTE;
  }

  /** Saves the current game for another person to join as `guest`, and follows it. */
  async invite(guest: Side): Promise<Place> {
    const { session } = this;
    const place = await this.saver.begin();
    session.setPlayers({ ...session.players, [guest]: REMOTE });
    this.follow(place);
    return place;
  }

  /** Follows the saved game until it ends or another game is opened. */
  follow(place: Place): void {
    this.stop();
    const stream = new AbortController();
    this.stream = stream;
    const listener = (name: string, data: unknown): void => {
      if (name === "game" && this.stream === stream) void this.receive((data as SavedGame).moves ?? []);
    };
    void this.client.follow(place.id, listener, stream.signal).catch((error: unknown) => {
      if (this.stream === stream) this.failed(error);
    });
  }

  stop(): void {
    this.stream?.abort();
    this.stream = null;
  }

  /** Adds the other person's moves, and shows them unless somebody looks back at the game. */
  private async receive(moves: readonly string[]): Promise<void> {
    const { session } = this;
    const { tree } = session;
    const squares = moves.filter((move) => move !== "pass");
    const isWaiting = tree.current.children.length === 0;
    let node = tree.root;
    for (const square of squares) node = tree.add(node, square);
    // The server has these moves.
    this.saver.markSaved(moves);
    if (isWaiting && node !== tree.current && node.ply >= tree.current.ply) await session.jump(node);
  }
}
