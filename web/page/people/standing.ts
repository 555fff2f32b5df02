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

/** How often we have asked or forgotten: an answer to an older question counts no more. */
let asked = 0;

/** Forget what we knew, and ask the house where somebody is signed in. */
export function lookAtStanding(here: boolean): void {
  standing.value = NONE;
  asked++;
  if (here) void standingChanged();
}

/**
 * Ask the house, which has told of a change, until it answers. What we know stays meanwhile: a lost answer
 * takes no role away.
 */
export async function standingChanged(): Promise<void> {
  const mine = ++asked;
  while (mine === asked) {
    const found = await house<Standing>("/me/standing").catch(() => null);
    if (mine !== asked) return;
    if (found) {
      standing.value = found;
      return;
    }
    await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
  }
}
