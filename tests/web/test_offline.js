// After the first visit the page works without its server.
import { cloth } from "./scenes.js";

export const browsers = ["chromium", "firefox"];

export default async function (t) {
  const site = await t.site({ below: "/below/" });
  const sandbox = await t.open({ site });
  await sandbox.page.evaluate(() => navigator.serviceWorker.ready.then(() => true));
  await sandbox.until("the cache is filled", async () => {
    const keys = await caches.keys();
    let count = 0;
    for (const key of keys) {
      count += (await (await caches.open(key)).keys()).length;
    }
    return count > 5;
  });
  await sandbox.until("it answers the page", () => navigator.serviceWorker.controller !== null);
  const scene = await sandbox.page.evaluate(async () => (await fetch("scenes/rope.lua")).text());
  t.contains("it answers beside the threads of the engine", scene, /^--/);
  await site.close();
  await sandbox.go();
  await sandbox.frames(3);
  t.check("the curtain moves without a server", true);
  await sandbox.answer("good", () => sandbox.write(cloth()));
  const hash = await sandbox.hash_at(20);
  t.contains("and a script runs", hash, /^[0-9a-f]{16}$/);

  await site.open_again();
  await sandbox.go();
  await sandbox.frames(2);
  t.equal("with the server again, the script is there", await sandbox.written(), cloth());
}
