// Asks the server for the moves of agents. An agent answers the move before its turn, but does not
// move while a person looks back at the game. A change of position cancels its search.

import { type Client, Refusal } from "../api/client";
import { Topic } from "../ui/topic";
import { type Change, HUMAN, REMOTE, type Session } from "./session";

export class Opponent {
  /** Tells when the search for an agent's move begins and ends. */
  readonly thinking = new Topic<boolean>();
  isThinking = false;
  /** Whether agents move without being asked: not while a person looks back. */
  private isLive = false;
  private isActive = false;
  private asked: AbortController | null = null;
  private readonly stop: () => void;

  constructor(
    private readonly client: Client,
    private readonly session: Session,
    /** Resolves when the last move has been drawn, so that people can follow two agents. */
    private readonly drawn: () => Promise<void>,
    private readonly failed: (error: unknown) => void,
  ) {
    this.stop = session.changed.on((change) => this.notice(change));
  }

  /** Lets agents move (when playing) or not (in analysis). */
  setActive(isActive: boolean): void {
    this.isActive = isActive;
    if (!isActive) this.pause();
    this.session.letAgentsMove(isActive);
  }

  /** Lets agents move again without being asked. */
  resume(): void {
    this.isLive = true;
    void this.turn();
  }

  /** Whether an agent is to move and waits for `resume`. */
  get isPaused(): boolean {
    return this.isActive && this.session.isAgentsTurn && !this.isLive && !this.isThinking;
  }

  /** Stops agents until a person moves or calls `resume`. */
  pause(): void {
    this.isLive = false;
    this.cancel();
  }

  /** Lets `agent` make one move for the side to move. */
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

  /** Stops listening to the session. */
  end(): void {
    this.cancel();
    this.stop();
  }

  private notice(change: Change): void {
    if (change === "update") return;
    if (change === "jump" || change === "step") this.isLive = false;
    if (change === "move" || change === "new" || change === "players") this.isLive = true;
    this.cancel();
    void this.turn();
  }

  private async turn(): Promise<void> {
    const { session } = this;
    if (!this.isActive || !this.isLive || this.isThinking || !session.isAgentsTurn) return;
    const node = session.tree.current;
    const before = node.parent && session.at(node.parent)?.turn;
    // An agent follows an agent, or itself after a pass: wait until people have seen the last move.
    if (before && ![HUMAN, REMOTE].includes(session.players[before])) {
      await this.drawn();
      if (!this.isActive || !this.isLive || this.isThinking || session.tree.current !== node) return;
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
