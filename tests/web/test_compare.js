// Panes: the same state under several solvers, side by side.
import { cloth } from "./scenes.js";

export const browsers = ["chromium", "firefox"];

export default async function (t) {
  const sandbox = await t.open();
  await sandbox.answer("good", () => sandbox.write(cloth()));
  await sandbox.hash_at(10);
  await sandbox.page.click("#tab-compare");
  const one = (name) => `[data-test="compare-${name}"]`;
  await sandbox.until("the plan", (name) => !!document.querySelector(name), one("start"));
  await sandbox.set(one("solver-1"), "local_global");
  await sandbox.set(one("solver-2"), "newton");
  await sandbox.answer("panes", () => sandbox.page.click(one("start")));
  await sandbox.until("two panes", () => recorded.last.panes.list.length === 2);
  const labels = (await sandbox.last("panes")).list.map((pane) => pane.label).join(" ");
  t.contains("a pane of each solver", labels, /local_global.*newton/);
  t.equal("two labels over the picture", await sandbox.page.$$eval("#pane-labels p", (all) => all.length), 2);
  t.equal("two panes are listed", await sandbox.page.$$eval(".compare-pane", (all) => all.length), 2);
  const frame = (await sandbox.last("frame")).frame;
  t.check("they begin at the present frame", frame >= 10, frame);
  await sandbox.send({ type: "play", on: true });
  await sandbox.frames(10);
  const picture = await sandbox.picture();
  t.check("both are drawn", picture.colours > 100, picture);
  await sandbox.answer("panes", () => sandbox.page.click(one("continue-2")));
  await sandbox.until("one experiment again", () => recorded.last.panes.list.length === 0);
  await sandbox.until("with the solver of the second pane", () => recorded.last.solver.name === "newton");
  t.check("it goes on with the second", true);
  await sandbox.frames(3);

  // Values of a parameter.
  await sandbox.set(one("what"), "vary");
  await sandbox.set(one("parameter"), "stiffness");
  await sandbox.page.click(one("add"));
  for (const [i, value] of [10, 50, 500].entries()) {
    await sandbox.set(one(`value-${i + 1}`), value);
  }
  await sandbox.page.click(one("start"));
  await sandbox.until("three panes", () => recorded.last.panes.list.length === 3);
  await sandbox.frames(3);
  t.check("three values of a parameter", true);
  await sandbox.page.click(one("stop"));
  await sandbox.until("one experiment", () => recorded.last.panes.list.length === 0);

  // What cannot be compared is told.
  const error = await sandbox.answer("error", () => sandbox.send({ type: "compare", solvers: "newton,no_such_solver" }));
  t.contains("an unknown solver is told", error.message, "no_such_solver");
  await sandbox.frames(2);
  t.equal("no complaint", sandbox.complaints, []);
}
