// Opening the page: the curtain moves, and the browser has nothing to complain of.
export const browsers = ["chromium", "firefox"];

export default async function (t) {
  const site = await t.site();
  const start = Date.now();
  const sandbox = await t.open({ site });
  t.tell(`the first frames are drawn ${Date.now() - start} ms after the tab is opened`);
  const ready = await sandbox.last("ready");
  t.tell(`renderer ${ready.renderer}, ${ready.threads} threads, version ${ready.version}`);
  const opened = await sandbox.last("opened");
  t.equal("the first scene is the curtain", opened.bodies.map((body) => body.name), ["curtain"]);

  const first = await sandbox.picture();
  await sandbox.frames(10);
  const second = await sandbox.picture();
  t.check("something is drawn", first.colours > 100, first);
  t.check("it moves", first.hash !== second.hash, first);
  const frames = await sandbox.recorded("frames");
  t.check("frames follow one another", frames.every((frame, i) => i === 0 || frame >= frames[i - 1]), frames);

  t.check("the page is cross-origin isolated", await sandbox.page.evaluate(() => crossOriginIsolated));
  t.equal("no violation of the Content-Security-Policy", await sandbox.recorded("violations"), []);
  t.equal("no complaint in the browser's console", sandbox.complaints, []);
  t.equal("no request to another host",
    sandbox.asked.filter((url) => !url.startsWith(site.address) && !/^(blob|data|about):/.test(url)), []);

  const policy = await sandbox.page.evaluate(() =>
    document.querySelector('meta[http-equiv="Content-Security-Policy" i]')?.content ?? "");
  t.contains("a policy stands in the page", policy, /default-src '(self|none)'/);
  t.check("the policy permits no eval, no inline script and no foreign host",
    !/unsafe-inline[^;]*script|'unsafe-eval'|script-src[^;]*'unsafe-inline'|https?:|\*/.test(policy), policy);
  const ran = await sandbox.page.evaluate(() => {
    window.inline_ran = false;
    const script = document.createElement("script");
    script.textContent = "window.inline_ran = true";
    document.body.append(script);
    return window.inline_ran;
  });
  t.equal("an inline script does not run", ran, false);
  const evaluated = await sandbox.page.evaluate(() => {
    window.eval_ran = false;
    const button = document.createElement("button");
    button.setAttribute("onclick", "window.eval_ran = true");
    document.body.append(button);
    button.click();
    button.remove();
    return window.eval_ran;
  });
  t.equal("nor does an inline handler", evaluated, false);
}
