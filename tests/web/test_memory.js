// 10,000 frames with flat memory, once the history of the frames has its size.
import { cloth } from "./scenes.js";

export default async function (t) {
  const sandbox = await t.open();
  // 320 vertices fill the history in some 5,200 frames.
  const scene = cloth("function scene.draw(canvas) canvas:text(0, 0, 0, tostring(scene.frame)) end")
    .replace("columns = 9, rows = 7", "columns = 20, rows = 16").replace("{ 1, 9 }", "{ 1, 20 }");
  await sandbox.answer("good", () => sandbox.write(scene));
  await sandbox.send({ type: "play", on: false });
  const used = async () => {
    const before = await sandbox.count("alive");
    const { memory } = await sandbox.next("alive", before);
    const session = await sandbox.page.createCDPSession();
    await session.send("HeapProfiler.collectGarbage");
    await session.detach();
    const page = await sandbox.page.evaluate(() => {
      recorded.received.length = 0;
      recorded.frames.length = 0;
      return performance.memory.usedJSHeapSize;
    });
    return { engine: memory, page };
  };
  const walk = async (to) => {
    for (;;) {
      const { frame } = await sandbox.last("frame");
      if (frame >= to) {
        return;
      }
      await sandbox.answer("reached", async () => {
        await sandbox.send({ type: "step", frames: Math.min(1000, to - frame) });
        await sandbox.send({ type: "hash" });
      });
      await sandbox.until("the frames", (n) => recorded.last.frame.frame >= n, Math.min(frame + 1000, to));
    }
  };
  await walk(7000);
  const first = await used();
  await walk(17000);
  const last = await used();
  t.tell(`the engine has ${first.engine} bytes at frame 7000 and ${last.engine} at 17000; the page ${first.page} and ${last.page}`);
  t.check("the engine's memory", last.engine <= first.engine * 1.02 + 1e6, { first, last });
  t.check("the page's memory", last.page <= first.page * 1.1 + 2e6, { first, last });
}
