// Parameters, solver, view, theme and keys.
import { cloth } from "./scenes.js";

export const browsers = ["chromium", "firefox"];

export default async function (t) {
  const sandbox = await t.open();
  await sandbox.answer("good", () => sandbox.write(cloth('tide.param("count", 3, { min = 1, max = 9 })')));

  // A parameter by its number and by its slider.
  const number = "#field-parameter-stiffness-input";
  await sandbox.until("the parameter", (name) => !!document.querySelector(name), number);
  t.contains("the unit is shown", await sandbox.text("#parameter-list"), "N/m");
  const place = await sandbox.lua('print(scene:body("cloth"):position(40))');
  const value = async (name) => (await sandbox.last("parameters")).list.find((p) => p.name === name).value;
  await sandbox.answer("parameters", () => sandbox.set(number, 200));
  t.equal("the number sets it", await value("stiffness"), 200);
  await sandbox.answer("parameters", () => sandbox.set('[data-test="field-parameter-stiffness-slider"]', 1000));
  t.equal("the end of the slider is the largest value", await value("stiffness"), 1000);
  await sandbox.set(number, "5e9");
  t.equal("a number out of range is marked", await sandbox.page.$eval(number, (e) => e.getAttribute("aria-invalid")), "true");
  t.equal("and changes nothing", await value("stiffness"), 1000);
  await sandbox.answer("parameters", () => sandbox.page.click("#parameters-reset"));
  await sandbox.until("the initial values", () => recorded.last.parameters.list.every((p) => p.value === p.initial));
  t.check("the initial values again", true);
  t.check("the world is there", place.length > 0);

  // Another solver.
  const solvers = (await sandbox.last("ready")).solvers;
  t.check("all solvers are offered", solvers.length >= 17, solvers.map((s) => s.name));
  const select = "#field-solver-method-input";
  await sandbox.until("the choice of solvers", (name, count) =>
    document.querySelector(name)?.options.length >= count, select, solvers.length);
  const frame = (await sandbox.last("frame")).frame;
  await sandbox.answer("solver", () => sandbox.set(select, "newton"));
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
  await sandbox.key(" ");
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
  await sandbox.focus_editor();
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
