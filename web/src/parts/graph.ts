// The evaluation of a whole game as a graph: above the middle Black is better, below White. A
// mistake is a dot. The cursor can be dragged, and moved with the keyboard like any slider. A variation
// that the board shows is a second, thinner line: the game stays.

import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import { h } from "../ui/dom";
import { palette } from "../ui/palette";
import { Topic } from "../ui/topic";
import { signed, t } from "../messages/messages";

/** A move of the game, by its index on the line. */
export interface Point {
  readonly value: number | null;
  readonly mark: "inaccuracy" | "mistake" | "blunder" | null;
}

/** A variation: the ply of the game that it leaves, and its values from there on. */
export interface Branch {
  readonly from: number;
  readonly points: readonly Point[];
}

export class Graph {
  readonly element: HTMLElement;
  readonly chosen = new Topic<number>();
  private plot: uPlot | null = null;
  private points: readonly Point[] = [];
  private at = 0;
  private branch: Branch | null = null;
  private readonly watcher: ResizeObserver;

  constructor() {
    this.element = h("div", { class: "graph", role: "slider", tabindex: 0, "aria-label": t("graph.label"), "aria-valuemin": 0 });
    this.element.addEventListener("keydown", (event) => this.key(event));
    let isDown = false;
    this.element.addEventListener("pointerdown", (event) => {
      isDown = true;
      this.element.setPointerCapture(event.pointerId);
      this.pick(event);
    });
    this.element.addEventListener("pointermove", (event) => isDown && this.pick(event));
    for (const end of ["pointerup", "pointercancel"]) this.element.addEventListener(end, () => (isDown = false));
    this.watcher = new ResizeObserver(() => this.resize());
    this.watcher.observe(this.element);
  }

  /** Draws the values of a game of `points`, and those of a variation; the cursor is at `at`. */
  show(points: readonly Point[], at: number, branch: Branch | null = null): void {
    this.points = points;
    this.at = at;
    this.branch = branch;
    const value = this.value;
    this.element.setAttribute("aria-valuemax", String(Math.max(points.length - 1, at)));
    this.element.setAttribute("aria-valuenow", String(at));
    this.element.setAttribute("aria-valuetext", t(branch ? "graph.variation" : "graph.value", { ply: at, value: value === null ? "–" : signed(value) }));
    const data = this.data();
    if (this.plot) this.plot.setData(data);
    else if (this.element.clientWidth > 0) this.plot = new uPlot(this.options(), data, this.element);
  }

  /** Repaints after a change of theme. */
  repaint(): void {
    this.plot?.destroy();
    this.plot = null;
    this.show(this.points, this.at, this.branch);
  }

  end(): void {
    this.watcher.disconnect();
    this.plot?.destroy();
  }

  private data(): uPlot.AlignedData {
    const { points, branch } = this;
    const length = Math.max(points.length, branch ? branch.from + branch.points.length : 0);
    const plies = Array.from({ length }, (_, ply) => ply);
    return [plies, plies.map((ply) => points[ply]?.value ?? null), plies.map((ply) => this.branched(ply)?.value ?? null)];
  }

  /** The point of the variation at a ply. */
  private branched(ply: number): Point | undefined {
    return this.branch?.points[ply - this.branch.from];
  }

  /** The value at the cursor. */
  private get value(): number | null {
    return (this.branch ? this.branched(this.at) : this.points[this.at])?.value ?? null;
  }

  private options(): uPlot.Options {
    const color = palette(this.element);
    const grid = { stroke: color("--line"), width: 1 };
    const axis = { stroke: color("--quiet"), grid, ticks: { show: false }, font: "11px system-ui, sans-serif", size: 30 };
    return {
      width: this.element.clientWidth,
      height: this.height(),
      legend: { show: false },
      cursor: { show: false },
      padding: [8, 10, 0, 0],
      scales: {
        x: { time: false, range: (_, __, max) => [0, Math.max(max, 10)] },
        y: { range: (_, min, max) => range(min, max) },
      },
      axes: [
        { ...axis, size: 22, space: 36, incrs: [2, 5, 10, 20] },
        // The same five lines at every scale, however low the graph is.
        { ...axis, splits: ({ scales }) => ticks(scales["y"]?.max ?? LEAST), values: (_, places) => places.map((place) => signed(place)) },
      ],
      series: [
        {},
        {
          stroke: color("--accent"),
          width: 2,
          spanGaps: true,
          points: { show: false },
          fill: color("--accent-wash"),
          fillTo: 0,
        },
        { stroke: color("--text"), width: 1.5, dash: [4, 3], spanGaps: true, points: { show: false } },
      ],
      hooks: { draw: [(plot) => this.paint(plot, color)] },
    };
  }

