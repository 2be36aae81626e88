// Serves a folder on the loopback address, isolated from other origins, so that the page may use threads:
//     node scripts/web/serve.js FOLDER PORT
import { createReadStream, statSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join, normalize, resolve } from "node:path";

const [folder, port] = process.argv.slice(2);
if (!folder || !/^\d+$/.test(port ?? "")) {
  console.error("usage: node scripts/web/serve.js FOLDER PORT");
  process.exit(2);
}

const types = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".json": "application/json",
  ".webmanifest": "application/manifest+json",
  ".wasm": "application/wasm",
  ".svg": "image/svg+xml",
  ".lua": "text/plain; charset=utf-8",
  ".png": "image/png",
  ".data": "application/octet-stream",
};
const root = resolve(folder);

function answer(request, response) {
  let path;
  try {
    path = join(root, normalize(decodeURIComponent(new URL(request.url, "http://localhost").pathname)));
    if (path !== root && !path.startsWith(`${root}/`)) throw new Error("outside of the folder");
    if (statSync(path).isDirectory()) path = join(path, "index.html");
    const { size } = statSync(path);
    response.writeHead(200, {
      "Content-Type": types[extname(path)] ?? "application/octet-stream",
      "Content-Length": size,
      "Cross-Origin-Opener-Policy": "same-origin",
      "Cross-Origin-Embedder-Policy": "require-corp",
      "X-Content-Type-Options": "nosniff",
      "Cache-Control": "no-cache",
    });
    if (request.method === "HEAD") response.end();
    else
      createReadStream(path)
        .on("error", () => response.destroy())
        .pipe(response);
  } catch {
    response.writeHead(404, { "Content-Type": "text/plain" }).end("not found\n");
  }
}

const server = createServer(answer);
server.on("error", (error) => {
  console.error(`port ${port}: ${error.code === "EADDRINUSE" ? "it is in use; give another one" : error.message}`);
  process.exit(1);
});
server.listen(Number(port), "127.0.0.1", () => console.log(`http://localhost:${server.address().port}/`));
