import { existsSync, readFileSync, statSync } from "node:fs";
import { extname, join } from "node:path";
import { defineConfig, type Plugin } from "vite";

const DIST = join(import.meta.dirname, "dist");
const TYPES: Record<string, string> = { ".js": "text/javascript", ".mjs": "text/javascript", ".wasm": "application/wasm" };

/** Addresses of the two scripts that the page starts: from `web/build.py`, or in development from `web/dist`. */
function defines(): Record<string, string> {
  const given = process.env["CLOCHE_DEFINES"];
  const built = join(DIST, "kitchen.json");
  const found = given
    ? (JSON.parse(readFileSync(given, "utf8")) as Record<string, string>)
    : { __CLOCHE_KITCHEN__: existsSync(built) ? worker(built) : "/kitchen.js", __CLOCHE_SERVICE__: "/service.js" };
  return Object.fromEntries(Object.entries(found).map(([name, value]) => [name, JSON.stringify(value)]));
}

function worker(built: string): string {
  return (JSON.parse(readFileSync(built, "utf8")) as { worker: string }).worker;
}

/** In development the kitchen comes as `python web/build.py --kitchen` has built it. */
const kitchen: Plugin = {
  name: "cloche-kitchen",
  configureServer(server) {
    server.middlewares.use((request, answer, next) => {
      const name = (request.url ?? "/").split("?")[0]?.slice(1) ?? "";
      const file = join(DIST, name);
      if (!name || name.includes("/") || !existsSync(file) || !statSync(file).isFile()) return next();
      answer.setHeader("Content-Type", TYPES[extname(name)] ?? "application/octet-stream");
      answer.end(readFileSync(file));
    });
  },
};

/**
 * The page as files that a strict policy lets through: no inline code, no polyfill that writes any.
 * `CLOCHE_HOUSE` names the house that the development server passes /api on to.
 */
export default defineConfig({
  root: "page",
  base: "/",
  // No page stands in for a file that is not there: the kitchen asks for /house.json.
  appType: "mpa",
  plugins: [kitchen],
  define: defines(),
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  build: {
    outDir: "../dist",
    emptyOutDir: true,
    target: "es2022",
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    reportCompressedSize: false,
  },
  server: {
    host: "127.0.0.1",
    port: 8220,
    strictPort: true,
    proxy: { "/api": process.env["CLOCHE_HOUSE"] ?? "http://127.0.0.1:8040" },
  },
  // None of the tests is about time, and a busy machine may take long over one that reads every file.
  test: { root: ".", include: ["tests/**/*.test.ts"], testTimeout: 60_000 },
} as never);
