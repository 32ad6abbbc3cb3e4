// What is kept between visits, in the browser and nowhere else: choices, and the game on the table.
// What cannot be read (an older version, a private window) is as good as nothing kept.

import type { Left } from "./game/clock";
import { HUMAN, type Players } from "./game/session";
import { type Language, LANGUAGES, preferred } from "./words/words";

export type Theme = "auto" | "light" | "dark";

export interface Settings {
  language: Language;
  theme: Theme;
  name: string;
  dots: boolean;
  coordinates: boolean;
  animation: boolean;
  /** Whether the engine's values are shown in analysis. */
  values: boolean;
  players: Players;
  /** Minutes and increment in seconds, as `5+3`; empty for none. */
  clock: string;
  /** What is left on the clock of the game on the table; null before it has run. */
  left: Left | null;
  rule: "reversed" | "normal";
  size: 4 | 6 | 8;
  /** The game on the table, as `notation` writes it. */
  game: string;
  /** Where the game on the table is kept on the server. */
  saved: { id: string; token: string } | null;
  /** How far the introduction was read. */
  lesson: number;
  puzzleLevel: number;
  solved: number;
  tried: number;
}

const NAME = "isrever";

export function defaults(languages: readonly string[]): Settings {
  return {
    language: preferred(languages),
    theme: "auto",
    name: "",
    dots: true,
    coordinates: true,
    animation: true,
    values: true,
    players: { black: HUMAN, white: "engine:level=3" },
    clock: "",
    left: null,
    rule: "reversed",
    size: 8,
    game: "",
    saved: null,
    lesson: 0,
    puzzleLevel: 1,
    solved: 0,
    tried: 0,
  };
}

/** Where settings live: the browser's storage, or anything like it. */
export type Shelf = Pick<Storage, "getItem" | "setItem">;

/** The settings on a shelf, each one checked against the default's type, and the way back. */
export function load(shelf: Shelf, languages: readonly string[]): Settings {
  const settings = defaults(languages);
  let kept: unknown;
  try {
    kept = JSON.parse(shelf.getItem(NAME) ?? "{}");
  } catch {
    return settings;
  }
  if (typeof kept !== "object" || kept === null) return settings;
  for (const name of Object.keys(settings) as (keyof Settings)[]) {
    const value = (kept as Record<string, unknown>)[name];
    if (typeof value === typeof settings[name] && isAllowed(name, value)) {
      (settings as unknown as Record<string, unknown>)[name] = value;
    }
  }
  return settings;
}

export function store(shelf: Shelf, settings: Settings): void {
  try {
    shelf.setItem(NAME, JSON.stringify(settings));
  } catch {
    // A full or forbidden storage: the page works all the same, it only forgets.
  }
}

/** Whether a value of the right type is one of those there are. */
function isAllowed(name: keyof Settings, value: unknown): boolean {
  switch (name) {
    case "language":
      return Object.hasOwn(LANGUAGES, value as string);
    case "theme":
      return ["auto", "light", "dark"].includes(value as string);
    case "rule":
      return value === "reversed" || value === "normal";
    case "size":
      return [4, 6, 8].includes(value as number);
    case "players": {
      const players = value as Partial<Players> | null;
      return typeof players?.black === "string" && typeof players.white === "string";
    }
    case "left": {
      const left = value as Partial<Left> | null;
      return left === null || [left.black, left.white].every((ms) => typeof ms === "number" && ms >= 0);
    }
    case "saved": {
      const saved = value as { id?: unknown; token?: unknown } | null;
      return saved === null || (typeof saved.id === "string" && typeof saved.token === "string");
    }
    default:
      return true;
  }
}
