// The graphics context is lost: the software renderer draws on, and a sentence tells it.

// Runs in the worker before its own script.
const lose_later = `{
  const get = OffscreenCanvas.prototype.getContext;
  OffscreenCanvas.prototype.getContext = function (kind, ...more) {
    const context = get.call(this, kind, ...more);
    if (kind === "webgl2" && context) {
      self.lose = () => context.getExtension("WEBGL_lose_context").loseContext();
    }
    return context;
  };
  addEventListener("message", ({ data }) => data?.type === "lose the context" && self.lose());
}
`;

export default async function (t) {
  const site = await t.site({ fault: (name) => (name === "worker.js" ? { before: lose_later } : undefined) });
  const sandbox = await t.open({ site, query: "?renderer=webgl" });
  t.equal("drawn by WebGL", (await sandbox.last("ready")).renderer, "webgl");
  const written = await sandbox.written();
  await sandbox.send({ type: "lose the context" });
  const renderer = await sandbox.next("renderer");
  t.equal("then by software", renderer.name, "software");
  t.check("with a sentence", /^[^\n]{20,}$/.test(renderer.why), renderer.why);
  await sandbox.until("the sentence is seen", (text) => document.body.innerText.includes(text), renderer.why);
  await sandbox.frames(5);
  const picture = await sandbox.picture();
  t.check("the picture is there", picture.colours > 100, picture);
  t.equal("the script is kept", await sandbox.written(), written);
  t.equal("the worker is the same", await sandbox.recorded("workers"), 1);
}
