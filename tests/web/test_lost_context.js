// The graphics context is lost, as the process that draws ends: the software renderer draws on, and a sentence tells it.
export const flags = []; // a browser of its own

export default async function (t) {
  const sandbox = await t.open({ query: "?renderer=webgl" });
  t.equal("drawn by WebGL", (await sandbox.last("ready")).renderer, "webgl");
  const written = await sandbox.written();
  const session = await t.browser.target().createCDPSession();
  session.send("Browser.crashGpuProcess").catch(() => undefined);
  const renderer = await sandbox.next("renderer");
  t.equal("then by software", renderer.name, "software");
  t.check("with a sentence", /^[A-Z][^\n]*\.$/.test(renderer.why), renderer.why);
  await sandbox.until("the sentence is seen", (text) => document.body.innerText.includes(text), renderer.why);
  await sandbox.frames(5);
  const picture = await sandbox.picture();
  t.check("the picture is there", picture.colours > 100, picture);
  t.equal("the script is kept", await sandbox.written(), written);
  t.equal("the worker is the same", await sandbox.recorded("workers"), 1);
}
