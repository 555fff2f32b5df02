// One player in the page, the other at a terminal. The link of the invitation is announced, for the other to sit down.
import { announce, launch, Player, tell } from "./kit.mjs";

const browser = await launch();
const ann = await Player.open(browser);
await ann.register("Ann", 0);
announce(await ann.openTable({ pace: "A day a turn" }));
const game = await ann.game();
await ann.playOut();
const shown = await ann.page.locator(".over h2").textContent();
const receipt = await ann.verify();
tell({ game, shown, receipt, violations: await ann.violations(), faults: ann.faults });
await browser.close();
process.exit(0);
