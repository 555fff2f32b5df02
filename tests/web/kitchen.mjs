// The kitchen outside a browser, from the very files of a build: for tests, which look at Python itself.
import fs from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";

/** Start the kitchen of a folder; gives Pyodide, a function that asks as a page does, and the events so far. */
export async function kitchenOf(folder) {
  const { worker } = JSON.parse(fs.readFileSync(path.join(folder, "kitchen.json"), "utf8"));
  const events = [];
  const waiting = new Map();
  globalThis.name = "kitchen";
  globalThis.isSecureContext = true;
  globalThis.postMessage = (message) => {
    if (message.event) events.push(message);
    else waiting.get(message.id)?.(message);
  };
  const asked = globalThis.fetch;
  globalThis.fetch = (url, ...more) => {
    if (!String(url).startsWith("file:")) return asked(url, ...more);
    return Promise.resolve(new Response(fs.readFileSync(new URL(url))));
  };
  const script = await import(pathToFileURL(path.join(folder, worker.slice(1))));
  const kitchen = await script.started;
  let next = 0;
  const ask = (call, args) =>
    new Promise((resolve) => {
      waiting.set(next, resolve);
      globalThis.onmessage({ data: { id: next++, call, args } });
    });
  return { python: kitchen?.python, ask, events };
}
