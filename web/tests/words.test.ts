import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { fill, preferred } from "../page/words";
import de from "../words/de.json";
import en from "../words/en.json";

type Entry = string | Record<string, string>;
const LANGUAGES: Record<string, Record<string, Entry>> = { en, de };
const PAGE = join(import.meta.dirname, "..", "page");

function sources(folder: string): string[] {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    if (statSync(path).isDirectory()) return sources(path);
    return /\.tsx?$/.test(name) ? [readFileSync(path, "utf8")] : [];
  });
}

function texts(entry: Entry): string[] {
  return typeof entry === "string" ? [entry] : Object.values(entry);
}

function places(entry: Entry): string[] {
  return [...new Set(texts(entry).flatMap((text) => [...text.matchAll(/\{(\w+)\}/g)].map((found) => found[1]!)))].sort();
}

describe("words", () => {
  it("are the same in every language, with the same places", () => {
    for (const words of Object.values(LANGUAGES)) {
      expect(Object.keys(words)).toEqual(Object.keys(en));
      for (const [key, entry] of Object.entries(words)) {
        const wanted = places((en as Record<string, Entry>)[key]!).filter((name) => name !== "n");
        expect(places(entry).filter((name) => name !== "n"), key).toEqual(wanted);
      }
    }
  });

  it("have the apostrophe of print, as a page by one hand does", () => {
    for (const words of Object.values(LANGUAGES))
      for (const [key, entry] of Object.entries(words)) expect(texts(entry).join(), key).not.toContain("'");
  });

  it("have every plural form that their language needs", () => {
    for (const [tongue, words] of Object.entries(LANGUAGES))
      for (const [key, entry] of Object.entries(words))
        if (typeof entry !== "string")
          for (const form of new Intl.PluralRules(tongue).resolvedOptions().pluralCategories)
            expect(entry[form], `${tongue} ${key}`).toBeTruthy();
  });

  it("are all used, alone or in a group that is built from a code", () => {
    const code = sources(PAGE).join("\n");
    const groups = [...code.matchAll(/(?:said\("|`)([a-z_]+)(?:"|\.\$\{)/g)].map((found) => found[1]!);
    const nested = [...code.matchAll(/`([a-z_.]+)\.\$\{/g)].map((found) => found[1]!);
    for (const key of Object.keys(en)) {
      const used = code.includes(`"${key}"`) || [...groups, ...nested].some((group) => key.startsWith(`${group}.`));
      expect(used, `${key} is used nowhere`).toBe(true);
    }
  });

  it("take the plural form of their number", () => {
    const coins = en.coins;
    expect(fill(coins, { n: 1 }, "en")).toBe("1 coin");
    expect(fill(coins, { n: 2000 }, "en")).toBe("2,000 coins");
    expect(fill(de.coins, { n: 2000 }, "de")).toBe("2.000 Münzen");
  });

  it("leave a place without a value in sight", () => {
    expect(fill("{name} leads", {}, "en")).toBe("{name} leads");
  });

  it("begin in the language that was chosen, else in the browser's first that we have", () => {
    expect(preferred(null, ["fr-FR", "de-AT", "en"])).toBe("de");
    expect(preferred("en", ["de"])).toBe("en");
    expect(preferred(null, ["ja"])).toBe("en");
  });
});
