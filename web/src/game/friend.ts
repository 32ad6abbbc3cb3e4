// A game with a friend: the server is its referee, and this is one of its screens. What a person does
// is shown at once and sent until the server has answered; what the server says is the game.

import { type Client, Refusal } from "../api/client";
import type { Action, OfferKind, Presence, SavedGame } from "../api/wire";
import { Topic } from "../ui/topic";
import { Clock, type Side } from "./clock";
import { usual } from "./notation";
import { pauseAfter } from "./pause";
import type { End } from "./record";
import { fresh, type Seat, type Seats, summary } from "./seats";
import { HUMAN, Session } from "./session";
import { type Node, Tree } from "./tree";

/** What a game needs of the page. */
export interface FriendSurroundings {
  readonly client: Client;
  readonly seats: Seats;
  /** The time of the clock, in milliseconds. */
  now(): number;
  /** Waits for so many seconds, or until `signal` aborts or the network is back. */
  pause(seconds: number, signal: AbortSignal): Promise<void>;
  failed(error: unknown): void;
}

/** Nothing for so long, not even a comment, means that the connection is dead. */
const SILENCE_MS = 25_000;

/** Refusals that say nothing of the request itself: it is sent again. */
const PASSING = ["offline", "busy", "too-many", "timeout", "disk-full"];

export class FriendGame {
  readonly session: Session;
  presence: Presence | null = null;
  /** Whether the server's news arrive. */
  isConnected = false;
  clock: Clock | null = null;
  /** What was asked for and is not answered yet. */
  pending: Action | null = null;
  /** Told when anything but the board has changed. */
  readonly changed = new Topic();
  /** Told why the server refused what was asked for. */
  readonly refused = new Topic<Refusal>();
  /** Told what the other person did not agree to. */
  readonly declined = new Topic<OfferKind>();
  /** Told the rematch that has just begun. */
  readonly rematch = new Topic<string>();
  private readonly closing = new AbortController();
  /** Whether the person here takes the own offer back. */
  private isWithdrawn = false;
  private attempt: AbortController | null = null;
  private queue: Promise<void> = Promise.resolve();
  private heardAt: number;

  constructor(
    private readonly around: FriendSurroundings,
    /** The game as the server has it. */
    public state: SavedGame,
    /** The seat of this browser; null for somebody who watches. */
    public seat: Seat | null,
  ) {
    this.session = new Session(around.client);
    this.session.players = { black: HUMAN, white: HUMAN };
    this.heardAt = around.now();
    this.session.failed.on((error) => {
      // An outage is told by the status line.
      if (!isPassing(error)) around.failed(error);
    });
  }

  get id(): string {
    return this.state.id;
  }

  get isOpen(): boolean {
    return !this.closing.signal.aborted;
  }

  get side(): Side | null {
    return this.seat?.side ?? null;
  }

  get isJoined(): boolean {
    const { black, white } = this.state.friends!.joined;
    return black && white;
  }

  get isOver(): boolean {
    return this.state.state !== "running";
  }

  get end(): End | null {
    return summary(this.state).end;
  }

  /** The offer that the person here can answer. */
  get offered(): OfferKind | null {
    const { offer } = this.state.friends!;
    return offer && this.side && offer.by !== this.side ? offer.what : null;
  }

  /** The offer that waits for the other person's answer. */
  get ownOffer(): OfferKind | null {
    const { offer } = this.state.friends!;
    return offer && offer.by === this.side ? offer.what : null;
  }

  /** Whether the person here may move in the position on the board. */
  get isOwnTurn(): boolean {
    const { session } = this;
    return this.isFree && session.tree.current === session.tip && session.turn === this.side;
  }

  /** Whether the person here may ask for something in a running game. */
  get isFree(): boolean {
    return this.side !== null && this.isJoined && !this.isOver && this.pending === null;
  }

  /** Whether the person here has made a move that could be taken back. */
  get hasMoved(): boolean {
    const { session, side } = this;
    return side !== null && session.tree.path(session.tip).slice(1).some((node) => session.mover(node) === side);
  }

  get names(): Record<Side, string> {
    return { black: this.state.black.name, white: this.state.white.name };
  }

  /** Shows the game, and follows it until it is closed. */
  async open(): Promise<void> {
    const { rule, size, start = null, moves = [] } = this.state;
    this.setClock();
    await this.session.open({ rule, size, start: start === usual(size) ? null : start, tree: Tree.of(squares(moves)) });
    void this.listen();
  }

  close(): void {
    this.closing.abort();
    this.attempt?.abort();
  }

  /** Asks anew at once: the network is back, or the screen is looked at again. */
  wake(): void {
    if (this.around.now() - this.heardAt > SILENCE_MS / 2) this.lost();
  }

  /** Asks anew in any case: the network is gone, and nothing more will come. */
  lost(): void {
    this.attempt?.abort();
    this.around.client.renew();
  }

  /** Plays a square on the board, if the person here may. */
  choose(square: string): void {
    if (!this.isOwnTurn || !this.session.position?.legal.some((move) => move.square === square)) return;
    const move = this.send({ action: "move", move: square });
    this.clock?.moved(this.around.now());
    this.session.play(square);
    void move;
  }

