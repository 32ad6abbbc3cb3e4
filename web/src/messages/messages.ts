// The page's messages by language. English defines the keys; the compiler and a test make sure that
// every other language has them all. `{name}` is replaced by a value, and `n` picks one of `one|many`.
// Those of the battle platform and of the explorer are added when their scripts are there.

import type { ClubKey } from "./club/en";
import { en, type Key as PageKey } from "./en";
import type { ExploreKey } from "./explore/en";
import { zh } from "./zh";

/** Messages that come with a script of their own. */
type LaterKey = ClubKey | ExploreKey;
export type Key = PageKey | LaterKey;
export type Language = "en" | "zh";
export const LANGUAGES: Record<Language, { name: string; tag: string; messages: Record<PageKey, string> & Partial<Record<LaterKey, string>> }> = {
  en: { name: "English", tag: "en", messages: en },
  zh: { name: "简体中文", tag: "zh-Hans", messages: zh },
};

let current: Language = "en";

/** Adds the messages of a part of the page that has its own script. */
export function addMessages(words: Record<Language, Partial<Record<LaterKey, string>>>): void {
  for (const [each, { messages }] of Object.entries(LANGUAGES)) Object.assign(messages, words[each as Language]);
}

/** Whether there is a message with this key, which was made of parts. */
export function isKey(key: string): key is Key {
  return Object.hasOwn(LANGUAGES.en.messages, key);
}

/** The language of the page. */
export function language(): Language {
  return current;
}

export function setLanguage(wanted: Language): void {
  current = wanted;
}

/** The first of a browser's languages that the page has. */
export function preferred(tags: readonly string[]): Language {
  for (const tag of tags) {
    if (/^zh\b/i.test(tag)) return "zh";
    if (/^en\b/i.test(tag)) return "en";
  }
  return "en";
}

/** The message of `key` with its values. */
export function t(key: Key, values: Record<string, string | number> = {}): string {
  return format(LANGUAGES[current].messages[key] ?? key, values);
}

export function format(text: string, values: Record<string, string | number>): string {
  const forms = text.split("|");
  const form = forms.length > 1 && values["n"] === 1 ? forms[0]! : forms.at(-1)!;
  return form.replace(/\{(\w+)\}/g, (_, name: string) => String(values[name] ?? ""));
}

/** Sentences without their full stops, one after the other. */
export function sentences(words: readonly (string | null)[]): string {
  return words.filter(Boolean).join(t("sentences.between"));
}

/** A value or score in discs with its sign: `+3`, `−2`, `0`. */
export function signed(value: number): string {
  const rounded = Math.round(value);
  return rounded > 0 ? `+${rounded}` : rounded < 0 ? `−${-rounded}` : "0";
}

/** A count in short: `12 k`, `3.4 M`. */
export function counted(count: number): string {
  if (count >= 1e9) return `${(count / 1e9).toFixed(1)} G`;
  if (count >= 1e6) return `${(count / 1e6).toFixed(1)} M`;
  if (count >= 1e4) return `${Math.round(count / 1e3)} k`;
  return String(count);
}
