// Ann's browser loses its line, is killed, has a second tab, and shows something else: no turn is lost by that.
import { launch, Player, tell, until } from "./kit.mjs";

/** Stands in for the screen's lock, and writes down when it is taken and given back. */
function countWakes() {
  globalThis.wakes = [];
  const lock = { release: async () => globalThis.wakes.push("released") };
  const request = async () => (globalThis.wakes.push("held"), lock);
  Object.defineProperty(navigator, "wakeLock", { value: { request } });
}

const browser = await launch();
const ann = await Player.open(browser, { init: countWakes });
const bob = await Player.open(browser);
await Promise.all([ann.register("Lea", 0), bob.register("Ben", 1)]);
await bob.join(await ann.openTable({ pace: "A day a turn" }));
const [game] = await Promise.all([ann.game(), bob.game()]);
const found = { game };
const wakes = () => ann.page.evaluate(() => globalThis.wakes);
const both = (what) => Promise.all([ann, bob].map(what));

await both((player) => player.reach("opening"));
await both((player) => player.press("Keep"));

// The line is lost while Ann cooks. Her cards stay, her meal waits, and goes out when the line is back.
await ann.reach("cooking");
await ann.hint();
const cards = async () => (await ann.page.locator(".hand .tile, .laid .chip").count());
const before = await cards();
found.wakes = { cooking: await wakes() };
ann.line.cut();
await ann.reads(/The house has been away/);
found.kept = [before, await cards()];
await ann.page.locator(".chef-do .main").click();
for (const asked of ["No, I stay here", /^Seal$/]) {
  await until(async () => (await ann.stage()) !== "cooking" || (await ann.button(asked).count()) > 0, "a question");
  if ((await ann.stage()) === "asked") await ann.page.locator("dialog[open]").getByRole("button", { name: asked }).click();
}
await ann.reads(/Your meal is kept and goes out when it is back/);
await bob.cook();
found.waited = await bob.stage();
ann.line.mend();
await both((player) => player.look());
found.wakes.looked = await wakes();

// The page is killed after the seal. A new one only has to be unlocked: the reveal goes out by itself.
await ann.cook();
found.wakes.sealed = await wakes();
const pipe = await ann.profile.newCDPSession(ann.page);
await Promise.race([pipe.send("Page.crash").catch(() => undefined), ann.page.waitForEvent("crash")]);
await bob.cook();
await ann.newTab();
await ann.go("sign-in");
await ann.unlock();
await bob.look();
found.screen = await ann.page.evaluate(() => location.hash);

// Ann leaves the table for her album after the seal. The reveal goes out all the same.
await ann.go("play", game);
await until(async () => (await ann.turn()) === "cooking", "the third round");
await ann.go("album");
await ann.see(".pockets .pocket");
await bob.cook();
await bob.look();

// A second tab says where the kitchen is, and takes it over when it is told to.
await ann.go("play", game);
const first = ann.page;
const second = await ann.newTab();
await ann.go("play", game);
await ann.reads("Your kitchen is open in another tab");
found.second = await ann.stage();
await ann.press("Move it here");
await ann.unlock();
ann.page = first;
await ann.reads("Your kitchen is open in another tab");
ann.page = second;
await until(async () => (await ann.turn()) === "cooking", "the fourth round");
await bob.cook();
await both((player) => player.look());

await bob.reach("cooking");
await bob.resign();
await both((player) => player.reach("over"));
found.shown = await ann.page.locator(".over h2").textContent();
found.faults = [...ann.faults, ...bob.faults];
tell(found);
await browser.close();
process.exit(0);
