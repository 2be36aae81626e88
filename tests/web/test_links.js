// A link carries the experiment: out of the page and in again, with the same bits.
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { read_link, write_link } from "./links.js";
import { cloth } from "./scenes.js";

export const browsers = ["chromium", "firefox"];

/** What the page copies as a link; the clipboard is ours, as not each browser lets a driver read it. */
async function copied_link(sandbox) {
  await sandbox.page.evaluate(() => {
    window.copied = "";
    navigator.clipboard.writeText = (text) => {
      window.copied = text;
      return Promise.resolve();
    };
  });
  await sandbox.page.click("#link-copy");
  return sandbox.until("a link is copied", () => window.copied);
}

/** The first comparison with a link's hash; the page asks for hashes, too. */
function compared(sandbox) {
  return sandbox.until("the hash is compared", () => recorded.received.find((m) => m.type === "reached" && m.expected));
}

export default async function (t) {
  const site = await t.site();
  const sandbox = await t.open({ site });
  const text = cloth("-- for a link: \u00e4 \u4e16 \u{1f30a}");
  await sandbox.answer("good", () => sandbox.write(text));
  await sandbox.answer("parameters", () => sandbox.set("#field-parameter-stiffness-input", 200));
  await sandbox.hash_at(17);
  const hash = await sandbox.hash();
  const camera = await sandbox.last("camera");
  const link = await copied_link(sandbox);
  t.check("the link is of this page", link.startsWith(`${site.address}#`) || link.startsWith(`${site.address}index.html#`), link);
  const content = read_link(link);
  t.equal("it has the script", content.script, text);
  t.equal("the frame", content.frame, 17);
  t.equal("the hash", content.hash, hash);
  t.equal("the parameter", Number(content.parameters.stiffness), 200);
  t.check("the camera", content.camera?.length === 10 && Math.abs(content.camera[0] - camera.position[0]) < 1e-6, content.camera);

  // In again, in a browser that has seen nothing.
  const asked = site.asked.length;
  const other = await t.open({ site, fragment: link.slice(link.indexOf("#")), started: false });
  const reached = await compared(other);
  t.equal("the same frame", reached.frame, 17);
  t.equal("the same hash", [reached.hash, reached.same], [hash, true]);
  t.equal("the same script", await other.written(), text);
  await other.until("the page says that the bits are the same", (digits) =>
    /same/i.test(document.body.innerText) && document.body.innerText.includes(digits), hash.slice(0, 8));
  t.check("the page says so", true);
  await other.until("the link's camera", (x) => Math.abs(recorded.last.camera.position[0] - x) < 1e-6, content.camera[0]);
  const again = await copied_link(other);
  t.equal("a link of it has the same content", read_link(again), content);
  t.check("the link reached no server", !site.asked.slice(asked).some((name) => name.includes(link.slice(-20))));
  t.equal("no complaint", other.complaints, []);

  // A wrong hash is told.
  const wrong = await t.open({ site, fragment: write_link({ ...content, hash: "0123456789abcdef" }), started: false });
  const differs = await compared(wrong);
  t.equal("a wrong hash differs", differs.same, false);
  await wrong.until("the page says that they differ", () =>
    /differ|not the same|other bits/i.test(document.querySelector("#message").innerText));
  t.check("and the page says so", true);

  // The program's links, and the page's in the program.
  const program = join(process.env.SPRINGTIDE_BUILD ?? "", "springtide");
  const has_links = existsSync(program) && /^ *link\b/m.test(execFileSync(program, ["--help"], { encoding: "utf8" }));
  t.check("the program makes links", has_links);
  if (has_links) {
    const folder = mkdtempSync(join(tmpdir(), "link-"));
    const file = join(folder, "cloth.lua");
    writeFileSync(file, text);
    const printed = execFileSync(program, ["link", file, "--set", "stiffness=200", "--frames", "17"], { encoding: "utf8" });
    const native = printed.trim().split("\n").at(-1);
    t.equal("the program's hash is the page's", read_link(native).hash, hash);
    const from_native = await t.open({ site, fragment: native.slice(native.indexOf("#")), started: false });
    const seen = await compared(from_native);
    t.equal("the page confirms the program's link", [seen.hash, seen.same], [hash, true]);
    const saved = join(folder, "page.springtide");
    writeFileSync(saved, `${link}\n`);
    const run = execFileSync(program, ["run", saved, "--headless", "--hash"], { encoding: "utf8" });
    t.contains("the program confirms the page's link", run, hash);
    rmSync(folder, { recursive: true });
  }

  // A file of a link, and a link that is pasted. A page behind another draws no frames.
  await sandbox.page.bringToFront();
  await sandbox.page.click("#import-open");
  await sandbox.page.evaluate((value) => {
    document.querySelector("#import-text").value = value;
  }, write_link({ ...content, name: "pasted", frame: 3, hash: undefined }));
  await sandbox.page.click("#import-text-open");
  await sandbox.until("frame 3", () => recorded.last.opened.name === "pasted" && recorded.last.frame.frame === 3);
  t.check("a link that is pasted opens", true);
}
