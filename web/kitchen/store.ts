/**
 * The player's file in the origin's private file system.
 *
 * A synchronous access handle writes and flushes before it returns, and keeps other tabs out: what `player.vault` asks
 * of a disk. There are two slots, written in turn, each with a counter and a digest, so that a power cut leaves the
 * old bytes or the new ones. Without such a disk (plain http, some private windows) the file lives in memory.
 */
import { sha256 } from "@noble/hashes/sha2.js";
import { bytes, same, type Bytes } from "./bytes";

/** Where the file lies; "elsewhere": another tab holds it. */
export type Place = "disk" | "memory" | "elsewhere" | "none";

const COUNTER = 8;
const HEAD = COUNTER + 32;
const HALVES = ["a", "b"] as const;

let slots: FileSystemSyncAccessHandle[] = [];
let memory: Uint8Array | null = null;
let turn = 0n;
let place: Place = "none";

export function where(): Place {
  return place;
}

/** Open the file, or find out that it can't be opened. */
export async function open(name: string): Promise<Place> {
  close();
  if (typeof navigator === "undefined" || !navigator.storage?.getDirectory) return (place = "memory");
  try {
    const root = await navigator.storage.getDirectory();
    for (const half of HALVES) {
      const file = await root.getFileHandle(`${name}.${half}`, { create: true });
      slots.push(await file.createSyncAccessHandle());
    }
    return (place = "disk");
  } catch (error) {
    close();
    const taken = error instanceof DOMException && error.name === "NoModificationAllowedError";
    return (place = taken ? "elsewhere" : "memory");
  }
}

/** Give the file up, so that another tab can open it. */
export function close(): void {
  for (const slot of slots) slot.close();
  slots = [];
  if (place === "disk") place = "elsewhere";
}

function slotAt(half: number): { counter: bigint; body: Uint8Array } | null {
  const slot = slots[half];
  if (!slot) return null;
  const all = new Uint8Array(slot.getSize());
  slot.read(all, { at: 0 });
  const body = all.subarray(HEAD);
  if (all.length < HEAD || !same(sha256(body), all.subarray(COUNTER, HEAD))) return null;
  return { counter: new DataView(all.buffer).getBigUint64(0), body };
}

export const store = {
  /** The file's bytes; undefined if there is none. */
  store_read(): Uint8Array | undefined {
    if (place === "memory") return memory ?? undefined;
    const found = [slotAt(0), slotAt(1)].filter((slot) => slot !== null);
    found.sort((left, right) => (left.counter < right.counter ? 1 : -1));
    const [best] = found;
    if (!best) return undefined;
    turn = best.counter;
    return best.body.length ? best.body : undefined; // an empty body is a file that was removed
  },
  /** Replace the file. The bytes are on the disk when this returns. */
  store_write(given: Bytes): void {
    const body = bytes(given).slice();
    if (place === "memory") {
      memory = body.length ? body : null;
      return;
    }
    const slot = slots[Number((turn + 1n) % 2n)];
    if (!slot) throw new Error("the player's file is open in another tab");
    const all = new Uint8Array(HEAD + body.length);
    new DataView(all.buffer).setBigUint64(0, turn + 1n);
    all.set(sha256(body), COUNTER);
    all.set(body, HEAD);
    slot.truncate(0);
    slot.write(all, { at: 0 });
    slot.flush();
    turn += 1n;
  },
  store_where: (): Place => place,
};
