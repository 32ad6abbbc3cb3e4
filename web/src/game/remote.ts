// A person at another screen: both sides keep the same saved game on the server, and each follows
// what the other adds to it. The link that invites carries the right to move.

import type { Client } from "../api/client";
import type { SavedGame } from "../api/wire";
import type { Side } from "./clock";
import type { Keeper, Place } from "./keeper";
import { REMOTE, type Session } from "./session";

export class Remote {
  private stream: AbortController | null = null;

  constructor(
    private readonly client: Client,
    private readonly session: Session,
    private readonly keeper: Keeper,
    private readonly failed: (error: unknown) => void,
  ) {
    session.changed.on((change) => {
      if (change === "new" || (change === "players" && !this.isWanted)) this.stop();
    });
  }

  /** Whether one of the players sits at another screen. */
  get isWanted(): boolean {
    const { black, white } = this.session.players;
    return black === REMOTE || white === REMOTE;
  }

  /** Keeps the game on the table where another can join it as `guest`, and follows it. */
  async invite(guest: Side): Promise<Place> {
    const { session } = this;
    const place = await this.keeper.begin();
    session.setPlayers({ ...session.players, [guest]: REMOTE });
    this.follow(place);
    return place;
  }

  /** Follows the saved game until it ends or another one is on the table. */
  follow(place: Place): void {
    this.stop();
    const stream = new AbortController();
    this.stream = stream;
    const listener = (name: string, data: unknown): void => {
      if (name === "game" && this.stream === stream) void this.hear((data as SavedGame).moves ?? []);
    };
    void this.client.follow(place.id, listener, stream.signal).catch((error: unknown) => {
      if (this.stream === stream) this.failed(error);
    });
  }

  stop(): void {
    this.stream?.abort();
    this.stream = null;
  }

  /** Adds what the other has played. Whoever looks back keeps looking; whoever waits sees it. */
  private async hear(moves: readonly string[]): Promise<void> {
    const { session } = this;
    const { tree } = session;
    const squares = moves.filter((move) => move !== "pass");
    const isWaiting = tree.current.children.length === 0;
    let node = tree.root;
    for (const square of squares) node = tree.add(node, square);
    // What was heard need not be told again.
    this.keeper.know(moves);
    if (isWaiting && node !== tree.current && node.ply >= tree.current.ply) await session.jump(node);
  }
}
