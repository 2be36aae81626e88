// The page works wherever it is served: in a subfolder, by a server that sends no headers, by one that is slow.
export const browsers = ["chromium", "firefox"];

export default async function (t) {
  const plain = await t.site({ isolated: false, below: "/some/where/" });
  const sandbox = await t.open({ site: plain });
  t.equal("not isolated", await sandbox.page.evaluate(() => crossOriginIsolated), false);
  t.equal("one thread", (await sandbox.last("ready")).threads, 1);
  const threads = "springtide-threads.wasm";
  t.check("the build with threads is not fetched", !plain.asked.includes(threads), plain.asked);
  t.equal("no complaint", sandbox.complaints, []);
  const alone = await sandbox.hash_at(20);

  const isolated = await t.open();
  t.equal("more threads where the page is isolated and the browser is not Firefox", isolated.site.asked.includes(threads),
    t.label.startsWith("chromium"));
  t.equal("the same bits with threads", await isolated.hash_at(20), alone);

  const slow = await t.site({ fault: (name) => (/\.(wasm|js)$/.test(name) ? { milliseconds: 700 } : undefined) });
  const late = await t.open({ site: slow });
  t.check("a slow server", (await late.recorded("frames")).length > 0);

  const broken = await t.site({ fault: (name) => (name.endsWith(".wasm") ? { status: 503 } : undefined) });
  const without = await t.open({ site: broken, started: false });
  await without.until("a sentence about what could not be loaded", () => /(load|fetch|download|reach|connect)/i.test(
    [...document.querySelectorAll('[role="alert"], [role="status"], [aria-live]')].map((e) => e.innerText).join(" ")));
  const editor = await without.page.evaluate(() => !!recorded.in_editor(".cm-content"));
  t.check("the editor is there although the engine is not", editor);
}
