// Plays one game of the store: board, agents, hints, clock, saving in the browser and on the server.
// A table changes its own game only.
//
// Other screens may play the same game: another tab by the browser's storage, another device by the
// server. What they do is taken in. Moves that were made here at the same time are kept: if they
// contradict each other, the one that was saved first stands and the other becomes a variation.

import { type Client, Refusal } from "../api/client";
import type { Player, SavedGame } from "../api/wire";
import { Topic } from "../ui/topic";
import { Analyzer } from "./analyzer";
import { Clock, type Side } from "./clock";
import type { Games } from "./games";
import { type Game, read, write } from "./notation";
import { Opponent } from "./opponent";
import { pause } from "./pause";
import { type End, type GameRecord, isUnfinished, isUntouched, type Place, tidied } from "./record";
import { Saver } from "./saver";
import { type Change, HUMAN, isAgent, type Players, Session } from "./session";

const SIDES = ["black", "white"] as const;

/** What a table needs of the page. */
export interface Surroundings {
  readonly client: Client;
  readonly games: Games;
  /** The name of the person here; empty if there is none. */
  name(): string;
  /** What an unnamed person is called. */
  readonly words: { guest(): string };
  /** Resolves when it is known which agents there are. */
  agentsKnown(): Promise<unknown>;
  /** Whether an agent is one of the server's owner. */
  isOwn(spec: string): boolean;
  /** Resolves when the last move has been drawn. */
  drawn(): Promise<void>;
  failed(error: unknown): void;
  /** The time of the clock, in milliseconds. */
  now(): number;
}

export class Table {
  readonly session: Session;
  readonly opponent: Opponent;
  readonly analyzer: Analyzer;
  readonly saver: Saver;
  clock: Clock | null = null;
  /** Told when the end, the players' names or the like have changed. */
  readonly changed = new Topic();
  /** Told the move that was made here and gave way to one that was made elsewhere. */
  readonly conflict = new Topic<string>();
  /** Told when another tab has deleted the game. */
  readonly deleted = new Topic();
  private stream: AbortController | null = null;
  /** The revision of the game whose agents' words were asked for last. */
  private recalled = -1;
  /** Whether it is at work. */
  isOpen = true;
  private isDiscarded = false;
  private readonly stops: (() => void)[];

  constructor(
    private readonly around: Surroundings,
    readonly record: GameRecord,
  ) {
    const { client, games, failed } = around;
    this.session = new Session(client);
    this.session.players = record.players;
    this.opponent = new Opponent(client, this.session, around.drawn, () => this.isOpen && !this.isOver, failed);
    this.analyzer = new Analyzer(client, this.session, failed);
    this.saver = new Saver(
      client,
      () => this.saveable(),
      () => this.record.saved,
      (place) => this.notePlace(place),
      (told) => this.opponent.tales.kept(told),
      (saved) => this.reconcile(saved),
      (act) => alone(`isrever-save-${record.id}`, act),
    );
    this.stops = [
      this.session.changed.on((change) => this.notice(change)),
      this.session.failed.on(failed),
      this.saver.failed.on(failed),
      games.changed.on((id) => {
        if (id === record.id) void this.reload().catch(failed);
      }),
    ];
  }

  get id(): string {
    return this.record.id;
  }

  /** Whether the game has ended: on the board, by resigning or on time. */
  get isOver(): boolean {
    return this.end !== null;
  }

  get end(): End | null {
    return this.record.end ?? this.boardEnd();
  }

  /** Shows the game, and goes on with it. */
  async open(): Promise<void> {
    const { session, record } = this;
    this.setClock();
    await session.open(read(record.game)!);
    if (!this.isOpen) return;
    if (record.isShared && record.saved && !this.isOver) this.follow();
    void this.recall();
    // What could not be saved before is saved now.
    if (isUnfinished(record) || record.end) if (!this.saver.isSaved) this.saver.write();
  }

