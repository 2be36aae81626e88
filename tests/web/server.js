// A server of files on the loopback address, for the tests of the page.
import { createReadStream } from "node:fs";
import { readFile, stat } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join, normalize } from "node:path";
import { jitter } from "./recorder.js";

const types = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".json": "application/json; charset=utf-8",
  ".wasm": "application/wasm",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".webp": "image/webp",
  ".webmanifest": "application/manifest+json",
};

/**
 * Serves a folder.
 * @param {string} folder
 * @param {object} [options]
 * @param {boolean} [options.isolated] sends the headers by which a page is cross-origin isolated
 * @param {string} [options.below] the path that the folder has on the server: "/" or "/a/b/"
 * @param {(path: string) => ({status?: number, milliseconds?: number, before?: string} | undefined)} [options.fault]
 *   for a path in the folder: a status instead of the file, a wait, a text before that of the file
 */
export async function serve(folder, { isolated = true, below = "/", fault = () => undefined } = {}) {
  const site = { isolated, fault, asked: [], address: "", close: undefined };
  const server = createServer(async (request, response) => {
    const path = normalize(decodeURIComponent(new URL(request.url, "http://localhost").pathname));
    if (!path.startsWith(below)) {
      return response.writeHead(404).end();
    }
    const name = path.slice(below.length) || "index.html";
    site.asked.push(name);
    const file = join(folder, name);
    const wrong = site.fault(name);
    const wait = (wrong?.milliseconds ?? 0) + 5 * jitter * Math.random();
    if (wait > 0) {
      await new Promise((resolve) => setTimeout(resolve, wait));
    }
    const found = await stat(file).catch(() => undefined);
    if (wrong?.status || !found?.isFile()) {
      return response.writeHead(wrong?.status ?? 404).end();
    }
    const headers = { "Content-Type": types[extname(file)] ?? "application/octet-stream" };
    if (site.isolated) {
      headers["Cross-Origin-Opener-Policy"] = "same-origin";
      headers["Cross-Origin-Embedder-Policy"] = "require-corp";
    }
    response.writeHead(200, headers);
    if (wrong?.before) {
      return response.end(wrong.before + (await readFile(file, "utf8")));
    }
    createReadStream(file).on("error", () => response.destroy()).pipe(response);
  });
  const listen = (port) =>
    new Promise((resolve, reject) => server.once("error", reject).listen(port, "127.0.0.1", resolve));
  await listen(0);
  const { port } = server.address();
  site.address = `http://127.0.0.1:${port}${below}`;
  site.close = () => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  };
  site.open_again = () => listen(port);
  return site;
}
