// Three people find each other: two by the queue, one by a challenge; and what a block, a report and a moderator do.
import { handOver, launch, Player, tell, until } from "./kit.mjs";

const browser = await launch();
const [ann, bob, cem] = [await Player.open(browser), await Player.open(browser), await Player.open(browser)];
await Promise.all([ann.register("Ann", 0), bob.register("Bob", 1), cem.register("Cem", 2)]);

/** The text of the refusal on the screen. */
async function refusal({ page }) {
  const note = page.locator(".toast.bad span").first();
  const text = await note.textContent();
  await page.keyboard.press("Escape");
  await page.locator(".toast.bad button").first().click();
  return text;
}

/** Choose a game, in the form of the page or in the one of a dialog. */
async function choose({ page }, game, form = "main") {
  await page.locator(`${form} select`).first().selectOption({ label: game });
}

/** Wait in the queue for a rated game. */
async function queue(player, game) {
  await player.go("opponents");
  await choose(player, game);
  await player.press("Wait for an opponent");
  await player.see(".waiting-bar");
}

// Ann wishes for a format, without rating; the house keeps both. A table of her own may be rated.
await ann.go("opponents");
await choose(ann, "Pancake");
await ann.page.getByLabel(/^Format/).selectOption({ label: "Open" });
await ann.page.getByLabel(/^Rated/).uncheck();
await ann.press("Wait for an opponent");
await ann.reads("Pancake · not rated · Open");
await ann.press("Stop waiting");
await ann.go("new-table/cribbage");
await ann.page.getByLabel(/^Rated/).check();
await ann.press(/^Open the table/);
await ann.reads(/· rated · /);
await ann.press("Cancel the table");
await ann.reads("This table was cancelled.");

// Ann waits, and opens her page anew meanwhile. Bob comes, and both are led to their table. The news ends Ann's wait,
// although the answer to her last request for her place comes late, and her later requests go out late.
await queue(ann, "Cribbage");
await ann.page.reload();
await ann.unlock();
await ann.see(".waiting-bar");
const looksBefore = ann.line.sent.length;
const answerLook = ann.line.hold("/queue");
const look = ({ method, url, status }) => method === "GET" && url.endsWith("/queue") && status === 200;
await until(() => ann.line.sent.slice(looksBefore).some(look), "a look at the queue");
let sendLooks;
const late = new Promise((resolve) => (sendLooks = resolve));
await ann.profile.route("**/queue", (route) => late.then(() => route.continue()));
await ann.go("decks");
await queue(bob, "Cribbage");
await ann.page.getByRole("link", { name: "To the table" }).click();
const paired = await Promise.all([ann.game(), bob.game()]);
const gone = await ann.page.locator(".waiting-bar").count();
await ann.page.evaluate(() => {
  globalThis.back = 0;
  const count = () => (globalThis.back += document.querySelectorAll(".waiting-bar").length);
  new MutationObserver(count).observe(document.body, { childList: true, subtree: true });
});
answerLook();
sendLooks();

// They say a little. One key mutes it, at all tables.
await ann.press("Say something");
await ann.press("Good luck!");
await bob.reads("Ann: Good luck!");
await bob.page.keyboard.press("m");
await bob.reads("You hear no phrases any more");
await ann.press("More");
await ann.page.locator(".menu-list").getByRole("button", { name: "Report Bob" }).waitFor();
await ann.page.keyboard.press("Escape");
await ann.resign();
await Promise.all([ann.see(".over"), bob.see(".over")]);
const back = await ann.page.evaluate(() => globalThis.back);

// Cem finds Ann by name, and challenges her from her page.
await cem.go("player", "nobody-here");
await cem.reads("The house knows nobody named nobody-here.");
await cem.go("opponents");
await cem.page.getByLabel("Whom, by name").fill("ann");
await cem.press("Look at the page");
await cem.reads("Ann has played no rated game yet.");
await cem.press("Challenge");
await choose(cem, "Pancakes (flip)", "dialog");
await cem.page.locator("dialog .main").click();
await cem.reads("Ann is asked.");
await ann.go("lobby");
await ann.press("Accept");
await ann.page.locator("dialog .main").click();
const challenged = await Promise.all([ann.game(), cem.game()]);
await cem.resign();
await ann.see(".over");

