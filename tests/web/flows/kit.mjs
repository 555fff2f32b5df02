// What the flows share: browsers, and players who use the page as people do. A flow is run as
//   node FLOW.mjs HOUSE CHROMIUM WISHES
// with its wishes as JSON, and prints one JSON object in its last line.
import { createRequire } from "node:module";
import process from "node:process";
import { openLine } from "./line.mjs";

const { chromium } = createRequire(new URL("../../../web/package.json", import.meta.url))("playwright-core");
const [house, executablePath, wishes = "{}"] = process.argv.slice(2);
/** Milliseconds that anything may take on a busy machine. */
export const PATIENCE = 120_000;
const LOOK_MS = 80;

export const HOUSE = house;
export const WISHES = JSON.parse(wishes);

/** What the browser would ask of its maker by itself. What is left goes to the house. */
const OWN_ERRANDS = ["AutofillServerCommunication", "HttpsUpgrades", "MediaRouter", "OptimizationHints", "Translate"];

const ARGS = ["--no-sandbox", `--disable-features=${OWN_ERRANDS.join()}`];

export function launch() {
  return chromium.launch({ executablePath, args: ARGS });
}

/** Print what was found. */
export function tell(found) {
  process.stdout.write(`\n${JSON.stringify(found)}\n`);
}

/** Say something to whoever has started the flow. */
export function announce(text) {
  process.stdout.write(`\n${text}\n`);
}

/** Say a word to whoever has started the flow, and wait for an answer. */
export async function handOver(word) {
  announce(word);
  await new Promise((resolve) => process.stdin.once("data", resolve));
  process.stdin.pause();
}

