// The console: lines of Lua against the live world.
import { cloth } from "./scenes.js";

export const browsers = ["chromium", "firefox"];

export default async function (t) {
  const sandbox = await t.open();
  await sandbox.answer("good", () => sandbox.write(cloth()));
  const enter = async (line) => {
    await sandbox.page.focus("#console-input");
    await sandbox.answer("console", async () => {
      await sandbox.page.keyboard.type(line);
      await sandbox.key("Enter");
    });
  };
  const log = () => sandbox.text("#console-log");

  await enter("6 * 7");
  await sandbox.until("the value", () => document.querySelector("#console-log").innerText.includes("42"));
  t.contains("the line is in the log", await log(), "6 * 7");
  t.equal("the input is empty again", await sandbox.page.$eval("#console-input", (e) => e.value), "");
  await enter("print(6, 'times', 7)");
  await sandbox.until("a line that is printed", () => /6\s+times\s+7/.test(
    [...document.querySelectorAll("#console-log p.output")].map((line) => line.innerText).find((line) => /^6\s/.test(line))));
  t.check("what is printed is one line", true);
  await enter('scene:body("cloth").vertex_count');
  await sandbox.until("the count", () => document.querySelector("#console-log").innerText.includes("63"));
  await enter("scene:bodi('cloth')");
  const error = (part) => sandbox.until(`an error with "${part}"`, (words) =>
    document.querySelector("#console-log p.error:last-of-type")?.innerText.includes(words), part);
  await error("bodi");
  t.check("an error is told in the log", true);
  await sandbox.frames(3);
  t.check("and the world goes on", true);
  await enter('scene:body("cloth"):unpin { 1, 9 }');
  const height = async () => Number(await sandbox.lua('print((select(2, scene:body("cloth"):position(1))))'));
  const first = await height();
  await sandbox.frames(20);
  t.check("a line that changes the world: the cloth falls", (await height()) < first - 0.01, first);
  await enter("while true do end");
  await error("endless loop");
  t.check("an endless line is stopped", true);
  await sandbox.frames(3);
  await sandbox.page.focus("#console-input");
  await sandbox.key("ArrowUp");
  t.equal("the line before comes back", await sandbox.page.$eval("#console-input", (e) => e.value), "while true do end");
  t.check("the page answers", (await sandbox.delay()) < 2000);
  await sandbox.page.click("#console-clear");
  t.equal("cleared", (await log()).trim(), "");
  t.equal("no complaint", sandbox.complaints, []);
}
