// What all screens share: the server, the current game and what works on it, the settings.

import type { Client } from "./api/client";
import type { Agents, ReadGame } from "./api/wire";
import type { Analyzer } from "./game/analyzer";
import type { Saver } from "./game/saver";
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
  readonly analyzer: Analyzer;
  readonly review: Review;
  readonly saver: Saver;
  readonly remote: Remote;
  /** The agents; empty until the server has sent them. */
  readonly agents: Agents;
  /** Saves the settings. */
  keep(): void;
  /** Shows an error. */
  failed(error: unknown): void;
  /** Goes to another screen. */
  go(route: string): void;
  /** Redraws everything after a change of language, names or the like. */
  redraw(): void;
  /** Repaints canvases after a change of theme. */
  repaint(): void;
}

/** A screen. */
export interface View {
  readonly element: HTMLElement;
  readonly title: string;
  /** Stops searches and listeners when another screen is shown. */
  leave(): void;
  /** Repaints after a change of colours. */
  repaint?(): void;
  /** The actions of keys on this screen. */
  readonly keys?: Readonly<Record<string, () => void>>;
}

/** A game from a record of the server, without passes. */
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
export function savedGame(settings: Settings): Game | null {
  return settings.game === "" ? null : read(settings.game);
}
