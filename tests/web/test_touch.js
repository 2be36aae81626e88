// Fingers on a phone: one turns the view, two zoom and turn, and the page itself does not zoom.
import { cloth } from "./scenes.js";

const phone = { width: 390, height: 844, hasTouch: true, isMobile: true, deviceScaleFactor: 2 };

export default async function (t) {
  const sandbox = await t.open({ viewport: phone });
  await sandbox.send({ type: "open", name: "cloth", script: cloth(), play: false });
  await sandbox.hash();
  const session = await sandbox.page.createCDPSession();
  const box = await (await sandbox.page.$("#canvas")).boundingBox();
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  const touch = (type, ...points) =>
    session.send("Input.dispatchTouchEvent", { type, touchPoints: points.map(([px, py], id) => ({ x: px, y: py, id })) });
  const camera = () => sandbox.last("camera");
  const distance = (c) => Math.hypot(...c.position.map((p, i) => p - c.target[i]));

  await sandbox.page.tap("#tool-look");
  await sandbox.settle();
  const first = await camera();
  await touch("touchStart", [x, y]);
  for (let i = 1; i <= 8; i++) {
    await touch("touchMove", [x + 8 * i, y]);
  }
  await touch("touchEnd");
  await sandbox.until("a turn", (was) => JSON.stringify(recorded.last.camera.position) !== JSON.stringify(was), first.position);
  const turned = await camera();
  t.check("one finger turns the view", Math.abs(distance(turned) / distance(first) - 1) < 0.01, { first, turned });

  await touch("touchStart", [x - 40, y], [x + 40, y]);
  for (let i = 1; i <= 8; i++) {
    await touch("touchMove", [x - 40 - 8 * i, y], [x + 40 + 8 * i, y]);
  }
  await touch("touchEnd");
  await sandbox.until("a zoom", (was) => {
    const c = recorded.last.camera;
    return Math.hypot(...c.position.map((p, i) => p - c.target[i])) < was * 0.8;
  }, distance(turned));
  t.check("two fingers zoom in", true);
  t.equal("the page does not zoom", await sandbox.page.evaluate(() => visualViewport.scale), 1);
  t.equal("nor scroll", await sandbox.page.evaluate(() => [scrollX, scrollY]), [0, 0]);

  await sandbox.page.tap("#play");
  await sandbox.frames(3);
  t.check("a tap on play", true);

  // The tool that drags takes hold of the cloth, which is somewhere about the middle.
  await sandbox.page.tap("#tool-drag");
  await sandbox.send({ type: "camera", to: "fit" });
  const free = await sandbox.hash_at(12);
  let dragged = free;
  for (let place = 0; place < 9 && dragged === free; place++) {
    const [px, py] = [x + box.width * 0.12 * ((place % 3) - 1), y + box.height * 0.12 * (Math.floor(place / 3) - 1)];
    await sandbox.hash_at(2);
    await touch("touchStart", [px, py]);
    await touch("touchMove", [px + 20, py - 30]);
    await sandbox.send({ type: "step", frames: 5 });
    await touch("touchMove", [px + 60, py - 60]);
    await sandbox.send({ type: "step", frames: 5 });
    await sandbox.until("frame 12", () => recorded.last.frame.frame === 12);
    dragged = await sandbox.hash();
    await touch("touchEnd");
  }
  t.check("a finger drags the cloth", dragged !== free, dragged);
  t.equal("no complaint", sandbox.complaints, []);
}