  /** Stops everything, and keeps the time left. */
  close(): void {
    if (!this.isOpen) return;
    this.putAway();
    this.isOpen = false;
    for (const stop of this.stops) stop();
    this.stream?.abort();
    this.opponent.end();
    this.analyzer.end();
  }

  /** Stops everything, because the game was deleted. */
  discard(): void {
    this.isDiscarded = true;
    this.close();
  }

  /** Keeps the time left on the clock. */
  putAway(): void {
    if (!this.clock || !this.isOpen || this.record.ply === 0) return;
    this.record.left = this.clock.read(this.around.now());
    this.store();
  }

  /** Plays a square on the board, if a person may. */
  choose(square: string): void {
    if (!this.isOwnTurn) return;
    this.clock?.moved(this.around.now());
    if (!this.session.play(square)) this.run(false);
  }

  /** Whether the person here may move in the position on the board. */
  get isOwnTurn(): boolean {
    return this.session.isOwnTurn && !this.isOver && (!this.opponent.isThinking || this.session.tree.current !== this.session.tip);
  }

  /** Changes the players, which the game remembers. */
  setPlayers(players: Players): void {
    const { record, session } = this;
    if (this.isOver) return;
    record.earlier = [...record.earlier, { until: session.tip.ply, players: record.players }];
    record.players = players;
    session.setPlayers(players);
  }

  /** The side that the person here would resign for; null if there is none. */
  get resigner(): Side | null {
    const own = SIDES.filter((side) => this.record.players[side] === HUMAN);
    if (this.isOver || this.record.ply === 0) return null;
    return own.length === 2 ? this.session.tipTurn : (own[0] ?? null);
  }

  resign(): void {
    const { resigner } = this;
    if (resigner) this.finish({ reason: "resigned", winner: other(resigner), margin: null });
  }

  /** Ends the game if a side is out of time. */
  tick(): void {
    const flagged = this.isOver ? null : (this.clock?.flag(this.around.now()) ?? null);
    if (flagged) this.finish({ reason: "time", winner: other(flagged), margin: null });
  }

  /** Saves the game for other devices to play on, and follows what they do. */
  async share(): Promise<Place> {
    const { record, session } = this;
    const place = await this.saver.begin();
    record.isShared = true;
    this.store();
    session.changed.tell("update");
    this.follow();
    return place;
  }

  /** The players for a copy of the game: people's names, or specs. */
  get names(): Record<Side, string> {
    const { players } = this.record;
    const name = (side: Side): string => (players[side] === HUMAN ? this.around.name() : "") || players[side];
    return { black: name("black"), white: name("white") };
  }

  /** A copy of the game, for analysis. */
  copy(): Game {
    const { session } = this;
    return read(write(session.game, session.tree.current))!;
  }

  private boardEnd(): End | null {
    const result = this.session.at(this.session.tip)?.result;
    return result ? { reason: "board", winner: result.winner, margin: Math.abs(result.score.black) } : null;
  }

  private finish(end: End): void {
    const { record, opponent } = this;
    opponent.pause();
    this.clock?.stop(this.around.now());
    record.end = end;
    this.putAway();
    this.store();
    this.saver.write();
    this.changed.tell();
  }

  private notice(change: Change): void {
    const { record, session } = this;
    if (change === "jump" || change === "step") return;
    if (record.end?.reason !== "resigned" && record.end?.reason !== "time") record.end = this.boardEnd();
    this.run(change === "move" || change === "tip");
    if (change === "news" || change === "new") {
      this.describe();
      return;
    }
    if (change === "move" || change === "tip") {
      // Moves that were taken back and made again are those of the present players.
      const before = session.tip.ply - 1;
      record.earlier = record.earlier.map((each) => ({ ...each, until: Math.min(each.until, before) }));
    }
    record.players = session.players;
    if (change !== "back") record.earlier = tidied(record.earlier, record.players, session.tree.path(session.tip).slice(1).map((node) => session.mover(node)));
    this.store();
    if (isUnfinished(record) || record.end || record.saved) this.saver.write();
  }

