// A newcomer's first round of Pancake with the keyboard alone: nothing is clicked from registration to the bill.
import { launch, Player, tell, until } from "./kit.mjs";

const MOST_TABS = 80;
const browser = await launch();
const ann = await Player.open(browser);
const { page } = ann;
const { keyboard } = page;

/** What has the focus, by the name that a screen reader would say. */
const focused = () =>
  page.evaluate(() => {
    const here = document.activeElement;
    return here?.ariaLabel ?? here?.labels?.[0]?.firstElementChild?.textContent ?? here?.textContent ?? "";
  });

/** Press Tab until a control of this name has the focus. */
async function tabTo(name) {
  for (let i = 0; i < MOST_TABS; i++) {
    await keyboard.press("Tab");
    if (name.test((await focused()).trim())) return;
  }
  throw new Error(`Tab never reaches ${name}`);
}

async function enter(name) {
  await tabTo(name);
  await keyboard.press("Enter");
}

/** Press Tab until the control of a selector has the focus. */
async function tabOn(css) {
  for (let i = 0; i < MOST_TABS; i++) {
    await keyboard.press("Tab");
    if (await page.evaluate((wanted) => document.activeElement?.matches(wanted), css)) return;
  }
  throw new Error(`Tab never reaches ${css}`);
}

await ann.go("register");
await ann.see(".six li");
await ann.see(".starter");
await tabOn("input[autocomplete=username]");
await keyboard.type("Kim");
await tabOn(".starter input");
await keyboard.press("ArrowRight");
await tabOn(".tick input");
await keyboard.press("Space");
await page.locator("form .main:enabled").waitFor();
await enter(/^Begin$/);
await page.waitForURL(/#\/lobby/);
const handle = await page.locator(".head .handle").innerText();

await ann.go("new-table", "chef");
await ann.see("form.panel select");
await tabTo(/^Bots of the house/);
await keyboard.press("ArrowDown");
await enter(/^A day a turn$/);
await enter(/^Begin$/);
await ann.reach("opening");
await enter(/^Keep$/);

// Arrows choose a card, digits lay it, Backspace takes it back
await ann.reach("cooking");
const count = (css) => page.locator(css).count();
const hand = await count(".hand .tile");
await keyboard.press("ArrowRight");
// The place of the card, not its name: a hand may hold the same card twice
const place = () =>
  page.evaluate(() => [...document.querySelectorAll(".hand .tile")].findIndex((tile) => tile.contains(document.activeElement) || tile === document.activeElement));
const held = await place();
await keyboard.press("ArrowRight");
const next = { place: await place(), name: await focused() };
await keyboard.press("2");
await until(async () => (await count(".laid .chip")) === 1, "a card on the entree");
const laid = await page.locator(".course").nth(1).locator(".chip").getAttribute("aria-label");
const left = await count(".hand .tile");
await keyboard.press("Backspace");
await until(async () => (await count(".hand .tile")) === hand, "the card in the hand");

// ? says all keys, H lays what is best, S seals
await keyboard.press("?");
await ann.see("dialog[open] .keys");
const keys = await page.locator("dialog[open] kbd").allTextContents();
await keyboard.press("Escape");
await until(async () => (await count("dialog[open]")) === 0, "the table");
await keyboard.press("h");
await until(async () => (await ann.button("Hint").getAttribute("aria-busy")) !== "true", "the hint");
await keyboard.press("s");
for (;;) {
  const stage = await until(async () => {
    const now = await ann.stage();
    return now !== "cooking" && now;
  }, "the seal");
  if (stage !== "asked") break;
  // Whether to seal an empty meal, if the hand serves nothing; then whether the house may open it.
  const stay = (await ann.button("No, I stay here").count()) > 0;
  const main = (await page.locator("dialog[open] .button.main").textContent()).trim();
  const dialog = () => page.evaluate(() => document.querySelector("dialog[open]")?.textContent ?? "");
  const question = await dialog();
  await enter(stay ? /^No, I stay here$/ : new RegExp(`^${main}$`));
  await until(async () => (await dialog()) !== question, "an answer that counts");
}
await ann.reach("reveal");
await keyboard.press("Escape");
await enter(/^Cook on$/);
await ann.reach("cooking");
const told = await page.locator(".unseen [role=status]").count();
const bills = await count(".bill");
tell({ handle, hand, held, next, laid, left, keys, bills, told, faults: ann.faults });
await browser.close();
process.exit(0);
