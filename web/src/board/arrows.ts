// A line of play on the board: numbered discs, and an arrow from each to the next. Those who cannot
// see it read the line beside the board.

import { fill, svg } from "../ui/dom";
import type { LineMove } from "./board";

/** How many moves of a line are drawn; more would hide each other. */
const MOST = 6;

/** The room around the middle of a square that an arrow leaves free, in squares. */
const GAP = 0.34;

/** The length of an arrow's head, in squares. */
const HEAD = 0.22;

export class Arrows {
  readonly element = svg("svg", { class: "arrows", "aria-hidden": "true" });
  private drawn = "";

  /** Draws a line on a board of `size` squares; an empty one clears it. */
  show(line: readonly LineMove[], size: number): void {
    const now = JSON.stringify([line, size]);
    if (now === this.drawn) return;
    this.drawn = now;
    const moves = line.slice(0, MOST);
    this.element.setAttribute("viewBox", `0 0 ${size} ${size}`);
    fill(this.element, ...moves.slice(1).map((move, index) => arrow(middle(moves[index]!.square), middle(move.square))), ...moves.map(disc));
  }
}

type Point = readonly [x: number, y: number];

function middle(square: string): Point {
  return [square.charCodeAt(0) - 97 + 0.5, Number(square.slice(1)) - 0.5];
}

/** An arrow between two squares, as one outline. */
function arrow([fromX, fromY]: Point, [toX, toY]: Point): SVGElement {
  const length = Math.hypot(toX - fromX, toY - fromY);
  const [x, y] = [(toX - fromX) / length, (toY - fromY) / length];
  const at = (along: number, aside: number): string => `${(fromX + x * along - y * aside).toFixed(3)} ${(fromY + y * along + x * aside).toFixed(3)}`;
  const [start, end] = [GAP, length - GAP];
  const neck = Math.max(start, end - HEAD);
  const outline = [at(start, 0.05), at(neck, 0.05), at(neck, 0.14), at(end, 0), at(neck, -0.14), at(neck, -0.05), at(start, -0.05)];
  return svg("path", { class: "arrow", d: `M${outline.join("L")}Z` });
}

function disc({ square, side }: LineMove, index: number): SVGElement {
  const [cx, cy] = middle(square);
  return svg("g", { class: `step ${side}` }, svg("circle", { cx, cy, r: 0.31 }), svg("text", { x: cx, y: cy }, index + 1));
}
