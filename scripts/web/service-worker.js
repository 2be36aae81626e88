// Keeps all files of one version of the page, so that it opens without a network. seal.cjs writes the version and the
// list in place of the two constants.
const VERSION = "VERSION";
const FILES = ["FILES"];

const CACHE = `springtide-${VERSION}`;

self.addEventListener("install", (event) => {
  event.waitUntil(
    caches.open(CACHE).then((cache) => cache.addAll(FILES.map((file) => new Request(file, { cache: "no-cache" })))),
  );
});

// A new version waits until the page asks for it, or all its tabs are closed: no page gets files of two versions.
self.addEventListener("message", (event) => {
  if (event.data?.type === "use") self.skipWaiting();
});

self.addEventListener("activate", (event) => {
  event.waitUntil(
    (async () => {
      for (const name of await caches.keys())
        if (name.startsWith("springtide-") && name !== CACHE && (await isOurs(name))) await caches.delete(name);
      // Not awaited. In Firefox, claim() resolves only when every worker of the page has handled it. The engine's threads
      // block in Atomics.wait and never do, so the service worker would stay "activating" and all requests would hang.
      self.clients.claim();
    })(),
  );
});

// Another copy of the page may stand in another folder of the same server.
async function isOurs(name) {
  const keys = await (await caches.open(name)).keys();
  return keys.length === 0 || keys.every((request) => request.url.startsWith(self.registration.scope));
}

self.addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method !== "GET" || !request.url.startsWith(self.registration.scope)) return;
  event.respondWith(
    (async () => {
      const url = new URL(request.url);
      const cache = await caches.open(CACHE);
      const found = await cache.match(url.origin + url.pathname, { ignoreSearch: true });
      if (found) return found;
      return fetch(request);
    })(),
  );
});
