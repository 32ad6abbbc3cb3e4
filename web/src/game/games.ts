// The games of this browser, each under a key of its own, so that two tabs never overwrite a game
// that the other one plays. What another tab changes is told by `changed`.

import { Topic } from "../ui/topic";
import { type Beginning, begun, freshId, type GameRecord, isUntouched, parsed } from "./record";

/** The browser's storage, or anything like it. */
export type GamesStorage = Pick<Storage, "getItem" | "setItem" | "removeItem" | "key" | "length">;

const PREFIX = "isrever.game.";

export class Games {
  /** Told the id of a game that another tab has changed or deleted. */
  readonly changed = new Topic<string>();
  /** Games that the storage did not take. */
  private readonly unstored = new Map<string, GameRecord>();

  constructor(
    private readonly storage: GamesStorage | null,
    private readonly now: () => number = Date.now,
  ) {}

  /** All games, the last changed first. */
  list(): GameRecord[] {
    const found = [...this.unstored.values()];
    for (const id of this.ids()) {
      const record = this.unstored.has(id) ? null : this.stored(id);
      if (record) found.push(record);
    }
    return found.sort((one, other) => other.changed - one.changed || (one.id < other.id ? -1 : 1));
  }

  get(id: string): GameRecord | null {
    return this.unstored.get(id) ?? this.stored(id);
  }

  /** The game that the server has saved under this id. */
  bySaved(id: string): GameRecord | null {
    return this.list().find(({ saved }) => saved?.id === id) ?? null;
  }

  /** Stores a game as its next version. */
  put(record: GameRecord): void {
    record.version += 1;
    record.changed = this.now();
    const text = JSON.stringify(record);
    for (;;) {
      try {
        if (!this.storage) throw new Error("no storage");
        this.storage.setItem(PREFIX + record.id, text);
        this.unstored.delete(record.id);
        return;
      } catch {
        // The storage is full or forbidden. The oldest finished game makes room.
        const oldest = this.storage && this.list().findLast(({ id, end }) => end !== null && id !== record.id && !this.unstored.has(id));
        if (!oldest) break;
        this.remove(oldest.id);
      }
    }
    // The page works without it, until it is closed.
    this.unstored.set(record.id, record);
  }

  /** Begins a game. Games in which nothing has happened are forgotten. */
  begin(beginning: Beginning): GameRecord {
    for (const record of this.list()) if (isUntouched(record)) this.remove(record.id);
    const record = begun(beginning, freshId(), this.now());
    this.put(record);
    return record;
  }

  remove(id: string): void {
    this.unstored.delete(id);
    this.storage?.removeItem(PREFIX + id);
  }

  /** Takes notice of a change by another tab: `key` is null if it cleared everything. */
  notice(key: string | null): void {
    if (key === null) for (const { id } of this.list()) this.changed.tell(id);
    else if (key.startsWith(PREFIX)) this.changed.tell(key.slice(PREFIX.length));
  }

  private stored(id: string): GameRecord | null {
    const record = parsed(this.storage?.getItem(PREFIX + id) ?? null);
    return record?.id === id ? record : null;
  }

  private ids(): string[] {
    const keys = Array.from({ length: this.storage?.length ?? 0 }, (_, index) => this.storage!.key(index) ?? "");
    return keys.filter((key) => key.startsWith(PREFIX)).map((key) => key.slice(PREFIX.length));
  }
}
