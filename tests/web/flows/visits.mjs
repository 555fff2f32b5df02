// Signing in by file and by words, an invitation, watching, a trade, a newcomer. The wishes are `anne` and `ben`, each with
// handle, file and passphrase, and a card of anne's by slug and name.
import { launch, tell, WISHES } from "./kit.mjs";
import { DESKTOP, PASSPHRASE, PHONE, register, tooWide, unsaid, visitor } from "./visitors.mjs";

const { anne, ben, card } = WISHES;
const browser = await launch();
const visitors = [];
const found = { unsaid: [], wide: [] };

async function come(look) {
  const player = await visitor(browser, look);
  visitors.push(player);
  return player;
}

/** Note what stands on the screen without words, or is wider than it. */
async function look({ page }, where) {
  found.unsaid.push(...(await unsaid(page)));
  if (await tooWide(page)) found.wide.push(where);
}

const handleIn = (page) => page.locator(".head .handle").innerText();

/** Sign in on a fresh profile with the player's file. */
async function byFile(player, who) {
  const { page, t, go } = player;
  await go("sign-in");
  await page.locator("input[type=file]").setInputFiles(who.file);
  await page.locator("input[type=password]").fill(who.passphrase);
  await page.getByRole("button", { name: t("sign_in"), exact: true }).click();
  await page.waitForURL(/#\/lobby/);
  return handleIn(page);
}

/** Sign in on a fresh profile with handle and words: wrong ones first. */
async function byWords(player, handle) {
  const { page, t, go } = player;
  await go("sign-in");
  await page.fill("input[autocomplete=username]", handle);
  const sign = async (words) => {
    await page.locator("input[type=password]").fill(words);
    await page.getByRole("button", { name: t("sign_in"), exact: true }).click();
  };
  await sign(`${PASSPHRASE} not`);
  const refused = await page.locator(".toast.bad span").innerText();
  await look(player, "sign-in");
  await sign(PASSPHRASE);
  await page.waitForURL(/#\/lobby/);
  return { refused: refused === t("error.wrong_password"), handle: await handleIn(page) };
}

/** Open a table for two; gives the link that the page shows, or goes to the game if a bot sits there. */
async function open({ page, t, go }, { hidden = false, bot = false }) {
  await go("new-table/cribbage");
  await page.locator("form .main").waitFor();
  if (bot) await page.locator("label", { hasText: t("new_table.bots") }).locator("select").selectOption("1");
  if (hidden) await page.locator("label.tick", { hasText: t("new_table.private") }).locator("input").check();
  await page.locator("form .main").click();
  if (bot) return page.waitForURL(/#\/play\//);
  return page.getByText(/^http.*#\/(invite|table)\//).innerText();
}

/** Leave the game for good. */
async function resign({ page, t }) {
  await page.getByRole("button", { name: t("match.menu") }).click();
  await page.locator(".menu-list .wrong").click();
  await page.locator("dialog .main").click();
  await page.locator(".over").waitFor();
}

/** Do what a bot would, once. */
async function move({ page, t }) {
  const actions = page.locator(".actions");
  await actions.getByRole("button", { name: t("table.hint") }).click();
  await actions.locator(".actions-say").filter({ hasText: t("pack.hint").split("{move}")[0] }).waitFor();
  await actions.locator(".main").first().click();
}

const [hostess, guest, stranger, newcomer] = await Promise.all([
  come({ viewport: DESKTOP }),
  come({ viewport: PHONE, language: "de" }),
  come({ viewport: DESKTOP }),
  come({ viewport: PHONE }),
]);
found.files = [await byFile(hostess, anne), await byFile(guest, ben)];

// An invitation by its link: nobody finds the table without it.
const link = await open(hostess, { hidden: true });
await stranger.go("lobby");
await stranger.page.locator("h1").waitFor();
await guest.go("lobby");
await guest.page.locator(".modes").waitFor();
found.listed = await guest.page.locator("#main").innerText().then((text) => text.includes(anne.handle));
await guest.page.evaluate((address) => (location.hash = new URL(address).hash), link);
await guest.page.getByRole("button", { name: guest.t("lobby.sit") }).click();
await Promise.all([hostess, guest].map(({ page }) => page.waitForURL(/#\/play\//)));
found.together = hostess.page.url() === guest.page.url();
await guest.page.locator(".strip", { hasText: anne.handle }).waitFor();
await look(guest, "invited");
await Promise.all([hostess, guest].map(({ page }) => page.locator(".actions").waitFor()));
await resign(guest);
await hostess.page.locator(".over").waitFor();
found.won = (await hostess.page.locator(".over h2").innerText()) === hostess.t("over.you");

// Watching: somebody who is not signed in sees the game go on, and no hand.
await open(hostess, { bot: true });
await hostess.page.locator(".actions").waitFor();
await stranger.page.reload();
await stranger.page.locator("li", { hasText: anne.handle }).getByRole("link", { name: stranger.t("watch") }).click();
await stranger.page.locator(".strip", { hasText: anne.handle }).waitFor();
await stranger.page.getByRole("button", { name: stranger.t("drawer.proof") }).click();
const signatures = async () => {
  const line = await stranger.page.locator(".proof li").first().innerText();
  return Number(line.replace(/\D/g, ""));
};
const before = await signatures();
await move(hostess);
await stranger.page.waitForFunction((old) => Number(document.querySelector(".proof li").innerText.replace(/\D/g, "")) > old, before);
found.watched = { seats: await stranger.page.locator(".strip").count(), hands: await stranger.page.locator(".pack-hand").count() };
await look(stranger, "watching");
await resign(hostess);
found.watched.ended = (await stranger.page.locator(".note.good").innerText()).length > 0;

// A trade: anne offers a card to ben for five coins, and ben accepts.
const { page: shop, t } = hostess;
await hostess.go("market");
await shop.getByRole("button", { name: t("market.make"), exact: true }).click();
const tray = (key) => shop.locator("section.panel", { has: shop.locator("h2", { hasText: t(key) }) });
await tray("market.give").getByLabel(t("market.card")).fill(card.name);
await tray("market.give").getByRole("button", { name: card.name, exact: true }).click();
await tray("market.get").getByLabel(t("market.coins")).fill("5");
await shop.getByLabel(t("market.to")).fill(ben.handle);
await shop.getByRole("button", { name: t("market.make.do") }).click();
await shop.locator(".offer", { hasText: card.name }).waitFor();
await look(hostess, "market");
const purse = async ({ page }) => Number((await page.locator(".tag.gold").first().innerText()).replace(/\D/g, ""));
const had = await purse(hostess);
await guest.go("market");
await guest.page.getByRole("button", { name: guest.t("market.mine"), exact: true }).click();
await guest.page.locator(".offer", { hasText: card.name }).getByRole("button", { name: guest.t("market.accept") }).click();
await guest.page.locator(".offer", { hasText: guest.t("offer.accepted") }).waitFor();
await look(guest, "market");
await shop.locator(".offer", { hasText: t("offer.accepted") }).waitFor();
await shop.waitForFunction((old) => Number(document.querySelector(".tag.gold").innerText.replace(/\D/g, "")) === old + 5, had);
found.traded = true;

// Words: a new player lets the house keep the locked file, and comes back on a fresh profile.
await register(newcomer, "newcomer");
await newcomer.go("profile");
const box = newcomer.page.locator("label.tick", { hasText: newcomer.t("box.offer").slice(0, 30) }).locator("input");
await box.click();
await newcomer.page.locator(".toast", { hasText: newcomer.t("box.on") }).waitFor();
await look(newcomer, "profile");
found.words = await byWords(await come({ viewport: DESKTOP, language: "de" }), "newcomer");

// A newcomer: from the first sight of the page over the taught round to the first hand of a real match.
const begun = Date.now();
const first = await come({ viewport: PHONE });
const { page: table } = first;
await table.getByRole("link", { name: first.t("landing.play") }).first().click();
await table.locator(".taught-hand .tile").first().waitFor();
for (const tile of await table.locator(".taught-hand .tile").all()) await tile.click();
await table.locator(".taught-end button.main").click(); // the lid
await table.locator(".taught-end button.main").click(); // both lids rise
await table.locator(".taught-end a.main").click();
await table.locator(".six li").first().waitFor();
await table.fill("input[autocomplete=username]", "firsttimer");
await table.locator(".starter").first().click();
await table.locator(".tick input").check();
await table.getByRole("button", { name: first.t("register.do"), exact: true }).click();
await table.waitForURL(/#\/lobby/);
await table.locator(".mode").first().getByRole("button", { name: first.t("lobby.bot") }).click();
await table.locator(".opening-hand img").nth(5).waitFor();
found.first_match_ms = Date.now() - begun;

found.faults = visitors.flatMap(({ faults }) => faults);
await browser.close();
tell(found);
