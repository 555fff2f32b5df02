/** Our place in the queue, wherever we look meanwhile. */
import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { DeskError } from "../desk";
import { modesOfHouse } from "../house";
import { account, house, signedIn } from "../kitchen";
import { Doing, useNow } from "../parts/ui";
import { modeTitle, playBot } from "../screens/lobby";
import { t } from "../words";
import type { Place } from "./ladder";
import { giveUp, hope } from "./meetings";
import { lookAtStanding } from "./standing";
import type { Wish } from "./wish";

const LOOK_MS = 4000;

/** Our place, and when we were told of it; null while we do not wait. */
export const waiting = signal<(Place & { told: number }) | null>(null);

/**
 * `asked` numbers what we ask the house and what it tells us. `believed` is the number of what we show: an answer with
 * a smaller one is out of date.
 */
let asked = 0;
let believed = 0;

/** Show a place, or that we have none, unless something newer is shown. `mine` is the number under which we asked. */
function take(place: Place | null, mine = ++asked): void {
  if (mine < believed) return;
  believed = mine;
  waiting.value = place && { ...place, told: Date.now() };
}

/** Ask the house for our place. */
async function lookAtQueue(): Promise<void> {
  const mine = ++asked;
  try {
    take(await house<Place>("/queue"), mine);
  } catch (error) {
    if (error instanceof DeskError && error.fault.status === 404) take(null, mine);
  }
}

/** Hear news of the queue. That our wait is over counts at once; then the house is asked, since news can be old. */
export function queueChanged(name: string): void {
  if (name === "queue.paired" || name === "queue.left") take(null);
  void lookAtQueue();
}

/** Wait for an opponent, from now on. */
export async function waitFor(wish: Wish & { deck: string | null }): Promise<void> {
  hope("queue", { mode: wish.mode, options: null });
  const mine = ++asked;
  try {
    take(await house<Place>("/queue", { method: "POST", json: { ...wish } }), mine);
  } catch (error) {
    giveUp("queue");
    throw error;
  }
}

export async function stopWaiting(): Promise<void> {
  await house("/queue", { method: "DELETE" });
  giveUp("queue");
  take(null);
}

/** How long we have waited: 0:42 */
export function waited(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

async function bot(mode: string): Promise<void> {
  const facts = (await modesOfHouse()).find((each) => each.name === mode);
  if (!facts) return;
  await stopWaiting();
  await playBot(facts);
}

/** A line below the header, on every screen, while we wait. */
export function WaitingBar() {
  const place = waiting.value;
  const now = useNow(1000, place !== null);
  const who = signedIn.value ? account.value?.key : null;
  useEffect(() => {
    lookAtStanding(Boolean(who));
    if (who) void lookAtQueue();
    else take(null);
  }, [who]);
  useEffect(() => {
    if (!place) return;
    const timer = setInterval(() => void lookAtQueue(), LOOK_MS);
    return () => clearInterval(timer);
  }, [place === null]);
  if (!place) return null;
  const values = { mode: modeTitle(place.mode), time: waited(place.waited_ms + now - place.told), points: place.window };
  return (
    <section class="waiting-bar" aria-label={t("queue.title")}>
      <p class="waiting stays">{t(place.rated ? "queue.waits.rated" : "queue.waits", values)}</p>
      <span class="row">
        {place.bots.length > 0 && <Doing act={() => bot(place.mode)}>{t("queue.bot")}</Doing>}
        <Doing act={stopWaiting}>{t("queue.stop")}</Doing>
      </span>
    </section>
  );
}
