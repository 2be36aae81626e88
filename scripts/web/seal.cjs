// Writes service-worker.js with the list of all files of a folder and a version that is their hash.
//     node seal.cjs TEMPLATE FOLDER
const { createHash } = require("node:crypto");
const { readdirSync, readFileSync, writeFileSync } = require("node:fs");
const { join } = require("node:path");

const [template, folder] = process.argv.slice(2);
if (!folder) {
  console.error("usage: node seal.cjs TEMPLATE FOLDER");
  process.exit(2);
}

function filesIn(at) {
  return readdirSync(join(folder, at), { withFileTypes: true }).flatMap((entry) => {
    const path = at ? `${at}/${entry.name}` : entry.name;
    return entry.isDirectory() ? filesIn(path) : [path];
  });
}

const files = filesIn("")
  .filter((file) => file !== "service-worker.js" && !/\.(map|gz|br)$/.test(file))
  .sort();
const hash = createHash("sha256");
for (const file of files)
  hash
    .update(file)
    .update("\0")
    .update(readFileSync(join(folder, file)));
const version = hash.digest("hex").slice(0, 16);
const list = ["./", ...files].map((file) => JSON.stringify(encodeURI(file))).join(",\n  ");
const text = readFileSync(template, "utf8")
  .replace('"VERSION"', () => JSON.stringify(version))
  .replace('["FILES"]', () => `[\n  ${list},\n]`);
if (text.includes('"FILES"') || text.includes('"VERSION"'))
  throw new Error(`${template}: the constants VERSION and FILES are not where they should be`);
writeFileSync(join(folder, "service-worker.js"), text);
console.log(`service worker: version ${version}, ${files.length} files`);
