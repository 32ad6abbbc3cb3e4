// A hint in two steps: first one square, then, if it is asked for again, what every move is worth.

import type { Values } from "../api/wire";
import type { Analyzer } from "../game/analyzer";
import type { Session } from "../game/session";
import type { Node } from "../game/tree";
import { announce } from "../ui/toast";
import { t } from "../messages/messages";
import { worth } from "./values";

/** The time for a hint. */
const SECONDS = 1;

export class Hint {
  private node: Node | null = null;
  private isFull = false;

  constructor(
    private readonly session: Session,
    private readonly analyzer: Analyzer,
    private readonly changed: () => void,
  ) {}

  /** Gives the first step for the position on the board, or the second if it has had the first. */
  async press(): Promise<void> {
    const { session } = this;
    const node = session.tree.current;
    if (this.node === node && this.best) {
      this.isFull = true;
      this.changed();
      announce(this.words ?? "");
      return;
    }
    this.node = node;
    this.isFull = false;
    await this.analyzer.analyzeFor(SECONDS);
    if (this.words !== null) announce(this.words);
  }

  /** What the board shows of it. */
  get overlay(): { values: Values | null; pointed: string | null } {
    const { best } = this;
    return { values: this.isFull ? best : null, pointed: best?.best ?? null };
  }

  /** The hint in words; null if there is none for the position on the board. */
  get words(): string | null {
    const { best } = this;
    const { turn } = this.session;
    if (!best || !turn) return null;
    return this.isFull ? t("hint.best", { move: best.best, value: worth(best.value, turn) }) : t("hint.square", { move: best.best });
  }

  /** The values for the position on the board, as far as they are known. */
  private get best(): Values | null {
    return this.node === this.session.tree.current ? (this.analyzer.evaluation?.values ?? null) : null;
  }
}
