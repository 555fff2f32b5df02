/// <reference lib="webworker" />
/**
 * The service worker. It keeps the files of one build, answers for them without the network, and passes everything
 * else on untouched: nothing of the API is ever kept. A new build is fetched beside the old one and waits until the
 * page says "change".
 */
declare const __CLOCHE_FILES__: string[];
declare const __CLOCHE_BUILD__: string;

const worker = globalThis as unknown as ServiceWorkerGlobalScope;
const NAME = `cloche-${__CLOCHE_BUILD__}`;
const KEPT = new Set(__CLOCHE_FILES__);

worker.addEventListener("install", (event) => {
  event.waitUntil(
    caches.open(NAME).then((cache) => cache.addAll(["/", ...__CLOCHE_FILES__.filter((file) => file !== "/index.html")])),
  );
});

worker.addEventListener("activate", (event) => {
  event.waitUntil(
    caches
      .keys()
      .then((names) => Promise.all(names.filter((n) => n.startsWith("cloche-") && n !== NAME).map((n) => caches.delete(n))))
      .then(() => worker.clients.claim()),
  );
});

worker.addEventListener("message", (event) => {
  if (event.data === "change") void worker.skipWaiting();
});

worker.addEventListener("fetch", (event) => {
  const address = new URL(event.request.url);
  if (event.request.method !== "GET" || address.origin !== worker.location.origin) return;
  if (address.pathname !== "/" && !KEPT.has(address.pathname)) return;
  event.respondWith(
    caches
      .open(NAME)
      .then((cache) => cache.match(address.pathname))
      .then((found) => found ?? fetch(event.request)),
  );
});
