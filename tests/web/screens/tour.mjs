// The way through every screen of the page at a real house, in Chromium:
// node tour.mjs URL CHROMIUM FURNISHED [FOLDER [PART,...]]
// Prints one JSON object: what is wrong with each screen; and on standard error each screen that is done. With a folder, a picture of each is saved there.
// FURNISHED is what `furnished.py` says about the house. A part is "stranger", "match", "classics", "belongings" or "people".
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { focusFaults, layoutFaults, violations } from "./judge.mjs";

const { chromium } = createRequire(new URL("../../../web/package.json", import.meta.url))("playwright-core");
const [url, executablePath, furnished, folder, wanted = "stranger,match,classics,belongings,people"] = process.argv.slice(2);
const parts = new Set(wanted.split(","));
const known = JSON.parse(furnished);
/** Rounds of a match in which a dish is waited for. */
const MOST_ROUNDS = 8;
const LONG = { timeout: 120_000 };
const WIDE = { width: 1280, height: 860 };
const NARROW = { width: 320, height: 640 };
/** A phone in a picture. What must hold at 320 pixels is tried at 320. */
const PHONE = { width: 390, height: 844 };
let here = null;
/** Requests that got no answer, for whoever reads a failure. */
const lost = [];
const found = { screens: {}, focus: {}, notes: 0, sight: [], motion: {}, said: [], console: [] };

const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
if (folder) mkdirSync(folder, { recursive: true });

/** A new visitor, with little motion, so that a screen stands still when it is looked at. */
async function visitor(options = {}) {
  const profile = await browser.newContext({ viewport: WIDE, reducedMotion: "reduce", ...options });
  await (await profile.newPage()).goto(`${url}/house.json`); // the tab in which the language is chosen
  const page = await profile.newPage();
  page.setDefaultTimeout(LONG.timeout);
  here = page;
  page.on("pageerror", (fault) => found.console.push(`${fault}`));
  page.on("requestfailed", (request) => lost.push(`${request.method()} ${request.url()}: ${request.failure()?.errorText}`));
  await page.addInitScript(() => {
    addEventListener("securitypolicyviolation", (event) => console.error(`policy: ${event.violatedDirective}`));
  });
  page.on("console", (line) => line.type() === "error" && found.console.push(line.text()));
  return page;
}

async function picture(page, name) {
  const line = await page.context().newCDPSession(page);
  const { data } = await line.send("Page.captureScreenshot", { format: "webp", quality: 72 });
  await line.detach();
  writeFileSync(`${folder}/page-${name}.webp`, Buffer.from(data, "base64"));
}

/** Wait until nothing loads and nothing moves. */
async function settled(page, waits) {
  if (!waits) await page.waitForFunction(() => !document.querySelector(".waiting:not(.stays)") && [...document.images].every((image) => image.complete || image.loading === "lazy"));
  await page.waitForTimeout(60);
  await page.waitForFunction(() => document.getAnimations().every((each) => each.playState !== "running" || each.effect.getComputedTiming().endTime === Infinity));
}

/** Bring a course on which something lies into sight: on a phone they are swiped. */
function swipe(page) {
  return page.evaluate(() => document.querySelector(".course:has(.chip)")?.scrollIntoView({ inline: "center", block: "nearest" }));
}

/** Have the page speak a language, as a player does who chooses it in another tab. `null` is the browser's own. */
async function speak(page, language) {
  const tab = page.context().pages()[0];
  await tab.evaluate((to) => {
    const settings = JSON.parse(localStorage.getItem("cloche.settings") ?? "{}");
    localStorage.setItem("cloche.settings", JSON.stringify({ ...settings, language: to }));
  }, language);
  await page.waitForFunction((to) => document.documentElement.lang === to, language ?? "en");
}

