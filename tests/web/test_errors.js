// Scripts that fail: the line is marked, the message is a sentence, and the world goes on.
import { cloth, line_after_cloth } from "./scenes.js";

export const browsers = ["chromium", "firefox"];

/** The number of the line beside which the editor has its mark. */
function marked_line(sandbox) {
  return sandbox.page.evaluate(() => {
    const marker = recorded.in_editor(".cm-lint-marker-error");
    const top = marker?.getBoundingClientRect();
    const middle = top && (top.top + top.bottom) / 2;
    const numbers = document.querySelector("#editor").shadowRoot.querySelectorAll(".cm-lineNumbers .cm-gutterElement");
    const number = [...numbers].find((element) => {
      const box = element.getBoundingClientRect();
      return box.height > 0 && box.top <= middle && middle < box.bottom;
    });
    return number ? Number(number.textContent) : undefined;
  });
}

async function fails(t, sandbox, name, line, where, part) {
  const text = cloth(...line);
  const error = await sandbox.answer("error", () => sandbox.write(text));
  t.equal(`${name}: where`, error.where, where);
  t.equal(`${name}: the line`, error.line, line_after_cloth + line.length - 1);
  t.contains(`${name}: the message`, error.message, part);
  t.check(`${name}: in one line`, !error.message.includes("\n"), error.message);
  await sandbox.until(`${name}: the mark in the editor`, () => !!recorded.in_editor(".cm-lint-marker-error"));
  t.equal(`${name}: the mark is at that line`, await marked_line(sandbox), line_after_cloth + line.length - 1);
  t.check(`${name}: a message is seen`, await sandbox.visible("#message"));
  t.contains(`${name}: it tells the cause`, await sandbox.text("#message"), part);
  t.equal(`${name}: the script is kept`, await sandbox.written(), text);
}

async function mends(t, sandbox, name) {
  await sandbox.answer("good", () => sandbox.write(cloth()));
  await sandbox.until("the mark disappears", () => !recorded.in_editor(".cm-lint-marker-error"));
  await sandbox.until("the message disappears", () => document.querySelector("#message").hidden);
  await sandbox.frames(2);
  t.check(`${name}: mended, mark and message disappear`, true);
}

export default async function (t) {
  const sandbox = await t.open();
  await sandbox.answer("good", () => sandbox.write(cloth()));

  await fails(t, sandbox, "syntax error", ["local a = 1", "local x = = 2"], "syntax", "unexpected symbol near '='");
  await sandbox.frames(3);
  t.check("syntax error: the world goes on", true);
  await mends(t, sandbox, "syntax error");

  await fails(t, sandbox, "runtime error", ["local nothing", "print(nothing.field)"], "run", "nothing");
  await sandbox.frames(3);
  t.check("runtime error: the world goes on", true);
  await mends(t, sandbox, "runtime error");

  await fails(t, sandbox, "a field misspelt", ['scene:collider("ball", { shape = "sphere", radios = 1 })'], "run", "radius");
  await mends(t, sandbox, "a field misspelt");

  await fails(t, sandbox, "an error in update", ["function scene.update() local a; a.b = 1 end"], "step", "index a nil value");
  t.equal("an error in update: the page answers", (await sandbox.delay()) < 2000, true);
  await mends(t, sandbox, "an error in update");
  t.equal("no complaint of the browser", sandbox.complaints, []);
}
