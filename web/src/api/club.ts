// The battle platform's part of the server's API. Changes bring the code that the server gave to this
// page with the session: other sites do not know it.

import type { Rule, Size } from "../game/notation";
import type { Side } from "../game/clock";
import type { Client } from "./client";
import type { CheckedCase } from "./wire";

export type Role = "administrator" | "member" | "guest";

export interface Account {
  id: number;
  name: string;
  section: string;
  role: Role;
  has_password: boolean;
  blocked: boolean;
  created: string;
}

export interface Visitor {
  account: Account;
  form: string | null;
}

export interface Terms {
  rule: Rule;
  size: Size;
  move_ms: number;
  game_ms: number;
  memory_mib: number;
}

export interface Club {
  visitor: Visitor | null;
  terms: Terms;
  ladder_open: boolean;
  sparring_open: boolean;
  deadline: string | null;
  now: string;
}

export interface Invitation {
  name: string | null;
  role: Role;
  section: string;
}

/** An invitation that can still be accepted, without its code. */
export interface OpenInvitation extends Invitation {
  digest: string;
  uses: number;
  created: string | null;
  expires: string;
}

/** What became of a class list. */
export interface Enrolment {
  accounts: { name: string; section: string; code: string }[];
  known: string[];
  /** Who would have been taken in, were it not for the wrong rows. */
  left: string[];
  wrong: { line: number; name: string; kind: "row" | "name" | "twice" | "section" | "role"; message: string }[];
}

/** What to change of an account. */
export interface AccountChange {
  name?: string;
  section?: string;
  role?: Role;
  blocked?: boolean;
}

/** A token for programs, without its secret. */
export interface Token {
  label: string;
  created: string;
  used: string | null;
}

export interface Version {
  id: number;
  /** Its author. */
  account: number;
  name: string;
  number: number;
  file: string;
  state: "waiting" | "passed" | "failed" | "blocked";
  /** Why it is blocked, if it is. */
  reason: string | null;
  /** Its place in the queue of checks; 0 if a judge is at it. */
  queue: number | null;
  /** How far its check has come, if a judge says so. */
  progress: { done: number; cases: number } | null;
  active: boolean;
  /** How many of its latest 20 games it has lost by failing. */
  failures: number;
  open: boolean;
  created: string;
  digest: string;
}

export interface Report {
  cases: CheckedCase[];
  total: { passed: number; failed: number; skipped: number };
  seconds: number | null;
  own_seconds: number | null;
  sandbox: string | null;
  python: string | null;
  slowest: number | null;
  memory_bytes: number | null;
  printed: string[];
}

export interface Rating {
  elo: number;
  low: number | null;
  high: number | null;
}

export interface Rung {
  rank: number;
  account: number;
  name: string;
  section: string;
  version: number;
  number: number;
  points: number;
  trend: number;
  wins: number;
  draws: number;
  losses: number;
  forfeits: number;
  version_games: number;
  rating: Rating;
}

export interface Ladder {
  rungs: Rung[];
  count: number;
  own: Rung | null;
  sections: string[];
}

export interface Contestant {
  name: string;
  account: number | null;
  version: number | null;
  number: number | null;
}

export interface BattleGame {
  id: number;
  place: number;
  state: "waiting" | "played" | "annulled";
  score: number | null;
  end: string | null;
  ended: string | null;
}

export interface Battle {
  id: number;
  kind: "ladder" | "challenge" | "final" | "casual";
  of_final: number | null;
  players: [Contestant, Contestant];
  terms: Terms;
  created: string;
  games: BattleGame[];
}

export interface Battles {
  battles: Battle[];
  next: number | null;
}

export interface PlayedMove {
  move: string;
  color: Side;
  seconds: number | null;
  value: number | null;
  depth: number | null;
  nodes: number | null;
  best: number | null;
  loss: number | null;
  better: string | null;
  exact: boolean;
}

export interface GameRecord {
  id: number;
  battle: Battle;
  place: number;
  black: string;
  white: string;
  state: BattleGame["state"];
  start: string | null;
  opening: number;
  moves: PlayedMove[];
  /** The start, and the board after each move. */
  boards: string[];
  score_black: number | null;
  end: string | null;
  forfeiter: Side | null;
  details: string | null;
  losing_move: number | null;
  reviewed: boolean;
  black_output: string | null;
  white_output: string | null;
  reason: string | null;
  ended: string | null;
}

export interface LiveGame {
  game: number;
  battle: Battle;
  place: number;
  moves: string;
  board: string;
  turn: Side | null;
  /** The milliseconds that black and white have used. */
  clocks: [number, number];
  updated: string;
}

/** An agent that people may play against. */
export interface Opponent {
  version: number;
  number: number;
  account: number;
  name: string;
  section: string;
}