  /** Asks the referee for something, until there is an answer. */
  async send(action: Action): Promise<void> {
    const { client, pause } = this.around;
    const { seat } = this;
    if (!seat || this.pending) return;
    this.pending = action;
    this.isWithdrawn = action.action === "decline" && action.offer === this.ownOffer;
    this.changed.tell();
    const { revision } = this.state;
    const request = fresh(16);
    for (let tries = 1; this.isOpen; tries += 1) {
      try {
        const answer = await client.act(this.id, seat.token, action, revision, request);
        this.pending = null;
        this.hear(answer);
        break;
      } catch (error) {
        if (isPassing(error)) {
          await pause(pauseAfter(tries), this.closing.signal);
          continue;
        }
        this.pending = null;
        if (error instanceof Refusal) this.refused.tell(error);
        else this.around.failed(error);
        await this.ask();
        break;
      }
    }
    this.changed.tell();
  }

  /** Resolves when everything that was heard is on the board. */
  rested(): Promise<void> {
    return this.queue;
  }

  /** Asks how the game is, after a refusal. */
  private async ask(): Promise<void> {
    try {
      this.hear(await this.around.client.game(this.id));
    } catch {
      // The stream will say it; until then the board shows what was known.
      this.take();
    }
  }

  private hear(state: SavedGame): void {
    if (!this.isOpen || state.revision < this.state.revision || !state.friends) return;
    const { ownOffer, state: before } = this;
    this.state = state;
    this.setClock();
    if (this.seat) this.seat = this.around.seats.put({ ...this.seat, last: summary(state) });
    this.take();
    this.changed.tell();
    if (state.friends.next !== null && before.friends!.next === null) this.rematch.tell(state.friends.next);
    if (ownOffer && this.ownOffer === null && this.isDeclined(ownOffer, before)) this.declined.tell(ownOffer);
  }

  /** Whether the other person has declined the own offer that stood in the game `before`. */
  private isDeclined(offer: OfferKind, before: SavedGame): boolean {
    const { state } = this;
    if (this.isWithdrawn) return false;
    if (offer === "rematch") return state.friends!.next === null;
    const added = (state.moves?.length ?? 0) - (before.moves?.length ?? 0);
    // An own move voids the own request to take back, also if it was made on another device.
    const isVoid = offer === "take-back" && added > 0 && turnOf(before) === this.side;
    return !this.isOver && added >= 0 && !isVoid;
  }

  /** Brings the board to the game as the server has it, one thing after the other. */
  private take(): void {
    this.queue = this.queue.then(async () => {
      for (let tries = 1; this.isOpen; tries += 1) {
        const { session, pending } = this;
        const moves = squares(this.state.moves ?? []);
        // A move that is on its way stays on the board.
        const shown = session.tree.moves(session.tip);
        if (pending?.move !== undefined && isSame([...moves, pending.move], shown)) return;
        try {
          const node = session.tree.follow(moves);
          await session.adopt(node);
          if (session.tip === node) await this.prune(node);
          return;
        } catch (error) {
          if (!isPassing(error)) this.around.failed(error);
          await this.around.pause(pauseAfter(tries), this.closing.signal);
        }
      }
    });
  }

  /** Deletes all moves that are no longer of the game. */
  private async prune(tip: Node): Promise<void> {
    const { session } = this;
    const path = session.tree.path(tip);
    let isPruned = false;
    for (const node of path) {
      for (const child of node.children.filter((each) => !path.includes(each))) {
        session.tree.remove(child);
        isPruned = true;
      }
    }
    if (!isPruned) return;
    await session.recover();
    session.changed.tell("update");
  }

  /** Takes up the clocks as the server has told them this moment. */
  private setClock(): void {
    const told = this.state.friends?.clock ?? null;
    this.clock = told && new Clock({ budget_ms: told.seconds * 1000, increment_ms: told.increment * 1000 }, told.left);
    if (told?.running) this.clock?.start(told.running, this.around.now());
  }

  /** Follows the game until it is closed; asks anew whenever the connection breaks or falls silent. */
  private async listen(): Promise<void> {
    const { client, now, pause, failed } = this.around;
    const listener = (name: string, data: unknown): void => {
      this.isConnected = true;
      failures = 0;
      if (name === "presence") {
        this.presence = data as Presence;
        this.changed.tell();
      } else if (name === "game") this.hear(data as SavedGame);
    };
    const heard = (): void => {
      this.heardAt = now();
    };
    const watch = setInterval(() => {
      if (now() - this.heardAt > SILENCE_MS) this.lost();
    }, 1000);
    let failures = 0;
    while (this.isOpen) {
      const attempt = new AbortController();
      this.attempt = attempt;
      heard();
      try {
        await client.follow(this.id, listener, attempt.signal, this.seat?.token ?? null, heard);
        // Without an error it was aborted here, or the game was deleted.
      } catch (error) {
        if (!isPassing(error) && this.isOpen) {
          failed(error);
          break;
        }
      }
      this.isConnected = false;
      this.presence = null;
      if (!this.isOpen) break;
      this.changed.tell();
      failures += 1;
      await pause(pauseAfter(failures), this.closing.signal);
    }
    clearInterval(watch);
  }
}

/** Moves without passes, as the tree has them. */
function squares(moves: readonly string[]): string[] {
  return moves.filter((move) => move !== "pass");
}

/** The side to move. */
function turnOf({ position }: SavedGame): Side {
  return position.endsWith("X") ? "black" : "white";
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((move, index) => move === other[index]);
}

/** Whether an error is about the connection or a busy server. */
function isPassing(error: unknown): boolean {
  return error instanceof Refusal && PASSING.includes(error.code);
}
