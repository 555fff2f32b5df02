/** What a player sets for this browser: no secret is among it. */
import { effect, signal } from "@preact/signals";

export type Theme = "system" | "light" | "dark";

const STORE = "cloche.settings";

interface Saved {
  theme: Theme;
  motion: "system" | "less";
  sound: boolean;
  language: string | null;
  envelope: boolean;
  /** Hints that were shown once and need not come again. */
  seen: string[];
}

const FIRST: Saved = { theme: "system", motion: "system", sound: false, language: null, envelope: false, seen: [] };

function read(): Saved {
  try {
    return { ...FIRST, ...(JSON.parse(localStorage.getItem(STORE) ?? "{}") as Partial<Saved>) };
  } catch {
    return FIRST; // a browser that keeps nothing, or something else wrote there
  }
}

export const settings = signal<Saved>(read());

export function set<K extends keyof Saved>(name: K, value: Saved[K]): void {
  settings.value = { ...settings.value, [name]: value };
  try {
    localStorage.setItem(STORE, JSON.stringify(settings.value));
  } catch {
    // the browser keeps nothing: the setting holds for this visit
  }
}

/** Follow what another tab of this browser sets. */
export function followTabs(): void {
  window.addEventListener("storage", ({ key }) => {
    if (key === STORE || key === null) settings.value = read();
  });
}

/** Tell whether a hint is new to this browser, and remember that it was shown. */
export function firstTime(hint: string): boolean {
  if (settings.value.seen.includes(hint)) return false;
  set("seen", [...settings.value.seen, hint]);
  return true;
}

export function dress(): void {
  effect(() => {
    const root = document.documentElement.dataset;
    root["theme"] = settings.value.theme;
    root["motion"] = settings.value.motion;
  });
}

/** True if things should not move: the system says so, or the player. */
export function still(): boolean {
  return settings.value.motion === "less" || matchMedia("(prefers-reduced-motion: reduce)").matches;
}
