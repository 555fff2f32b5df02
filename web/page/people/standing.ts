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

const NONE: Standing = { role: null, sanctions: [] };

export const standing = signal<Standing>(NONE);

/** Ask the house, when somebody has signed in and when it tells of a change. */
export async function lookAtStanding(here: boolean): Promise<void> {
  standing.value = here ? await house<Standing>("/me/standing").catch(() => NONE) : NONE;
}
