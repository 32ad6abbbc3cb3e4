// What an agent of the server's owner told of its moves: its time, what it printed, how it failed.

import { Refusal } from "../api/client";

/** What an agent told with a move. */
export interface Told {
  readonly agent: string;
  /** The number of the move, from 1. */
  readonly number: number;
  readonly move: string;
  readonly seconds: number;
  /** What it has printed since its last move; empty if that is nothing. */
  readonly output: string;
}

/** An agent that failed at a move. */
export interface Failure {
  readonly agent: string;
  /** The number of the move that it did not make, from 1. */
  readonly number: number;
  /** The server's words, in English. */
  readonly message: string;
  /** What it had printed, its traceback last. */
  readonly output: string;
}

/** The failure of `agent` behind an error, if it is one. */
export function failureOf(error: unknown, agent: string, number: number): Failure | null {
  if (!(error instanceof Refusal) || error.code !== "agent-failed") return null;
  return { agent, number, message: error.message, output: error.output ?? "" };
}
