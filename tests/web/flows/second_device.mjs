// Ann plays one match on three devices. On her tablet she has the house keep a box. Her laptop is closed after a seal:
// she goes on on her phone by the box. Both write then. At last she goes on on the tablet by a file, without the box.
import { launch, Player, tell, until } from "./kit.mjs";

const browser = await launch();
const device = () => Player.open(browser, { acceptDownloads: true });
const [laptop, tablet, bob] = [await device(), await device(), await device()];
await Promise.all([laptop.register("Ann", 0), bob.register("Bob", 1)]);
// Nobody tells the laptop of the box. It looks for one itself when it has a secret to keep.
await tablet.signIn(laptop, await laptop.saveFile());
await tablet.keepBox(true);
await tablet.go("lobby");
tablet.line.cut();
await bob.join(await laptop.openTable({ pace: "A day a turn" }));
const [game] = await Promise.all([laptop.game(), bob.game()]);
const found = { game };
await Promise.all([laptop, bob].map((player) => player.reach("opening").then(() => player.press("Keep"))));

/** Wait until the house has put the player's last message, and after that the file with its secrets. */
async function kept(player) {
  const last = player.sent("POST", /\/entries$/).at(-1).at;
  await until(() => player.sent("PUT", /\/me\/box$/).some(({ at, status }) => at >= last && status === 200), "the box");
}
/** The names of the cards under the player's lids; none if the hand serves nothing. */
const laid = (player) =>
  until(async () => {
    const names = await player.page.locator(".course.sealed .laid .chip").allTextContents();
    return !names.includes("…") && names;
  }, "what is under the lids");

/** Look at the reveals that were missed, until the player may cook this round. The page may offer an earlier one first. */
const upTo = (player, round) =>
  until(async () => {
    const stage = await player.turn(["reveal"]);
    return stage === "cooking" && (await player.page.locator(".match-name .tag").textContent()) === `Round ${round}`;
  }, `round ${round}`);

// Round 1: sealed on the laptop, which is closed. The phone knows what is under the lid, and opens it.
await laptop.cook();
await kept(laptop);
found.sealed = [await laid(laptop)];
laptop.line.cut();
const phone = await device();
await phone.signIn(laptop);
await phone.go("play", game);
await phone.see(".course.sealed");
found.sealed.push(await laid(phone));
await bob.cook();
await Promise.all([phone, bob].map((player) => player.look()));

// Round 2 is the phone's. Bob seals on another device, which makes a box first and is lost then. His own knew of none,
// and looks for the meal. The laptop is opened again, and reads what has happened.
const other = await device();
await other.signIn(bob, await bob.saveFile());
await other.keepBox(true);
await other.go("play", game);
await other.cook();
await kept(other);
other.line.cut();
await bob.go("play", game);
await phone.cook();
await Promise.all([phone, bob].map((player) => player.look()));
laptop.line.mend();
await upTo(laptop, 3);

// Round 3: the phone changes the box, and then the laptop seals. It reads the box before it puts its own file there.
const before = laptop.sent("PUT", /\/me\/box$/).length;
await phone.keepBox(false);
await phone.keepBox(true);
await phone.go("play", game);
await phone.reach("cooking");
await laptop.cook();
await kept(laptop);
found.puts = laptop.sent("PUT", /\/me\/box$/).slice(before).map(({ status }) => status).filter(Boolean);
await bob.cook();
await Promise.all([laptop, phone, bob].map((player) => player.look()));

// Round 4, without the box: sealed on the tablet, which is lost then. Ann is told so, and brings its file.
await phone.keepBox(false);
tablet.line.mend();
await tablet.takeFile(await phone.saveFile());
await tablet.go("profile");
await tablet.see(".list code");
found.devices = await tablet.page.locator(".list code").count();
await tablet.go("play", game);
await tablet.cook();
tablet.line.cut();
await bob.cook();
await phone.go("play", game);
for (const player of [laptop, phone]) await player.reads("The secrets of this meal are on another device");
await phone.takeFile(await tablet.saveFile());
await Promise.all([laptop, bob].map((player) => player.look()));

await phone.go("play", game);
await bob.reach("cooking");
await bob.resign();
await Promise.all([laptop, phone].map((player) => player.reach("over")));
found.shown = await Promise.all([laptop, phone].map(({ page }) => page.locator(".over h2").textContent()));
found.wrong = await Promise.all([laptop, phone].map(({ page }) => page.locator(".match > .note.bad").count()));
found.faults = [laptop, phone, tablet, bob].flatMap(({ faults }) => faults);
tell(found);
await browser.close();
process.exit(0);
