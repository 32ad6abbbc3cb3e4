// A small book for the suite: a few positions with values by hand.

import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, inject } from "vitest";
import type { Position } from "../src/api/wire";
import { program, Served } from "./program";

/** The lines of the book, what the position after each is worth to the side to move, and its best move. */
const LINES: readonly (readonly [moves: string[], value: number, best: string])[] = [
  [[], 2, "f5"],
  [["f5"], -2, "d6"],
  [["f5", "d6"], 2, "c3"],
  [["f5", "f6"], 6, "e6"],
  [["f5", "d6", "c3"], -1, "d3"],
  [["f5", "d6", "c5"], 3, "f4"],
  [["f5", "d6", "c3", "d3"], 1, "c4"],
];

async function lineOf([moves, value, best]: (typeof LINES)[number]): Promise<string> {
  const response = await fetch(new URL("/api/position", inject("url")), { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ moves }) });
  const { position, legal } = (await response.json()) as Position;
  const estimates = Object.fromEntries(legal.map(({ square }) => [square, square === best ? value : value - 3]));
  return JSON.stringify({ position, value, best, depth: 20, selectivity: 95, exact: false, nodes: 1000, moves: estimates });
}

/** A server with the book for all tests of a file. */
export function withBook(): { readonly url: string } {
  let server: Served | null = null;
  let folder = "";
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "isrever-book-"));
    const [book, lines] = [join(folder, "small.book"), join(folder, "small.jsonl")];
    writeFileSync(lines, (await Promise.all(LINES.map(lineOf))).join("\n"));
    execFileSync(program(), ["book", "import", book, lines], { stdio: ["ignore", "ignore", "inherit"] });
    server = await Served.start(folder, 0, "--book", book);
  });
  afterAll(async () => {
    await server?.end();
    rmSync(folder, { recursive: true, force: true });
  });
  return {
    get url(): string {
      return server!.url;
    },
  };
}
