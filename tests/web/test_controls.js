// Parameters, solver, view, theme and keys.
import { cloth } from "./scenes.js";

export const browsers = ["chromium", "firefox"];

export default async function (t) {
  const sandbox = await t.open();
  await sandbox.answer("good", () => sandbox.write(cloth('tide.param("count", 3, { min = 1, max = 9 })')));

  // A parameter by its number and by its slider.
  await sandbox.until("the parameter", () => document.querySelector("#parameter-list")?.innerText.includes("stiffness"));
  t.contains("the unit is shown", await sandbox.text("#parameter-list"), "N/m");
  const inputs = await sandbox.page.$$eval("#parameter-list input", (all) => all.map((e) => ({ id: e.id, type: e.type, min: e.min, max: e.max })));
  t.check("a slider and a number", inputs.some((i) => i.type === "range") && inputs.length >= 2, inputs);
  const place = await sandbox.lua('print(scene:body("cloth"):position(40))');
  const number = inputs.find((i) => i.type !== "range").id;
  await sandbox.answer("parameters", () => sandbox.set(`#${number}`, 200));
  t.contains("the number sets it", JSON.stringify((await sandbox.last("parameters")).list), '"value":200');
  await sandbox.hash();
  t.check("the state goes on", place.length > 0);

  // Another solver.
  const solvers = (await sandbox.last("ready")).solvers;
  t.check("all solvers are offered", solvers.length >= 17, solvers.map((s) => s.name));
  await sandbox.until("the choice of solvers", (count) => document.querySelector("#solver-list select")?.options.length >= count, solvers.length);
  const frame = (await sandbox.last("frame")).frame;
  const select = await sandbox.page.$eval("#solver-list select", (e) => e.id);
  await sandbox.answer("solver", () => sandbox.set(`#${select}`, "newton"));
  t.equal("the solver is another", (await sandbox.last("solver")).name, "newton");
  await sandbox.send({ type: "play", on: true });
  await sandbox.frames(3);
  t.check("it goes on", (await sandbox.last("frame")).frame >= frame);
  await sandbox.page.click("#solver-own");
  await sandbox.until("the scene's own", () => recorded.last.solver.name === "local_global");
  t.check("the scene's own solver again", true);

  // Keys.
  const playing = () => sandbox.page.evaluate(() => recorded.last.frame.playing);
  await sandbox.page.focus("#picture");
  const before = await playing();
  await sandbox.key("Space");
  await sandbox.until("the space bar", (was) => recorded.last.frame.playing !== was, before);
  await sandbox.hash();
  const start = await sandbox.page.evaluate(() => recorded.last.frame.frame);
  await sandbox.key(".");
  await sandbox.until("a step", (n) => recorded.last.frame.frame === n + 1, start);
  await sandbox.key("r");
  await sandbox.until("the first frame", () => recorded.last.frame.frame === 0);
  await sandbox.key("F3");
  await sandbox.until("the tool", () => document.querySelector("#tool-drag").getAttribute("aria-checked") === "true");
  await sandbox.key("F1");
  await sandbox.until("help", () => document.querySelector("#help-dialog").open);
  await sandbox.key("Escape");
  await sandbox.until("help closed", () => !document.querySelector("#help-dialog").open);
  t.check("keys: space, step, reset, tool, help", true);
  await sandbox.page.focus(".cm-content");
  const frame_before_typing = await sandbox.page.evaluate(() => recorded.last.frame.frame);
  await sandbox.key("Control", "End");
  await sandbox.page.keyboard.type("-- r. F");
  await new Promise((resolve) => setTimeout(resolve, 600));
  t.contains("keys in the editor are text", await sandbox.written(), /-- r\. F$/);
  t.equal("and do not steer", await sandbox.page.evaluate(() => recorded.last.frame.frame), frame_before_typing);

  // A key of the scene.
  await sandbox.answer("good", () => sandbox.write(cloth('function scene.keypressed(key) print("pressed " .. key) end')));
  await sandbox.page.focus("#picture");
  await sandbox.answer("print", () => sandbox.key("k"));
  t.contains("the scene's own key", (await sandbox.last("print")).text, "pressed k");

  // The theme.
  const dark = await sandbox.page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  let other = dark;
  for (let i = 0; i < 3 && other === dark; i++) {
    await sandbox.page.click("#theme-switch");
    await new Promise((resolve) => setTimeout(resolve, 300));
    other = await sandbox.page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  }
  t.check("the switch of the theme", other !== dark, other);
  t.equal("no complaint", sandbox.complaints, []);
}
