// Times of the page of a running house in headless Chromium: node times.mjs HOUSE CHROMIUM TIMES MODULE... RECORD...
// Prints one JSON object. Modules end in .py and are the package `benchmarks`, which measures inside the kitchen; every
// other file is a record to verify. The page's policy is lifted: it lets nobody into the kitchen.
import fs from "node:fs";
import path from "node:path";
import { chromium } from "playwright-core";

const [url, executablePath, times, ...files] = process.argv.slice(2);
const LONG = 600_000;

const encoded = (keep) =>
  files.filter(keep).map((file) => [path.basename(file), fs.readFileSync(file).toString("base64")]);
const modules = encoded((file) => file.endsWith(".py"));
const records = encoded((file) => !file.endsWith(".py"));

/** A page of a new profile on the house's origin, without the page's own scripts. */
async function opened(browser) {
  const context = await browser.newContext({ bypassCSP: true });
  const page = await context.newPage();
  page.setDefaultTimeout(LONG);
  await page.goto(`${url}/house.json`);
  return page;
}

/** Milliseconds until a kitchen is ready that has nothing of this house in its cache. */
const ready = async (worker) => {
  const began = performance.now();
  const line = new Worker(worker, { type: "module", name: "kitchen" });
  await new Promise((resolve, reject) => {
    line.onerror = () => reject(new Error("the kitchen does not start"));
    line.onmessage = ({ data }) => {
      if (data.event !== "kitchen") return;
      if (data.state.stage === "failed") reject(new Error(JSON.stringify(data.state.fault)));
      if (data.state.stage === "ready") resolve();
    };
  });
  return Math.round(performance.now() - began);
};

/** What `benchmarks.in_kitchen` measures: a worker that begins as the kitchen does, and is asked from inside. */
const measured = async ({ worker, modules, records, times }) => {
  const source = `
    import { started } from ${JSON.stringify(new URL(worker, location.origin).href)};
    const bytes = (text) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
    try {
      const { python } = await started;
      const { modules, records, times } = ${JSON.stringify({ modules, records, times })};
      python.FS.mkdirTree("/given/benchmarks");
      for (const [name, text] of modules) python.FS.writeFile("/given/benchmarks/" + name, bytes(text));
      python.FS.mkdirTree("/given/records");
      for (const [name, text] of records) python.FS.writeFile("/given/records/" + name, bytes(text));
      const told = python.runPython(
        "import sys, pathlib; sys.path.append('/given')\\n" +
        "from benchmarks.in_kitchen import measure\\n" +
        "measure(" + times + ", [path.read_bytes() for path in sorted(pathlib.Path('/given/records').iterdir())])");
      postMessage({ told });
    } catch (error) {
      postMessage({ fault: String(error) });
    }`;
  const line = new Worker(URL.createObjectURL(new Blob([source], { type: "text/javascript" })), { type: "module" });
  return await new Promise((resolve, reject) => {
    line.onerror = () => reject(new Error("the kitchen does not start"));
    line.onmessage = ({ data }) => {
      if (data.told) resolve(JSON.parse(data.told));
      if (data.fault) reject(new Error(data.fault));
    };
  });
};

const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
try {
  const { files: built } = await (await fetch(`${url}/manifest.json`)).json();
  const worker = Object.keys(built).find((name) => name.startsWith("/kitchen."));
  const found = { ready_ms: [] };
  for (let time = 0; time < Number(times); time++) {
    const page = await opened(browser);
    found.ready_ms.push(await page.evaluate(ready, worker));
    await page.context().close();
  }
  const page = await opened(browser);
  Object.assign(found, await page.evaluate(measured, { worker, modules, records, times: Number(times) }));
  process.stdout.write(`\n${JSON.stringify({ browser: `Chromium ${browser.version()}`, times: found })}\n`);
} finally {
  await browser.close();
}
