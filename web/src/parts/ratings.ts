// Draws ratings over time: a line for each player, the interval of each version as a bar, and the
// version's name beside its point.

import uPlot from "uplot";
import type { Series } from "../api/wire";
import { h } from "../ui/dom";
import { palette } from "../ui/palette";
import { signed } from "../messages/messages";
import { type Column, columns } from "./timeline";

/** The number of colours; further players repeat them. */
const COLORS = 6;
const HEIGHT = 280;

export class RatingPlot {
  readonly element = h("div", { class: "time-plot" });
  readonly legend: HTMLElement;
  private readonly columns: Column[];
  private plot: uPlot | null = null;
  private readonly watcher = new ResizeObserver(() => this.resize());

  constructor(
    private readonly series: readonly Series[],
    /** The label below the column of a tournament; `\n` separates its lines. */
    private readonly label: (column: Column) => string,
  ) {
    this.columns = columns(series);
    const names = series.map(({ name }, index) => h("li", {}, h("span", { class: `swatch s${index % COLORS}`, "aria-hidden": "true" }), name));
    this.legend = h("ul", { class: "legend" }, ...names);
    this.watcher.observe(this.element);
  }

  /** Repaints after a change of theme. */
  repaint(): void {
    this.plot?.destroy();
    this.plot = null;
    this.resize();
  }

  end(): void {
    this.watcher.disconnect();
    this.plot?.destroy();
  }

  private resize(): void {
    const width = this.element.clientWidth;
    if (width === 0) return;
    if (this.plot) this.plot.setSize({ width, height: HEIGHT });
    else this.plot = new uPlot(this.options(width), this.data(), this.element);
  }

  private data(): uPlot.AlignedData {
    const values = this.series.map((_, index) => this.columns.map(({ points }) => points[index]?.elo ?? null));
    return [this.columns.map((_, place) => place), ...values];
  }

  private options(width: number): uPlot.Options {
    const color = palette(this.element);
    const stroke = (index: number): string => color(`--series-${index % COLORS}`);
    const axis = { stroke: color("--quiet"), grid: { stroke: color("--line"), width: 1 }, ticks: { show: false }, font: "11px system-ui, sans-serif" };
    const ends = this.series.flatMap(({ points }) => points.flatMap(({ low, high }) => [low ?? 0, high ?? 0]));
    // Leaves half a column free on each side.
    const last = this.columns.length - 0.5;
    return {
      width,
      height: HEIGHT,
      legend: { show: false },
      cursor: { show: false },
      scales: { x: { time: false, range: () => [-0.5, last] }, y: { range: () => [Math.min(...ends, 0) - 20, Math.max(...ends, 0) + 20] } },
      axes: [
        { ...axis, space: 96, size: 42, incrs: [1, 2, 5, 10, 20, 50, 100], values: (_, places) => places.map((place) => this.below(place)) },
        { ...axis, label: "Elo", labelSize: 18, size: 46, values: (_, ticks) => ticks.map(signed) },
      ],
      series: [{}, ...this.series.map((_, index) => ({ stroke: stroke(index), width: 2, spanGaps: true, points: { show: true, size: 7, fill: color("--panel") } }))],
      hooks: { draw: [(plot) => this.paint(plot, stroke, color("--text"))] },
    };
  }

  private below(place: number): string {
    const column = this.columns[place];
    return column ? this.label(column) : "";
  }

  /** Draws intervals and versions. */
  private paint(plot: uPlot, stroke: (index: number) => string, text: string): void {
    const { ctx } = plot;
    const ratio = devicePixelRatio;
    ctx.save();
    ctx.lineWidth = 1.5 * ratio;
    ctx.font = `${11 * ratio}px system-ui, sans-serif`;
    ctx.textAlign = "left";
    ctx.textBaseline = "bottom";
    for (const [place, { points }] of this.columns.entries()) {
      const x = plot.valToPos(place, "x", true);
      for (const [index, point] of points.entries()) {
        if (!point || point.elo === null) continue;
        if (point.low !== null && point.high !== null) {
          ctx.strokeStyle = stroke(index);
          ctx.beginPath();
          ctx.moveTo(x, plot.valToPos(point.low, "y", true));
          ctx.lineTo(x, plot.valToPos(point.high, "y", true));
          ctx.stroke();
        }
        ctx.fillStyle = text;
        ctx.fillText(point.version, x + 7 * ratio, plot.valToPos(point.elo, "y", true) - 3 * ratio);
      }
    }
    ctx.restore();
  }
}
