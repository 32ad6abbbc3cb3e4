// What all screens share: the server, the games of this browser, the settings, and the way to other
// screens. There is no current game: a screen is bound to the table or the analysis that its address
// names.

import type { Client } from "./api/client";
import type { Agents, ReadGame } from "./api/wire";
import type { Analysis } from "./game/analysis";
import type { Side } from "./game/clock";
import type { Games } from "./game/games";
import type { Seats } from "./game/seats";
import { type Game, type Size, usual } from "./game/notation";
import type { Table } from "./game/table";
import { Tree } from "./game/tree";
import type { Settings } from "./settings";

export interface App {
  readonly client: Client;
  readonly settings: Settings;
  /** The games of this browser. */
  readonly games: Games;
  /** The seats of this browser in games with friends. */
  readonly seats: Seats;
  /** The agents; empty until the server has sent them. */
  readonly agents: Agents;
  /** The board that was shown last, for screens that begin with it. */
  readonly recent: Table | Analysis | null;
  /** Saves the settings. */
  keep(): void;
  /** Shows an error. */
  failed(error: unknown): void;
  /** Goes to another screen. */
  go(route: string): void;
  /** Opens a copy of a game for analysis. */
  analyse(game: Game, names: Partial<Record<Side, string>>, more?: { id?: string; isReviewed?: boolean }): void;
  /** Redraws everything after a change of language. */
  redraw(): void;
  /** Applies other settings to the screen as it is. */
  refresh(): void;
  /** Repaints canvases after a change of theme. */
  repaint(): void;
}

/** A screen. */
export interface View {
  readonly element: HTMLElement;
  readonly title: string;
  /** Stops listening; `isRedrawn` if the same screen is drawn again at once. */
  leave(isRedrawn: boolean): void;
  /** What the same screen needs to go on when it is drawn again in another language. */
  state?(): unknown;
  /** Applies changed settings. */
  refresh?(): void;
  /** Repaints after a change of colours. */
  repaint?(): void;
  /** The actions of keys on this screen. */
  readonly keys?: Readonly<Record<string, () => void>>;
}

/** A game from a record of the server, without passes. */
export function gameOf(record: Pick<ReadGame, "rule" | "start" | "moves"> & { size: number; variations?: readonly (readonly string[])[] }): Game {
  const size = record.size as Size;
  const squares = (moves: readonly string[]): string[] => moves.filter((move) => move !== "pass");
  const tree = Tree.of(squares(record.moves));
  for (const line of record.variations ?? []) tree.follow(squares(line));
  tree.remember();
  return { rule: record.rule, size, start: record.start === usual(size) ? null : record.start, tree };
}
