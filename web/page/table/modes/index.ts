/** The drawings of the modes. A mode without one of its own shows its places by name, and is still playable. */
import type { Drawing } from "../drawing";
import { packDrawing } from "../pack";
import { bigC } from "./big_c";
import { chef } from "./chef";
import { cribbage } from "./cribbage";
import { flip } from "./flip";
import { hearts } from "./hearts";
import { Places } from "./places";

const DRAWINGS: Readonly<Record<string, Drawing>> = { chef, flip, hearts, cribbage, "big-c": bigC };

const PLAIN = packDrawing(Places, { takes: ["play"], numbers: [] });

export function drawingOf(mode: string): Drawing {
  return DRAWINGS[mode] ?? PLAIN;
}
