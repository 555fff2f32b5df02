/** What the kitchen tells the page without being asked. */
import type { AccountEvent } from "./accounts";
import type { CallName } from "./calls";
import type { Choice, MatchView, Outcome, SealView } from "./games";
import type { KitchenState } from "./state";
import type { DeskFault, JsonObject } from "./values";

export type DeskEvent =
  /** The kitchen's state has changed: progress of loading, another tab, an account unlocked. */
  | { event: "kitchen"; state: KitchenState }
  /** A new entry of a game was checked and folded. `view` is the game after it. */
  | { event: "entry"; game: string; seq: number; kind: string; seat: number | null; body: JsonObject; view: MatchView }
  /** Our player must choose. Comes once a step, and again after a reload. */
  | { event: "asked"; game: string; choice: Choice; view: MatchView }
  /** A seal's proof was checked here: a rival's, or our own coming back in the record. */
  | { event: "sealed"; game: string; seat: number; seal: SealView; checked_ms: number; view: MatchView }
  | { event: "account"; game: string; account: AccountEvent; view: MatchView }
  | { event: "over"; game: string; outcome: Outcome; view: MatchView }
  /** The line to the house is lost (`away` true) or back. Cards stay. */
  | { event: "line"; game: string; away: boolean; since: number }
  /** The house has broken the protocol, or the following can't go on. `evidence` is a JSON text to save. */
  | { event: "fault"; game: string | null; fault: DeskFault; evidence: string | null }
  /** Something that our player should know of the house's doings. The game goes on. */
  | { event: "concern"; game: string; code: string; text: string }
  /** How far a long call is: entries of a record for `verify.record` and `replay.open`, bytes for "kitchen". */
  | { event: "progress"; call: CallName; done: number; total: number }
  /** News from the house about this player (docs/events.md): a table has begun, an offer, a booster … */
  /** `here` tells of a game that has begun that this device sat down at its table. */
  | { event: "feed"; name: string; data: JsonObject; here: boolean };
