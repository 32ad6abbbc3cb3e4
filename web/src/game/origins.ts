// Where records of games come from other than from the dialog for a new one: a game that was begun at
// another screen, and the one game that older versions of the page kept.

import type { SavedGame } from "../api/wire";
import type { Side } from "./clock";
import { isMain, read, usual, write } from "./notation";
import { begun, freshId, type GameRecord } from "./record";
import { HUMAN, type Players } from "./session";

/** The record of a saved game that the same person has begun at another device. */
export function joined(saved: SavedGame, token: string, now: number): GameRecord {
  const seat = (each: Side): string => (saved[each].kind === "agent" ? saved[each].name : HUMAN);
  const players: Players = { black: seat("black"), white: seat("white") };
  const moves = saved.moves ?? [];
  const squares = moves.filter((move) => move !== "pass");
  const { rule, size, start = null } = saved;
  const record = begun({ rule, size, start: start === usual(size) ? null : start, moves: squares, players, clock: "" }, freshId(), now);
  return {
    ...record,
    board: saved.position.split(" ")[0]!,
    end: saved.end && saved.end.reason !== "board" ? { ...saved.end, margin: null } : null,
    saved: { id: saved.id, token, revision: saved.revision, moves, sent: "" },
    isShared: true,
  };
}

/** The game in the settings of an older version; null if there is none. */
export function inherited(text: string | null): GameRecord | null {
  let kept: { game?: unknown; players?: Partial<Players>; clock?: unknown };
  try {
    kept = (JSON.parse(text ?? "null") ?? {}) as typeof kept;
  } catch {
    return null;
  }
  const game = typeof kept.game === "string" ? read(kept.game) : null;
  if (!game || game.tree.size === 1) return null;
  const seat = (spec: unknown): string => (typeof spec === "string" && spec !== "remote" ? spec : HUMAN);
  const players = { black: seat(kept.players?.black), white: seat(kept.players?.white) };
  // Such a game may have been looked back at: it goes on at the end of its line.
  const end = isMain(game.tree.current) ? game.tree.end() : game.tree.line().at(-1)!;
  const record = begun({ rule: game.rule, size: game.size, start: game.start, players, clock: "" }, freshId(), Date.now());
  return { ...record, game: write(game, end), ply: end.ply };
}
