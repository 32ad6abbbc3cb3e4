// A chess clock as a state machine; callers pass in the time. It has two budgets in
// milliseconds, an increment for each finished move, one side running at most.

export type Side = "black" | "white";

/** How long a game may take each side. */
export interface Control {
  readonly budget_ms: number;
  readonly increment_ms: number;
}

/** The time left to each side, in milliseconds. */
export type Left = Record<Side, number>;

export class Clock {
  private readonly left: Left;
  private running: { side: Side; since: number } | null = null;
  private fallen: Side | null;

  /** A new clock, or one that resumes with the time `left`. */
  constructor(
    private readonly control: Control,
    left: Left | null = null,
  ) {
    this.left = left ? { ...left } : { black: control.budget_ms, white: control.budget_ms };
    this.fallen = this.left.black === 0 ? "black" : this.left.white === 0 ? "white" : null;
  }

  /** The time left to both sides at `now`, to resume with later. */
  read(now: number): Left {
    return { black: this.remaining("black", now), white: this.remaining("white", now) };
  }

  /** The time left to `side` at `now`, at least 0. */
  remaining(side: Side, now: number): number {
    const spent = this.running?.side === side ? now - this.running.since : 0;
    return Math.max(0, this.left[side] - Math.max(0, spent));
  }

  /** The side whose time runs. */
  get side(): Side | null {
    return this.running?.side ?? null;
  }

  /** Starts or goes on with `side`'s time; the same side twice in a row (after a pass) is one more move. */
  start(side: Side, now: number): void {
    if (this.fallen) return;
    this.stop(now);
    this.running = { side, since: now };
  }

  /** Stops the clock after a move of the running side, and adds its increment. */
  moved(now: number): void {
    const side = this.running?.side;
    if (!side || this.flag(now)) return;
    this.stop(now);
    this.left[side] += this.control.increment_ms;
  }

  /** Stops the clock without an increment. */
  stop(now: number): void {
    if (!this.running) return;
    this.left[this.running.side] = this.remaining(this.running.side, now);
    this.running = null;
  }

  /** The side that has run out of time, if one has. */
  flag(now: number): Side | null {
    if (!this.fallen && this.running && this.remaining(this.running.side, now) === 0) {
      this.fallen = this.running.side;
      this.stop(now);
    }
    return this.fallen;
  }
}

/** `4:05`, and `9.3` in the last ten seconds. */
export function clockText(ms: number): string {
  if (ms < 10_000) return (Math.floor(ms / 100) / 10).toFixed(1);
  const seconds = Math.floor(ms / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}
