// Mia has more running games than a browser opens connections to a house. Her page goes on with all of them.
import { launch, Player, tell, until } from "./kit.mjs";

const GAMES = 7;
const browser = await launch();
const ann = await Player.open(browser);
const { page } = ann;
await ann.register("Mia", 0);
const found = { games: [], streams: [] };
const turns = () => page.locator(".tag.herb").count();
const actions = page.locator(".actions .main:enabled");

for (let i = 0; i < GAMES; i++) {
  await ann.go("lobby");
  await page.locator(".mode", { has: page.getByRole("heading", { name: "Cribbage", exact: true }) }).getByRole("button", { name: "Play the house" }).click();
  found.games.push(await ann.game());
  await actions.first().waitFor();
  found.streams.push(ann.streams());
}

// The browser is opened anew: the kitchen sits down at all of them, whatever the page shows.
await page.reload();
await ann.go("sign-in");
await ann.unlock();
await until(async () => (await turns()) === GAMES, "a choice in each game");
found.streams.push(ann.streams());

// A move, and away: what the bot answers is heard without a stream.
await ann.go("play", found.games[0]);
const mine = (method) => ann.sent(method, /\/entries$/).filter(({ url }) => url.includes(found.games[0]));
const before = mine("POST").length;
await actions.first().click();
await until(() => mine("POST").length > before, "the move");
await ann.go("lobby");
const left = Date.now();
await until(() => mine("GET").some(({ at }) => at > left), "a look at it");
await until(async () => (await turns()) === GAMES, "the next choice of the game that was left");
await ann.go("profile");
await ann.see(".figures");
found.streams.push(ann.streams());
found.faults = ann.faults;
tell(found);
await browser.close();
process.exit(0);
