// Going back: the strip of time, steps, and the same bits as on the way.
import { cloth } from "./scenes.js";

export default async function (t) {
  const sandbox = await t.open();
  await sandbox.answer("good", () => sandbox.write(cloth()));
  const at_20 = await sandbox.hash_at(20);
  const at_40 = await sandbox.hash_at(40);
  t.check("the frames differ", at_20 !== at_40, at_20);

  const show = (frame) => sandbox.until(`frame ${frame}`, (n) =>
    recorded.last.frame.frame === n && !recorded.last.frame.playing, frame);
  await sandbox.set("#timeline", 20);
  await show(20);
  t.equal("the strip goes back to the frame", await sandbox.hash(), at_20);
  t.equal("the figure shows it", (await sandbox.text("#figure-frame")).trim(), "20");
  await sandbox.until("the figure of the hash", (hash) =>
    document.querySelector("#figure-hash").innerText.includes(hash.slice(0, 8)), at_20);
  await sandbox.set("#timeline", 40);
  await show(40);
  t.equal("and forth", await sandbox.hash(), at_40);

  await sandbox.set("#timeline", 19);
  await show(19);
  await sandbox.page.click("#step");
  await show(20);
  t.equal("a step from there", await sandbox.hash(), at_20);
  await sandbox.page.click("#reset");
  await show(0);
  t.check("the first frame", true);
  const history = (await sandbox.last("frame")).history;
  const least = Number(await sandbox.page.$eval("#timeline", (e) => e.min));
  t.check("the strip begins with the history", history.first === 0 && least === 0, { history, least });

  // By the mouse on the strip itself.
  await sandbox.hash_at(40);
  await sandbox.until("the strip has all frames", () => Number(document.querySelector("#timeline").max) >= 40);
  const box = await (await sandbox.page.$("#timeline")).boundingBox();
  await sandbox.page.mouse.move(box.x + box.width - 8, box.y + box.height / 2);
  await sandbox.page.mouse.down();
  await sandbox.page.mouse.move(box.x + box.width / 2, box.y + box.height / 2, { steps: 8 });
  await sandbox.page.mouse.up();
  await sandbox.until("a frame in the middle", () => recorded.last.frame.frame > 10 && recorded.last.frame.frame < 30);
  t.check("dragging goes to a frame in the middle", true);
  await sandbox.page.click("#play");
  await sandbox.frames(3);
  t.check("play goes on from there", (await sandbox.last("frame")).frame > 10);
}
