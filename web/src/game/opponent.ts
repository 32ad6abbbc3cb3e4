// The other side of the table: whoever is not a person. It moves when the game has come to its
// turn by a move, not when somebody only looks back, and stops thinking when the game goes elsewhere.

import { type Client, Refusal } from "../api/client";
import { Topic } from "../ui/topic";
import { type Change, HUMAN, REMOTE, type Session } from "./session";

export class Opponent {
  /** Whether an agent is being asked right now. */
  readonly thinking = new Topic<boolean>();
  isThinking = false;
  /** Whether agents move by themselves: not in analysis, not while somebody looks back. */
  private isLive = false;
  private isSeated = false;
  private asked: AbortController | null = null;
  private readonly stop: () => void;

  constructor(
    private readonly client: Client,
    private readonly session: Session,
    /** Resolves when the last move has been drawn; agents do not run ahead of the eye. */
    private readonly drawn: () => Promise<void>,
    private readonly failed: (error: unknown) => void,
  ) {
    this.stop = session.changed.on((change) => this.notice(change));
  }

  /** Takes part (the board to play on is shown) or does not. */
  seat(isSeated: boolean): void {
    this.isSeated = isSeated;
    if (!isSeated) this.rest();
  }

  /** Goes on from here: agents move again by themselves. */
  resume(): void {
    this.isLive = true;
    void this.turn();
  }

  /** Whether the game waits for somebody to say that it goes on. */
  get isPaused(): boolean {
    return this.isSeated && this.session.isAgentsTurn && !this.isLive && !this.isThinking;
  }

  /** Nobody moves by itself until a person does. */
  rest(): void {
    this.isLive = false;
    this.cancel();
  }

  /** One move by `agent` for whoever is to move. */
  async once(agent: string): Promise<void> {
    this.cancel();
    const { session } = this;
    const node = session.tree.current;
    if (session.turn === null) return;
    const asked = new AbortController();
    this.asked = asked;
    this.think(true);
    try {
      const answer = await this.client.move(session.body(), agent, { signal: asked.signal });
      if (this.asked !== asked) return;
      this.asked = null;
      this.think(false);
      await session.answer(node, answer.move, answer.position);
    } catch (error) {
      if (this.asked !== asked) return;
      this.asked = null;
      this.isLive = false;
      this.think(false);
      if (!(error instanceof Refusal) || error.code !== "game-over") this.failed(error);
    }
  }

  /** Nothing is heard any more. */
  end(): void {
    this.cancel();
    this.stop();
  }

  private notice(change: Change): void {
    if (change === "seen") return;
    const { session } = this;
    if (change === "jump" || change === "step") this.isLive = false;
    if (change === "move" || change === "new" || change === "players") this.isLive = true;
    this.cancel();
    if (session.seen?.pending) {
      // The answer to a person's move may only be asked for when the server has accepted it.
      const once = session.changed.on(() => {
        once();
        void this.turn();
      });
      return;
    }
    void this.turn();
  }

  private async turn(): Promise<void> {
    const { session } = this;
    if (!this.isSeated || !this.isLive || this.isThinking || !session.isAgentsTurn) return;
    const node = session.tree.current;
    const before = node.parent && session.at(node.parent)?.position.turn;
    // Two agents, or the same one again after a pass: let people see what happened first.
    if (before && ![HUMAN, REMOTE].includes(session.players[before])) {
      await this.drawn();
      if (!this.isSeated || !this.isLive || this.isThinking || session.tree.current !== node) return;
    }
    const turn = session.turn;
    if (turn) await this.once(session.players[turn]);
  }

  private cancel(): void {
    this.asked?.abort();
    this.asked = null;
    this.think(false);
  }

  private think(isThinking: boolean): void {
    if (this.isThinking === isThinking) return;
    this.isThinking = isThinking;
    this.thinking.tell(isThinking);
  }
}
