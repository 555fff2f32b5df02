/** The clock: digits beside a candle that burns down. It says aloud when 20 and 5 seconds are left. */
import { useEffect, useRef } from "preact/hooks";
import type { MatchView } from "../desk";
import { sound } from "../parts/sound";
import { say, useNow } from "../parts/ui";
import { t } from "../words";

/** A clock of this length or more is none: nobody waits for it. */
const NO_CLOCK = 6 * 86_400_000;

/** Whether a clock runs for what is asked. */
export function clocked(view: MatchView): boolean {
  return view.asking !== null && view.asking.given_ms < NO_CLOCK && !view.over;
}

/** What is left as people read it: 1:05, 0:09; 3 h 20 min; 2 days. */
export function left(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1000));
  if (seconds >= 172_800) return t("clock.days", { n: Math.floor(seconds / 86_400) });
  if (seconds >= 3600) return t("clock.hours", { h: Math.floor(seconds / 3600), m: Math.floor((seconds % 3600) / 60) });
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

export function Clock({ view, skew, seat }: { view: MatchView; skew: number; seat: number }) {
  const asking = view.asking;
  const on = asking !== null && asking.seats.includes(seat) && clocked(view);
  const now = useNow(250, on);
  const said = useRef("");
  const ms = on ? asking.deadline - (now - skew) : 0;
  const mine = seat === view.seat;
  useEffect(() => {
    if (!on || !mine) return;
    for (const mark of [20, 5] as const) {
      const name = `${view.step}:${mark}`;
      if (ms <= mark * 1000 && ms > (mark - 2) * 1000 && said.current !== name) {
        said.current = name;
        say(t("clock.left", { n: mark }), mark === 5);
        sound(`clock${mark}`);
      }
    }
  }, [Math.ceil(ms / 1000), view.step]);
  if (!on) return null;
  const share = Math.max(0, Math.min(1, ms / asking.given_ms));
  const short = ms <= 20_000;
  return (
    <span class={short ? "clock short" : "clock"} role="timer" aria-label={t("clock.label", { time: left(ms) })}>
      <Candle share={share} />
      <span aria-hidden="true">{left(ms)}</span>
    </span>
  );
}

function Candle({ share }: { share: number }) {
  const top = 34 - 24 * share;
  return (
    <svg class="candle" viewBox="0 0 20 40" width="20" height="40" aria-hidden="true">
      <rect class="wax" x="6" y={top} width="8" height={Math.max(1, 34 - top)} rx="1.5" />
      <path class="dish" d="M2 34h16l-2 4H4z" />
      {share > 0 && <path class="flame" d={`M10 ${top - 9}c4 4 3 8 0 8s-4-4 0-8z`} />}
    </svg>
  );
}