/** A game of a person against somebody's agent. */
export interface Casual {
  game: number;
  /** The agent's author, and the agent's number among the author's. */
  name: string;
  number: number | null;
  person: string;
  /** The person's side. */
  color: Side;
  rule: Rule;
  size: Size;
  turn: "person" | "agent" | "over";
  board: string;
  moves: string[];
  legal: string[];
  /** Black's and white's. */
  discs: [number, number];
  /** The person's, positive if the person won. */
  score: number | null;
  end: string | null;
  details: string | null;
  /** Seconds since the agent was asked. */
  waiting: number | null;
}

/** What some moves gave away together, in discs. */
export interface Given {
  moves: number;
  lost: number;
}

export interface WorstMove {
  game: number;
  ply: number;
  board: string;
  size: Size;
  color: Side;
  move: string;
  better: string;
  loss: number;
  exact: boolean;
}

/** Where an agent loses. */
export interface Weaknesses {
  games: number;
  reviewed: number;
  wins: number;
  draws: number;
  losses: number;
  forfeits: { reason: string; count: number }[];
  phases: (Given & { kind: "opening" | "midgame" | "endgame" })[];
  squares: (Given & { kind: "corner" | "beside-corner" | "edge" | "inside" })[];
  choices: (Given & { kind: "one" | "few" | "many" })[];
  opponents: (Given & { name: string; games: number; wins: number; draws: number; losses: number })[];
  worst: WorstMove[];
}

export interface Final {
  id: number;
  name: string;
  state: "running" | "stopped" | "over";
  terms: Terms;
  pairs: number;
  players: number;
  played: number;
  waiting: number;
  created: string;
  /** How many judges are there, while it goes on. */
  judges: number;
  expected_end: string | null;
}

export interface FinalRow {
  rank: number;
  account: number;
  name: string;
  section: string;
  number: number;
  digest: string;
  points: number;
  wins: number;
  draws: number;
  losses: number;
  forfeits: number;
  rating: Rating;
  best_rank: number;
  worst_rank: number;
}

export interface LogEntry {
  id: number;
  time: string;
  actor: string | null;
  action: string;
  subject: string;
}

export interface State {
  waiting: number;
  taken: number;
  troubles: { kind: string; subject: number; reason: string }[];
  judges: number;
  /** Those that have lately given a sign of life, here or elsewhere. */
  judges_there: number;
  /** The Python of the newest version that was checked, with its numpy and numba. */
  python: string | null;
  /** What the latest games by the present terms took on average. */
  game_millis: number | null;
  disk_bytes: number | null;
}

export interface Settings {
  terms?: Terms;
  ladder_open?: boolean;
  sparring_open?: boolean;
  deadline_ms?: number;
  no_deadline?: boolean;
}

type Method = "GET" | "POST" | "PUT" | "DELETE";
type Query = Record<string, string | number | null | undefined>;

export class ClubClient {
  /** What changes bring beside the cookie. */
  private form: string | null = null;

  constructor(private readonly client: Client) {}

  /** The club and who asks; null if the server has none. */
  async show(): Promise<Club | null> {
    try {
      const club = await this.client.ask<Club>("GET", "/api/club");
      this.form = club.visitor?.form ?? null;
      return club;
    } catch (error) {
      if ((error as { code?: string }).code === "not-found") return null;
      throw error;
    }
  }

  async logIn(name: string, password: string): Promise<Visitor> {
    return this.keep(await this.send("POST", "session", { name, password }));
  }

  async logOut(): Promise<void> {
    await this.send("DELETE", "session");
    this.form = null;
  }

  invitation(code: string): Promise<Invitation> {
    return this.get(`invitations/${encodeURIComponent(code)}`);
  }

  async accept(code: string, name: string, password: string): Promise<Visitor> {
    return this.keep(await this.send("POST", `invitations/${encodeURIComponent(code)}`, { name, password }));
  }

  changePassword(old: string, password: string): Promise<void> {
    return this.send("PUT", "password", { old, password });
  }

  async tokens(): Promise<Token[]> {
    return (await this.get<{ tokens: Token[] }>("tokens")).tokens;
  }

  async addToken(label: string): Promise<string> {
    return (await this.send<{ token: string }>("POST", "tokens", { label })).token;
  }

  removeToken(label: string): Promise<void> {
    return this.send("DELETE", `tokens/${encodeURIComponent(label)}`);
  }

  async versions(): Promise<Version[]> {
    return (await this.get<{ versions: Version[] }>("versions")).versions;
  }

  submit(file: File): Promise<Version> {
    return this.send("POST", `versions${query({ file: file.name })}`, file);
  }

  version(id: number): Promise<Version> {
    return this.get(`versions/${id}`);
  }

  report(id: number): Promise<Report> {
    return this.get(`versions/${id}/report`);
  }

  changeVersion(id: number, change: { active?: true; open?: boolean }): Promise<Version> {
    return this.send("PUT", `versions/${id}`, change);
  }

