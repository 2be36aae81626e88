// Text from scripts, files and links is text: no part of it becomes an element or runs.
import { cloth } from "./scenes.js";

const evil = "<img src=x onerror=hacked=1><script>hacked=1</script><a href='javascript:hacked=1'>z</a>";

async function harmless(t, sandbox, name) {
  const found = await sandbox.page.evaluate(() => ({
    hacked: window.hacked,
    images: document.querySelectorAll('img[src="x"]').length,
    links: [...document.querySelectorAll("a[href]")].map((a) => a.getAttribute("href"))
      .filter((href) => /^\s*(javascript|data|vbscript):/i.test(href)),
    scripts: [...document.querySelectorAll("script")].filter((s) => s.textContent.includes("hacked")).length,
    handlers: document.querySelectorAll("[onerror],[onclick],[onload]").length,
  }));
  t.equal(name, found, { images: 0, links: [], scripts: 0, handlers: 0 });
}

export default async function (t) {
  const sandbox = await t.open();
  const quoted = JSON.stringify(evil);
  const named = cloth().replace('"Cloth"', quoted).replace('scene:body("cloth"', `scene:body(${quoted}`);
  await sandbox.answer("good", () => sandbox.write(named));
  await harmless(t, sandbox, "a title and the name of a body");
  await sandbox.answer("good", () => sandbox.write(cloth(`print(${quoted})`, `function scene.update() print(${quoted}) end`)));
  await sandbox.until("the output", () => document.querySelector("#console-log").innerText.includes("<img"));
  await harmless(t, sandbox, "printed text");
  await sandbox.answer("error", () => sandbox.write(cloth(`error(${quoted})`)));
  await sandbox.until("the message", () => document.querySelector("#message").innerText.includes("<img"));
  await harmless(t, sandbox, "an error");
  const help = `tide.param("evil", 1, { min = 0, max = 2, unit = ${quoted}, help = ${quoted} })`;
  await sandbox.write(cloth(help));
  await new Promise((resolve) => setTimeout(resolve, 1500));
  await harmless(t, sandbox, "the unit and the help of a parameter");
  await sandbox.write(cloth(`tide.param("t", ${quoted})`));
  await new Promise((resolve) => setTimeout(resolve, 1500));
  await harmless(t, sandbox, "a parameter of text");
  await sandbox.write(`-- ${evil}\n${cloth()}`);
  await new Promise((resolve) => setTimeout(resolve, 1000));
  await harmless(t, sandbox, "the editor");
  await sandbox.send({ type: "console", text: `(${quoted})` });
  await new Promise((resolve) => setTimeout(resolve, 500));
  await harmless(t, sandbox, "the console");
  t.equal("nothing had to be stopped by the policy", await sandbox.recorded("violations"), []);
  t.equal("the page has no opener", await sandbox.page.evaluate(() => window.opener), null);
  const trusting = await sandbox.page.evaluate(() =>
    [...document.querySelectorAll('a[target="_blank"]')].filter((a) => !/noopener|noreferrer/.test(a.rel)).length);
  t.equal("no link opens with access to this page", trusting, 0);
}
