// Lessons beside the sandbox: the text, the exercise in the editor, its marks, and what is kept.
import { readFileSync } from "node:fs";

export const browsers = ["chromium", "firefox"];

const solution = readFileSync(new URL("../../scenes/course/01-one-spring/solution.lua", import.meta.url), "utf8");

export default async function (t) {
  const sandbox = await t.open();
  const { page } = sandbox;
  const marked = (part) => sandbox.until(`marks with ${part}`,
    (words) => document.querySelector("#lesson-marks").innerText.includes(words), part);

  await page.click("#tab-lesson");
  await sandbox.until("the text", () => document.querySelector("#lesson-text h1")?.innerText.includes("One spring"));
  t.equal("twelve lessons", await page.$$eval("#lesson-choice option", (options) => options.length), 12);
  const formulas = await page.$$eval("#lesson-text math", (all) => all.map((each) => each.getBoundingClientRect().width));
  t.check("formulas are drawn", formulas.length > 3 && formulas.every((width) => width > 0), formulas);
  t.equal("no violation of the policy", await sandbox.recorded("violations"), []);

  await page.setViewport({ width: 1920, height: 1080 });
  await sandbox.until("the script beside the lesson on a wide screen", () =>
    ["#panel-code", "#panel-lesson"].every((panel) => document.querySelector(panel).checkVisibility()));
  await page.setViewport({ width: 1280, height: 800 });
  await sandbox.until("the script again", () => !document.querySelector("#panel-lesson").checkVisibility()
    || !document.querySelector("#panel-code").checkVisibility());
  await page.click("#tab-lesson");
  await sandbox.answer("opened", () => page.click("#lesson-scene"));
  t.check("the scene opens", (await sandbox.written()).includes("tide.scene"));
  await page.click("#tab-lesson");
  await sandbox.answer("opened", () => page.click("#lesson-exercise"));
  t.contains("the exercise opens", await sandbox.written(), "TODO");

  await page.click("#tab-lesson");
  await page.click("#lesson-mark");
  await marked("0 of ");
  t.check("a check that fails says why, and has a hint", await page.$eval("#lesson-marks",
    (marks) => !!marks.querySelector(".none .check-message") && !!marks.querySelector(".none details")));
  await sandbox.frames(3);
  t.check("the experiment goes on while it is marked", true);

  await page.click("#tab-code");
  await sandbox.answer("good", () => sandbox.write(solution));
  await sandbox.until("the points of the change", () => / points$/.test(document.querySelector("#toast").innerText));
  await page.click("#tab-lesson");
  await sandbox.until("all points", () => {
    const [, got, of] = document.querySelector("#lesson-points")?.innerText.match(/^(\S+) of (\S+)/) ?? [];
    return got !== undefined && got === of;
  });
  t.check("all points lead to the next lesson", await sandbox.visible("#lesson-onwards"));

  await page.click("#tab-code");
  await sandbox.write("while true do end");
  await page.click("#tab-lesson");
  await page.click("#lesson-mark");
  await marked("stopped");
  t.check("a loop without end is marked", true);
  t.check("the page answers", (await sandbox.delay()) < 2000);

  await page.click("#tab-code");
  await sandbox.write(solution);
  await sandbox.frames(3);
  await sandbox.go();
  await sandbox.frames(2);
  await page.click("#tab-lesson");
  await sandbox.until("the points after the page is opened again",
    () => /\(\S+ of \S+\)/.test(document.querySelector("#lesson-choice option")?.innerText ?? ""));
  await page.click("#lesson-after");
  await sandbox.until("the next lesson", () => document.querySelector("#lesson-text h1")?.innerText.startsWith("2."));
  t.equal("no complaint", sandbox.complaints, []);
}
