/** What the house tells this player wherever they are: a game has begun, it is their turn, an offer, a booster. */
import { signal } from "@preact/signals";
import { account, desk, house } from "../kitchen";
import { toast } from "../parts/ui";
import { heard, hoping } from "../people/meetings";
import { standingChanged } from "../people/standing";
import { queueChanged } from "../people/waiting";
import { go, path } from "../router";
import { listed, said, t } from "../words";

/** Grows with each event of the feed, and with what we change ourselves, so that lists can load again. */
export const news = signal(0);

/**
 * Let the list that is on the screen load again, after the house has answered what we asked for. By then that may be
 * another list than the one in which we asked.
 */
export function reloadLists(): void {
  news.value += 1;
}

/** Games of ours where a choice waits, while we look elsewhere. */
export const awaiting = signal<ReadonlySet<string>>(new Set());

export function listenToHouse(): void {
  desk.on((event) => {
    if (event.event === "asked") mark(event.game, true);
    if (event.event === "over") mark(event.game, false);
    if (event.event !== "feed") return;
    news.value += 1;
    const game = typeof event.data["game"] === "string" ? event.data["game"] : "";
    const [screen, shown] = path.value;
    if (event.name === "game.begun" && event.here) {
      if (screen === "table" || screen === "invite" || screen === "lobby") go("play", game);
      return;
    }
    // Who waits at a table sees who comes, and goes on to its game.
    if (screen === "table" && (event.name === "game.begun" || shown === event.data["table"])) return;
    if (event.name.startsWith("queue.")) queueChanged(event.name);
    if (/^(role|sanction)\./.test(event.name)) void standingChanged();
    if (heard(event.name, event.data) || (event.name === "game.begun" && hoping())) return;
    if (event.name === "game.asked" || event.name === "game.account") return;
    const phrase = typeof event.data["phrase"] === "string" ? event.data["phrase"] : "";
    if (!phrase && screen === "play" && shown === game) return; // the table says it itself
    const name = typeof event.data["name"] === "string" ? event.data["name"] : "";
    const coins = typeof event.data["coins"] === "number" ? event.data["coins"] : 0;
    const text = said("news", event.name, "", { name, n: coins, phrase: said("phrase", phrase, phrase) });
    if (text && phrase === "" && ABOUT_A_GAME.test(event.name)) void named(game, text).then(toast);
    else if (text) toast(text);
  });
}

/** News that mean one game of several. */
const ABOUT_A_GAME = /^game\.(timed_out|draw_offered|annulled|over)$/;

/** A text about a game of ours, led by its name: "Cribbage against remy: Your time was up." */
async function named(game: string, text: string): Promise<string> {
  try {
    const { mode, seats } = await house<{ mode: string; seats: { name: string }[] }>(`/games/${encodeURIComponent(game)}`);
    const others = seats.map((seat) => seat.name).filter((name) => name !== account.value?.handle);
    return t("news.of", { mode: said("mode", mode, mode), names: listed(others), text });
  } catch {
    return text; // the news count more than which game they are about
  }
}

function mark(game: string, waits: boolean): void {
  const now = new Set(awaiting.value);
  if (waits) now.add(game);
  else now.delete(game);
  awaiting.value = now;
}

/** The choice of a game was made, or its table is on the screen. */
export function settled(game: string): void {
  mark(game, false);
}
