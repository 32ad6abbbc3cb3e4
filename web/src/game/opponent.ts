// Asks the server for the moves of agents. An agent answers the move before its turn, also while a
// person looks back at the game. It waits after moves were taken back or another screen has moved:
// there somebody else asks it.

import { type Client, Refusal } from "../api/client";
import type { Candidate } from "../api/wire";
import { Topic } from "../ui/topic";
import { type Failure, failureOf, type Told } from "./failure";
import { pause, pauseAfter } from "./pause";
import { type Change, isAgent, type Session } from "./session";
import { Tales } from "./tales";
import type { Node } from "./tree";

export class Opponent {
  /** Tells when the search for an agent's move begins and ends. */
  readonly thinking = new Topic<boolean>();
  isThinking = false;
  /** Whether agents move without being asked. */
  private isLive = false;
  private asked: AbortController | null = null;
  private readonly stop: () => void;
  /** The moves that an agent weighed, by the node that its move led to. */
  private readonly weighed = new WeakMap<Node, readonly Candidate[]>();
  /** What agents told with their moves. */
  readonly tales: Tales;
  /** How the agent to move has failed; null once somebody moves or it is asked again. */
  failure: Failure | null = null;
  /** How often in a row the server could not be reached. */
  private outages = 0;
  /** Ends the pause after which it asks again; null while there is none. */
  private waiting: AbortController | null = null;

  constructor(
    private readonly client: Client,
    private readonly session: Session,
    /** Resolves when the last move has been drawn, so that people can follow two agents. */
    private readonly drawn: () => Promise<void>,
    /** Whether the game may go on. */
    private readonly isRunning: () => boolean,
    private readonly failed: (error: unknown) => void,
  ) {
    this.tales = new Tales(session);
    this.stop = session.changed.on((change) => this.notice(change));
  }

  /** The moves that an agent weighed before the one that led to `node`, if it told them. */
  candidates(node: Node): readonly Candidate[] | undefined {
    return this.weighed.get(node);
  }

  /** What agents told with the moves that led to `node`, earliest first. */
  told(node: Node): Told[] {
    return this.tales.of(node);
  }

  /** Lets agents move again without being asked. */
  resume(): void {
    this.stopWaiting();
    this.isLive = true;
    void this.turn();
  }

  /** Whether an agent is to move and waits for `resume`. */
  get isPaused(): boolean {
    return this.isRunning() && this.session.isAgentsTurn && !this.isLive && !this.isThinking;
  }

  /** Whether it asks again by itself, because the server could not be reached. */
  get isAway(): boolean {
    return this.isPaused && this.waiting !== null;
  }

  /** Stops agents until a person moves or calls `resume`. */
  pause(): void {
    this.isLive = false;
    this.outages = 0;
    this.cancel();
  }

  /** Lets `agent` make one move for the side to move at `node`, from which the game then goes on. */
  async once(agent: string, node: Node = this.session.tip): Promise<void> {
    this.cancel();
    const { session } = this;
    if (!this.isRunning() || (session.at(node)?.turn ?? null) === null) return;
    const asked = new AbortController();
    this.asked = asked;
    session.tip = node;
    this.failure = null;
    this.think(true);
    try {
      const answer = await this.client.move(session.body(node), agent, { signal: asked.signal });
      if (this.asked !== asked) return;
      this.asked = null;
      this.outages = 0;
      this.think(false);
      if (answer.move !== "pass") {
        const { move, seconds, output = "" } = answer;
        this.tales.add(session.tree.add(node, move), { agent, number: node.ply + 1, move, seconds, output });
      }
      if (answer.candidates) this.weighed.set(session.tree.add(node, answer.move), answer.candidates);
      await session.answer(node, answer.move, answer.position);
    } catch (error) {
      if (this.asked !== asked) return;
      this.asked = null;
      this.isLive = false;
      this.failure = failureOf(error, agent, node.ply + 1);
      const code = error instanceof Refusal ? error.code : "";
      if (code === "offline") void this.waitForServer();
      else this.outages = 0;
      this.think(false);
      // One message is enough for one outage.
      if (code !== "game-over" && this.outages <= 1) this.failed(error);
    }
  }

  /** Stops listening to the session. */
  end(): void {
    this.cancel();
    this.stop();
  }

  private notice(change: Change): void {
    switch (change) {
      case "move":
      case "tip":
      case "new":
      case "players":
        this.isLive = true;
        break;
      case "back":
      case "news":
        this.isLive = false;
        break;
      default:
        // Looking around changes nothing.
        return;
    }
    this.failure = null;
    this.cancel();
    void this.turn();
  }

  private async turn(): Promise<void> {
    const { session } = this;
    const isDue = (): boolean => this.isRunning() && this.isLive && !this.isThinking && session.isAgentsTurn;
    if (!isDue()) return;
    const node = session.tip;
    const before = node.parent && session.at(node.parent)?.turn;
    // An agent follows an agent, or itself after a pass: wait until people have seen the last move.
    if (before && isAgent(session.players[before])) {
      await this.drawn();
      if (!isDue() || session.tip !== node) return;
    }
    const turn = session.tipTurn;
    if (turn) await this.once(session.players[turn]);
  }

  /** Asks again when the server may be back. */
  private async waitForServer(): Promise<void> {
    const waiting = new AbortController();
    this.waiting = waiting;
    this.outages += 1;
    await pause(pauseAfter(this.outages), waiting.signal);
    if (this.waiting === waiting) this.resume();
  }

  private stopWaiting(): void {
    this.waiting?.abort();
    this.waiting = null;
  }

  private cancel(): void {
    this.stopWaiting();
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
