// Analyses the current position while it is shown, deeper and deeper. A new position stops the
// search of the old one: its connection is closed before the next one is opened.

import type { Client } from "../api/client";
import type { Values } from "../api/wire";
import { Topic } from "../ui/topic";
import type { Session } from "./session";
import type { Node } from "./tree";

/** Values of a position, and whether their search is over. */
export interface Evaluation {
  readonly values: Values;
  readonly isDone: boolean;
}

/** The longest search of one position. */
const SECONDS = 30;

export class Analyzer {
  readonly changed = new Topic();
  /** The evaluation of each node, for when somebody comes back to it. */
  private evaluations = new WeakMap<Node, Evaluation>();
  private isOn = false;
  private search: AbortController | null = null;
  private subject: Node | null = null;
  private readonly stopListening: () => void;

  constructor(
    private readonly client: Client,
    private readonly session: Session,
    private readonly failed: (error: unknown) => void,
  ) {
    this.stopListening = session.changed.on(() => this.refresh());
  }

  get isRunning(): boolean {
    return this.search !== null;
  }

  /** The evaluation of the current position. */
  get evaluation(): Evaluation | null {
    return this.of(this.session.tree.current);
  }

  /** The evaluation of a node that was analysed. */
  of(node: Node): Evaluation | null {
    return this.evaluations.get(node) ?? null;
  }

  /** Starts to analyse every position that is shown, or stops. */
  follow(isOn: boolean): void {
    if (this.isOn === isOn) return;
    this.isOn = isOn;
    if (isOn) this.refresh();
    else this.stop();
  }

  /** Analyses the current position once, for a hint; resolves when the search is over. */
  async analyzeFor(seconds: number): Promise<void> {
    this.stop();
    if (this.session.turn !== null) await this.ask(seconds);
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
    if (this.search) this.stop();
    if (!this.isOn || session.turn === null) {
      this.changed.tell();
      return;
    }
    if (this.evaluation?.isDone) this.changed.tell();
    else void this.ask(SECONDS);
  }

  private stop(): void {
    this.search?.abort();
    this.search = null;
    this.subject = null;
    this.changed.tell();
  }

  private async ask(seconds: number): Promise<void> {
    const { session } = this;
    const node = session.tree.current;
    const search = new AbortController();
    this.search = search;
    this.subject = node;
    this.changed.tell();
    const listener = (name: string, data: unknown): void => {
      if (this.search !== search) return;
      if (name === "values") {
        // A search that has just begun must not replace what a deeper one has found.
        const values = data as Values;
        const old = this.evaluations.get(node)?.values;
        if (!old || values.exact || values.depth >= old.depth) this.evaluations.set(node, { values, isDone: false });
      } else {
        const old = this.evaluations.get(node);
        if (old) this.evaluations.set(node, { values: old.values, isDone: seconds === SECONDS || old.values.exact });
      }
      this.changed.tell();
    };
    try {
      await this.client.analysis(session.body(node), seconds, listener, search.signal);
    } catch (error) {
      if (this.search === search) this.failed(error);
    }
    if (this.search === search) {
      this.search = null;
      this.subject = null;
      this.changed.tell();
    }
  }
}
