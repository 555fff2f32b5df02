// Lou seals and closes her browser: with an envelope the house opens her meal; without one she does, once she is back.
// The wishes name a `folder` for her profile.
import { execFileSync } from "node:child_process";
import { launch, Player, tell, until, WISHES } from "./kit.mjs";

const browser = await launch();
const bob = await Player.open(browser);
let ann = await Player.at(WISHES.folder);
await Promise.all([ann.register("Lou", 0), bob.register("Max", 1)]);
await ann.join(await bob.openTable({ pace: "A day a turn" }));
const [game] = await Promise.all([ann.game(), bob.game()]);
const { words } = ann;
const found = { game, faults: [] };
await Promise.all([ann, bob].map((player) => player.reach("opening").then(() => player.press("Keep"))));

/** Open the browser anew with the profile that the last one has left. */
async function back() {
  found.faults.push(...ann.faults);
  ann.line.close();
  ann = await Player.at(WISHES.folder);
  ann.words = words;
  await ann.go("sign-in");
  await ann.unlock();
  await ann.page.waitForURL(/#\/lobby/);
}

// Round 1: Ann gives the envelope that the page offers, and closes her browser. The game goes on without her.
await ann.cook(true);
await ann.close();
await bob.cook();
await bob.look();

// Round 2: without the envelope. The browser is killed as by an empty battery. What it has sealed it opens next time,
// before she looks at the table.
await back();
await ann.go("profile");
await ann.page.getByLabel(/^With each seal, let the house lift my lid/).uncheck();
await ann.go("play", game);
await until(async () => (await ann.turn()) === "cooking", "the second round");
const browsers = execFileSync("pgrep", ["-P", String(process.pid), "-f", `user-data-dir=${WISHES.folder}`], { encoding: "utf8" });
const gone = new Promise((resolve) => ann.profile.on("close", resolve));
for (const id of browsers.split("\n").filter(Boolean)) process.kill(Number(id), "SIGKILL");
await gone;
await bob.cook();
found.waits = await bob.stage();
await back();
await bob.look();
found.screen = await ann.page.evaluate(() => location.hash);

await bob.reach("cooking");
await bob.resign();
await ann.go("play", game);
await ann.reach("over");
found.shown = await ann.page.locator(".over h2").textContent();
found.faults.push(...ann.faults, ...bob.faults);
tell(found);
await browser.close();
await ann.close();
process.exit(0);
