// Draw the icons of the installed page from page/cloche.svg: node tools/icons.mjs [CHROMIUM]. Run it when that picture
// changes; a test compares them.
import fs from "node:fs";
import { chromium } from "playwright-core";

const ICONS = new URL("../icons/", import.meta.url);
const drawn = fs.readFileSync(new URL("../page/cloche.svg", import.meta.url), "utf8");
const { background_color: paper } = JSON.parse(fs.readFileSync(new URL("app.webmanifest", ICONS), "utf8"));
/** By name: pixels, the share of the width that the picture takes, and what lies behind it. */
const SIZES = {
  "icon-192": [192, 1, "transparent"],
  "icon-512": [512, 1, "transparent"],
  // A launcher may cut off all but a circle of four fifths.
  "icon-maskable": [512, 0.56, paper],
  "icon-apple": [180, 0.76, paper],
};

const browser = await chromium.launch({ executablePath: process.argv[2] ?? "/usr/bin/chromium", args: ["--no-sandbox"] });
const page = await browser.newPage();
for (const [name, [pixels, share, behind]] of Object.entries(SIZES)) {
  await page.setViewportSize({ width: pixels, height: pixels });
  await page.setContent(
    `<body style="margin:0;background:${behind};height:100vh;display:grid;place-items:center">` +
      drawn.replace("<svg", `<svg width="${pixels * share}"`),
  );
  await page.screenshot({ path: new URL(`${name}.png`, ICONS).pathname, omitBackground: true });
}
await browser.close();
