/** The calls of the page: what each takes, and what it gives. */
import type { AccountEvent } from "./accounts";
import type { CardFacts, DeckCheck, OutsideCopy } from "./cards";
import type { MatchView, TableInfo } from "./games";
import type { Report, ReplayInfo } from "./records";
import type { Account, KitchenState } from "./state";
import type { Copies, DeskFault, Json, JsonObject } from "./values";

type None = Record<string, never>;

export interface Calls {
  /** Allowed at any time, also before the kitchen is ready. */
  "kitchen.state": { in: None; out: KitchenState };

  // The account. `passphrase` never leaves the kitchen; the page forgets it at once.
  /** Six words for a new passphrase. */
  "account.words": { in: None; out: { words: string[] } };
  /** A new player. Writes the file before the house hears of it, so an interrupted call can be repeated. */
  "account.register": { in: { handle: string; passphrase: string; starter: string | null }; out: Account };
  /** A known player on a new device: fetches the box from the house. Refused with `no_box` if it keeps none. */
  "account.sign_in": { in: { handle: string; passphrase: string }; out: Account };
  "account.unlock": { in: { passphrase: string }; out: Account };
  "account.lock": { in: None; out: null };
  /** Removes the file from this device. `sure` is the handle, typed. */
  "account.forget": { in: { sure: string }; out: null };
  /**
   * Deletes the account at the house for ever, and the file here. `sure` is the handle, typed. `left` counts the
   * games from which one can't resign now.
   */
  "account.delete": { in: { sure: string }; out: { left: number } };
  /** Everything that the house keeps about this player: a ZIP archive, to save. */
  "account.archive": { in: None; out: { file: ArrayBuffer } };
  /** Another handle. It needs the words, because handle and words make the sign-in password. All other sessions end. */
  "account.rename": { in: { handle: string; passphrase: string }; out: Account };
  /** Other words for the file here and in the house's box. Copies elsewhere keep the old ones. All other sessions end. */
  "account.change_words": { in: { passphrase: string; words: string }; out: Account };
  /** The file that `cloche vault import` takes, to save. */
  "account.export": { in: None; out: { name: string; text: string } };
  /** A file of `cloche vault export` or of `account.export`; merged if the same player is here already. */
  "account.import": { in: { text: string; passphrase: string }; out: Account };
  /** Have the house keep the locked file, and keep it up to date (`on`), or delete it there. */
  "account.box": { in: { on: boolean }; out: Account };
  /** Take the kitchen from another tab, which then shows "elsewhere". */
  "account.move_here": { in: None; out: KitchenState };

