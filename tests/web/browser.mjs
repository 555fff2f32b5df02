// A player at a real house through the desk, in Chromium: node browser.mjs URL CHROMIUM. Prints one JSON object.
// The page's own policy is tested first. Then kitchens are started without the page, which the policy would refuse.
import { createRequire } from "node:module";

const { chromium } = createRequire(new URL("../../web/package.json", import.meta.url))("playwright-core");
const [url, executablePath] = process.argv.slice(2);
const PASSPHRASE = "ace add age ago aim air";
const HANDLE = "browserplayer";
const ROUNDS = 2;
const SECONDS = 120;
const found = {};

const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });

/** A page of a browser profile with a kitchen of its own; gives a function that asks it. */
async function kitchen(profile) {
  const page = await profile.newPage();
  await page.goto(`${url}/house.json`);
  await page.evaluate(async () => {
    const { files } = await (await fetch("/manifest.json")).json();
    const address = Object.keys(files).find((name) => name.startsWith("/kitchen."));
    const line = new Worker(address, { type: "module", name: "kitchen" });
    const waiting = new Map();
    globalThis.events = [];
    line.onmessage = ({ data }) => {
      if (data.event) globalThis.events.push(data);
      else waiting.get(data.id)(data);
    };
    globalThis.ask = (call, args) =>
      new Promise((resolve) => {
        const id = waiting.size;
        waiting.set(id, resolve);
        line.postMessage({ id, call, args });
      });
  });
  const tell = (call, args = {}) => page.evaluate(([name, given]) => globalThis.ask(name, given), [call, args]);
  const ask = async (call, args) => {
    const { value, fault } = await tell(call, args);
    if (fault) throw new Error(`${call}: ${JSON.stringify(fault)}`);
    return value;
  };
  return { page, tell, ask };
}

// The page alone, under its policy
{
  const page = await (await browser.newContext()).newPage();
  const hosts = new Set();
  page.on("request", (request) => hosts.add(new URL(request.url()).origin));
  await page.addInitScript(() => {
    globalThis.violations = [];
    addEventListener("securitypolicyviolation", (event) => globalThis.violations.push(event.violatedDirective));
  });
  await page.goto(`${url}/`);
  await page.locator("#app > *").first().waitFor();
  found.violations = await page.evaluate(() => globalThis.violations);
  found.refused = await page.evaluate(() => {
    const tries = {
      worker: () => new Worker("/service.js"),
      blob: () => new Worker(URL.createObjectURL(new Blob(["1"]))),
    };
    return Object.keys(tries).filter((name) => {
      try {
        tries[name]();
        return false;
      } catch {
        return true;
      }
    });
  });
  found.hosts = [...hosts];
  await page.close();
}

const profile = await browser.newContext({ bypassCSP: true });
const { page, ask } = await kitchen(profile);
const starters = await ask("house.request", { path: "/starters" });
await ask("account.register", { handle: HANDLE, passphrase: PASSPHRASE, starter: starters.data.items[0].slug });
const decks = await ask("house.request", { path: "/decks" });
const { game } = await ask("match.open", { mode: "chef", deck: decks.data.items[0].id, bots: ["greedy"] });
await ask("match.sit", { game });
found.secrets = [];
page.on("request", (request) => {
  if (/\/cards\//.test(request.url())) found.secrets.push(request.url());
});
let accounts = 0;
let over = null;
for (const end = Date.now() + 1000 * SECONDS; over === null && Date.now() < end; ) {
  for (const event of await page.evaluate(() => globalThis.events.splice(0))) {
    if (event.event === "fault") throw new Error(JSON.stringify(event.fault));
    if (event.event === "account") accounts++;
    if (event.event === "over") over = event.outcome;
    // An answer of ours may already have gone on: what counts is what is asked now.
    if (event.event !== "asked" || (await ask("match.view", { game })).choice === null) continue;
    const { move } = await ask("match.hint", { game });
    if ((await ask("match.try", { game, move })).refusal) throw new Error("the hint is not legal");
    await ask("match.choose", { game, move });
    if (accounts === ROUNDS) await ask("match.resign", { game });
    if (accounts === ROUNDS) accounts++; // once
  }
  await page.waitForTimeout(50);
}
found.over = over;
found.report = await ask("verify.record", { game });
found.replay = (await ask("replay.open", { game })).ticks.length;
found.boxed = (await ask("account.box", { on: true })).boxed;

// A second tab of the same profile: the file is open elsewhere, until it is moved.
const tab = await kitchen(profile);
await tab.ask("cards.all"); // which waits until the kitchen is ready
found.second = (await tab.ask("kitchen.state")).disk;
await tab.ask("account.move_here");
found.moved = [(await tab.ask("kitchen.state")).disk, (await ask("kitchen.state")).disk];
found.wrong = (await tab.tell("account.unlock", { passphrase: "no passphrase of mine" })).fault?.code;
found.unlocked = (await tab.ask("account.unlock", { passphrase: PASSPHRASE })).handle;

// Another device: handle and passphrase are enough.
const device = await kitchen(await browser.newContext({ bypassCSP: true }));
found.device = (await device.ask("account.sign_in", { handle: HANDLE, passphrase: PASSPHRASE })).handle;
found.same = (await device.ask("kitchen.state")).account.key === (await tab.ask("kitchen.state")).account.key;
await browser.close();
process.stdout.write(`\n${JSON.stringify(found)}\n`);
