// A chess clock as a state machine: it is told the time and holds none itself. Two budgets in
// milliseconds, an increment for each finished move, one side running at most.

export type Side = "black" | "white";

/** How long a game may take each side. */
export interface Control {
  readonly budget_ms: number;
  readonly increment_ms: number;
}

/** What each side has left, in milliseconds. */
export type Left = Record<Side, number>;

export class Clock {
  private readonly left: Left;
  private running: { side: Side; since: number } | null = null;
  private fallen: Side | null;

  /** A new clock, or one that goes on with what was `left` on it. */
  constructor(
    private readonly control: Control,
    left: Left | null = null,
  ) {
    this.left = left ? { ...left } : { black: control.budget_ms, white: control.budget_ms };
    this.fallen = this.left.black === 0 ? "black" : this.left.white === 0 ? "white" : null;
  }

  /** What both sides have left at `now`, to be kept. */
  read(now: number): Left {
    return { black: this.remaining("black", now), white: this.remaining("white", now) };
  }

  /** What `side` has left at `now`, never less than nothing. */
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

  /** The running side has moved: it gets its increment, and nobody's time runs. */
  moved(now: number): void {
    const side = this.running?.side;
    if (!side || this.flag(now)) return;
    this.stop(now);
    this.left[side] += this.control.increment_ms;
  }

  /** Nobody's time runs; nothing is given. */
  stop(now: number): void {
    if (!this.running) return;
    this.left[this.running.side] = this.remaining(this.running.side, now);
    this.running = null;
  }

  /** The side that has run out of time, for good. */
  flag(now: number): Side | null {
    if (!this.fallen && this.running && this.remaining(this.running.side, now) === 0) {
      this.fallen = this.running.side;
      this.stop(now);
    }
    return this.fallen;
  }
}

/** `4:05`, and `9.3` in the last ten seconds. */
export function spoken(ms: number): string {
  if (ms < 10_000) return (Math.floor(ms / 100) / 10).toFixed(1);
  const seconds = Math.floor(ms / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}