  ladder(section: string | null): Promise<Ladder> {
    return this.get(`ladder${query({ section })}`);
  }

  async live(): Promise<LiveGame[]> {
    return (await this.get<{ games: LiveGame[] }>("live")).games;
  }

  battles(wanted: { account?: number | null; kind?: string | null; of_final?: number | null; before?: number | null; limit?: number }): Promise<Battles> {
    return this.get(`battles${query(wanted)}`);
  }

  challenge(version: number, opponent: { version: number } | { agent: string }): Promise<Battle> {
    return this.send("POST", "battles", { version, opponent });
  }

  game(id: number): Promise<GameRecord> {
    return this.get(`games/${id}`);
  }

  opponents(): Promise<{ opponents: Opponent[]; sizes: Size[] }> {
    return this.get("opponents");
  }

  play(version: number, size: Size, color: Side): Promise<Casual> {
    return this.send("POST", "casual", { version, size, color });
  }

  casual(game: number): Promise<Casual> {
    return this.get(`casual/${game}`);
  }

  /** Plays a move; `ply` is the number of moves before it, so that it is made only once. */
  move(game: number, move: string, ply: number): Promise<Casual> {
    return this.send("POST", `casual/${game}/moves`, { move, ply });
  }

  resign(game: number): Promise<Casual> {
    return this.send("POST", `casual/${game}/resignation`);
  }

  weaknesses(version: number): Promise<Weaknesses> {
    return this.get(`versions/${version}/weaknesses`);
  }

  async finals(): Promise<Final[]> {
    return (await this.get<{ finals: Final[] }>("finals")).finals;
  }

  final(id: number): Promise<{ final: Final; rows: FinalRow[] }> {
    return this.get(`finals/${id}`);
  }

  startFinal(name: string, pairs: number): Promise<Final> {
    return this.send("POST", "finals", { name, pairs });
  }

  changeFinal(id: number, state: "running" | "stopped"): Promise<Final> {
    return this.send("PUT", `finals/${id}`, { state });
  }

  async invite(role: Role, section: string, uses: number): Promise<string> {
    return (await this.send<{ code: string }>("POST", "invitations", { role, section, uses })).code;
  }

  async invitations(): Promise<OpenInvitation[]> {
    return (await this.get<{ invitations: OpenInvitation[] }>("invitations")).invitations;
  }

  withdraw(digest: string): Promise<void> {
    return this.send("DELETE", `invitations/${digest}`);
  }

  enrol(list: Blob, take: "all" | "right"): Promise<Enrolment> {
    return this.send("POST", `class${query({ take })}`, list);
  }

  async accounts(): Promise<Account[]> {
    return (await this.get<{ accounts: Account[] }>("accounts")).accounts;
  }

  changeAccount(id: number, change: AccountChange): Promise<Account> {
    return this.send("PUT", `accounts/${id}`, change);
  }

  removeAccount(id: number): Promise<void> {
    return this.send("DELETE", `accounts/${id}`);
  }

  async resetPassword(id: number): Promise<string> {
    return (await this.send<{ code: string }>("POST", `accounts/${id}/password`)).code;
  }

  changeSettings(settings: Settings): Promise<void> {
    return this.send("PUT", "settings", settings);
  }

  annul(id: number, reason: string, again: boolean): Promise<void> {
    return this.send("POST", `games/${id}/annulment`, { reason, again });
  }

  block(id: number, reason: string): Promise<void> {
    return this.send("POST", `versions/${id}/block`, { reason });
  }

  unblock(id: number): Promise<void> {
    return this.send("DELETE", `versions/${id}/block`);
  }

  log(before: number | null): Promise<{ entries: LogEntry[]; next: number | null }> {
    return this.get(`log${query({ before })}`);
  }

  state(): Promise<State> {
    return this.get("state");
  }

  retry(): Promise<void> {
    return this.send("POST", "state/retry");
  }

  private keep(visitor: Visitor): Visitor {
    this.form = visitor.form;
    return visitor;
  }

  private get<T>(path: string): Promise<T> {
    return this.client.ask("GET", `/api/club/${path}`);
  }

  private send<T>(method: Method, path: string, body?: unknown): Promise<T> {
    // Who has done something too often waits for long: there is no use in asking again at once.
    return this.client.ask(method, `/api/club/${path}`, body, { isTriedOnce: true, ...(this.form === null ? {} : { headers: { "X-Form-Code": this.form } }) });
  }
}

/** The address of a file of the platform, for links. */
export function fileAddress(path: string): string {
  return `./api/club/${path}`;
}

/** A query; leaves out what is not wanted. */
function query(asked: Query): string {
  const pairs = Object.entries(asked).filter(([, value]) => value !== null && value !== undefined);
  return pairs.length === 0 ? "" : `?${new URLSearchParams(pairs.map(([name, value]) => [name, String(value)]))}`;
}