  // The house
  /**
   * Any request to the house's API with the player's token, for lists, lobby, market, profile. `path` begins
   * after /api/v1. Refused with `match_running` for the picture or the text of a single card during a match.
   */
  "house.request": {
    in: { method?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE"; path: string; query?: JsonObject; json?: Json; if_match?: string };
    out: { status: number; data: Json; etag: string | null };
  };

  /** The record of a game, as bytes: to save it, or to hand it to the verifier, which has no token. */
  "house.record": { in: { game: string }; out: { file: ArrayBuffer } };

  // Cards and pictures, all drawn here
  "cards.all": { in: None; out: { cards: CardFacts[]; version: string } };
  /** The search language of docs/search.md over this build's cards. */
  "cards.search": { in: { query: string; owned?: Copies }; out: { slugs: string[]; query: string; warnings: { code: string; detail: string; column: number }[] } };
  /** SVG texts, in the order asked; null for a card that this build does not know. */
  "pictures.cards": { in: { slugs: string[] }; out: { svgs: (string | null)[] } };
  /** The dishes of an account of a game that is followed or replayed here. */
  "pictures.dishes": { in: { game: string; seq: number }; out: { dishes: { seat: number; course: number; title: string; svg: string }[] } };

  /** Where a copy is that has left as a token, after the house's statement and the token's certificate have been checked. */
  "copies.outside": { in: { copy: string; statement: string }; out: OutsideCopy };

  // Decks
  /** The rules' verdict. With `owned` also whether enough copies are there; `format` is a format's name. */
  "decks.check": { in: { cards: Copies; owned?: Copies; format?: string }; out: DeckCheck };
  /** What `GET /decks/{id}/statistics` answers, computed here (docs/decks.md). */
  "decks.statistics": { in: { cards: Copies; rounds?: number; seed?: string }; out: JsonObject };
  "decks.hands": { in: { cards: Copies; count?: number; rounds?: number; seed?: string }; out: JsonObject };
  "decks.suggestions": { in: { cards: Copies; owned?: Copies; seed?: string }; out: JsonObject };

  // A match
  /** Open a table and sit down. With bots in all other seats the game begins at once, and can be sat at. */
  "match.open": {
    in: {
      mode: string; deck?: string | null; seats?: number | null; bots?: string[]; options?: JsonObject;
      private?: boolean; spectators?: boolean; format?: string | null; rated?: boolean;
    };
    out: TableInfo;
  };
  "match.join": { in: { table: string; deck?: string | null; invitation?: string | null }; out: TableInfo };
  "match.rematch": { in: { game: string; deck?: string | null }; out: TableInfo };
  /**
   * Enter a game that the queue, a challenge or a tournament has begun. It must keep these terms; without options, the
   * mode's defaults in all that is no clock. It is not on the screen before `match.sit`.
   */
  "match.meet": { in: { game: string; mode: string; options?: JsonObject | null }; out: null };
  /** Sit at a game of ours. From now on its events come; what needs no choice is sent by itself. */
  "match.sit": { in: { game: string }; out: MatchView };
  "match.view": { in: { game: string }; out: MatchView };
  /** Judge a move without sending it. `detail` is the mode's own (`ChefTried`), or null. */
  "match.try": { in: { game: string; move: JsonObject }; out: { refusal: DeskFault | null; detail: Json } };
  /** Advice: a move that a bot would choose with what we see. */
  "match.hint": { in: { game: string }; out: { move: JsonObject; detail: Json } };
  /**
   * Choose. For a seal the proof is made here; `envelope` encloses the reveal for the house. The answer says
   * what became of it: "sent", "already" (another device has answered), "gone_on", or "nothing" (away: it is kept
   * and sent when the house is back).
   */
  "match.choose": { in: { game: string; move: JsonObject; envelope?: boolean }; out: { sent: "sent" | "already" | "gone_on" | "nothing"; view: MatchView } };
  "match.offer_draw": { in: { game: string }; out: MatchView };
  "match.resign": { in: { game: string }; out: MatchView };
  /** The accounts so far, oldest first. */
  "match.accounts": { in: { game: string }; out: { accounts: AccountEvent[] } };
  /** Stop following. The secrets stay in the player's file until the game is over. */
  "match.leave": { in: { game: string }; out: null };

  // Watching and replays
  "watch.start": { in: { game: string }; out: MatchView };
  "watch.stop": { in: { game: string }; out: null };
  /** Open a record to step through: a game of this house, or the bytes of a file. It is verified entry by entry. */
  "replay.open": { in: { game?: string; file?: ArrayBuffer }; out: ReplayInfo };
  /** The game after entry `seq`, as a seat or a spectator saw it. `accounts` are those of exactly this entry. */
  "replay.at": { in: { replay: string; seq: number; seat?: number | null }; out: { view: MatchView; account: AccountEvent | null } };
  "replay.close": { in: { replay: string }; out: null };

  // Boosters
  /** Open a booster; the draw is checked before anything is shown. */
  "boosters.open": { in: { booster: string }; out: { cards: string[]; opening: JsonObject; checked: { openings: number } } };
  /** Check the file of all openings of this player. */
  "boosters.verify": { in: None; out: JsonObject };

  // Verifying. In a worker of its own, named "verifier", so that a match goes on; `progress` events come.
  "verify.record": { in: { game?: string; file?: ArrayBuffer }; out: Report };
}

export type CallName = keyof Calls;
