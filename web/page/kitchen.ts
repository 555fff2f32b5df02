/** The kitchen as the screens see it: one worker, its state, and what it says. */
import { computed, signal } from "@preact/signals";
import { Desk, DeskError, type Calls, type CallName, type DeskEvent, type Json, type JsonObject, type KitchenState } from "./desk";
import { kitchenWorker } from "./trust";
import { refusalWords, t } from "./words";

export const desk = new Desk(() => kitchenWorker("kitchen"));

/** Null until the kitchen was started. */
export const kitchen = signal<KitchenState | null>(null);
export const account = computed(() => kitchen.value?.account ?? null);
export const signedIn = computed(() => account.value !== null && !account.value.locked);
export const ready = computed(() => kitchen.value?.stage === "ready");

/** Whether a player's file lies in this browser: then the kitchen starts at once. */
const FILE_HERE = "cloche.file";

export function fileIsHere(): boolean {
  try {
    return localStorage.getItem(FILE_HERE) !== null;
  } catch {
    return false;
  }
}

/** The handle of the player whose file lies here: while it is locked, the kitchen can't tell. */
export function handleHere(): string {
  try {
    return localStorage.getItem(FILE_HERE) ?? "";
  } catch {
    return "";
  }
}

function remember(state: KitchenState): void {
  try {
    if (state.account) localStorage.setItem(FILE_HERE, state.account.handle || handleHere());
    else if (state.stage === "ready" && state.disk !== "elsewhere") localStorage.removeItem(FILE_HERE);
  } catch {
    // the browser keeps nothing
  }
}

const began = signal(0);

/** Start the kitchen, if it was not started. */
export function warm(): void {
  if (desk.started) return;
  began.value = Date.now();
  kitchen.value = { stage: "loading", done: 0, secure: true, disk: "none", account: null };
  desk.on((event) => {
    if (event.event === "kitchen") take(event.state);
  });
  desk.start();
  refresh();
}

function take(state: KitchenState): void {
  kitchen.value = state;
  remember(state);
}

export function refresh(): void {
  desk.ask("kitchen.state").then(take, (error: unknown) => {
    const fault = error instanceof DeskError ? error.fault : { code: "failed", text: String(error) };
    kitchen.value = { stage: "failed", done: 0, secure: true, disk: "none", account: null, fault };
  });
}

/** "Warming the oven, 12 s", while the kitchen is not ready. */
export function oven(state: KitchenState | null, now: number): string {
  if (!state || state.done < 0.05) return t("oven.warming");
  const left = Math.ceil((((now - began.value) / state.done) * (1 - state.done)) / 1000);
  return left > 0 ? t("oven.seconds", { n: left }) : t("oven.warming");
}

/** Ask the kitchen; it is started if need be. */
export function ask<K extends CallName>(call: K, args?: Calls[K]["in"]): Promise<Calls[K]["out"]> {
  warm();
  return desk.ask(call, args);
}

export function hear(listener: (event: DeskEvent) => void): () => void {
  return desk.on(listener);
}

export interface Request {
  method?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  query?: JsonObject;
  json?: Json;
  if_match?: string;
}

/** Ask the house as this player. Rejects with a `DeskError`. */
export async function house<T>(path: string, more: Request = {}): Promise<T> {
  return (await ask("house.request", { path, ...more })).data as T;
}

/** All pages of a list of this player's. */
export async function houseList<T>(path: string, query: JsonObject = {}): Promise<T[]> {
  const found: T[] = [];
  let cursor: string | null = null;
  do {
    const page: { items: T[]; next: string | null } = await house(path, {
      query: { ...query, limit: 200, ...(cursor ? { cursor } : {}) },
    });
    found.push(...page.items);
    cursor = page.next;
  } while (cursor);
  return found;
}

/** What went wrong, in the player's words; the house's own where we have none. */
export function told(error: unknown): string {
  if (error instanceof DeskError) {
    const first = error.fault.errors?.[0];
    const code = first && typeof first["code"] === "string" ? first["code"] : error.code;
    const text = first && typeof first["detail"] === "string" ? first["detail"] : error.fault.text;
    return refusalWords(code, text);
  }
  if (error instanceof Error) {
    const code = (error as { code?: string }).code;
    return code ? refusalWords(code, error.message) : error.message;
  }
  return String(error);
}
