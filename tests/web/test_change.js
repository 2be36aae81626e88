// A change that is typed: the script runs again, and the state is kept.
import { cloth } from "./scenes.js";

export const browsers = ["chromium", "firefox"];

export default async function (t) {
  const sandbox = await t.open();
  await sandbox.answer("good", () => sandbox.write(cloth()));
  t.equal("another scene replaces the bodies", await sandbox.lua('print(scene:body("cloth").vertex_count)'), "63");
  await sandbox.hash_at(25);

  const opened = await sandbox.count("opened");
  const hash = await sandbox.hash();
  await sandbox.focus_editor();
  await sandbox.key("Control", "Home");
  await sandbox.answer("good", () => sandbox.page.keyboard.type("-- a note\n", { delay: 5 }));
  t.contains("what was typed is in the editor", await sandbox.written(), /^-- a note\n/);
  t.equal("the state is kept to the bit", await sandbox.hash(), hash);
  t.equal("the frame, too", (await sandbox.last("reached")).frame, 25);

  const place = await sandbox.lua('print(scene:body("cloth"):position(40))');
  await sandbox.answer("good", () => sandbox.write(cloth().replace('"stiffness", 50', '"stiffness", 500')));
  t.equal("a stiffer cloth goes on from where it was", await sandbox.lua('print(scene:body("cloth"):position(40))'), place);
  t.contains("with its new stiffness", JSON.stringify((await sandbox.last("parameters")).list), '"value":500');
  const rope = 'scene:body("rope", { mesh = tide.mesh.strand { points = 5 }, mass = 0.1, stiffness = 100 })';
  await sandbox.answer("good", () => sandbox.write(cloth(rope)));
  t.equal("a body more", await sandbox.lua('print(scene:body("rope").vertex_count)'), "5");
  t.equal("changes the other not", await sandbox.lua('print(scene:body("cloth"):position(40))'), place);

  const frame = (await sandbox.last("frame")).frame;
  await sandbox.page.click("#play");
  await sandbox.frames(3);
  const later = (await sandbox.last("frame")).frame;
  t.check("it goes on from that frame", later > frame && frame >= 25, { frame, later });
  t.equal("nothing was opened anew", await sandbox.count("opened"), opened);
  t.equal("no complaint", sandbox.complaints, []);
}
