// What Chromium says of a house with a certificate of its own: node secure.mjs URL CHROMIUM SPKI. Prints a JSON object.
// SPKI is the SHA-256 of the certificate's public key, as base64: that one key is trusted, as by somebody who trusts
// the house's authority.
import { createRequire } from "node:module";

const { chromium } = createRequire(new URL("../../web/package.json", import.meta.url))("playwright-core");
const [url, executablePath, spki] = process.argv.slice(2);

/** What a page at the house has, in a browser with these arguments; the browser's own error if it opens none. */
async function opened(...args) {
  const browser = await chromium.launch({ executablePath, args: ["--no-sandbox", ...args] });
  try {
    const page = await browser.newPage();
    await page.goto(`${url}/api/v1/house`);
    return await page.evaluate(async () => ({
      secure: globalThis.isSecureContext,
      digest: (await crypto.subtle.digest("SHA-256", new Uint8Array(1))).byteLength,
      files: (await navigator.storage.getDirectory()).kind,
      worker: "serviceWorker" in navigator,
    }));
  } catch (error) {
    return { error: /net::\w+/.exec(String(error))?.[0] ?? String(error) };
  } finally {
    await browser.close();
  }
}

const found = {
  stranger: await opened(),
  friend: await opened(`--ignore-certificate-errors-spki-list=${spki}`),
};
process.stdout.write(`\n${JSON.stringify(found)}\n`);
