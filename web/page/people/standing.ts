/** Our role in the house, and what stands against us. */
import { signal } from "@preact/signals";
import { house } from "../kitchen";

export interface Sanction {
  kind: "suspended" | "trades_frozen";
  reason: string;
  since: string;
  until: string | null;
}

export interface Standing {
  role: "admin" | "moderator" | null;
  sanctions: Sanction[];
}

const AGAIN_MS = 5000;
const NONE: Standing = { role: null, sanctions: [] };

export const standing = signal<Standing>(NONE);

let looks = 0;

/** Forget what we knew, and ask the house where somebody is signed in. */
export function lookAtStanding(here: boolean): void {
  standing.value = NONE;
  looks++;
  if (here) void standingChanged();
}

/** Ask the house, which has told of a change. What we know stays until it answers: a role must not go with a lost line. */
export async function standingChanged(): Promise<void> {
  const look = ++looks;
  while (look === looks) {
    const found = await house<Standing>("/me/standing").catch(() => null);
    if (look !== looks) return;
    if (found) {
      standing.value = found;
      return;
    }
    await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
  }
}
