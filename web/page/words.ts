/**
 * The words of the page. `words/en.json` has every key; another language must have the same ones.
 * An entry is a text, or a text for each plural form of its number `n`. `{name}` stands for a value.
 */
import { signal } from "@preact/signals";
import codes from "../words/codes.json";
import en from "../words/en.json";

export type Key = keyof typeof en;
export type Values = Record<string, string | number>;
type Entry = string | Partial<Record<Intl.LDMLPluralRule, string>>;
type Words = Record<Key, Entry>;

export const LANGUAGES = { en: "English", de: "Deutsch" } as const;
export type Language = keyof typeof LANGUAGES;

export const language = signal<Language>("en");
const words = signal<Words>(en);

/** The language to begin with: the one chosen before, or the first of the browser's that we have. */
export function preferred(chosen: string | null, browser: readonly string[]): Language {
  const wanted = [...(chosen ? [chosen] : []), ...browser].map((tag) => tag.slice(0, 2).toLowerCase());
  return (wanted.find((tag) => tag in LANGUAGES) ?? "en") as Language;
}

let wanted: Language = "en";

export async function speak(to: Language): Promise<void> {
  wanted = to;
  const found: Words = to === "de" ? (await import("../words/de.json")).default : en;
  if (wanted !== to) return; // another one was chosen while this one was fetched
  words.value = found;
  language.value = to;
  document.documentElement.lang = to;
}

/** Fill a text's places. A place without a value stays, so that a test finds it. */
export function fill(entry: Entry, values: Values, tongue: string): string {
  let text: string;
  if (typeof entry === "string") text = entry;
  else {
    const form = new Intl.PluralRules(tongue).select(Number(values["n"] ?? 0));
    text = entry[form] ?? entry.other ?? "";
  }
  return text.replace(/\{(\w+)\}/g, (place, name: string) => {
    const value = values[name];
    if (value === undefined) return place;
    return typeof value === "number" ? new Intl.NumberFormat(tongue).format(value) : value;
  });
}

/** A text in the player's language. */
export function t(key: Key, values: Values = {}): string {
  return fill(words.value[key], values, language.value);
}

/** Whether there is a text of this name: for words that are built from a code. */
export function known(key: string): key is Key {
  return key in en;
}

/** The text of a code, or `otherwise` where the code is new to us. */
export function said(group: string, code: string, otherwise: string, values: Values = {}): string {
  const key = `${group}.${code}`;
  return known(key) ? t(key, values) : otherwise;
}

const GROUPS: Record<string, string> = codes;

/**
 * Why something was refused. Codes that only a faulty program can meet share the words of their group, which
 * `words/codes.json` names; a code that is new to us is told as the house tells it.
 */
export function refusalWords(code: string, otherwise: string): string {
  const group = GROUPS[code];
  const fallback = group === undefined ? otherwise : said("refused", group, otherwise, { code });
  return said("error", code, fallback, { text: otherwise });
}

/** "a, b and c" */
export function listed(items: readonly string[]): string {
  return new Intl.ListFormat(language.value, { type: "conjunction" }).format(items);
}

/** A word as it begins a line of its own. */
export function capital(word: string): string {
  return word.charAt(0).toLocaleUpperCase(language.value) + word.slice(1);
}

export function clockTime(at: number): string {
  return new Intl.DateTimeFormat(language.value, { timeStyle: "medium" }).format(at);
}

export function dayTime(at: number | string): string {
  return new Intl.DateTimeFormat(language.value, { dateStyle: "medium", timeStyle: "short" }).format(new Date(at));
}

export function number(value: number, digits = 0): string {
  return new Intl.NumberFormat(language.value, { maximumFractionDigits: digits }).format(value);
}

/** "+30" or "−20". */
export function signed(value: number): string {
  return new Intl.NumberFormat(language.value, { signDisplay: "exceptZero" }).format(value);
}

export function share(value: number): string {
  return new Intl.NumberFormat(language.value, { style: "percent", maximumFractionDigits: 0 }).format(value);
}
