// Run a Python file in the kitchen of a build, outside a browser: node run.mjs BUILD FILE.py FOLDER=NAME...
// Each folder's files are mounted at /given/NAME. The last line is the JSON text of the file's variable `found`.
import fs from "node:fs";
import path from "node:path";
import { kitchenOf } from "./kitchen.mjs";

const [build, file, ...mounts] = process.argv.slice(2);
const { python } = await kitchenOf(build);
for (const mount of mounts) {
  const [folder, name] = mount.split("=");
  python.FS.mkdirTree(`/given/${name}`);
  for (const each of fs.readdirSync(folder))
    if (fs.statSync(path.join(folder, each)).isFile())
      python.FS.writeFile(`/given/${name}/${each}`, new Uint8Array(fs.readFileSync(path.join(folder, each))));
}
python.runPython("import sys; sys.path.append('/given')");
const found = python.runPython(`${fs.readFileSync(file, "utf8")}\nimport json as _json; _json.dumps(found)`);
process.stdout.write(`\n${found}\n`);
process.exit(0);
