// Packs the files that the engine reads into one, with the list of their paths and sizes beside it:
//     node scripts/web/pack.js FOLDER
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const folder = process.argv[2];
if (!folder) {
  console.error("usage: node scripts/web/pack.js FOLDER");
  process.exit(2);
}

function* under(path) {
  if (!statSync(path).isDirectory()) yield path;
  else for (const name of readdirSync(path).sort()) yield* under(join(path, name));
}

// Pictures belong to the pages of the repository; what scenes load is text.
const isNeeded = (path) => /\.(lua|md|obj|ply|stl|node|ele|mesh|csv|json)$/.test(path);
const paths = ["scripts/springtide", "scenes"].flatMap((root) => [...under(root)]).filter(isNeeded);
const contents = paths.map((path) => readFileSync(path));
mkdirSync(folder, { recursive: true });
writeFileSync(join(folder, "springtide.data"), Buffer.concat(contents));
writeFileSync(
  join(folder, "springtide.files.json"),
  JSON.stringify(paths.map((path, i) => ({ path, size: contents[i].length }))),
);
