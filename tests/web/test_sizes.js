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
  // springtide.data has the scenes' texts behind those of the library.
  const scenes = (name) => /^scenes\//.test(name) || name === "springtide.data";
  const files = JSON.parse(readFileSync(join(t.folder, "springtide.files.json"), "utf8"));
  const data = readFileSync(join(t.folder, "springtide.data"));
  const library = files.findIndex(({ path }) => !path.startsWith("scripts/"));
  const end = files.slice(0, library).reduce((total, { size }) => total + size, 0);
  t.check("the library comes first", library > 10 && files.slice(library).every(({ path }) => path.startsWith("scenes/")));
  sizes.push({ name: "the library in springtide.data", size: gzipSync(data.subarray(0, end), { level: 9 }).length });
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
