// Retries the mistakes of a game: sets the position before each, lets a person look for a better move,
// and says why it is better. The game and its variations stay as they are.

import type { Client } from "../api/client";
import type { MoveValue, Position, ReviewedMove, Values } from "../api/wire";
import { Topic } from "../ui/topic";
import type { Side } from "./clock";
import { compare, weigh } from "./explain";
import { type Reason, reasons } from "./reasons";
import type { Review } from "./review";
import type { Session } from "./session";
import type { Node } from "./tree";

/**
 * `asking`: a person looks for the move. `checking`: the engine values it. `wrong`: it is no better, and
 * may be tried again. `right`: it is good. `shown`: the answer was asked for. `over`: no mistake is left.
 */
export type Stage = "asking" | "checking" | "wrong" | "right" | "shown" | "over";

/** A move that loses less than this many discs is as good as the best; so the server marks moves. */
const SLIGHT = 3;
/** A move that loses this many is a mistake. */
const MISTAKE = 6;

export class Retry {
  readonly changed = new Topic();
  /** Whose mistakes. */
  side: Side | "both" = "both";
  stage: Stage = "asking";
  /** The move that was tried last. */
  given: string | null = null;
  /** The better move, when it is known, and why it is better. */
  better: string | null = null;
  reasons: readonly Reason[] | null = null;
  /** How many were found at the first try. */
  found = 0;
  private mistakes: readonly Node[] = [];
  private at = -1;
  private hasFailed = false;
  private search: AbortController | null = null;
  private table: Promise<Values | null> = Promise.resolve(null);
  private told: Values | null = null;

  constructor(
    private readonly client: Client,
    private readonly session: Session,
    private readonly review: Review,
    private readonly failed: (error: unknown) => void,
  ) {
    session.changed.on(() => {
      // Who goes elsewhere has had enough of it.
      if (this.isOn && this.stage !== "over" && session.tree.current !== this.question) this.stop();
    });
  }

  get isOn(): boolean {
    return this.at >= 0;
  }

  /** The number of the mistake, from 1, and how many there are. */
  get progress(): { n: number; of: number } {
    return { n: Math.min(this.at + 1, this.mistakes.length), of: this.mistakes.length };
  }

  /** The verdict on the move that was played. */
  get verdict(): ReviewedMove | null {
    const node = this.mistakes[this.at];
    return node ? this.review.of(node) : null;
  }

  /** Whether a person may choose a square. */
  get isOpen(): boolean {
    return this.isOn && (this.stage === "asking" || this.stage === "wrong");
  }

  /** The values of all moves, once the answer is known. */
  get values(): Values | null {
    return this.stage === "right" || this.stage === "shown" ? this.told : null;
  }

  /** Begins with the first mistake of `side`; false if it has made none. */
  async start(side: Side | "both"): Promise<boolean> {
    this.stop();
    this.side = side;
    this.mistakes = this.review.mistakes(side);
    this.found = 0;
    if (this.mistakes.length === 0) {
      this.changed.tell();
      return false;
    }
    await this.ask(0);
    return true;
  }

  /** Goes to the next mistake. */
  async next(): Promise<void> {
    if (!this.isOn || this.stage === "over") return;
    if (this.at + 1 < this.mistakes.length) await this.ask(this.at + 1);
    else {
      this.search?.abort();
      this.stage = "over";
      this.changed.tell();
    }
  }

  /** Tries a move. */
  async choose(square: string): Promise<void> {
    const { verdict } = this;
    const isLegal = this.session.position?.legal.some((move) => move.square === square);
    if (!this.isOpen || !isLegal || !verdict) return;
    this.given = square;
    this.stage = "checking";
    this.changed.tell();
    const values = await this.weighed();
    if (!values) return;
    const isGood = square !== verdict.move && (square === verdict.best || isAsGood(values, square));
    if (isGood) {
      if (!this.hasFailed) this.found += 1;
      await this.tell("right", square, values);
    } else {
      this.hasFailed = true;
      this.stage = "wrong";
      this.changed.tell();
    }
  }

  /** What the move that was tried loses, in discs. */
  get loss(): number | null {
    return this.told && this.given ? lossOf(this.told, this.given) : null;
  }

  /** Shows the answer. */
  async show(): Promise<void> {
    const { verdict } = this;
    if (!this.isOpen || !verdict) return;
    this.hasFailed = true;
    this.given = null;
    this.stage = "checking";
    this.changed.tell();
    const values = await this.weighed();
    if (values) await this.tell("shown", verdict.best, values);
  }

  stop(): void {
    if (!this.isOn) return;
    this.search?.abort();
    this.search = null;
    this.at = -1;
    this.changed.tell();
  }

  /** The position before the mistake. */
  get question(): Node | null {
    return this.mistakes[this.at]?.parent ?? null;
  }

  get position(): Position | undefined {
    return this.question ? this.session.at(this.question) : undefined;
  }

  private async ask(at: number): Promise<void> {
    this.search?.abort();
    const search = new AbortController();
    this.search = search;
    this.at = at;
    this.stage = "asking";
    this.given = null;
    this.better = null;
    this.reasons = null;
    this.told = null;
    this.hasFailed = false;
    const { question, verdict } = this;
    if (!question || !verdict) return;
    this.changed.tell();
    await this.session.jump(question);
    if (this.search !== search) return;
    // The engine works on it while the person does.
    this.table = weigh(this.client, this.session.body(question), verdict, search.signal);
    this.table.catch(() => undefined);
  }

  /** The values of the moves in question; null if nobody wants them any more. */
  private async weighed(): Promise<Values | null> {
    const { search } = this;
    try {
      const values = await this.table;
      if (this.search !== search || !values) return null;
      this.told = values;
      return values;
    } catch (error) {
      if (this.search !== search) return null;
      this.failed(error);
      // It can be tried again.
      const { question, verdict } = this;
      if (question && verdict) this.table = weigh(this.client, this.session.body(question), verdict, search!.signal);
      this.table.catch(() => undefined);
      this.stage = "asking";
      this.changed.tell();
      return null;
    }
  }

  /** Tells the answer, and then the reasons for it. */
  private async tell(stage: "right" | "shown", better: string, values: Values): Promise<void> {
    const { search, question, verdict } = this;
    this.stage = stage;
    this.better = better;
    this.changed.tell();
    if (!question || !verdict) return;
    try {
      const found = reasons(await compare(this.client, this.session.body(question), values, better, verdict.move));
      if (this.search !== search) return;
      this.reasons = found;
    } catch (error) {
      if (this.search === search) this.failed(error);
      return;
    }
    this.changed.tell();
  }
}

/** Whether a move is as good as the best one. */
function isAsGood({ moves }: Values, move: string): boolean {
  const found = moves.find((each) => each.move === move);
  return found !== undefined && rank(found, moves[0]!) === "good";
}

/** How a move compares with the best one: throwing away a proved win or draw is bad, however few discs it costs. */
export function rank(move: Pick<MoveValue, "value" | "exact">, best: Pick<MoveValue, "value" | "exact">): "good" | "even" | "bad" {
  const loss = Math.round(best.value) - Math.round(move.value);
  if (move.exact && best.exact && Math.sign(move.value) < Math.sign(best.value)) return "bad";
  return loss < SLIGHT ? "good" : loss < MISTAKE ? "even" : "bad";
}

/** By how many discs a move is worse than the best one. */
function lossOf(values: Values, move: string): number {
  const value = values.moves.find((each) => each.move === move)?.value;
  return value === undefined ? Infinity : Math.round(values.moves[0]!.value) - Math.round(value);
}