  /** The middle line, dots on mistakes and the cursor. */
  private paint(plot: uPlot, color: (name: string) => string): void {
    const { ctx } = plot;
    const { left, top, width, height } = plot.bbox;
    const ratio = devicePixelRatio;
    const x = (ply: number): number => plot.valToPos(ply, "x", true);
    const y = (value: number): number => plot.valToPos(value, "y", true);
    ctx.save();
    // The dashes of the variation's line are not for what follows.
    ctx.setLineDash([]);
    ctx.strokeStyle = color("--quiet");
    ctx.lineWidth = ratio;
    ctx.beginPath();
    ctx.moveTo(left, y(0));
    ctx.lineTo(left + width, y(0));
    ctx.stroke();
    const dot = (ply: number, value: number, radius: number, fill: string): void => {
      ctx.fillStyle = fill;
      ctx.strokeStyle = color("--panel");
      ctx.lineWidth = 1.5 * ratio;
      ctx.beginPath();
      ctx.arc(x(ply), y(value), radius * ratio, 0, 2 * Math.PI);
      ctx.fill();
      ctx.stroke();
    };
    for (const [ply, { value, mark }] of this.points.entries()) {
      if (value === null || mark === null) continue;
      dot(ply, value, mark === "blunder" ? 5 : mark === "mistake" ? 4.2 : 3.2, color(`--${mark}`));
    }
    ctx.strokeStyle = color("--text");
    ctx.lineWidth = 1.5 * ratio;
    ctx.beginPath();
    ctx.moveTo(x(this.at), top);
    ctx.lineTo(x(this.at), top + height);
    ctx.stroke();
    const { value } = this;
    if (value !== null) dot(this.at, value, 4.5, color("--text"));
    ctx.restore();
  }

  private pick(event: PointerEvent): void {
    if (!this.plot) return;
    const { left } = this.plot.over.getBoundingClientRect();
    const ply = Math.round(this.plot.posToVal(event.clientX - left, "x"));
    this.choose(ply);
  }

  private key(event: KeyboardEvent): void {
    const to = {
      ArrowLeft: this.at - 1,
      ArrowDown: this.at - 1,
      ArrowRight: this.at + 1,
      ArrowUp: this.at + 1,
      PageDown: this.at - 10,
      PageUp: this.at + 10,
      Home: 0,
      End: this.points.length - 1,
    }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    this.choose(to);
  }

  private choose(ply: number): void {
    const wanted = Math.max(0, Math.min(this.points.length - 1, ply));
    if (wanted !== this.at || this.branch) this.chosen.tell(wanted);
  }

  private resize(): void {
    const width = this.element.clientWidth;
    if (width === 0) return;
    if (this.plot) this.plot.setSize({ width, height: this.height() });
    else this.show(this.points, this.at, this.branch);
  }

  private height(): number {
    return Math.max(90, this.element.clientHeight);
  }
}

/** The least value at the end of the scale, so that small values do not look large. */
const LEAST = 8;

/** A symmetric range. */
function range(min: number | null, max: number | null): [number, number] {
  const most = Math.max(LEAST, Math.abs(min ?? 0), Math.abs(max ?? 0));
  const end = most <= 8 ? 8 : most <= 16 ? 16 : most <= 32 ? 32 : 64;
  return [-end, end];
}

/** The values with a line, for a scale that ends at `end`. */
function ticks(end: number): number[] {
  return [-end, -end / 2, 0, end / 2, end];
}
