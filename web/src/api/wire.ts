// The shapes of docs/guide/web-api.md, as far as the page uses them.

import type { Rule, Size } from "../game/notation";
import type { Side } from "../game/clock";

export interface GameBody {
  rule: Rule;
  size: Size;
  start: string | null;
  moves: readonly string[];
}

export interface Discs {
  black: number;
  white: number;
  empty: number;
}

export interface Result {
  winner: Side | null;
  score: { black: number; white: number };
  discs: Discs;
}

export interface Step {
  ply: number;
  move: string;
  color: Side;
  flips: string[];
  board: string;
  discs: Discs;
}

export interface Legal {
  square: string;
  flips: string[];
  /** The position after the move, forced passes played; only in answers to requests with `ahead`. */
  after?: Position;
}

export interface Position {
  rule: Rule;
  size: Size;
  start: string;
  moves: string[];
  position: string;
  board: string;
  turn: Side | null;
  ply: number;
  discs: Discs;
  legal: Legal[];
  must_pass: boolean;
  /** The side that had to pass just before; only in answers to requests with `ahead`. */
  passed?: Side;
  over: boolean;
  score: { black: number; white: number };
  leader: Side | null;
  result: Result | null;
  last: { move: string; color: Side; flips: string[] } | null;
  /** The last opening with a name that the game passed, if it passed one. */
  opening?: Opening;
  history: Step[] | null;
}

/** The name of an opening. */
export interface Opening {
  name: string;
  chinese: string;
}

/** What the book knows of a position; values are in discs for the side to move. */
export interface Book {
  books: { rule: Rule; size: Size; positions: number }[];
  opening: Opening | null;
  known: {
    value: number;
    /** The score is proved to be at least and at most this. */
    lower: number;
    upper: number;
    pv: string[];
    plies: number;
    depth: number;
    selectivity: number;
    exact: boolean;
    nodes: number;
  } | null;
  /** Games kept on the server that went on from here; null where none are counted. */
  games: number | null;
  moves: BookMove[];
  tree: TreeMove[];
}

/** A legal move, and what its value rests on. */
export interface BookMove {
  move: string;
  /** An earlier move of the list that is the same by symmetry. */
  same_as?: string;
  kind: "over" | "known" | "searched" | "estimated" | "unknown";
  value: number | null;
  /** Only of moves that lead to a position of the book. */
  reached?: { lower: number; upper: number; plies: number; depth: number; selectivity: number };
  games: number | null;
  opening?: Opening;
}

/** A move of the best lines ahead; its value is for the side that plays it. */
export interface TreeMove {
  move: string;
  color: Side;
  value: number;
  opening?: Opening;
  tree: TreeMove[];
}

/** A move that an agent weighed before its answer. */
export interface Candidate {
  square: string;
  /** How likely the network found it before the search, from 0 to 1. */
  prior: number | null;
  /** Playouts that began with it. */
  visits: number;
  /** Its value, on the agent's own scale. */
  value: number | null;
}

export interface AgentMove {
  move: string;
  value: number | null;
  depth: number | null;
  seconds: number;
  agent: string;
  /** Only of agents that search by playouts. */
  candidates?: Candidate[];
  /** What it has printed since its last move; only of the owner's agents. */
  output?: string;
  position: Position;
}

/** What one of the owner's agents told with a move of a saved game. */
export interface ToldMove {
  /** The squares up to the move and with it. */
  readonly line: readonly string[];
  readonly agent: string;
  readonly seconds: number;
  readonly output: string;
}

/** A case of the test of an owner's agent. */
export interface CheckedCase {
  name: string;
  about: string;
  board: string;
  size: number;
  color: Side;
  expected: string[];
  list: string[] | null;
  decision: string | null;
  forfeit: string | null;
  passed: boolean;
  faults: string[];
  notes: string[];
  seconds: number | null;
  late: boolean;
}

/** What all cases come to. */
export interface CheckTotal {
  reason: "over" | "time";
  passed: number;
  failed: number;
  skipped: number;
}

/** What a game is played by and on. */
export type GameKind = Pick<GameBody, "rule" | "size">;

/** An agent that can be chosen. */
export interface Agent {
  spec: string;
  name: string;
  about: string;
  kind: "simple" | "report" | "engine" | "python" | "program";
  /** Whether it is one of the server's owner. */
  own: boolean;
  /** The one game that it plays, if it does not play all. */
  only: GameKind | null;
  /** The boards that it plays on. */
  sizes: number[];
}

export interface Agents {
  agents: Agent[];
  levels: { level: number; spec: string; about: string }[];
  /** Whether the server has a battle platform. */
  club: boolean;
}

export interface MoveValue {
  move: string;
  value: number;
  depth: number;
  percent: number;
  exact: boolean;
  pv: string[];
}

export interface Values {
  depth: number;
  percent: number;
  exact: boolean;
  best: string;
  value: number;
  wld: number | null;
  nodes: number;
  seconds: number;
  pv: string[];
  moves: MoveValue[];
}

