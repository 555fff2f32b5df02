/**
 * Games that others begin for us: from the queue, a challenge, a tournament. This browser enters those that it has asked
 * for, whatever it shows. Another device of the player hears the same news and leaves them alone: two devices would enter
 * with two different secrets. What was asked for outlasts a reload; it is no secret.
 */
import type { JsonObject } from "../desk";
import { ask, house } from "../kitchen";
import { complain, toast } from "../parts/ui";
import { go, path, to } from "../router";
import { t } from "../words";
import type { Challenge } from "./ladder";

/** The terms of a game to come. Without options it has the mode's own. */
export interface Terms {
  mode: string;
  options: JsonObject | null;
}

type Hoped = Record<string, Terms>;
const STORE = "cloche.meetings";
const MOST = 40;
/** Screens that a game may replace: nothing is lost on them. */
const QUIET = new Set(["", "lobby", "opponents", "leaders", "player", "table", "invite", "tournaments", "tournament"]);

function read(): Hoped {
  try {
    return JSON.parse(localStorage.getItem(STORE) ?? "{}") as Hoped;
  } catch {
    return {};
  }
}

function write(hoped: Hoped): void {
  try {
    localStorage.setItem(STORE, JSON.stringify(Object.fromEntries(Object.entries(hoped).slice(-MOST))));
  } catch {
    // the browser keeps nothing: the game stands in the lobby all the same
  }
}

/** All but one, which so comes last when it is added again. */
function without(name: string): Hoped {
  return Object.fromEntries(Object.entries(read()).filter(([each]) => each !== name));
}

/** Enter the game that comes of this. `name` is "queue", or the kind and the id: "challenge 7", "tournament 3". */
export function hope(name: string, terms: Terms): void {
  write({ ...without(name), [name]: terms });
}

/** Nothing comes of it any more. */
export function giveUp(name: string): void {
  write(without(name));
}

/** Enter a game on terms that we know, and go to its table if nothing is lost on the screen. */
export async function meet(game: string, terms: Terms): Promise<void> {
  await ask("match.meet", { game, ...terms });
  const [screen = ""] = path.value;
  if (QUIET.has(screen)) go("play", game);
  else if (screen !== "play" || path.value[1] !== game) toast(t("meeting.begun"), { to: to("play", game), text: t("meeting.go") });
}

function text(data: JsonObject, name: string): string {
  const found = data[name];
  return typeof found === "string" ? found : "";
}

/** Hear news that may bring a game. True if the game is entered here, so that nothing else need tell of it. */
export function heard(name: string, data: JsonObject): boolean {
  const hoped = read();
  const tournament = `tournament ${text(data, "tournament")}`;
  const challenge = `challenge ${text(data, "challenge")}`;
  if (name === "queue.left") giveUp("queue");
  if (/^challenge\.(declined|withdrawn|expired)$/.test(name)) giveUp(challenge);
  if (/^tournament\.(over|out|cancelled)$/.test(name)) giveUp(tournament);
  const from = name === "queue.paired" ? "queue" : name === "challenge.accepted" ? challenge : name === "tournament.paired" ? tournament : "";
  const terms = hoped[from];
  if (!terms) return false;
  if (from !== tournament) giveUp(from);
  const game =
    from === challenge
      ? house<Challenge>(`/challenges/${encodeURIComponent(text(data, "challenge"))}`).then((found) => found.game ?? "")
      : Promise.resolve(text(data, "game"));
  game.then((found) => meet(found, terms)).catch(complain);
  return true;
}

/** Whether a game may begin here that we have asked for: its own news tell of it. */
export function hoping(): boolean {
  return Object.keys(read()).length > 0;
}
