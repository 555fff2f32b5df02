// A player looks where a copy is that has left as a token, at this house and at one that lies. The wishes are `file` and
// `passphrase` of the player, and the `card` by its name.
import { launch, tell, WISHES } from "./kit.mjs";
import { PHONE, tooWide, unsaid, visitor } from "./visitors.mjs";

const browser = await launch();
const { page, faults, t, go } = await visitor(browser, { viewport: PHONE });

await go("sign-in");
await page.locator("input[type=file]").setInputFiles(WISHES.file);
await page.locator("input[type=password]").fill(WISHES.passphrase);
await page.getByRole("button", { name: t("sign_in"), exact: true }).click();
await page.waitForURL(/#\/lobby/);
await go("album");

/** Open the card's copies, and have the token of the one that is outside checked. */
async function check() {
  await page.fill("input[type=search]", WISHES.card);
  await page.getByRole("button", { name: new RegExp(`^${WISHES.card}\\b`, "i") }).first().click();
  await page.getByRole("button", { name: t("token.check") }).click();
}

await check();
await page.locator(".token").waitFor();
const found = {
  line: await page.locator(".lines li").first().innerText(),
  facts: await page.locator(".token dd").allInnerTexts(),
  said: await page.locator(".token").innerText(),
  unsaid: await unsaid(page),
  wide: await tooWide(page),
  lies: {},
};

/** What the page says when the house's answer from a path like this is changed. */
async function lied(path, change) {
  await page.keyboard.press("Escape");
  await page.context().route(path, async (route) => {
    const answer = await route.fetch();
    await route.fulfill({ response: answer, json: change(await answer.json()) });
  });
  await check();
  const text = await page.locator(".toast.bad span").first().innerText();
  await page.context().unroute(path);
  await page.locator(".toast.bad button").first().click();
  return text;
}

const PANTRY = /\/pantry\//;
const STATEMENT = /\/collection\/outside\//;
found.lies.certificate = await lied(PANTRY, (shown) => {
  shown.certificate.origin.serial += 1;
  return shown;
});
found.lies.statement = await lied(STATEMENT, (shown) => ({ ...shown, until: shown.until + 1 }));
found.lies.copy = await lied(STATEMENT, (shown) => {
  shown.copies[0].copy = "00000000-0000-4000-8000-000000000000";
  return shown;
});
await browser.close();
tell({ ...found, faults });
