import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

const css = readFileSync(join(import.meta.dirname, "..", "page", "tokens.css"), "utf8");

/** The two values of a token: in the light theme and in the dark one. */
function token(name: string): [string, string] {
  const found = new RegExp(`--${name}: light-dark\\((#[0-9a-f]{6}), (#[0-9a-f]{6})\\);`).exec(css);
  if (!found) throw new Error(`There is no token ${name}.`);
  return [found[1]!, found[2]!];
}

function luminance(colour: string): number {
  const [r, g, b] = [1, 3, 5].map((at) => {
    const value = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

/** The contrast of two colours by WCAG 2.2, from 1 to 21. */
function contrast(one: string, other: string): number {
  const [high, low] = [luminance(one), luminance(other)].sort((a, b) => b - a) as [number, number];
  return (high + 0.05) / (low + 0.05);
}

const TEXTS: [string, string, number][] = [
  ["ink", "paper", 12],
  ["ink", "card", 12],
  ["ink", "linen", 9],
  ["quiet", "paper", 4.5],
  ["quiet", "card", 4.5],
  ["quiet", "linen", 4.5],
  ["tomato", "paper", 4.5],
  ["tomato", "card", 4.5],
  ["tomato", "linen", 4.5],
  ["herb", "paper", 4.5],
  ["herb", "card", 4.5],
  ["steel", "card", 4.5],
  ["gold", "paper", 4.5],
  ["gold", "card", 4.5],
  ["on-tomato", "tomato", 4.5],
  ["focus", "paper", 3],
  ["focus", "card", 3],
];

describe("colours", () => {
  it.each(TEXTS)("%s on %s has a contrast of %d in both themes", (text, ground, least) => {
    const [light, dark] = token(text);
    const [day, night] = token(ground);
    expect(contrast(light, day)).toBeGreaterThanOrEqual(least);
    expect(contrast(dark, night)).toBeGreaterThanOrEqual(least);
  });
});
