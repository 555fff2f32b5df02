/** The strip of a seat: who sits there, points, what they do, and the clock. */
import type { MatchView } from "../desk";
import { Icon } from "../parts/icons";
import { clockTime, t } from "../words";
import { Clock } from "./clock";

/** What a seat is doing, in a few words. */
export function doing(view: MatchView, seat: number): string {
  const who = view.seats[seat];
  if (!who) return "";
  if (who.gone) return t("seat.gone");
  if (view.over) return "";
  if (who.owes) return t("seat.owes");
  if (who.seal) return t("seat.sealed", { time: clockTime(who.seal.at) });
  const asking = view.asking;
  if (!asking?.seats.includes(seat)) return asking ? t("seat.done") : "";
  switch (asking.kind) {
    case "seal":
      return t("seat.cooking");
    case "reveal":
      return t("seat.lifting");
    case "move":
      return t("seat.thinking");
    case "lock":
      return t("seat.locking");
    case "mix":
      return t("seat.mixing");
    default:
      return t("seat.dealing");
  }
}

interface StripProps {
  view: MatchView;
  seat: number;
  /** Milliseconds by which this device's clock is ahead; null where no clock runs, as in a replay. */
  skew: number | null;
  goal?: number;
  /** The points that are shown, where a reveal has not told all of them yet. */
  points?: number;
}

export function SeatStrip({ view, seat, skew, goal, points }: StripProps) {
  const who = view.seats[seat];
  if (!who) return null;
  const shown = points ?? who.points;
  const mine = seat === view.seat;
  const won = view.outcome?.winners.includes(seat) && view.over;
  return (
    <div class={`strip${mine ? " mine" : ""}${who.asked && !view.over ? " asked" : ""}${won ? " won" : ""}`}>
      <span class="strip-name serif">
        {who.name}
        {mine && <span class="quiet small"> {t("seat.you")}</span>}
      </span>
      <span class="strip-doing quiet small">
        {who.seal && <Icon name="lock" />}
        {doing(view, seat)}
        {who.offers_draw && !view.over && <span class="tag">{t("seat.offers_draw")}</span>}
      </span>
      {skew !== null && <Clock view={view} skew={skew} seat={seat} />}
      <span class="strip-points" aria-label={t("seat.points", { n: shown })}>
        <strong>{shown}</strong>
        {goal !== undefined && <span class="quiet small"> / {goal}</span>}
      </span>
      {goal !== undefined && (
        <span class="strip-track" aria-hidden="true">
          <i style={{ transform: `scaleX(${Math.min(1, Math.max(0, shown / goal))})` }} />
        </span>
      )}
    </div>
  );
}
