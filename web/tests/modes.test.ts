import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { drawingOf } from "../page/table/modes";

const PAGE = join(import.meta.dirname, "..", "page");
const MODES = ["chef", "flip", "hearts", "cribbage", "big-c"];
/** Files that are a mode's own: its drawing, and the types of its table data. */
const OWN = /^(table\/modes\/|desk\/modes\.ts$)/;

describe("the drawings", () => {
  it("are the only files of the page that know a mode by its name", () => {
    const files = readdirSync(PAGE, { recursive: true, encoding: "utf8" }).filter((name) => /\.tsx?$/.test(name));
    expect(files.length).toBeGreaterThan(40);
    const knowing = files.filter((name) => {
      const text = readFileSync(join(PAGE, name), "utf8");
      return !OWN.test(name) && MODES.some((mode) => text.includes(`"${mode}"`));
    });
    expect(knowing).toEqual([]);
  });

  it("are there for each mode, and a plain one for any other", () => {
    const found = MODES.map(drawingOf);
    expect(new Set(found).size).toBe(MODES.length);
    const other = drawingOf("whist");
    expect(found).not.toContain(other);
    expect(drawingOf("skat")).toBe(other);
  });
});
