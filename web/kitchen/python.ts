/** Python in the worker: Pyodide with the project's own rooms, started from the files of this build. */
import type { loadPyodide as Load, PyodideAPI } from "pyodide";
import { curve, ready as curveReady } from "./curve";
import { hashes } from "./hashes";
import { host } from "./host";
import { store } from "./store";

/** The files of the build that Python is made of, by name; set by `web/build.py`. */
declare const __CLOCHE_PARTS__: { pyodide: string; stdlib: string; rooms: string; sizes: Record<string, number> };

/** `web/python/desk.py`, whose functions take and give JSON texts. */
export interface PythonDesk {
  call(name: string, args: string, file: Uint8Array | undefined): string;
  state(): string;
  fed(game: string, entry: string): void;
  turn(game: string): void;
  line(game: string, away: boolean): void;
  look_around(): void;
  refused(game: string, status: number): void;
  following(game: string): string;
  token(): string | undefined;
  renew(): string | undefined;
  busy(): boolean;
  box(): void;
  close(): void;
}

const BASE = new URL("./", import.meta.url);

/** The address of a file of this build. */
function address(name: string): string {
  return new URL(name, BASE).href;
}

/** What `loadPyodide` wants as a path: outside a browser there is no server. */
function place(name: string): string {
  return BASE.protocol === "file:" ? decodeURIComponent(new URL(name, BASE).pathname) : address(name);
}

/** Fetch a file, saying how much of it has come. */
async function fetched(name: string, more: (bytes: number) => void): Promise<ArrayBuffer> {
  const response = await fetch(address(name));
  if (!response.ok || !response.body) throw new Error(`${name}: ${response.status}`);
  const parts: Uint8Array[] = [];
  const reader = response.body.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    parts.push(value);
    more(value.length);
  }
  return await new Blob(parts as BlobPart[]).arrayBuffer();
}

export interface Kitchen {
  python: PyodideAPI;
  desk: PythonDesk;
}

/** Start Python. `progress` is given the share that is done, from 0 to 1. */
export async function start(progress: (done: number) => void): Promise<Kitchen> {
  const { pyodide, stdlib, rooms, sizes } = __CLOCHE_PARTS__;
  const total = Object.values(sizes).reduce((sum, size) => sum + size, 0);
  let come = 0;
  // The last tenth is for starting: what remains once every file is there.
  const more = (bytes: number) => progress(Math.min(0.9, (0.9 * (come += bytes)) / total));
  const archive = fetched(rooms, more);
  const curves = curveReady();
  const { loadPyodide } = (await import(/* @vite-ignore */ address(pyodide))) as { loadPyodide: typeof Load };
  const python = await loadPyodide({
    indexURL: place(""),
    stdLibURL: place(stdlib),
    lockFileContents: {
      info: { abi_version: "2026_0", arch: "wasm32", platform: "emscripten", version: "314.0.7", python: "3.14.2" },
      packages: {},
    },
    checkAPIVersion: false,
  } as unknown as Parameters<typeof Load>[0]);
  more(sizes[stdlib] ?? 0);
  await curves;
  python.unpackArchive(await archive, "zip", { extractDir: "/rooms" });
  python.registerJsModule("kitchen", { ...curve, ...hashes, ...store, ...host });
  python.runPython("import sys; sys.path[:0] = ['/rooms/python', '/rooms', '/rooms/lib']; import boot");
  progress(0.98);
  return { python, desk: python.pyimport("desk") as PythonDesk };
}
