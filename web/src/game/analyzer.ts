// Analyses the current position while it is shown, deeper and deeper, for as long as a person looks at
// it. A new position stops the search of the old one: its connection is closed before the next one is
// opened. A search that had to make room for others on the server goes on when there is room again.

import type { Client } from "../api/client";
import { Refusal } from "../api/client";
import type { Values } from "../api/wire";
import { Topic } from "../ui/topic";
import { isLarge } from "./notation";
import type { Session } from "./session";
import type { Node } from "./tree";

/** Values of a position, and whether their search is over. */
export interface Evaluation {
  readonly values: Values;
  readonly isDone: boolean;
}

/** What the search of one position may take. */
export interface Effort {
  /** The most seconds; 0 for no limit. */
  readonly seconds: number;
  /** The greatest depth, in plies; 0 for no limit. */
  readonly depth: number;
  readonly threads: number;
}

/** No limit but the end of the game. */
const ENDLESS: Effort = { seconds: 0, depth: 0, threads: 1 };

/** The longest search that the server takes; one without a limit is asked for again. */
const MOST_SECONDS = 3600;

/** When to ask again after the search had to make room, in milliseconds. */
const AGAIN_MS = 4000;

export class Analyzer {
  readonly changed = new Topic();
  /** Whether it waits because others analyse. */
  isWaiting = false;
  /** The values of each node, for when somebody comes back to it. */
  private readonly values = new WeakMap<Node, Values>();
  /** The nodes whose search is over, for the effort of now. */
  private done = new WeakSet<Node>();
  private isOn = false;
  private isPaused = false;
  private search: AbortController | null = null;
  private subject: Node | null = null;
  private timer: ReturnType<typeof setTimeout> | null = null;
  private readonly stopListening: () => void;

  constructor(
    private readonly client: Client,
    private readonly session: Session,
    private readonly failed: (error: unknown) => void,
    private readonly effort: () => Effort = () => ENDLESS,
  ) {
    this.stopListening = session.changed.on(() => this.refresh());
  }

  get isRunning(): boolean {
    return this.search !== null;
  }

  /** Whether the engine can analyse boards of this size. */
  get isAble(): boolean {
    return !isLarge(this.session.game.size);
  }

  /** The evaluation of the current position. */
  get evaluation(): Evaluation | null {
    return this.of(this.session.tree.current);
  }

  /** The evaluation of a node that was analysed. */
  of(node: Node): Evaluation | null {
    const values = this.values.get(node);
    return values ? { values, isDone: this.done.has(node) } : null;
  }

  /** Starts to analyse every position that is shown, or stops. */
  follow(isOn: boolean): void {
    if (this.isOn === isOn) return;
    this.isOn = isOn;
    if (isOn) this.refresh();
    else this.stop();
  }

  /** Stops while nobody looks, and goes on afterwards. */
  pause(isPaused: boolean): void {
    if (this.isPaused === isPaused) return;
    this.isPaused = isPaused;
    if (!this.isOn) return;
    if (isPaused) this.stop();
    else this.refresh();
  }

  /** Begins again with the effort of now, and keeps what is known. */
  restart(): void {
    this.done = new WeakSet();
    if (!this.isOn) return;
    this.stop();
    this.refresh();
  }

  /** Analyses the current position once, for a hint; resolves when the search is over. */
  async analyzeFor(seconds: number): Promise<void> {
    this.stop();
    if (this.session.turn !== null && this.isAble) await this.ask({ ...ENDLESS, seconds });
  }

  /** Stops for good. */
  end(): void {
    this.isOn = false;
    this.stop();
    this.stopListening();
  }

  private refresh(): void {
    const { session } = this;
    const node = session.tree.current;
    if (node === this.subject && this.search) return;
    if (this.search || this.timer !== null) this.stop();
    if (!this.isOn || this.isPaused || !this.isAble || session.turn === null || this.done.has(node)) {
      this.changed.tell();
      return;
    }
    void this.ask(this.effort());
  }

  private stop(): void {
    this.search?.abort();
    this.search = null;
    this.subject = null;
    this.isWaiting = false;
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
    this.changed.tell();
  }

  private async ask(effort: Effort): Promise<void> {
    const { session } = this;
    const node = session.tree.current;
    const search = new AbortController();
    this.search = search;
    this.subject = node;
    this.changed.tell();
    let reason = "";
    const listener = (name: string, data: unknown): void => {
      if (this.search !== search) return;
      if (name === "values") {
        // A search that has just begun must not replace what a deeper one has found.
        const values = data as Values;
        const old = this.values.get(node);
        if (!old || values.exact || values.depth >= old.depth) this.values.set(node, values);
        this.isWaiting = false;
      } else if (name === "done") ({ reason } = data as { reason: string });
      this.changed.tell();
    };
    let isCrowded = false;
    try {
      const { depth, threads } = effort;
      await this.client.analysis(session.body(node), { seconds: effort.seconds || MOST_SECONDS, depth, threads }, listener, search.signal);
    } catch (error) {
      isCrowded = this.isOn && error instanceof Refusal && error.code === "busy";
      if (this.search === search && !isCrowded) this.failed(error);
    }
    if (this.search !== search) return;
    this.search = null;
    this.subject = null;
    const isEndless = effort.seconds === 0;
    if (reason === "room" || isCrowded) this.askAgain();
    else if (reason === "time" && isEndless) this.refresh();
    else if (reason !== "" && (this.isOn || this.values.get(node)?.exact)) this.done.add(node);
    this.changed.tell();
  }

  /** Waits until there may be room on the server. */
  private askAgain(): void {
    this.isWaiting = this.isOn;
    if (!this.isOn) return;
    this.timer = setTimeout(() => {
      this.timer = null;
      this.refresh();
    }, AGAIN_MS);
  }
}
