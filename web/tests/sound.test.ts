import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { sound, SOUNDS } from "../page/parts/sound";
import { set } from "../page/settings";

const heard: number[] = [];
let contexts = 0;
/** What a browser answers to `resume`: at once after a touch of the page, else whenever it is touched. */
let resumed: () => Promise<void> = () => Promise.resolve();

class Voice {
  frequency = { exponentialRampToValueAtTime: () => undefined };
  constructor(_: unknown, private readonly wish: { frequency: number }) {}
  connect<T>(next: T): T {
    return next;
  }
  start(): void {
    heard.push(this.wish.frequency);
  }
  stop(): void {
    /* it has died away */
  }
}
class Level {
  gain = { setValueAtTime: () => undefined, exponentialRampToValueAtTime: () => undefined };
  connect<T>(next: T): T {
    return next;
  }
}
class Context {
  currentTime = 0;
  destination = {};
  constructor() {
    contexts++;
  }
  resume(): Promise<void> {
    return resumed();
  }
}

beforeEach(() => {
  heard.length = 0;
  vi.stubGlobal("AudioContext", Context);
  vi.stubGlobal("OscillatorNode", Voice);
  vi.stubGlobal("GainNode", Level);
});
afterEach(() => vi.unstubAllGlobals());

const soon = () => new Promise((resolve) => setTimeout(resolve, 0));

describe("sounds", () => {
  it("are off until somebody wants them: not even a context is made", async () => {
    sound("lid");
    await soon();
    expect([heard, contexts]).toEqual([[], 0]);
  });

  it("are heard once they are on", async () => {
    set("sound", true);
    sound("lid");
    await soon();
    expect(heard).toEqual(SOUNDS.lid.map(({ hz }) => hz));
    expect(contexts).toBe(1);
  });

  it("that a browser has held back are not heard later", async () => {
    const now = vi.spyOn(performance, "now").mockReturnValue(0);
    resumed = () => Promise.resolve().then(() => void now.mockReturnValue(5000));
    sound("reveal");
    await soon();
    now.mockRestore();
    expect(heard).toEqual([]);
  });
});
