// The page works wherever it is served: in a subfolder, by a server that sends no headers, by one that is slow.
import { cloth } from "./scenes.js";

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
  const processors = await isolated.page.evaluate(() => navigator.hardwareConcurrency);
  t.equal("more threads where the page is isolated and there are processors", isolated.site.asked.includes(threads),
    processors > 1);
  if (processors > 1 && (await isolated.recorded("workers")) === 1) { // an engine that was started again has one thread
    t.check("they are there", (await isolated.last("ready")).threads > 1, await isolated.last("ready"));
  }
  t.equal("the same bits with threads", await isolated.hash_at(20), alone);

  const slow = await t.site({ fault: (name) => (/\.(wasm|js)$/.test(name) ? { milliseconds: 700 } : undefined) });
  const late = await t.open({ site: slow });
  t.check("a slow server", (await late.recorded("frames")).length > 0);

  // What is typed before a scene has come would be lost.
  const scene = await t.site({ fault: (name) => (name === "scenes/curtain.lua" ? { milliseconds: 3000 } : undefined) });
  const early = await t.open({ site: scene, started: false });
  await early.until("the editor", () => !!recorded.in_editor(".cm-content"));
  await early.page.evaluate(() => recorded.in_editor(".cm-content").focus());
  await early.page.keyboard.type("lost?");
  t.equal("nothing is typed before the scene has come", await early.page.evaluate(() =>
    recorded.in_editor(".cm-content").textContent), "");
  t.contains("then the scene is in the editor", await early.written(), /^-- .*return scene\n$/s);
  await early.frames(2);
  await early.answer("good", () => early.write(cloth()));
  t.equal("and can be written over", await early.written(), cloth());

  const broken = await t.site({ fault: (name) => (name.endsWith(".wasm") ? { status: 503 } : undefined) });
  const without = await t.open({ site: broken, started: false });
  await without.until("a sentence about what could not be loaded", () => /(load|fetch|download|reach|connect)/i.test(
    [...document.querySelectorAll('[role="alert"], [role="status"], [aria-live]')].map((e) => e.innerText).join(" ")));
  const editor = await without.page.evaluate(() => !!recorded.in_editor(".cm-content"));
  t.check("the editor is there although the engine is not", editor);
}
