// Two people, each with a browser, play a whole match of Pancake, begin another, and both verify the record of the first.
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

// Each asks for another game: the first opens its table, and the second sits down there.
const next = ({ page }) =>
  page.waitForURL((url) => /#\/play\//.test(url.href) && !url.href.includes(games[0])).then(() => page.url().split("#/play/")[1]);
await ann.press("Play again");
await ann.page.waitForURL(/#\/table\//);
await bob.press("Play again");
const again = await Promise.all([next(ann), next(bob)]);
await ann.reach("opening");
await ann.resign();
await bob.see(".over");
const ended = await bob.page.locator(".over h2").textContent();

// The address of a game that is over leads to its replay.
await ann.go("play", games[0]);
await ann.page.waitForURL(/#\/replay\//);
const replayed = ann.page.url().split("#/replay/")[1];
const receipts = await Promise.all([ann.verify(games[0]), bob.verify(games[0])]);
tell({
  games,
  shown,
  bill,
  receipts,
  again,
  ended,
  replayed,
  decks: [ann.starter, bob.starter],
  violations: [...(await ann.violations()), ...(await bob.violations())],
  faults: [...ann.faults, ...bob.faults],
  hosts: [...new Set([...ann.hosts(), ...bob.hosts()])],
});
await browser.close();
process.exit(0);