export interface Solution {
  score: number;
  wld: number;
  exact: boolean;
  best: string | null;
  pv: string[];
  nodes: number;
  seconds: number;
}

export interface SolveProgress {
  pass: number;
  passes: number;
  guess: number | null;
  best: string | null;
  nodes: number;
  seconds: number;
}

export type Mark = "inaccuracy" | "mistake" | "blunder";

export interface ReviewedMove {
  ply: number;
  move: string;
  color: Side;
  value: number;
  best: string;
  best_value: number;
  loss: number;
  mark: Mark | null;
  exact: boolean;
  depth: number;
  percent: number;
  pv: string[];
  value_black: number;
  forced: boolean;
  pass_number: number;
}

export interface SideSummary {
  moves: number;
  loss: number;
  inaccuracies: number;
  mistakes: number;
  blunders: number;
}

export interface ReviewDone {
  reason: string;
  black: SideSummary;
  white: SideSummary;
  nodes: number;
  seconds: number;
}

export interface ReadGame {
  rule: Rule;
  size: Size;
  start: string;
  moves: string[];
  /** Other lines of play, each from the start. */
  variations: string[][];
  black: string | null;
  white: string | null;
}

export interface Read {
  format: string;
  count: number;
  truncated: boolean;
  games: ReadGame[];
}

export type Format = "moves" | "board" | "obf" | "ggf" | "sgf" | "hex";

export interface Player {
  kind: "human" | "agent";
  name: string;
}

export interface SavedGame {
  id: string;
  rule: Rule;
  size: Size;
  black: Player;
  white: Player;
  state: "running" | "stopped" | "finished";
  ply: number;
  /** How often it was changed. */
  revision: number;
  result: Result | null;
  end: { reason: "board" | "resigned" | "time" | "agreed"; winner: Side | null } | null;
  /** The referee's part of a game between two people. */
  friends?: Friends;
  /** The players before one was changed. */
  earlier?: { until: number; black: Player; white: Player }[];
  position: string;
  created: string;
  changed: string;
  start?: string;
  moves?: string[];
}

/** What one side can offer the other. */
export type OfferKind = "draw" | "take-back" | "rematch";

/** What the referee of a game between two people says. */
export interface Friends {
  joined: { black: boolean; white: boolean };
  /** Seconds for all moves and added after each; the milliseconds left, and whose time runs. */
  clock: { seconds: number; increment: number; left: { black: number; white: number }; running: Side | null } | null;
  offer: { by: Side; what: OfferKind } | null;
  /** The id of the rematch. */
  next: string | null;
}

/** Who is there. */
export interface Presence {
  black: boolean;
  white: boolean;
  watchers: number;
}

/** What a seat asks for. */
export interface Action {
  action: "move" | "resign" | "offer" | "accept" | "decline";
  move?: string;
  offer?: OfferKind;
}

/** What a change of a saved game may say beside its moves. */
export interface GameChange {
  revision?: number;
  black?: Player;
  white?: Player;
  end?: { reason: "resigned" | "time"; loser: Side };
  told?: readonly ToldMove[];
}

export interface SavedGames {
  games: SavedGame[];
  next: string | null;
  total: number;
}

export interface WatchMove {
  move: string;
  color: Side;
  value: number | null;
  depth: number | null;
  seconds: number;
  candidates?: Candidate[];
  output?: string;
  position: Position;
}

export interface Tournament {
  id: number;
  name: string;
  kind: string;
  state: string;
  rule: Rule;
  size: number;
  players: number;
  games: number;
  planned: number;
  created: string;
}

export interface Standing {
  rank: number;
  player: string;
  games: number;
  wins: number;
  draws: number;
  losses: number;
  points: number;
  score_sum: number;
  elo: number | null;
  low: number | null;
  high: number | null;
  forfeits: number;
}

export interface Cell {
  wins: number;
  draws: number;
  losses: number;
}

export interface TournamentPage {
  tournament: Tournament;
  standings: Standing[];
  table: { players: string[]; cells: (Cell | null)[][] };
}

export interface TournamentGame {
  number: number;
  black: string;
  white: string;
  winner: Side | null;
  score_black: number;
  end: string;
  ply: number;
}

export interface Replay extends TournamentGame {
  rule: Rule;
  size: number;
  start: string;
  moves: string[];
  seconds: number[];
  details: string | null;
}

export interface Series {
  name: string;
  points: { tournament: number; version: string; time: string; elo: number | null; low: number | null; high: number | null }[];
}

export interface Puzzle {
  id: string;
  rule: Rule;
  size: Size;
  level: number;
  position: Position;
  empties: number;
  goal: "win" | "draw" | "margin";
  next: string | null;
}

export interface PuzzleAnswer {
  correct: boolean;
  best: string;
  score: number;
  pv: string[];
  moves: { move: string; score: number }[];
}

export interface Health {
  status: "ok" | "degraded";
  reasons: HealthReason[];
}

export interface HealthReason {
  code: string;
  message: string;
}
