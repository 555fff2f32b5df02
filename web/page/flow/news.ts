/** What the house tells this player wherever they are: a game has begun, it is their turn, an offer, a booster. */
import { signal } from "@preact/signals";
import { desk } from "../kitchen";
import { toast } from "../parts/ui";
import { heard, hoping } from "../people/meetings";
import { lookAtStanding } from "../people/standing";
import { lookAtQueue } from "../people/waiting";
import { go, path } from "../router";
import { said } from "../words";

/** Grows with each event of the feed, so that lists can load again. */
export const news = signal(0);

/** Games of ours where a choice waits, while we look elsewhere. */
export const awaiting = signal<ReadonlySet<string>>(new Set());

export function listenToHouse(): void {
  desk.on((event) => {
    if (event.event === "asked") mark(event.game, true);
    if (event.event === "over") mark(event.game, false);
    if (event.event !== "feed") return;
    news.value += 1;
    const game = typeof event.data["game"] === "string" ? event.data["game"] : "";
    if (event.name === "game.begun" && event.here) {
      const [screen] = path.value;
      if (screen === "table" || screen === "invite" || screen === "lobby") go("play", game);
      return;
    }
    if (event.name.startsWith("queue.")) void lookAtQueue();
    if (/^(role|sanction)\./.test(event.name)) void lookAtStanding(true);
    if (heard(event.name, event.data) || (event.name === "game.begun" && hoping())) return;
    if (event.name === "game.asked" || event.name === "game.account") return;
    const phrase = typeof event.data["phrase"] === "string" ? event.data["phrase"] : "";
    if (!phrase && path.value[0] === "play" && path.value[1] === game) return; // the table says it itself
    const name = typeof event.data["name"] === "string" ? event.data["name"] : "";
    const coins = typeof event.data["coins"] === "number" ? event.data["coins"] : 0;
    const text = said("news", event.name, "", { name, n: coins, phrase: said("phrase", phrase, phrase) });
    if (text) toast(text);
  });
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
