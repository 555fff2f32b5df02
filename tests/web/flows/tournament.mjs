// A tournament of three people: one makes it and starts it, all enter, two play their match, the director rules.
import { launch, Player, tell, until } from "./kit.mjs";

const browser = await launch();
const [dan, eva, fay] = [await Player.open(browser), await Player.open(browser), await Player.open(browser)];
const everybody = [dan, eva, fay];
await Promise.all([dan.register("Dan", 0), eva.register("Eva", 1), fay.register("Fay", 2)]);

await dan.go("tournaments");
await dan.reads("No tournament waits for players.");
await dan.page.getByRole("link", { name: "A new tournament" }).click();
await dan.page.getByLabel("Its name").fill("Friday Pegs");
await dan.page.locator("main select").first().selectOption({ label: "Cribbage" });
await dan.press("Round robin");
await dan.page.getByLabel("Minutes between rounds").fill("0");
await dan.press("Make the tournament");
await dan.reads("Nobody has entered yet.");
for (const player of [eva, fay]) {
  await player.go("tournaments");
  await player.page.getByRole("link", { name: "Friday Pegs" }).click();
  await player.press("Enter");
  await player.page.locator("dialog .main").click();
  await player.press("Leave the tournament");
  await player.page.locator("dialog[open]").getByRole("button", { name: "Cancel" }).click();
}
await fay.go("album");

// The round begins: who looks at a quiet screen is led to the table, the other finds the way there.
await dan.press("Start now");
await fay.page.getByRole("link", { name: "To the table" }).click();
const games = await Promise.all([eva.game(), fay.game()]);
await dan.reads("Round 1 of 1");
await dan.press("Set the result");
await dan.page.locator("dialog select").selectOption({ label: "A draw" });
await dan.page.getByLabel(/^The reason/).fill("Both say so.");
const ruling = await dan.page.locator("dialog .serif").innerText();
await dan.page.keyboard.press("Escape");
await fay.resign();
await dan.reads("over");
// The page asks for the tournament and its standings at the same time: the standings may be those before the end.
const standings = await until(async () => {
  const rows = (await dan.page.locator(".board tbody tr").allInnerTexts()).map((row) => row.split(/\s+/));
  return rows.some(([, , points]) => points !== "0") && rows;
}, "standings with a point");
await eva.see(".over");

tell({
  games,
  ruling,
  standings,
  violations: (await Promise.all(everybody.map((player) => player.violations()))).flat(),
  faults: everybody.flatMap(({ faults }) => faults),
});
await browser.close();
process.exit(0);
