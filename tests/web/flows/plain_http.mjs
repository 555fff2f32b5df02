// The house by a name on plain http, where a browser keeps nothing safe: what works there, and what the page says.
import { HOUSE, launch, Player, tell, WISHES } from "./kit.mjs";

const NAME = "cards.example";
const browser = await launch();
const port = new URL(HOUSE).port;
const guest = await Player.open(browser, { names: [NAME], at: `http://${NAME}:${port}` });
const { page } = guest;

await guest.go("");
await guest.see(".landing h1");
const secure = await page.evaluate(() => isSecureContext);
await guest.go("register");
await guest.reads("Not on this address");
const said = await page.locator("main").innerText();
await guest.go("sign-in");
await guest.reads("Not on this address");
await guest.go("play", WISHES.game);
await guest.reads("Not on this address");
await guest.go("lobby");
await guest.see(".mode");
await guest.go("album");
await guest.see(".pocket");
await guest.go("verify", WISHES.game);
await guest.see(".receipt");
const verdict = await page.locator(".receipt h2").textContent();
await guest.go("replay", WISHES.game);
await guest.see(".match-head, .replay, input[type=range]");
tell({ secure, said, verdict, hosts: guest.hosts(), faults: guest.faults, violations: await guest.violations() });
await browser.close();
process.exit(0);
