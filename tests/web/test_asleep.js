// A tab that slept goes on from where it was: no storm of frames, no message, the same worker.
import { readdirSync, readFileSync } from "node:fs";
import { cloth } from "./scenes.js";

export const flags = []; // a browser of its own

const seconds = (count) => new Promise((resolve) => setTimeout(resolve, count * 1000));

/** The processes of pages of a browser. */
function pages_of(browser) {
  const parents = new Map();
  for (const name of readdirSync("/proc").filter((entry) => /^\d+$/.test(entry))) {
    try {
      parents.set(Number(name), Number(readFileSync(`/proc/${name}/stat`, "utf8").replace(/^.*\) /s, "").split(" ")[1]));
    } catch {
      continue; // it has ended
    }
  }
  const below = (process) => process > 1 && (process === browser.process().pid || below(parents.get(process) ?? 0));
  return [...parents.keys()].filter((process) => below(process)
    && readFileSync(`/proc/${process}/cmdline`, "utf8").includes("--type=renderer"));
}

async function sleeps(t, sandbox, name, sleep) {
  const hash_before = await sandbox.recorded("workers");
  await sandbox.frames(5);
  await sleep();
  await sandbox.settle(); // messages that were queued during the sleep have arrived
  const awake = await sandbox.page.evaluate(() => ({ frame: recorded.last.frame.frame, time: performance.now() }));
  await seconds(1);
  const later = await sandbox.page.evaluate(() => ({ frame: recorded.last.frame.frame, time: performance.now() }));
  const most = ((later.time - awake.time) / 1000) * 60 * 1.5 + 20;
  t.check(`${name}: no storm of frames`, later.frame - awake.frame <= most, { awake, later });
  await sandbox.frames(5);
  t.equal(`${name}: the same worker`, await sandbox.recorded("workers"), hash_before);
  t.equal(`${name}: no message`, await sandbox.visible("#message"), false);
}

export default async function (t) {
  const sandbox = await t.open();
  await sandbox.answer("good", () => sandbox.write(cloth()));
  await sleeps(t, sandbox, "a frozen tab", async () => {
    const session = await sandbox.page.createCDPSession();
    await session.send("Page.setWebLifecycleState", { state: "frozen" });
    await seconds(9);
    await session.send("Page.setWebLifecycleState", { state: "active" });
    await session.detach();
  });
  await sleeps(t, sandbox, "a computer that slept", async () => {
    const pages = pages_of(t.browser);
    t.check("the processes of the pages are found", pages.length > 0);
    pages.forEach((page) => process.kill(page, "SIGSTOP"));
    await seconds(12);
    pages.forEach((page) => process.kill(page, "SIGCONT"));
  });
  t.equal("the script is kept", await sandbox.written(), cloth());
}