  /** Writes the game into its record, without storing it. */
  private describe(): void {
    const { record, session } = this;
    record.game = write(session.game, session.tip);
    record.ply = session.tip.ply;
    record.board = session.at(session.tip)?.board ?? record.board;
  }

  /** Stores the game; first takes in what another tab has stored meanwhile. */
  private store(): void {
    const { record, session } = this;
    if (this.isDiscarded) return;
    const { games } = this.around;
    const stored = games.get(record.id);
    if (stored && stored !== record && stored.version > record.version) {
      const theirs = read(stored.game)!;
      session.tree.merge(theirs.tree);
      record.version = stored.version;
      record.saved = newer(record.saved, stored.saved);
      record.isShared ||= stored.isShared;
      record.end ??= stored.end;
    }
    this.describe();
    games.put(record);
  }

  /** Takes over what another tab has stored. */
  private async reload(): Promise<void> {
    const { record, session } = this;
    const stored = this.around.games.get(record.id);
    if (!stored) {
      // Where nothing has happened nothing is lost: the first move stores it again.
      if (!isUntouched(record)) this.deleted.tell();
      return;
    }
    if (stored === record || stored.version <= record.version) return;
    const wasShared = record.isShared;
    Object.assign(record, stored);
    const theirs = read(stored.game)!;
    const ours = session.tree.moves(session.tip);
    const isContrary = !isPrefix(ours, theirs.tree.moves()) && !isPrefix(theirs.tree.moves(), ours);
    session.tree.match(theirs.tree);
    const node = session.tree.follow(theirs.tree.moves());
    this.setClock();
    if (JSON.stringify(session.players) !== JSON.stringify(record.players)) session.players = record.players;
    await session.adopt(node);
    await session.recover();
    if (!wasShared && record.isShared) this.follow();
    void this.recall();
    if (isContrary) this.conflict.tell(ours.at(-1)!);
    this.changed.tell();
  }

  /** Follows the game on the server until it ends; tries again if the connection breaks. */
  private follow(): void {
    const { saved } = this.record;
    if (!saved) return;
    this.stream?.abort();
    const stream = new AbortController();
    this.stream = stream;
    let failures = 0;
    const listener = (name: string, data: unknown): void => {
      failures = 0;
      if (name === "game" && this.stream === stream) void this.hear(data as SavedGame);
    };
    const listen = async (): Promise<void> => {
      for (;;) {
        try {
          await this.around.client.follow(saved.id, listener, stream.signal);
          return;
        } catch (error) {
          if (this.stream !== stream || stream.signal.aborted) return;
          // An outage is told once.
          if (failures === 0) this.around.failed(error);
          failures += 1;
          await pause(Math.min(30, failures * failures), stream.signal);
          if (stream.signal.aborted) return;
        }
      }
    };
    void listen();
  }

  private async hear(saved: SavedGame): Promise<void> {
    const { record } = this;
    if (saved.revision <= (record.saved?.revision ?? -1)) return;
    try {
      await this.reconcile(saved);
      if (!this.saver.isSaved) this.saver.write();
      void this.recall();
    } catch (error) {
      this.around.failed(error);
    }
  }

  /** Brings together the game here and the game as the server has it. */
  private async reconcile(saved: SavedGame): Promise<void> {
    const { record, session } = this;
    const place = record.saved;
    if (!place || place.id !== saved.id || saved.revision < place.revision) return;
    const theirs = squares(saved.moves ?? []);
    const base = squares(place.moves);
    const ours = session.tree.moves(session.tip);
    record.saved = { ...place, revision: saved.revision, moves: saved.moves ?? [], sent: "" };
    const isOurs = !isSame(ours, base) && isPrefix(theirs, ours);
    const isContrary = !isSame(ours, base) && !isPrefix(theirs, ours) && !isPrefix(ours, theirs);
    if (saved.end && saved.end.reason !== "board") record.end = { reason: saved.end.reason, winner: saved.end.winner, margin: null };
    if (!isOurs || record.end) {
      const last = ours.at(-1);
      const node = session.tree.follow(theirs);
      await session.adopt(node);
      if (isContrary && last) this.conflict.tell(last);
    }
    // The server has what is here now, if nothing is left to send.
    if (isSame(session.tree.moves(session.tip), theirs)) record.saved = { ...record.saved, sent: this.saveable().key };
    if (record.end) this.opponent.pause();
    this.store();
    this.changed.tell();
  }

