// One script out of a program's modules: node bundle.mjs ENTRY OUT FORMAT DEFINES (as JSON)
import { build } from "rolldown";

const [entry, out, format, defines] = process.argv.slice(2);
await build({
  input: entry,
  platform: "browser",
  logLevel: "warn",
  transform: { target: "es2022", define: JSON.parse(defines) },
  // Node's modules that mcl-wasm looks for where it is not in a browser.
  external: ["fs", "path", "crypto", "node:crypto"],
  output: { file: out, format, minify: true, comments: false, codeSplitting: false },
});
