// People who use the page in any of its languages, on screens of any size.
import { readFileSync } from "node:fs";
import { HOUSE, PATIENCE } from "./kit.mjs";

const WEB = new URL("../../../web/", import.meta.url);
export const PHONE = { width: 320, height: 640 };
export const DESKTOP = { width: 1280, height: 860 };
export const PASSPHRASE = "ace add age ago aim air";

/** A function that gives the text of a key, in its plural form `form`, in a language of the page. */
export function words(language) {
  const all = JSON.parse(readFileSync(new URL(`words/${language}.json`, WEB), "utf8"));
  return (key, form = "other") => (typeof all[key] === "string" ? all[key] : all[key][form]);
}

/** A page of a new profile. What goes wrong in it is listed in `faults`. */
export async function visitor(browser, { viewport = DESKTOP, language = "en" } = {}) {
  const profile = await browser.newContext({ viewport, reducedMotion: "reduce" });
  profile.setDefaultTimeout(PATIENCE);
  const page = await profile.newPage();
  const faults = [];
  page.on("pageerror", (error) => faults.push(String(error)));
  await page.addInitScript((tongue) => {
    const saved = JSON.parse(localStorage.getItem("cloche.settings") ?? "{}");
    localStorage.setItem("cloche.settings", JSON.stringify({ ...saved, language: tongue, seen: ["box", "envelope"] }));
  }, language);
  await page.goto(`${HOUSE}/`);
  const t = words(language);
  const go = (address) => page.evaluate((hash) => (location.hash = hash), `#/${address}`);
  return { page, faults, t, go };
}

/** Register in the page, with words of one's own and the first deck. */
export async function register(player, handle) {
  const { page, t, go } = player;
  await go("register");
  await page.locator(".six li").first().waitFor();
  await page.getByRole("button", { name: t("register.choose") }).click();
  await page.fill("input[autocomplete=username]", handle);
  await page.fill("input[autocomplete=new-password]", PASSPHRASE);
  await page.locator(".starter").first().click();
  const kept = page.locator(".tick input");
  if (await kept.count()) await kept.check();
  await page.getByRole("button", { name: t("register.do"), exact: true }).click();
  await page.waitForURL(/#\/lobby/);
}

/** What stands on the screen and is no word of any language: places of texts, codes of programs, numbers of seats. */
export async function unsaid(page) {
  const text = await page.locator("#main").innerText();
  return text.match(/\{[a-z]+\}|undefined|NaN|\bSeat \d|\[object/g) ?? [];
}

/** True if the page can be scrolled sideways. */
export async function tooWide(page) {
  return page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth);
}
