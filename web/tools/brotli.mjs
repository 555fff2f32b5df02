// Compress files for slow lines, each to a file beside it: node brotli.mjs FILE...
import fs from "node:fs";
import zlib from "node:zlib";

const { BROTLI_PARAM_QUALITY, BROTLI_PARAM_LGWIN } = zlib.constants;
const params = { [BROTLI_PARAM_QUALITY]: 11, [BROTLI_PARAM_LGWIN]: 24 };
for (const file of process.argv.slice(2))
  fs.writeFileSync(`${file}.br`, zlib.brotliCompressSync(fs.readFileSync(file), { params }));
