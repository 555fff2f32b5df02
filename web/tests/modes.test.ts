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

  it("hold back the end of a game for an account that they play, and for no other", () => {
    const told = (code: string) => ({ code, values: {}, reasons: [], text: "" });
    const account = (code: string) => ({ seq: 1, round: 1, sections: [{ heading: told(code), lines: [], winners: null }] });
    const { plays } = drawingOf("chef");
    expect(plays?.(account("course"))).toBe(true);
    expect(plays?.(account("redraw"))).toBe(false);
    expect(drawingOf("hearts").plays).toBeUndefined();
  });

  it("are there for each mode, and a plain one for any other", () => {
    const found = MODES.map(drawingOf);
    expect(new Set(found).size).toBe(MODES.length);
    const other = drawingOf("whist");
    expect(found).not.toContain(other);
    expect(drawingOf("skat")).toBe(other);
  });
});
