// Two people, each with a browser, play a whole match of Pancake, and both verify its record.
import { launch, Player, tell } from "./kit.mjs";

const browser = await launch();
const [ann, bob] = [await Player.open(browser), await Player.open(browser)];
await Promise.all([ann.register("Ann", 0), bob.register("Bob", 1)]);

// Ann opens a private table and hands the link on. Both choose their deck.
await bob.join(await ann.openTable());
const games = await Promise.all([ann.game(), bob.game()]);

await Promise.all([ann.playOut(), bob.playOut()]);
const shown = await Promise.all([ann, bob].map(({ page }) => page.locator(".over h2").textContent()));
const bill = await ann.page.locator(".bill").count();
const receipts = await Promise.all([ann.verify(), bob.verify()]);
tell({
  games,
  shown,
  bill,
  receipts,
  decks: [ann.starter, bob.starter],
  violations: [...(await ann.violations()), ...(await bob.violations())],
  faults: [...ann.faults, ...bob.faults],
  hosts: [...new Set([...ann.hosts(), ...bob.hosts()])],
});
await browser.close();
process.exit(0);
