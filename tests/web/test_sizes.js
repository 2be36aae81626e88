// The files of the page: at most 2.5 MB gzipped without the scenes' data, the engine at most 1 MB.
import { readFileSync, readdirSync, statSync } from "node:fs";
import { join, relative } from "node:path";
import { gzipSync } from "node:zlib";

function files_of(folder) {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    return statSync(path).isDirectory() ? files_of(path) : [path];
  });
}

export default async function (t) {
  const sizes = files_of(t.folder).map((path) => ({
    name: relative(t.folder, path),
    size: gzipSync(readFileSync(path), { level: 9 }).length,
  }));
  const scenes = (name) => /^scenes\//.test(name);
  const sum = (list) => list.reduce((total, file) => total + file.size, 0);
  for (const { name, size } of sizes.filter((file) => file.size > 20000)) {
    t.tell(`${name}: ${size} bytes gzipped`);
  }
  const page = sum(sizes.filter((file) => !scenes(file.name)));
  t.tell(`the page: ${page} bytes; the scenes: ${sum(sizes) - page}`);
  t.check("the page is not empty", page > 500000, page);
  t.check("the page has at most 2.5 MB", page <= 2.5e6, page);
  for (const { name, size } of sizes.filter((file) => file.name.endsWith(".wasm"))) {
    t.check(`${name} has at most 1 MB`, size <= 1e6, size);
  }
}
