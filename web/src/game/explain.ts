// Finds out why one move is better than another: has the engine value all moves of the position, and
// asks the server for the positions along the lines of the two.

import type { Client } from "../api/client";
import type { GameBody, Position, ReviewedMove, Values } from "../api/wire";
import { type Case, type Choice, LINE_LENGTH } from "./reasons";

/** The time for the values of a position in question. */
const SECONDS = 4;

/** The values of a position's moves, as deep as a verdict on one of them; null if it was stopped. */
export async function weigh(client: Client, game: GameBody, verdict: ReviewedMove, signal: AbortSignal): Promise<Values | null> {
  let values: Values | null = null;
  const depth = verdict.exact ? 0 : verdict.depth;
  await client.analysis(game, { seconds: SECONDS, depth }, (name, data) => {
    if (name === "values") values = data as Values;
  }, signal);
  return signal.aborted ? null : values;
}

/** The case of a better move against a worse one, from the values of their position. */
export async function compare(client: Client, game: GameBody, values: Values, better: string, worse: string): Promise<Case> {
  const before = await client.ahead(game);
  const choice = async (move: string): Promise<Choice> => {
    const { value = 0, exact = false, pv = [move] } = values.moves.find((each) => each.move === move) ?? {};
    const moves = pv.filter((each) => each !== "pass").slice(0, LINE_LENGTH);
    const ahead = moves.map((_, at): Promise<Position> => client.ahead({ ...game, moves: [...before.moves, ...moves.slice(0, at + 1)] }));
    return { move, value, isExact: exact, moves, line: await Promise.all(ahead) };
  };
  const [good, bad] = await Promise.all([choice(better), choice(worse)]);
  return { before, better: good, worse: bad };
}
