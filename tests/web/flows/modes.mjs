// The classic games: each is played against the house's bots, then verified and stepped through. If the wishes name
// a `folder`, pictures of the tables are saved there.
import { mkdirSync } from "node:fs";
import { launch, tell, WISHES } from "./kit.mjs";
import { DESKTOP, PHONE, register, tooWide, unsaid, visitor } from "./visitors.mjs";

const { folder } = WISHES;
const SECONDS = 500;
const GAMES = {
  // Each with the smallest target that it has. Hearts has none: its player resigns after a whole round.
  flip: { bot: "nimble", options: { target: "0", dealer: "nobody" }, seats: "2" },
  cribbage: { bot: "counter", options: { target: "61" } },
  hearts: { bot: "careful", options: { dealer: "nobody" }, keys: true, resigns: true },
  "big-c": { bot: "thrifty", options: { hand: "5", dealer: "nobody" }, seats: "3" },
};
if (folder) mkdirSync(folder, { recursive: true });

/** Open a table with bots in all other seats, by the form; gives the id of its game, and who may deal. */
async function open({ page, t, go }, mode, { bot, options, seats }) {
  await go(`new-table/${mode}`);
  await page.locator("form .main").waitFor();
  const field = (key) => page.locator("label", { hasText: t(key) }).locator("select, input");
  if (seats) await field("new_table.seats").selectOption(seats);
  const bots = await field("new_table.bots").locator("option").count();
  await field("new_table.bots").selectOption(String(bots - 1));
  await field("new_table.bot").selectOption(bot);
  const more = page.locator("form details summary"); // what needs no explanation
  if (await more.count()) await more.click();
  const dealers = await field("option.dealer").locator("option").evaluateAll((all) => all.map((each) => each.value));
  for (const [name, value] of Object.entries(options)) {
    const option = field(`option.${name}`);
    if (await option.evaluate((element) => element instanceof HTMLSelectElement)) await option.selectOption(value);
    else await option.fill(value);
  }
  await page.getByRole("button", { name: t("new_table.begin") }).click();
  await page.waitForURL(/#\/play\//);
  return { game: page.url().split("/").at(-1), dealers };
}

/** The move that the advice names, as its button says it. */
function advised(told, t) {
  const [before, after] = t("pack.hint").split("{move}");
  return told.startsWith(before) ? told.slice(before.length, told.length - after.length) : null;
}

/** Ask for advice and do what it says. */
async function byAdvice({ page, t }) {
  const actions = page.locator(".actions");
  await actions.getByRole("button", { name: t("table.hint") }).click({ timeout: 3000 });
  const say = actions.locator(".actions-say").filter({ hasText: t("pack.hint").split("{move}")[0] });
  const move = advised(await say.innerText({ timeout: 10_000 }), t);
  const button = actions.getByRole("button", { name: move, exact: true });
  // A number, such as how deep to cut, is set by a slider, whose move is as good.
  await ((await button.count()) ? button.first() : actions.locator(".main").first()).click({ timeout: 3000 });
}

/** Walk to a card that may be played, pick it and play it, all by keys. */
async function byKeys({ page }) {
  for (let i = 0; i < 20; i++) {
    await page.keyboard.press("ArrowRight");
    if ((await page.locator('.pack-hand .face:focus:not([aria-disabled="true"])').count()) === 1) break;
  }
  await page.keyboard.press("Enter");
  await page.keyboard.press("s");
  await page.waitForTimeout(150);
}

/** Play until the game is over; gives how the page told of it on the way. */
async function play(player, mode, spec) {
  const { page, t } = player;
  const found = { moves: 0, unsaid: [], wide: false, accounts: 0 };
  const end = Date.now() + 1000 * SECONDS;
  const over = page.locator(".over");
  const choices = page.locator(".actions");
  const picture = (name) => folder && page.screenshot({ path: `${folder}/${mode}-${name}.png` });
  while (Date.now() < end) {
    await over.or(choices).first().waitFor();
    if (await over.count()) break;
    if ((await page.locator(".bill").count()) > 0 && spec.resigns) {
      await picture("account");
      await page.getByRole("button", { name: t("match.menu") }).click();
      await page.locator(".menu-list .wrong").click();
      await page.locator("dialog .main").click();
      await over.waitFor();
      break;
    }
    try {
      await (spec.keys ? byKeys(player) : byAdvice(player));
      found.moves++;
    } catch (error) {
      if (!/Timeout|detached/.test(String(error))) throw error; // the game went on meanwhile
    }
    found.unsaid.push(...(await unsaid(page)));
    found.wide ||= await tooWide(page);
    if (found.moves === 2 || found.moves % 6 === 0) await picture(String(found.moves).padStart(2, "0"));
  }
  found.over = await over.locator("p").first().innerText();
  found.accounts = await page.locator(".bill").count();
  found.unsaid.push(...(await unsaid(page)));
  await picture("over");
  return found;
}

/** Verify the game in the page, and step through its replay to the end. */
async function afterwards({ page, t, go }, mode, game) {
  await page.locator(`.over a[href="#/verify/${game}"]`).click();
  const receipt = page.locator(".receipt");
  await receipt.waitFor();
  const verdict = await receipt.locator("h2").innerText();
  const told = await unsaid(page);
  await go(`replay/${game}`);
  const slider = page.locator(".scrubber input");
  await slider.waitFor();
  const last = Number(await slider.getAttribute("max"));
  for (const at of [Math.round(last / 2), last]) {
    await slider.fill(String(at));
    await page.locator(".scrubber-say", { hasText: t("replay.at").replace("{n}", at).replace("{of}", last) }).waitFor();
    told.push(...(await unsaid(page)));
    if (folder) await page.screenshot({ path: `${folder}/${mode}-replay-${at}.png` });
  }
  const ended = await page.locator(".note.good").innerText();
  return { verdict: verdict === t("verify.valid"), ended, told, wide: await tooWide(page) };
}

async function evening(browser, handle, look, modes) {
  const player = await visitor(browser, look);
  await register(player, handle);
  const found = {};
  for (const mode of modes) {
    const { game, dealers } = await open(player, mode, GAMES[mode]);
    found[mode] = { dealers, ...(await play(player, mode, GAMES[mode])), after: await afterwards(player, mode, game) };
  }
  return { found, faults: player.faults };
}

const browser = await launch();
const evenings = await Promise.all([
  evening(browser, "phonecook", { viewport: PHONE, language: "de" }, ["flip", "cribbage"]),
  evening(browser, "deskcook", { viewport: DESKTOP }, ["hearts", "big-c"]),
]);
await browser.close();
const games = Object.assign({}, ...evenings.map(({ found }) => found));
const faults = evenings.flatMap((each) => each.faults);
tell({ games, faults });
