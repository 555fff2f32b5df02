/** Cards that lie open on the cloth, and small things that the drawings of the modes share. */
import type { Json, MatchView } from "../desk";
import { t } from "../words";
import { cardName, PlayingCard } from "./french";

export function numbers(value: Json | undefined): number[] {
  return Array.isArray(value) ? value.filter((each): each is number => typeof each === "number") : [];
}

export function nameOf(view: MatchView, seat: number): string {
  return view.seats[seat]?.name ?? "";
}

/** A card that lies open, with what is said about it. */
export function Open({ view, position, label }: { view: MatchView; position: number; label?: string }) {
  const code = view.faces[position] ?? null;
  return (
    <figure class="open-card" role="img" aria-label={`${label ? `${label}: ` : ""}${code ? cardName(code) : t("pack.hidden")}`}>
      <PlayingCard code={code} />
      {label && <figcaption class="small">{label}</figcaption>}
    </figure>
  );
}

export function Row({ view, positions, empty }: { view: MatchView; positions: readonly number[]; empty?: string }) {
  if (!positions.length) return empty ? <p class="quiet small">{empty}</p> : null;
  return (
    <div class="open-row">
      {positions.map((position) => (
        <Open key={position} view={view} position={position} />
      ))}
    </div>
  );
}