/** Judge a screen, wide and narrow, light and dark, and in German. `shown` says whether it gets pictures; `before` is done before each. */
async function look(page, name, { shown = true, waits = false, before = () => undefined } = {}) {
  const wrong = [];
  for (const [size, viewport] of [["wide", WIDE], ["phone", NARROW]]) {
    await page.setViewportSize(viewport);
    for (const scheme of ["light", "dark"]) {
      await page.emulateMedia({ colorScheme: scheme, reducedMotion: "reduce" });
      await settled(page, waits);
      const faults = [...(await violations(page, scheme === "dark" ? "colours" : "all")), ...(scheme === "light" ? await layoutFaults(page) : [])];
      wrong.push(...faults.map((fault) => `${size} ${scheme}: ${fault}`));
      if (folder && shown) {
        if (size === "phone") await page.setViewportSize(PHONE);
        await before(page);
        await page.waitForTimeout(60);
        await picture(page, `${name}-${size}-${scheme}`);
        if (size === "phone") await page.setViewportSize(viewport);
      }
    }
    await speak(page, "de");
    await settled(page, waits);
    const faults = [...(await violations(page, "words")), ...(await layoutFaults(page))];
    wrong.push(...faults.map((fault) => `${size} German: ${fault}`));
    await speak(page, null);
  }
  await page.setViewportSize(WIDE);
  await page.emulateMedia({ colorScheme: "light", reducedMotion: "reduce" });
  found.screens[name] = wrong;
  process.stderr.write(`${name}\n`);
  found.motion[name] = await page.evaluate(() =>
    document.getAnimations().filter((each) => each.playState === "running" && (each.effect?.getComputedTiming().activeDuration ?? 0) > 80).map((each) => each.animationName ?? each.transitionProperty),
  );
}

/** Go to an address of the page and wait for what is on it. */
async function open(page, address, there) {
  await page.goto(`${url}/#/${address}`);
  await page.locator(there).first().waitFor();
}

/** The focus by Tab, on the screen as it stands, wide and narrow. */
async function tabs(page, name) {
  for (const [size, viewport] of [["wide", WIDE], ["phone", NARROW]]) {
    await page.setViewportSize(viewport);
    found.focus[`${name}-${size}`] = await focusFaults(page);
  }
  await page.setViewportSize(WIDE);
}

/** What cannot be reached at first sight on a phone: before anybody scrolls, each of these is seen whole. */
async function sight(page, wanted) {
  for (const viewport of [PHONE, NARROW]) {
    await page.setViewportSize(viewport);
    const look = () => page.evaluate((all) => {
      scrollTo(0, 0);
      document.querySelectorAll(".hand, .courses").forEach((row) => row.scrollTo(0, 0));
      return all.flatMap((each) => {
        const element = document.querySelector(each);
        const box = element.getBoundingClientRect();
        const whole = box.top >= 0 && box.bottom <= innerHeight;
        const top = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
        return whole && element.contains(top) ? [] : [`${each} at ${Math.round(box.top)} to ${Math.round(box.bottom)} of ${innerHeight}`];
      });
    }, wanted);
    // The page may still be bringing a course into view that was tapped before the size changed.
    let faults = await look();
    for (let tries = 0; faults.length && tries < 20; tries++) {
      await page.waitForTimeout(100);
      faults = await look();
    }
    found.sight.push(...faults);
  }
  await page.setViewportSize(WIDE);
}

/** Three notes that stay until somebody closes them, and the focus on a screen that is full of cards, wide and narrow. */
async function noted(page) {
  await press(page, "Import");
  const dialog = page.locator("dialog");
  await dialog.locator("textarea").fill("no-deck-at-all");
  for (let notes = 1; notes <= 3; notes++) {
    await dialog.locator(".main:enabled").click();
    await page.locator(".toast.bad").nth(notes - 1).waitFor({ state: "attached" });
  }
  await page.keyboard.press("Escape");
  await open(page, "album", ".pocket img");
  await tabs(page, "notes");
  found.notes = await page.locator(".toast.bad").count();
  for (let notes = 3; notes > 0; notes--) await page.locator(".toast button").last().click();
}

/** A tap on a card beside an open menu: it closes the menu and does nothing else. */
async function tapBeside(page, name) {
  const hand = page.locator(".hand");
  const before = await hand.innerHTML();
  const box = await hand.locator(".tile").nth(1).boundingBox();
  await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
  await page.locator(".menu-list").waitFor({ state: "detached" });
  if ((await hand.innerHTML()) !== before) found.screens[name].push("a tap beside the menu reaches the hand");
}

