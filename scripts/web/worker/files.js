// Fills the engine's file system: the Lua library, the scenes and the course, from one file that the build packs.

/** @typedef {{path: string, size: number}} File */

/** Fetches the files. `tell` is called with the bytes so far. */
export async function fetchFiles(base, tell) {
  const list = await (await fetched(new URL("springtide.files.json", base))).json();
  const total = list.reduce((sum, file) => sum + file.size, 0);
  const response = await fetched(new URL("springtide.data", base));
  const bytes = new Uint8Array(total);
  let at = 0;
  if (!response.body) bytes.set(new Uint8Array(await response.arrayBuffer()).subarray(0, total));
  else
    for (const reader = response.body.getReader(); ;) {
      const { done, value } = await reader.read();
      if (done) break;
      bytes.set(value.subarray(0, total - at), at);
      at += value.length;
      tell(at, total);
    }
  return { list, bytes };
}

async function fetched(url) {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url.pathname.split("/").pop()} could not be fetched: ${response.status}`);
  return response;
}

/** @param {{list: File[], bytes: Uint8Array}} files */
export function placeFiles(FS, { list, bytes }) {
  let at = 0;
  for (const { path, size } of list) {
    writeFile(FS, `/${path}`, bytes.subarray(at, at + size));
    at += size;
  }
  FS.mkdirTree("/work");
}

export function writeFile(FS, path, content) {
  FS.mkdirTree(path.slice(0, path.lastIndexOf("/")) || "/");
  FS.writeFile(path, content);
}

/** Where a script of the page may stand: a Lua file in /work or /scenes. */
export function isScriptPath(path) {
  return /^\/(work|scenes)\/[^\0]*\.lua$/.test(path) && !path.split("/").includes("..") && path.length < 300;
}
