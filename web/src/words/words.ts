// Words by language. English is the list of what can be said; other languages say all of it, which
// the compiler and a test hold them to. `{name}` is filled in, and `one|many` follows `n`.

import { en } from "./en";
import { zh } from "./zh";

export type Language = "en" | "zh";
export type Key = keyof typeof en;
export const LANGUAGES: Record<Language, { name: string; tag: string; words: Record<Key, string> }> = {
  en: { name: "English", tag: "en", words: en },
  zh: { name: "简体中文", tag: "zh-Hans", words: zh },
};

let language: Language = "en";

/** The language that is spoken. */
export function spoken(): Language {
  return language;
}

export function speak(wanted: Language): void {
  language = wanted;
}

/** The first of a browser's languages that we have. */
export function preferred(tags: readonly string[]): Language {
  for (const tag of tags) {
    if (/^zh\b/i.test(tag)) return "zh";
    if (/^en\b/i.test(tag)) return "en";
  }
  return "en";
}

/** What stands under `key`, filled in. */
export function t(key: Key, values: Record<string, string | number> = {}): string {
  return filled(LANGUAGES[language].words[key], values);
}

export function filled(text: string, values: Record<string, string | number>): string {
  const forms = text.split("|");
  const form = forms.length > 1 && values["n"] === 1 ? forms[0]! : forms.at(-1)!;
  return form.replace(/\{(\w+)\}/g, (_, name: string) => String(values[name] ?? ""));
}

/** A value or score in discs with its sign: `+3`, `−2`, `0`. */
export function signed(value: number): string {
  const rounded = Math.round(value);
  return rounded > 0 ? `+${rounded}` : rounded < 0 ? `−${-rounded}` : "0";
}

/** A count with its thousands apart, and millions as such. */
export function counted(count: number): string {
  if (count >= 1e9) return `${(count / 1e9).toFixed(1)} G`;
  if (count >= 1e6) return `${(count / 1e6).toFixed(1)} M`;
  if (count >= 1e4) return `${Math.round(count / 1e3)} k`;
  return String(count);
}
