// What the server says of its own health. It is asked when the page starts and after a request that
// it could not answer; on a timer only while it is degraded, until it has recovered.

import type { Client } from "../api/client";
import type { HealthReason } from "../api/wire";
import { Topic } from "../ui/topic";

/** How long after an answer the server is asked again while it is degraded. */
export const AGAIN_MS = 30_000;

/** The least time between two questions, however many requests fail. */
export const GAP_MS = 5000;

export class Health {
  /** Told when the reasons have changed. */
  readonly changed = new Topic();
  /** Why the server is degraded; empty if it is not. */
  reasons: readonly HealthReason[] = [];
  private isAsking = false;
  /** Whether the server was asked less than `GAP_MS` ago. */
  private isRecent = false;
  /** Whether a request has failed since the last question. */
  private isDue = false;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly client: Client) {
    client.troubled.on(() => {
      this.isDue = true;
      if (!this.isAsking && !this.isRecent) void this.ask();
    });
  }

  /** Asks the server, and goes on asking while it is degraded. */
  async ask(): Promise<void> {
    clearTimeout(this.timer);
    this.isAsking = true;
    this.isDue = false;
    try {
      this.tell((await this.client.health()).reasons);
    } catch {
      // No answer says nothing new; what was asked for besides has told people already.
    }
    this.isAsking = false;
    this.isRecent = true;
    this.timer = setTimeout(() => this.rest(), GAP_MS);
  }

  /** Asks at once if a request has failed meanwhile, later if the server is degraded, else not. */
  private rest(): void {
    this.isRecent = false;
    if (this.isDue) void this.ask();
    else if (this.reasons.length > 0) this.timer = setTimeout(() => void this.ask(), AGAIN_MS - GAP_MS);
  }

  private tell(reasons: readonly HealthReason[]): void {
    const codes = (each: readonly HealthReason[]): string => each.map(({ code }) => code).join();
    if (codes(reasons) === codes(this.reasons)) return;
    this.reasons = reasons;
    this.changed.tell();
  }
}