  /** Asks what the owner's agents told with moves that were made earlier, or elsewhere. */
  private async recall(): Promise<void> {
    const { around, record } = this;
    await around.agentsKnown();
    const { saved, players, earlier } = record;
    const specs = [players, ...earlier.map((each) => each.players)].flatMap(({ black, white }) => [black, white]);
    if (!saved || saved.revision === this.recalled || !specs.some((spec) => around.isOwn(spec))) return;
    this.recalled = saved.revision;
    try {
      this.opponent.tales.take(await around.client.told(saved.id, saved.token));
      this.changed.tell();
    } catch (error) {
      // The game goes on without it; the next change asks again.
      if (!(error instanceof Refusal)) around.failed(error);
      this.recalled = -1;
    }
  }

  private saveable(): ReturnType<ConstructorParameters<typeof Saver>[1]> {
    const { session, record } = this;
    const player = (spec: string): Player => (isAgent(spec) ? { kind: "agent", name: spec } : { kind: "human", name: this.around.name() || this.around.words.guest() });
    const players = { black: player(record.players.black), white: player(record.players.white) };
    const body = session.body(session.tip);
    // A person's new name is sent with the next move; it is no reason to save.
    const told = this.opponent.tales.next((spec) => this.around.isOwn(spec));
    return { body, players, end: record.end, told, key: JSON.stringify([body.moves, record.players, record.end]) };
  }

  private notePlace(place: Place | null): void {
    const { record } = this;
    const { games } = this.around;
    record.saved = place;
    if (this.isOpen) {
      this.store();
      return;
    }
    // Somebody else may play the game by now: nothing else of it is this table's any more.
    const stored = this.isDiscarded ? null : games.get(record.id);
    if (!stored) return;
    stored.saved = place && newer(stored.saved, place);
    games.put(stored);
    games.changed.tell(record.id);
  }

  /** Takes up the clock of the record. */
  private setClock(): void {
    const { record } = this;
    const control = /^(\d+)\+(\d+)$/.exec(record.clock);
    this.clock = control ? new Clock({ budget_ms: Number(control[1]) * 60_000, increment_ms: Number(control[2]) * 1000 }, record.left) : null;
  }

  /** Runs the clock of the side to move, wherever the person here looks. */
  private run(isMove: boolean): void {
    const { clock, session } = this;
    if (!clock) return;
    const now = this.around.now();
    const turn: Side | null = session.tip.ply > 0 && !this.isOver ? session.tipTurn : null;
    if (turn === clock.side) return;
    if (isMove) clock.moved(now);
    else clock.stop(now);
    if (turn) clock.start(turn, now);
  }
}

function other(side: Side): Side {
  return side === "black" ? "white" : "black";
}

/** Moves without passes, as the tree has them. */
function squares(moves: readonly string[]): string[] {
  return moves.filter((move) => move !== "pass");
}

function isPrefix(short: readonly string[], long: readonly string[]): boolean {
  return short.length <= long.length && short.every((move, index) => move === long[index]);
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && isPrefix(one, other);
}

/** The place of the later revision. */
function newer(one: Place | null, other: Place | null): Place | null {
  return !one || (other && other.revision > one.revision) ? other : one;
}

/** Runs `act` while no other tab runs one of the same name, where the browser can do that. */
async function alone<T>(name: string, act: () => Promise<T>): Promise<T> {
  const locks = (globalThis.navigator as Navigator | undefined)?.locks;
  return locks ? ((await locks.request(name, act)) as T) : act();
}
