// A board as a file: SVG text, or the same drawn to a canvas for PNG. Its colours do not follow the
// theme of the page.

import { LETTERS } from "../game/notation";

const CELL = 48;
const MARGIN = 28;
const FOOT = 40;
const RADIUS = (CELL * 2) / 5;
const INK = { felt: "#2b7a5f", line: "#1d5a45", paper: "#f5f2ea", text: "#333a36", black: "#151816", white: "#fbfaf6", last: "#e8743b" };

export interface Subject {
  readonly size: number;
  readonly board: string;
  readonly last: string | null;
  readonly caption: string;
}

/** The board as a self-contained SVG file. */
export function svgText(subject: Subject): string {
  const { size, board, last, caption } = subject;
  const side = size * CELL;
  const width = side + 2 * MARGIN;
  const height = side + MARGIN + FOOT;
  const middle = (at: number): number => MARGIN + at * CELL + CELL / 2;
  const parts = [
    `<rect width="${width}" height="${height}" rx="10" fill="${INK.paper}"/>`,
    `<rect x="${MARGIN}" y="${MARGIN}" width="${side}" height="${side}" fill="${INK.felt}"/>`,
  ];
  for (let at = 0; at <= size; at += 1) {
    const line = MARGIN + at * CELL;
    parts.push(`<path d="M${line} ${MARGIN}v${side}M${MARGIN} ${line}h${side}" stroke="${INK.line}"/>`);
  }
  for (let at = 0; at < size; at += 1) {
    parts.push(`<text x="${middle(at)}" y="${MARGIN - 9}">${LETTERS[at]}</text>`, `<text x="${MARGIN / 2}" y="${middle(at) + 5}">${at + 1}</text>`);
  }
  each(board, size, (x, y, mark, name) => {
    const fill = mark === "X" ? INK.black : INK.white;
    parts.push(`<circle cx="${middle(x)}" cy="${middle(y)}" r="${RADIUS}" fill="${fill}" stroke="${INK.line}"/>`);
    if (name === last) parts.push(`<circle cx="${middle(x)}" cy="${middle(y)}" r="5" fill="${INK.last}"/>`);
  });
  parts.push(`<text x="${width / 2}" y="${height - 15}" font-size="15">${escaped(caption)}</text>`);
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" font-family="sans-serif" font-size="13" text-anchor="middle" fill="${INK.text}">${parts.join("")}</svg>\n`;
}

/** The board as a PNG file, twice as fine as the SVG's units. */
export function pngBlob(subject: Subject): Promise<Blob> {
  const { size, board, last, caption } = subject;
  const side = size * CELL;
  const width = side + 2 * MARGIN;
  const height = side + MARGIN + FOOT;
  const canvas = document.createElement("canvas");
  canvas.width = width * 2;
  canvas.height = height * 2;
  const ink = canvas.getContext("2d")!;
  ink.scale(2, 2);
  ink.fillStyle = INK.paper;
  ink.fillRect(0, 0, width, height);
  ink.fillStyle = INK.felt;
  ink.fillRect(MARGIN, MARGIN, side, side);
  ink.strokeStyle = INK.line;
  for (let at = 0; at <= size; at += 1) {
    const line = MARGIN + at * CELL;
    ink.strokeRect(line, MARGIN, 0, side);
    ink.strokeRect(MARGIN, line, side, 0);
  }
  const middle = (at: number): number => MARGIN + at * CELL + CELL / 2;
  ink.fillStyle = INK.text;
  ink.textAlign = "center";
  ink.font = "13px sans-serif";
  for (let at = 0; at < size; at += 1) {
    ink.fillText(LETTERS[at]!, middle(at), MARGIN - 9);
    ink.fillText(String(at + 1), MARGIN / 2, middle(at) + 5);
  }
  const circle = (x: number, y: number, radius: number, fill: string): void => {
    ink.fillStyle = fill;
    ink.beginPath();
    ink.arc(middle(x), middle(y), radius, 0, 2 * Math.PI);
    ink.fill();
  };
  each(board, size, (x, y, mark, name) => {
    circle(x, y, RADIUS, mark === "X" ? INK.black : INK.white);
    if (name === last) circle(x, y, 5, INK.last);
  });
  ink.fillStyle = INK.text;
  ink.font = "15px sans-serif";
  ink.fillText(caption, width / 2, height - 15);
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("the browser made no picture"))), "image/png");
  });
}

function each(board: string, size: number, draw: (x: number, y: number, mark: string, name: string) => void): void {
  for (const [index, mark] of [...board].entries()) {
    if (mark === "-") continue;
    const x = index % size;
    const y = Math.floor(index / size);
    draw(x, y, mark, `${LETTERS[x]}${y + 1}`);
  }
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}