/** A kitchen without a page for the player opposite: `ask` asks it. */
async function rivalKitchen() {
  const page = await (await browser.newContext({ bypassCSP: true })).newPage();
  await page.goto(`${url}/house.json`);
  await page.evaluate(async () => {
    const { files } = await (await fetch("/manifest.json")).json();
    const line = new Worker(Object.keys(files).find((file) => file.startsWith("/kitchen.")), { type: "module", name: "kitchen" });
    const waiting = new Map();
    line.onmessage = ({ data }) => !data.event && waiting.get(data.id)(data);
    globalThis.ask = (call, args) =>
      new Promise((resolve) => {
        const id = waiting.size;
        waiting.set(id, resolve);
        line.postMessage({ id, call, args });
      });
  });
  return async (call, args = {}) => {
    const { value, fault } = await page.evaluate(([name, given]) => globalThis.ask(name, given), [call, args]);
    if (fault) throw new Error(`${call}: ${JSON.stringify(fault)}`);
    return value;
  };
}

const press = (page, name, where = page) => where.getByRole("button", { name }).first().click();

/** What a stranger sees. */
async function stranger() {
  const page = await visitor();
  await open(page, "", ".landing .list li");
  await look(page, "landing");
  await tabs(page, "landing");
  await open(page, "learn", ".taught-hand .tile");
  await look(page, "learn");
  await tabs(page, "learn");
  for (const tile of await page.locator(".taught-hand .tile").all()) await tile.click();
  await look(page, "learn-lid");
  await page.locator(".taught-end .main").click();
  await look(page, "learn-sealed", { shown: false });
  await page.locator(".taught-end .main").click();
  await page.locator(".taught-end a.main").waitFor();
  await look(page, "learn-end");
  await open(page, "rules/chef", ".rules li");
  await look(page, "rules");
  await open(page, "about", ".foot");
  await look(page, "about");
  await tabs(page, "about");
  await open(page, "nowhere", "h1");
  await look(page, "lost", { shown: false });
  await open(page, "album", ".pocket img");
  await look(page, "album-stranger", { shown: false });
  await open(page, "lobby", ".mode");
  await look(page, "lobby-stranger", { shown: false });
  await open(page, "register", ".six li");
  await page.fill("input[autocomplete=username]", "newcomer");
  await page.locator(".starter").nth(1).click();
  await look(page, "register");
  await tabs(page, "register");
  await open(page, "sign-in", "input[type=password]");
  await look(page, "sign-in");
  await open(page, "verify", ".drop-plate");
  await look(page, "verify", { shown: false });
  await tabs(page, "verify");
  await open(page, `watch/${known.live.chef}`, ".strip");
  await page.locator(".drawer", { hasText: /: [A-Z]/ }).waitFor(); // cards have their names
  await look(page, "watch");
  await page.context().close();
}

