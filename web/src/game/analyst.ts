// What the engine says of the present position, deepening while somebody looks at it. A new
// position ends the old search at once: its connection is closed before the next one is opened. A
// move is asked about as soon as it is drawn, while the server is still being told of it.

import type { Client } from "../api/client";
import type { Values } from "../api/wire";
import { Topic } from "../ui/topic";
import type { Session } from "./session";
import type { Node } from "./tree";

/** Values of a position, and whether they are still getting better. */
export interface Opinion {
  readonly values: Values;
  readonly isDone: boolean;
}

/** How long one position is searched, unless it is proved before. */
const SECONDS = 30;

export class Analyst {
  readonly changed = new Topic();
  /** What is known of each node; kept, so that going back shows it at once. */
  private opinions = new WeakMap<Node, Opinion>();
  /** Nodes that were asked about before it was known whether their side must pass. */
  private early = new WeakSet<Node>();
  private isOn = false;
  private search: AbortController | null = null;
  private subject: Node | null = null;

  constructor(
    private readonly client: Client,
    private readonly session: Session,
    private readonly failed: (error: unknown) => void,
  ) {
    session.changed.on(() => this.look());
  }

  get isRunning(): boolean {
    return this.search !== null;
  }

  /** What is known of the present position. */
  get opinion(): Opinion | null {
    return this.opinions.get(this.session.tree.current) ?? null;
  }

  /** What is known of a node that was looked at. */
  of(node: Node): Opinion | null {
    return this.early.has(node) ? null : (this.opinions.get(node) ?? null);
  }

  /** Keeps looking at whatever position is shown, or stops. */
  follow(isOn: boolean): void {
    if (this.isOn === isOn) return;
    this.isOn = isOn;
    if (isOn) this.look();
    else this.stop();
  }

  /** One short look at the present position: a hint. Resolves when it is over. */
  async glance(seconds: number): Promise<void> {
    this.stop();
    if (this.session.turn !== null) await this.ask(seconds);
  }

  private look(): void {
    const { session } = this;
    const node = session.tree.current;
    const isPending = session.seen?.pending ?? false;
    if (!isPending && this.early.delete(node) && session.seen?.passed) {
      // The answers were of the position before the pass.
      this.opinions.delete(node);
      this.subject = null;
    }
    if (node === this.subject && this.search) return;
    if (this.search) this.stop();
    if (isPending) this.early.add(node);
    if (!this.isOn || (session.turn === null && !isPending)) {
      this.changed.tell();
      return;
    }
    if (this.opinion?.isDone) this.changed.tell();
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
        // A deeper look that has only just begun must not replace what an earlier one found.
        const values = data as Values;
        const old = this.opinions.get(node)?.values;
        if (!old || values.exact || values.depth >= old.depth) this.opinions.set(node, { values, isDone: false });
      } else {
        const old = this.opinions.get(node);
        if (old) this.opinions.set(node, { values: old.values, isDone: seconds === SECONDS || old.values.exact });
      }
      this.changed.tell();
    };
    try {
      await this.client.analysis(session.body(node), seconds, listener, search.signal);
    } catch (error) {
      // Of a move that the server did not take, the session tells.
      if (this.search === search && !this.early.has(node)) this.failed(error);
    }
    if (this.search === search) {
      this.search = null;
      this.subject = null;
      this.changed.tell();
    }
  }
}
