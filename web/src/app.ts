// What every screen may use: the server, the game on the table and who looks at it, the settings.

import type { Client } from "./api/client";
import type { Agents, ReadGame } from "./api/wire";
import type { Analyst } from "./game/analyst";
import type { Keeper } from "./game/keeper";
import { type Game, read } from "./game/notation";
import type { Opponent } from "./game/opponent";
import type { Remote } from "./game/remote";
import type { Review } from "./game/review";
import type { Session } from "./game/session";
import { Tree } from "./game/tree";
import type { Settings } from "./settings";

export interface App {
  readonly client: Client;
  readonly settings: Settings;
  readonly session: Session;
  readonly opponent: Opponent;
  readonly analyst: Analyst;
  readonly review: Review;
  readonly keeper: Keeper;
  readonly remote: Remote;
  /** Who can play; empty until the server has said. */
  readonly agents: Agents;
  /** Writes the settings down. */
  keep(): void;
  /** Tells a person what went wrong. */
  failed(error: unknown): void;
  /** Goes to another screen. */
  go(route: string): void;
  /** Language, names or the like have changed: draw everything anew. */
  redraw(): void;
  /** The theme has changed: paint canvases anew, and leave everything else as it is. */
  repaint(): void;
}

/** A screen. */
export interface View {
  readonly element: HTMLElement;
  readonly title: string;
  /** The screen is left: searches end, listeners go. */
  leave(): void;
  /** Colours have changed. */
  repaint?(): void;
  /** What a key does on this screen, by its name. */
  readonly keys?: Readonly<Record<string, () => void>>;
}

/** A game read by the server as one for the table, passes left out. */
export function gameOf(record: Pick<ReadGame, "rule" | "start" | "moves"> & { size: number }): Game {
  const size = record.size as 4 | 6 | 8;
  const tree = Tree.of(record.moves.filter((move) => move !== "pass"));
  tree.remember();
  return { rule: record.rule, size, start: record.start === usual(size) ? null : record.start, tree };
}

/** The usual start as the server writes it. */
export function usual(size: number): string {
  const cells = Array.from({ length: size * size }, () => "-");
  const middle = size / 2;
  cells[(middle - 1) * size + middle - 1] = "O";
  cells[(middle - 1) * size + middle] = "X";
  cells[middle * size + middle - 1] = "X";
  cells[middle * size + middle] = "O";
  return `${cells.join("")} X`;
}

/** The game in the settings, if there is one. */
export function kept(settings: Settings): Game | null {
  return settings.game === "" ? null : read(settings.game);
}