/** The player comes in by file. */
async function player() {
  const page = await visitor();
  await open(page, "sign-in", "input[type=file]");
  await page.locator("input[type=file]").setInputFiles(known.file);
  await page.fill("input[type=password]", known.passphrase);
  await page.locator("form .main:enabled").click();
  await page.waitForURL(/#\/lobby/);
  return page;
}

/** A copy that has left as a token. While a match runs nobody looks at a single card, so this comes first. */
async function outside(page) {
  await open(page, "album", ".pocket img");
  await page.fill("input[type=search]", known.outside);
  await page.getByRole("button", { name: new RegExp(`^${known.outside}\\b`) }).first().click();
  await press(page, "Check its token");
  await page.locator(".token").waitFor();
  await look(page, "card-outside");
}

/** A match against another player, from the open table to its end. */
async function match(page) {
  const ask = await rivalKitchen();
  await ask("account.import", { text: readFileSync(known.rival, "utf8"), passphrase: known.passphrase });
  const { data: decks } = await ask("house.request", { path: "/decks" });
  await open(page, "new-table/chef", "form .main");
  await look(page, "new-table");
  await press(page, "A day a turn"); // no clock runs out while somebody looks
  await page.getByLabel(/^Private/).check();
  await page.getByLabel("Deck").selectOption({ label: "Monday leftovers" });
  await page.locator("form .main").click();
  await page.locator(".waiting").waitFor();
  await look(page, "table-waiting", { shown: false, waits: true });
  // The page is opened anew while it waits. The house certifies the deck with which the player sat down, and no other.
  await page.reload();
  await page.fill("input[type=password]", known.passphrase);
  await press(page, "Unlock my kitchen");
  await page.locator(".seats").waitFor();
  const invitation = (await page.locator(".tag").last().textContent()).trim();
  const table = await ask("house.request", { path: `/invitations/${invitation}` });
  const { game } = await ask("match.join", { table: table.data.id, deck: decks.items[0].id, invitation });
  await ask("match.sit", { game });
  const rival = async (kind) => {
    for (;;) {
      const { choice } = await ask("match.view", { game });
      if (choice?.kind === kind || (kind === "move" && choice)) break;
      await page.waitForTimeout(100);
    }
    // A hand that is exchanged would be asked about again.
    const { move } = kind === "move" ? { move: { choice: "keep" } } : await ask("match.hint", { game });
    await ask("match.choose", { game, move });
  };
  await page.locator(".opening-hand img").nth(5).waitFor();
  await look(page, "opening");
  await tabs(page, "opening");
  await press(page, "Keep");
  await rival("move");
  // The pictures show a round with a dish: the first from the third on in which the hand gives one.
  for (let round = 1, cooked = false; !cooked && round <= MOST_ROUNDS; round++) {
    await page.locator(".hand .tile").first().waitFor();
    if (round === 1) {
      await page.locator(".hand .tile").first().click();
      await look(page, "table-first", { shown: false });
      await tabs(page, "table");
      await sight(page, [".course-tabs button", ".course .course-plate", ".hand .tile", ".chef-do .main"]);
      await page.keyboard.press("?");
      await look(page, "table-keys", { shown: false });
      await page.keyboard.press("Escape");
      await press(page, "Say something");
      await page.locator(".menu-list button").first().waitFor();
      await look(page, "table-say", { shown: false });
      await page.keyboard.press("Escape");
      await press(page, "More");
      await page.locator(".menu-list").getByRole("button", { name: /^Report/ }).waitFor();
      await look(page, "table-menu", { shown: false });
      await tapBeside(page, "table-menu");
    }
    const stale = page.locator(".toast", { hasText: "Nothing can be cooked" });
    if (await stale.count()) found.screens["table-first"].push(`round ${round} begins with the hint for another hand`);
    await press(page, "Hint");
    await page.waitForTimeout(60);
    await page.locator(".chef-do [aria-busy=true]").waitFor({ state: "detached" });
    if (round === 1) await page.locator(".laid li, .toast").first().waitFor();
    cooked = round >= 3 && ((await page.locator(".laid li").count()) > 0 || round === MOST_ROUNDS);
    if (cooked) await look(page, "table", { before: swipe });
    await page.locator(".chef-do .main:enabled").click();
    await page.locator("dialog .main, .course.sealed").first().waitFor();
    for (const wish of [/I stay here/, "Seal"]) {
      const asked = page.locator("dialog").getByRole("button", { name: wish });
      await page.waitForTimeout(250);
      if (!(await asked.count())) continue;
      if (wish !== "Seal") await look(page, "envelope", { shown: false });
      await asked.click();
    }
    await page.locator(".course.sealed").first().waitFor();
    if (cooked) await look(page, "table-sealed", { before: swipe });
    await page.evaluate(() => {
      const listens = "heard" in globalThis;
      globalThis.heard = [];
      if (listens) return;
      const region = document.querySelector("[aria-live=polite]");
      new MutationObserver(() => region.textContent.trim() && globalThis.heard.push(region.textContent)).observe(region, { childList: true, characterData: true, subtree: true });
    });
    await rival("seal");
    await page.locator(".reveal").waitFor();
    await page.locator(".reveal-foot strong", { hasText: "+" }).waitFor();
    if (cooked) await look(page, "reveal");
    found.said.push(await page.evaluate(() => globalThis.heard));
    await page.locator(".reveal-foot .main").click();
  }
  await page.locator(".hand .tile").first().waitFor();
  await page.locator(".drawer .switch button").nth(1).click();
  await look(page, "proof", { shown: false });
  await page.locator(".drawer .switch button").nth(0).click();
  await look(page, "table-bill", { shown: false });
  await ask("match.resign", { game });
  await page.locator(".over").waitFor();
  await look(page, "over");
}

/** A table of each classic game against the house's bots. */
async function classics(page) {
  for (const [name, title] of Object.entries({ hearts: "Chinese Hearts", cribbage: "Cribbage", flip: "Pancakes (flip)", "big-c": "Big C" })) {
    await open(page, "lobby", ".mode");
    const card = page.locator(".mode", { has: page.getByRole("heading", { name: title, exact: true }) });
    await press(page, "Play the house", card);
    const [hand, cut] = [page.locator(".pack-hand .face"), page.locator(".actions .main")];
    while (!(await hand.count())) {
      await hand.or(cut).first().waitFor();
      // Cribbage begins with a cut; the button goes away when it was answered.
      if (await cut.count()) await cut.first().click({ timeout: 2000 }).catch(() => undefined);
    }
    await look(page, name);
    await tabs(page, name);
  }
}

/** What belongs to a player. */
async function belongings(page) {
  await open(page, "lobby", ".mode");
  await page.locator(".list li").nth(3).waitFor();
  await look(page, "lobby");
  await tabs(page, "lobby");
  await open(page, "new-table/hearts", "form .main");
  await page.getByLabel(/^Who deals/).selectOption("nobody");
  await look(page, "new-table-dealer");
  await open(page, "album", ".pocket img");
  await press(page, "Mine");
  await look(page, "album");
  await tabs(page, "album");
  await page.locator(".pocket:not(.lacks) button").first().click();
  await page.locator("dialog img").waitFor();
  await look(page, "card");
  await page.keyboard.press("Escape");
  await open(page, "decks", ".starter img");
  await look(page, "decks");
  await noted(page);
  await open(page, `deck/${known.deck}`, ".chart");
  await look(page, "deck");
  await tabs(page, "deck");
  await page.setViewportSize(NARROW);
  for (const [i, tab] of ["cards", "charts"].entries()) {
    await page.locator(".builder-tabs button").nth(i + 1).click();
    await look(page, `deck-${tab}`, { shown: false });
    await page.setViewportSize(NARROW);
  }
  await page.setViewportSize(WIDE);
  await press(page, "Share");
  await page.locator("dialog code").first().waitFor();
  await look(page, "deck-share", { shown: false });
  await page.keyboard.press("Escape");
  await open(page, "boosters", ".booster-pack");
  await look(page, "boosters");
  await tabs(page, "boosters");
  await page.locator(".booster-pack").first().click();
  await page.locator(".opened .turned img").nth(4).waitFor();
  await look(page, "boosters-opened");
  await open(page, "market", ".offer");
  await look(page, "market");
  for (const [i, tab] of ["mine", "make", "prices"].entries()) {
    await page.locator(".switch button").nth(i + 1).click();
    await page.locator([".offer", ".tray, .bars", ".list li"][i]).first().waitFor();
    if (tab === "prices") await page.locator(".list .button").first().click();
    await look(page, `market-${tab}`, { shown: tab === "prices" });
  }
  await tabs(page, "market");
  await open(page, `verify/${known.over}`, ".receipt");
  await look(page, "verified");
  await open(page, `replay/${known.over}`, ".scrubber");
  for (let i = 0; i < 3; i++) await page.getByRole("button", { name: "Next round" }).click();
  await page.locator(".revealed img").first().waitFor();
  await page.locator(".reveal-foot strong", { hasText: "+" }).waitFor();
  await look(page, "replay");
  await tabs(page, "replay");
  await open(page, "profile", ".figures");
  await page.locator(".favourites li").first().waitFor();
  await look(page, "profile");
  await look(page, "results", { before: () => page.locator(".results").first().evaluate((list) => list.closest("section").scrollIntoView()) });
  await tabs(page, "profile");
  await press(page, "Another name");
  await look(page, "rename", { shown: false });
  await page.keyboard.press("Escape");
  await press(page, "Other words");
  await press(page, "Draw six new words");
  await page.locator("dialog .six li").nth(5).waitFor();
  await look(page, "other-words", { shown: false });
  await page.keyboard.press("Escape");
  await open(page, "table/none", ".note");
  await look(page, "table-none", { shown: false });
}

/** Other people: opponents, their pages, boards. */
async function people(page) {
  await open(page, "lobby", ".mode");
  await page.getByRole("button", { name: "Accept" }).waitFor();
  await open(page, "opponents", "form .main");
  await page.locator(".rating-big").first().waitFor();
  await look(page, "opponents");
  await tabs(page, "opponents");
  await press(page, "Wait for an opponent");
  await page.locator(".waiting-bar").waitFor();
  await look(page, "opponents-waiting", { shown: false, waits: true });
  await page.locator(".waiting-bar").getByRole("button", { name: "Stop waiting" }).click();
  await page.locator(".waiting-bar").waitFor({ state: "detached" });
  await press(page, "Accept");
  await page.locator("dialog .main").waitFor();
  await look(page, "challenge-accept", { shown: false });
  await page.keyboard.press("Escape");
  await open(page, "leaders", ".empty");
  await look(page, "leaders-none", { shown: false });
  await press(page, "Pancakes (flip)");
  await page.locator(".board").waitFor();
  await look(page, "leaders");
  await tabs(page, "leaders");
  await open(page, "player/marie/chef", ".rating-chart");
  await page.locator(".results li").nth(2).waitFor(); // two opponents, one deck
  await page.locator(".favourites li").first().waitFor();
  await page.locator("details summary").click();
  await look(page, "player-self", { shown: false });
  await open(page, "player/remy/chef", ".rating-chart");
  await page.locator(".results li").nth(1).waitFor(); // we against remy, remy's deck
  await page.locator(".favourites, .panel .quiet").last().waitFor();
  await page.getByRole("button", { name: "Block" }).waitFor();
  await page.getByText("You against this player").waitFor();
  await look(page, "player");
  await tabs(page, "player");
  await press(page, "Challenge");
  await page.locator("dialog select").first().waitFor();
  await look(page, "challenge");
  await page.keyboard.press("Escape");
  await press(page, "Report");
  await page.locator("dialog textarea").waitFor();
  await look(page, "report", { shown: false });
  await page.keyboard.press("Escape");
}

/** The desk of those who keep order. */
async function order(page) {
  await open(page, "order", ".case");
  await look(page, "order");
  await tabs(page, "order");
  await press(page, "Take it");
  await page.locator(".case").nth(1).waitFor({ state: "detached" });
  await press(page, "Taken");
  await press(page, "Decide");
  await look(page, "order-decide", { shown: false });
  await page.keyboard.press("Escape");
  await press(page, "Decided");
  await page.getByText("No report has been decided yet.").waitFor();
  await look(page, "order-none", { shown: false });
  await press(page, "Log of acts");
  await page.locator(".board").waitFor();
  await look(page, "order-log", { shown: false });
  await open(page, "order/linh", ".figures");
  await press(page, "Suspend");
  await page.getByLabel(/^The reason/).fill("Insults in names, after a warning.");
  await look(page, "order-act", { shown: false });
  await page.locator("dialog .main").click();
  await page.getByText("Insults in names").waitFor();
  await look(page, "order-player");
  await tabs(page, "order-player");
}

/** Tournaments: one that takes players, one in its second round, and one of one's own. */
async function tournaments(page) {
  await open(page, "tournaments", ".list li");
  await look(page, "tournaments");
  await tabs(page, "tournaments");
  await press(page, "Over");
  await page.locator(".empty").waitFor();
  await look(page, "tournaments-none", { shown: false });
  await press(page, "Open");
  await page.getByRole("link", { name: "Sunday Pancakes" }).click();
  await press(page, "Enter for 10 coins");
  await page.locator("dialog select").waitFor();
  await look(page, "tournament-enter", { shown: false });
  await page.keyboard.press("Escape");
  await look(page, "tournament-open", { shown: false });
  await open(page, "tournaments", ".list li");
  await press(page, "Running");
  await page.getByRole("link", { name: "Friday Pegs" }).click();
  await page.getByRole("link", { name: "Your next game" }).waitFor();
  await page.locator(".panel .list li").nth(1).waitFor();
  await look(page, "tournament");
  await tabs(page, "tournament");
  await press(page, "Set the result");
  await look(page, "tournament-rule", { shown: false });
  await page.keyboard.press("Escape");
  await open(page, "new-tournament", "form .main");
  await look(page, "new-tournament");
  await tabs(page, "new-tournament");
}

try {
  if (parts.has("stranger")) await stranger();
  if (parts.size > 1 || !parts.has("stranger")) {
    const page = await player();
    if (parts.has("belongings")) await outside(page);
    if (parts.has("match")) await match(page);
    if (parts.has("classics")) await classics(page);
    if (parts.has("belongings")) await belongings(page);
    if (parts.has("people")) await people(page);
    if (parts.has("people")) await order(page);
    if (parts.has("people")) await tournaments(page);
  }
} catch (fault) {
  // What stood there when the way ended, for whoever reads the failure.
  const text = here && (await here.evaluate(() => `${location.hash}\n${document.body.innerText}`).catch(() => ""));
  throw new Error(`${fault.message}\n${text}\n${found.console.join("\n")}\n${lost.slice(-8).join("\n")}`);
} finally {
  await browser.close();
}
process.stdout.write(`\n${JSON.stringify(found)}\n`);
