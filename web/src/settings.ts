// Settings, saved in the browser between visits. Values that cannot be read (of an older version,
// say) fall back to the defaults. Games are kept by `game/games.ts`.

import { type Size, SIZES, SMALL_SIZES } from "./game/notation";
import { HUMAN, type Players } from "./game/session";
import { type Language, LANGUAGES, preferred } from "./messages/messages";

export type Theme = "auto" | "light" | "dark";

export interface Settings {
  language: Language;
  theme: Theme;
  name: string;
  dots: boolean;
  coordinates: boolean;
  animation: boolean;
  sounds: boolean;
  /** Whether single letters and digits are shortcuts. */
  letters: boolean;
  /** Whether the engine's values are shown in analysis. */
  values: boolean;
  /** How the engine analyses a position: seconds and depth (0 for no limit), threads. */
  analysisSeconds: number;
  analysisDepth: number;
  analysisThreads: number;
  /** How many lines of play are shown; 0 for all. */
  lines: number;
  /** Whether the numbers behind the engine's words are shown. */
  numbers: boolean;
  /** Whether the board shows what an agent thought. */
  thoughts: boolean;
  /** What a new game is begun with. */
  players: Players;
  /** Minutes and increment in seconds, as `5+3`; empty for none. */
  clock: string;
  rule: "reversed" | "normal";
  size: Size;
  /** The lesson of the introduction that was reached. */
  lesson: number;
  puzzleLevel: number;
  puzzleRule: "reversed" | "normal";
  puzzleSize: Size;
  /** The rating of the person who solves puzzles, and how many were solved in a row. */
  puzzleRating: number;
  streak: number;
  bestStreak: number;
  solved: number;
  tried: number;
  /** The puzzles that were counted last. */
  counted: readonly string[];
}

/** The choices for the engine; 0 is no limit, or all lines. */
export const CHOICES = {
  analysisSeconds: [5, 30, 120, 0],
  analysisDepth: [8, 12, 16, 20, 0],
  analysisThreads: [1, 2, 4, 8],
  lines: [1, 3, 5, 0],
} as const;

/** The key of the settings in the storage. */
export const NAME = "isrever";

export function defaults(languages: readonly string[]): Settings {
  return {
    language: preferred(languages),
    theme: "auto",
    name: "",
    dots: true,
    coordinates: true,
    animation: true,
    sounds: false,
    letters: true,
    values: true,
    analysisSeconds: 0,
    analysisDepth: 0,
    analysisThreads: 1,
    lines: 3,
    numbers: false,
    thoughts: true,
    players: { black: HUMAN, white: "engine:level=3" },
    clock: "",
    rule: "reversed",
    size: 8,
    lesson: 0,
    puzzleLevel: 1,
    puzzleRule: "reversed",
    puzzleSize: 8,
    puzzleRating: 1000,
    streak: 0,
    bestStreak: 0,
    solved: 0,
    tried: 0,
    counted: [],
  };
}

/** The browser's storage, or anything like it. */
export type SettingsStorage = Pick<Storage, "getItem" | "setItem">;

/** Loads the settings; a value of the wrong type or range falls back to its default. */
export function load(storage: SettingsStorage, languages: readonly string[]): Settings {
  const settings = defaults(languages);
  let kept: unknown;
  try {
    kept = JSON.parse(storage.getItem(NAME) ?? "{}");
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

export function store(storage: SettingsStorage, settings: Settings): void {
  try {
    storage.setItem(NAME, JSON.stringify(settings));
  } catch {
    // The storage is full or forbidden: the page works without it.
  }
}

/** Whether a value of the right type is in range. */
function isAllowed(name: keyof Settings, value: unknown): boolean {
  switch (name) {
    case "language":
      return Object.hasOwn(LANGUAGES, value as string);
    case "theme":
      return ["auto", "light", "dark"].includes(value as string);
    case "rule":
    case "puzzleRule":
      return value === "reversed" || value === "normal";
    case "size":
      return (SIZES as readonly number[]).includes(value as number);
    case "puzzleSize":
      return (SMALL_SIZES as readonly number[]).includes(value as number);
    case "analysisSeconds":
    case "analysisDepth":
    case "analysisThreads":
    case "lines":
      return (CHOICES[name] as readonly number[]).includes(value as number);
    case "players": {
      const players = value as Partial<Players> | null;
      return typeof players?.black === "string" && typeof players.white === "string";
    }
    case "counted":
      return Array.isArray(value) && value.every((id) => typeof id === "string");
    default:
      return true;
  }
}
