/**
 * What the drawing of a mode brings to the page. `modes/` has one for each mode that has any, and one for the others;
 * no other file of the page knows a mode by its name. docs/web.md says how to add one.
 */
import type { ComponentType } from "preact";
import type { AccountEvent, MatchView } from "../desk";
import type { Match } from "./match";

/** The table of somebody who sits at it. */
export interface PlayedProps {
  match: Match;
  view: MatchView;
}

/** The same table for somebody who watches it, or sees it again. */
export interface SeenProps {
  view: MatchView;
  /** Milliseconds by which this device's clock is ahead; null where no clock runs. */
  skew: number | null;
  accounts: AccountEvent[];
  /** The account that has just come. */
  fresh: AccountEvent | null;
  onRead: () => void;
}

export interface Drawing {
  Played: ComponentType<PlayedProps>;
  Seen: ComponentType<SeenProps>;
  /** True if the table plays this account by itself, so that the result of the game waits until it was read. */
  plays?: (account: AccountEvent) => boolean;
  /** The address of a round that teaches the game, if there is one. */
  taught?: string;
}
