/**
 * Where the player is. Addresses stand behind the `#`, which a browser never sends: the house does not learn which
 * deck or replay is looked at, and an invitation in a link reaches nobody but its reader.
 */
import { computed, signal } from "@preact/signals";

const fragment = signal(typeof location === "undefined" ? "" : location.hash);

/** The parts of the address: `#/deck/7?new=1` gives ["deck", "7"]. */
export const path = computed(() => parts(fragment.value));
export const query = computed(() => new URLSearchParams(fragment.value.split("?")[1] ?? ""));

export function parts(hash: string): string[] {
  return hash
    .replace(/^#\/?/, "")
    .split("?")[0]!
    .split("/")
    .filter((part) => part !== "")
    .map(decodeURIComponent);
}

export function listen(arrived: () => void): void {
  addEventListener("hashchange", () => {
    fragment.value = location.hash;
    arrived();
  });
}

export function to(...names: (string | number)[]): string {
  return `#/${names.map((name) => encodeURIComponent(name)).join("/")}`;
}

export function go(...names: (string | number)[]): void {
  location.hash = to(...names);
}

export function replace(...names: (string | number)[]): void {
  history.replaceState(null, "", to(...names));
  fragment.value = location.hash;
}
