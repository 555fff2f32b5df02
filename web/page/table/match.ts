/** One game on the screen: its view, its accounts, and whether the line to the house holds. */
import { signal, type Signal } from "@preact/signals";
import { useEffect, useState } from "preact/hooks";
import type { AccountEvent, DeskEvent, DeskFault, JsonObject, MatchView } from "../desk";
import { settled } from "../flow/news";
import { ask, hear } from "../kitchen";
import { sound } from "../parts/sound";
import { roundOf } from "./account_words";

/** What a screen follows of a game. */
export interface Match {
  view: Signal<MatchView | null>;
  accounts: Signal<AccountEvent[]>;
  /** The account that has just come and is still to be shown. */
  fresh: Signal<AccountEvent | null>;
  /** Since when the house is away; null while the line holds. */
  away: Signal<number | null>;
  fault: Signal<{ fault: DeskFault; evidence: string | null } | null>;
  /** What the player should know of the house's doings, oldest first. */
  concerns: Signal<{ code: string; text: string }[]>;
  /** Milliseconds by which this device's clock is ahead of the house's. */
  skew: Signal<number>;
  error: Signal<unknown>;
  /** The step whose choice is on its way: a second press of a slow page must not answer a later question. */
  sending: number | null;
}

export function newMatch(): Match {
  return {
    view: signal(null),
    accounts: signal([]),
    fresh: signal(null),
    away: signal(null),
    fault: signal(null),
    concerns: signal([]),
    skew: signal(0),
    error: signal(null),
    sending: null,
  };
}

/** Take what the kitchen says about this game. Views arrive in order; an older one changes nothing. */
export function take(match: Match, game: string, event: DeskEvent, now: number): void {
  if (!("game" in event) || event.game !== game) return;
  if ("view" in event) {
    if (!match.view.value || event.view.seq >= match.view.value.seq) match.view.value = event.view;
    if (event.event === "entry") {
      // The smallest lag that was seen is nearest to the truth: what is more than that was on its way.
      const lag = now - event.view.at;
      if (match.skew.value === 0 || lag < match.skew.value) match.skew.value = lag;
    }
  }
  if (event.event === "account" && !match.accounts.value.some((each) => each.seq === event.account.seq)) {
    match.accounts.value = [...match.accounts.value, event.account];
    match.fresh.value = event.account;
  }
  if (event.event === "line") match.away.value = event.away ? event.since : null;
  if (event.event === "concern") match.concerns.value = [...match.concerns.value, event];
  if (event.event === "fault") match.fault.value = { fault: event.fault, evidence: event.evidence };
}

/** Sit at a game of ours (`sit`), or watch one. Leaving the screen stops following; secrets stay in the kitchen. */
export function useMatch(game: string, sit: boolean): Match {
  const [match] = useState(newMatch);
  useEffect(() => {
    const stop = hear((event) => {
      take(match, game, event, Date.now());
      if (event.event === "sealed" && event.game === game) sound("lid");
    });
    begin(match, game, sit);
    if (sit) settled(game);
    return () => {
      stop();
      void ask(sit ? "match.leave" : "watch.stop", { game }).catch(() => undefined);
    };
  }, [game, sit]);
  return match;
}

export function begin(match: Match, game: string, sit: boolean): void {
  match.error.value = null;
  ask(sit ? "match.sit" : "watch.start", { game })
    .then(async (view) => {
      if (!match.view.value || view.seq >= match.view.value.seq) match.view.value = view;
      const { accounts } = await ask("match.accounts", { game });
      match.accounts.value = accounts;
    })
    .catch((error: unknown) => {
      match.error.value = error;
    });
}

/** The round that is played; 0 where the mode counts none. */
function roundIn(view: MatchView): number {
  return typeof view.state["round"] === "number" ? view.round : 0;
}

/** The round that is on the screen: that of an account which is shown, or else the one that is played. */
export function roundShown(view: MatchView, fresh: AccountEvent | null): number {
  return (fresh && roundOf(fresh)) || roundIn(view);
}

/** Send a choice. The view that comes back is the newest. */
export async function choose(match: Match, game: string, move: JsonObject, envelope = false): Promise<string> {
  const step = match.view.value?.step ?? null;
  if (step !== null && match.sending === step) return "already";
  match.sending = step;
  const { sent, view } = await ask("match.choose", { game, move, envelope }).catch((error: unknown) => {
    match.sending = null; // refused: another choice may come
    throw error;
  });
  if (!match.view.value || view.seq >= match.view.value.seq) match.view.value = view;
  if (!view.choice) settled(game); // the next choice may have come meanwhile
  return sent;
}