// Bob wants nothing to do with Cem: neither reaches the other any more. He tells the moderators.
await bob.go("player", "Cem");
await bob.press("Block");
await bob.reads("You and Cem meet at no table");
await cem.go("player", "Bob");
await cem.press("Challenge");
await choose(cem, "Big C", "dialog");
await cem.page.locator("dialog .main").click();
const refused = await refusal(cem);
await bob.press("Report");
await bob.page.getByLabel("What happened?").fill("Always the same.");
await bob.page.locator("dialog .main").click();
await bob.reads("Your report waits for a moderator.");
await bob.press("Lift the block");
await bob.reads("Cem is blocked no more.");

// Cem takes another name and other words. A new device knows him by both; the old words open nothing any more.
await cem.keepBox(true);
await cem.press("Another name");
await cem.page.getByLabel("The new name").fill("Cora");
await cem.page.getByLabel("Your words of today").fill(cem.words);
await cem.page.locator("dialog .main").click();
await cem.reads("You are Cora now.");
const old = cem.words;
await cem.press("Other words");
await cem.page.getByLabel("Your words of today").fill(old);
await cem.press("Draw six new words");
await cem.see("dialog .six li");
cem.words = (await cem.page.locator("dialog .six li").allTextContents()).join(" ");
await cem.page.locator("dialog .tick input").check();
await cem.page.locator("dialog .main").click();
await cem.reads("Your new words hold from now on.");
const phone = await Player.open(browser);
await phone.go("sign-in");
await phone.page.fill("input[autocomplete=username]", "Cora");
await phone.page.fill("input[type=password]", old);
await phone.page.locator("form .main:enabled").click();
const stale = await refusal(phone);
await phone.signIn({ handle: "Cora", words: cem.words });
await phone.go("profile");
await phone.see(".list code");
const sessions = await phone.page.locator(".list code").count();

// Ann keeps order from now on. Her page learns it, although its first question about it is lost. She takes Bob's report,
// and looks among the taken ones before the house has heard of it. She suspends Cem, who was renamed meanwhile.
await ann.go("opponents");
await ann.profile.route("**/me/standing", (route) => route.abort(), { times: 1 });
await handOver("role");
await ann.page.getByRole("link", { name: "Order", exact: true }).click();
const none = () => ann.reads("Nobody works on a report.");
await ann.profile.route("**/take", (route) => none().then(() => route.continue()), { times: 1 });
await ann.press("Take it");
await ann.press("Taken");
await ann.page.getByRole("link", { name: "Cora" }).click();
await ann.press("Suspend");
await ann.page.getByLabel(/^The reason/).fill("A rest of three days.");
await ann.page.locator("dialog .main").click();
await ann.reads("A rest of three days.");
await ann.go("order");
await ann.press("Taken");
await ann.press("Decide");
await ann.page.locator("dialog .main").click();
await bob.reads("A moderator has decided about a report of yours.");
await ann.press("Log of acts");
await ann.see(".board tbody tr");
const acts = await ann.page.locator(".board tbody tr td:nth-child(4)").allInnerTexts();
await phone.go("opponents");
await phone.press("Wait for an opponent");
const suspended = await refusal(phone);
await bob.go("order");
await bob.reads("Only those who keep order in this house see this desk.");

const everybody = [ann, bob, cem, phone];
tell({
  paired,
  wait: { gone, back },
  challenged,
  refused,
  stale,
  acts,
  suspended,
  sessions,
  leaked: everybody.some((player) => player.line.sent.some(({ url, body }) => [player.words, old].some((words) => `${url} ${body}`.includes(words)))),
  violations: (await Promise.all(everybody.map((player) => player.violations()))).flat(),
  faults: everybody.flatMap(({ faults }) => faults),
  hosts: [...new Set(everybody.flatMap((player) => player.hosts()))],
});
await browser.close();
process.exit(0);