/** Wait until `look` gives something true, and give it. */
export async function until(look, what, ms = PATIENCE) {
  for (const end = Date.now() + ms; ; ) {
    const found = await look();
    if (found) return found;
    if (Date.now() > end) throw new Error(`not in time: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
}

/** Which part of the table of Pancake is on the screen. */
function stageHere() {
  const has = (css) => document.querySelector(css) !== null;
  if (has("dialog[open]")) return "asked";
  if (has(".reveal-foot .main")) return "reveal";
  if (has(".over")) return "over";
  if (has(".opening .main:not(:disabled)")) return "opening";
  if (has(".chef-bar .main:not(:disabled)")) return "cooking";
  return "waits";
}

/** Writes down every breach of the policy that the browser reports to the page. */
function watchPolicy() {
  globalThis.violations = [];
  addEventListener("securitypolicyviolation", (event) => globalThis.violations.push(event.violatedDirective));
}

const players = [];

// What was on the screens says more than the line at which a flow has stopped.
process.on("uncaughtException", async (error) => {
  console.error(error);
  for (const { handle, page, line, lost } of players) {
    const asked = line.sent.slice(-8).map(({ method, url }) => `${method} ${url}`);
    const shown = await page.locator("main").innerText({ timeout: 2000 }).catch(String);
    console.error(`\n--- ${handle} at ${page.url()}\n${shown.slice(0, 700)}\n${[...asked, ...lost.slice(-8)].join("\n")}`);
  }
  process.exit(1);
});

/** Somebody with a browser profile of their own, whose line can be read and cut. */
export class Player {
  constructor(profile, line, origin) {
    this.profile = profile;
    this.line = line;
    this.origin = origin;
    this.words = "";
    this.handle = "";
    /** What went wrong in any page of this profile. */
    this.faults = [];
    /** Requests that got no answer. */
    this.lost = [];
    players.push(this);
  }

  /** A new profile. `names` are other names of the house; `init` runs before every page. */
  static async open(browser, { names = [], init, at, ...look } = {}) {
    const line = await openLine(names);
    const profile = await browser.newContext({ locale: "en-US", proxy: { server: line.address }, ...look });
    return Player.in(profile, line, { init, at });
  }

  /** A browser of its own with a profile on disk, which outlasts it. */
  static async at(folder) {
    const line = await openLine();
    const look = { executablePath, args: ARGS, locale: "en-US", proxy: { server: line.address } };
    return Player.in(await chromium.launchPersistentContext(folder, look), line, {});
  }

  static async in(profile, line, { init, at }) {
    profile.setDefaultTimeout(PATIENCE);
    await profile.addInitScript(watchPolicy);
    if (init) await profile.addInitScript(init);
    const player = new Player(profile, line, at ?? house);
    await player.newTab();
    return player;
  }

  /** Another tab of the same profile, which is the one that is used from now on. */
  async newTab() {
    this.page = await this.profile.newPage();
    this.page.on("pageerror", (error) => this.faults.push(String(error)));
    this.page.on("requestfailed", (request) => this.lost.push(`${request.failure()?.errorText} ${request.url()}`));
    return this.page;
  }

  async go(...names) {
    const address = `${this.origin}/#/${names.join("/")}`;
    await this.page.goto(address);
  }

  see(css) {
    return this.page.locator(css).first().waitFor();
  }

  button(name) {
    return this.page.getByRole("button", { name, exact: typeof name === "string" });
  }

  press(name) {
    return this.button(name).first().click();
  }

  /** Wait until a text stands on the page. */
  reads(text) {
    return this.page.getByText(text).first().waitFor();
  }

  /** Become a player, with a deck of the list and the words that the page draws. */
  async register(handle, starter = 0) {
    await this.go("register");
    await this.see(".six li");
    this.handle = handle;
    this.words = (await this.page.locator(".six li").allTextContents()).join(" ");
    await this.page.fill("input[autocomplete=username]", handle);
    await this.page.locator(".starter").nth(starter).click();
    this.starter = await this.page.locator(".starter strong").nth(starter).textContent();
    await this.page.locator(".tick input").check();
    await this.press("Begin");
    const refused = this.page.locator(".toast.bad");
    await until(async () => /#\/lobby/.test(this.page.url()) || (await refused.count()) > 0, "the lobby");
    if ((await refused.count()) > 0) throw new Error(await refused.first().textContent());
  }

  /** Unlock the player's file in a page that was opened anew. */
  async unlock() {
    await this.see("input[autocomplete=current-password]");
    await this.page.fill("input[autocomplete=current-password]", this.words);
    await this.press("Unlock my kitchen");
  }

  /** Sign in on a new device: with handle and words, or with a file and its words. */
  async signIn({ handle, words }, file) {
    Object.assign(this, { handle, words });
    await this.go("sign-in");
    if (file) await this.page.locator("input[type=file]").setInputFiles(file);
    else await this.page.fill("input[autocomplete=username]", handle);
    await this.page.fill("input[type=password]", words);
    await this.page.locator("form .main:enabled").click();
    await this.page.waitForURL(/#\/lobby/);
  }

  /** Have the house keep the locked file, or not any more. */
  async keepBox(on) {
    await this.go("profile");
    await this.page.getByLabel(/^Let the house keep my locked file/).click();
    await this.reads(on ? "The house keeps your locked file." : "The house no longer keeps your file.");
  }

  /** Save the player's file; gives the path at which the browser has put it. */
  async saveFile() {
    await this.go("profile");
    const [file] = await Promise.all([this.page.waitForEvent("download"), this.press("Save my file")]);
    return file.path();
  }

  /** Take in a file that the same player has saved on another device. */
  async takeFile(file) {
    await this.go("profile");
    await this.page.locator("input[type=file]").setInputFiles(file);
    await this.page.locator("dialog[open] input[type=password]").fill(this.words);
    await this.page.locator("dialog[open] .button.main").click();
    await this.reads("Your file is taken in.");
  }

  /** The id of the game whose table is on the screen. */
  async game() {
    await this.page.waitForURL(/#\/play\//);
    return decodeURIComponent(/#\/play\/([^/?]+)/.exec(this.page.url())[1]);
  }

  /** Open a table of Pancake by its form. Gives its invitation's link if it is private. */
  async openTable({ pace = "Calm", bots = 0 } = {}) {
    await this.go("new-table", "chef");
    await this.page.getByLabel("Deck").selectOption({ index: 0 });
    await this.press(pace);
    if (bots) await this.page.getByLabel("Bots of the house").selectOption(String(bots));
    else await this.page.getByLabel(/^Private/).check();
    await this.press(bots ? "Begin" : /^Open the table/);
    return bots ? null : this.page.locator("main pre, main code", { hasText: "#/invite/" }).first().textContent();
  }

  /** Sit down at a table to whose link we were invited. */
  async join(link) {
    await this.page.goto(link);
    await this.page.getByLabel("Deck").selectOption({ index: 0 });
    await this.press("Sit down");
  }

  /** Play against the house's easy bot. */
  async playHouse() {
    await this.go("lobby");
    await this.page.locator(".mode.first").getByRole("button", { name: "Play the house" }).click();
    return this.game();
  }

  stage() {
    return this.page.evaluate(stageHere);
  }

  /** Wait for one of these stages of the table, and say which it is. */
  reach(...stages) {
    return until(async () => {
      const stage = await this.stage();
      return stages.includes(stage) && stage;
    }, stages.join(" or "));
  }

  /** Have the kitchen lay the best meal that it finds. */
  async hint() {
    const button = this.button("Hint");
    await button.click();
    await until(async () => (await button.getAttribute("aria-busy")) !== "true", "the hint");
  }

  /** Put the lids on what lies there. `envelope`: what to answer if the page asks. */
  async seal(envelope = false) {
    await this.page.locator(".chef-do .main").click();
    for (;;) {
      const stage = await until(async () => {
        if ((await this.page.locator(".course.sealed").count()) > 0) return "sealed";
        const now = await this.stage();
        return ["asked", "reveal", "over"].includes(now) && now;
      }, "the seal");
      if (stage !== "asked") return;
      const yes = this.page.locator("dialog[open] .button.main");
      const asksForEnvelope = (await this.button("No, I stay here").count()) > 0;
      await (asksForEnvelope && !envelope ? this.button("No, I stay here") : yes).click();
    }
  }

  /** Seal the best meal of a round. */
  async cook(envelope = false) {
    await this.reach("cooking");
    await this.hint();
    await this.seal(envelope);
  }

  /** Look at the reveal of a round. */
  async look() {
    await this.reach("reveal");
    await this.looked();
  }

  /** Resign the game whose table is on the screen. */
  async resign() {
    await this.press("More");
    await this.press("Resign");
    await this.page.locator("dialog[open] .button.main").click();
  }

  /**
   * Do what the table asks for, or of that only these: keep the hand, seal the best meal, look at the reveal. Gives the
   * stage that was there.
   */
  async turn(only = ["opening", "cooking", "reveal"]) {
    const stage = await this.stage();
    if (!only.includes(stage)) return stage;
    if (stage === "opening") await this.press("Keep");
    if (stage === "cooking") {
      await this.hint();
      await this.seal();
    }
    if (stage === "reveal") await this.looked();
    return stage;
  }

  /** Skip the reveal and go on. */
  async looked() {
    await this.page.locator(".reveal h2").first().waitFor({ state: "attached" });
    await this.page.locator(".reveal-foot .main").click();
  }

  /** Play until the game is over. */
  async playOut() {
    await until(async () => (await this.turn()) === "over", "the end of the game", 3 * PATIENCE);
  }

  /** Verify a game, or the one that has just ended by the button below its result. Gives what the receipt says. */
  async verify(game) {
    if (game) await this.go("verify", game);
    else await this.page.locator(".over").getByRole("link", { name: "Verify" }).click();
    await this.see(".receipt");
    return this.page.evaluate(() => {
      const lines = [...document.querySelectorAll(".receipt .bill-lines > div")];
      const text = (line, part) => line.querySelector(part).textContent;
      return {
        verdict: document.querySelector(".receipt h2").textContent,
        good: document.querySelector(".receipt.good") !== null,
        lines: Object.fromEntries(lines.map((line) => [text(line, "dt"), text(line, "dd")])),
      };
    });
  }

  violations() {
    return this.page.evaluate(() => globalThis.violations);
  }

  /** What was sent of this method to paths like this, the oldest first. */
  sent(method, path) {
    return this.line.sent.filter((each) => each.method === method && path.test(new URL(each.url).pathname));
  }

  /** The number of streams of events that are open. */
  streams() {
    return this.sent("GET", /\/events$/).filter(({ open }) => open).length;
  }

  /** The hosts to which anything of this profile was sent. */
  hosts() {
    return [...new Set(this.line.sent.map((request) => new URL(request.url).host))];
  }

  async close() {
    await this.profile.close();
    this.line.close();
  }
}
