// The address asks for WebGL, and the browser has none: the software renderer draws, and the page says why.
export const browsers = ["chromium", "firefox"];

// Runs in the worker before its own script. A canvas that was asked for WebGL gives no other context, as in Firefox.
const no_webgl = `{
  const get = OffscreenCanvas.prototype.getContext;
  const asked = new WeakSet();
  OffscreenCanvas.prototype.getContext = function (kind, ...more) {
    if (kind.startsWith("webgl")) {
      asked.add(this);
      return null;
    }
    if (asked.has(this)) throw new DOMException("the context is another's", "InvalidStateError");
    return get.call(this, kind, ...more);
  };
}
`;

export default async function (t) {
  const site = await t.site({ fault: (name) => (name === "worker.js" ? { before: no_webgl } : undefined) });
  const sandbox = await t.open({ site, query: "?renderer=webgl" });
  const ready = await sandbox.last("ready");
  t.equal("drawn by software", ready.renderer, "software");
  t.contains("with a sentence", ready.why, /^this browser gives no WebGL 2$/);
  await sandbox.page.click("#help-open");
  await sandbox.until("the help tells it", (text) => document.querySelector("#help-about").innerText.includes(text), ready.why);
  const picture = await sandbox.picture();
  t.check("the picture is there", picture.colours > 100, picture);
  t.equal("the worker is the first", await sandbox.recorded("workers"), 1);
}
