// Scripts that never end or take all memory: the page stays alive, and the script is kept.
import { cloth } from "./scenes.js";

export const browsers = ["chromium", "firefox"];

/** Writes a script, and mends it when the page has told what is wrong. */
async function survives(t, sandbox, name, text, sentence) {
  const before = await sandbox.count("error");
  await sandbox.write(text);
  const slowest = [];
  await sandbox.until(`${name}: a message`, (seen) => {
    const shown = document.querySelector("#message");
    const failed = recorded.counts.error > seen || recorded.ended > recorded.told_ended;
    return failed && !shown.hidden && shown.innerText.length > 10;
  }, before).catch((error) => t.check(`${name}: is told`, false, error.message));
  slowest.push(await sandbox.delay());
  t.contains(`${name}: the message`, await sandbox.text("#message"), sentence);
  t.check(`${name}: the page answers`, slowest[0] < 2000, slowest);
  t.equal(`${name}: the script is kept`, await sandbox.written(), text);
  await sandbox.write(cloth());
  await sandbox.until(`${name}: the message disappears`, () => document.querySelector("#message").hidden);
  await sandbox.page.evaluate(() => {
    recorded.told_ended = recorded.ended;
  });
  await sandbox.send({ type: "play", on: true });
  await sandbox.frames(3);
  t.check(`${name}: mended, it runs`, true);
}

export default async function (t) {
  const sandbox = await t.open();
  await sandbox.page.evaluate(() => {
    recorded.told_ended = recorded.ended;
  });
  await sandbox.answer("good", () => sandbox.write(cloth()));
  await survives(t, sandbox, "an endless loop at load", cloth("while true do end"), /second|time|long|loop/i);
  const update = cloth("function scene.update() while true do end end");
  await survives(t, sandbox, "an endless loop in update", update, /second|time|long|loop/i);
  const draw = cloth("function scene.draw() while true do end end");
  await survives(t, sandbox, "an endless loop in draw", draw, /second|time|long|loop/i);
  const recursion = cloth("local function f() return 1 + f() end f()");
  await survives(t, sandbox, "an endless recursion", recursion, /stack/i);
  const protected_loop = cloth("while true do pcall(function() while true do end end) end");
  await survives(t, sandbox, "a protected endless loop", protected_loop, /second|time|long|loop/i);
  await survives(t, sandbox, "a pattern that takes for ever",
    cloth('string.find(string.rep("a", 400), string.rep("a*", 40) .. "b")'), /second|time|long|loop|answer|stopped|script/i);
  await survives(t, sandbox, "a table that grows for ever",
    cloth('local all, long = {}, ("x"):rep(1000000)', "for i = 1, math.huge do all[i] = long .. i end"), /memory/i);
  await survives(t, sandbox, "a string of a gigabyte", cloth('local s = ("x"):rep(1 << 30)'), /memory|large|long/i);
  const mesh = cloth("tide.mesh.grid { columns = 100000, rows = 100000 }");
  await survives(t, sandbox, "a mesh too large", mesh, /memory|large|many|at most/i);
}
