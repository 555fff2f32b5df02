// The page of a house as Chromium would install it, and its list of digests: node installed.mjs URL CHROMIUM.
// Prints one JSON object.
import fs from "node:fs";
import { createRequire } from "node:module";
import os from "node:os";
import path from "node:path";

const { chromium } = createRequire(new URL("../../web/package.json", import.meta.url))("playwright-core");
const [url, executablePath] = process.argv.slice(2);
// A profile on disk: nothing is installed from a private window.
const profile = fs.mkdtempSync(path.join(os.tmpdir(), "cloche-profile-"));
const browser = await chromium.launchPersistentContext(profile, { executablePath, args: ["--no-sandbox"] });
const page = await browser.newPage();
const line = await browser.newCDPSession(page);
const violations = [];
page.on("console", (message) => message.type() === "error" && violations.push(message.text()));
await page.goto(`${url}/`);
await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
const manifest = await line.send("Page.getAppManifest");
const found = {
  address: manifest.url,
  faults: manifest.errors,
  manifest: JSON.parse(manifest.data),
  obstacles: (await line.send("Page.getInstallabilityErrors")).installabilityErrors.map((each) => each.errorId),
};

// Each icon beside the drawing that it was made from: the mean difference of a pixel, from 0 to 255.
const icons = found.manifest.icons.map((icon) => icon.src);
found.apple = await page.getAttribute("link[rel=apple-touch-icon]", "href");
const drawing = await page.getAttribute("link[rel=icon]", "href");
found.differences = await page.evaluate(
  async ([names, picture]) => {
    const loaded = async (address) => {
      const image = new Image();
      image.src = address;
      await image.decode();
      return image;
    };
    const pixels = (image, size, share) => {
      const canvas = new OffscreenCanvas(size, size);
      const pen = canvas.getContext("2d");
      pen.fillStyle = "#fbf3e0";
      pen.fillRect(0, 0, size, size);
      const edge = (size * (1 - share)) / 2;
      pen.drawImage(image, edge, edge, size * share, size * share);
      return pen.getImageData(0, 0, size, size).data;
    };
    const wanted = await loaded(picture);
    const told = {};
    for (const name of names) {
      const icon = await loaded(name);
      const share = name.includes("maskable") ? 0.56 : name.includes("apple") ? 0.76 : 1;
      const [here, there] = [pixels(icon, icon.width, 1), pixels(wanted, icon.width, share)];
      told[name] = [icon.width, here.reduce((sum, value, at) => sum + Math.abs(value - there[at]), 0) / here.length];
    }
    return told;
  },
  [[...icons, found.apple], drawing],
);

await page.goto(`${url}/#/about`);
await page.locator("details summary").click();
found.listed = await page.$$eval("ul.digests li", (rows) =>
  Object.fromEntries(rows.map((row) => [row.querySelector("span").textContent, row.querySelector("code").textContent])),
);
found.violations = violations;
await browser.close();
fs.rmSync(profile, { recursive: true, force: true });
process.stdout.write(`\n${JSON.stringify(found)}\n`);
