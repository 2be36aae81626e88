// Runs the tests of the page: node run.js PAGE OUT [--browser NAME] [TEST...]
// PAGE is the folder of the page, OUT takes screenshots and what failed. A test is a file test_*.js: its default export gets
// a Test, `browsers` names the browsers that run it (chromium alone by default), `flags` further arguments of a browser of
// its own. Prints "ok - ..." or "not ok - ..." for each check and "N passed, M failed" as the last line.
// SPRINGTIDE_WEB_JITTER=300 delays messages between page and worker by up to 300 ms and files by up to 1.5 s, at random.
// This finds races in tests and in the page.
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { start_browser } from "./browsers.js";
import { Sandbox } from "./sandbox.js";
import { serve } from "./server.js";

const time_limit = 240000; // milliseconds of a test: several times what the longest takes
let passed = 0;
let failed = 0;

class Test {
  constructor(label, browser, folder, out) {
    this.label = label;
    this.browser = browser;
    this.folder = folder;
    this.out = out;
    this.sandboxes = [];
    this.sites = [];
    this.failures = 0;
  }

  check(name, holds, seen) {
    if (holds) {
      passed++;
      console.log(`ok - ${this.label}: ${name}`);
      return;
    }
    failed++;
    this.failures++;
    console.log(`not ok - ${this.label}: ${name}`);
    if (seen !== undefined) {
      console.log(`# seen: ${(typeof seen === "string" ? seen : JSON.stringify(seen))?.slice(0, 2000).replace(/\n/g, "\n# ")}`);
    }
  }

  equal(name, seen, expected) {
    const [left, right] = [JSON.stringify(seen), JSON.stringify(expected)];
    this.check(name, left === right, `${left}, expected ${right}`);
  }

  contains(name, text, part) {
    const holds = part instanceof RegExp ? part.test(text) : String(text).includes(part);
    this.check(name, holds, `${JSON.stringify(text)} does not contain ${part}`);
  }

  tell(text) {
    console.log(`# ${this.label}: ${text}`);
  }

  /** A server of the page. */
  async site(options = {}) {
    const site = await serve(options.folder ?? this.folder, options);
    this.sites.push(site);
    return site;
  }

  /** The page, open on `options.site` or a site of its own, when it moves, or at once with `started: false`. */
  async open(options = {}) {
    const sandbox = await Sandbox.open(this.browser, options.site ?? (await this.site()), options);
    this.sandboxes.push(sandbox);
    if (options.started ?? true) {
      await sandbox.frames(2);
    }
    return sandbox;
  }

  async keep_what_failed() {
    for (const [i, sandbox] of this.sandboxes.entries()) {
      const path = join(this.out, `failed-${this.label.replace(/\W+/g, "-")}-${i}`);
      try {
        await sandbox.screenshot(`${path}.png`);
        const seen = await sandbox.page.evaluate(() => ({ ...recorded, worker: undefined, frames: recorded.frames.slice(-20),
          sent: recorded.sent.slice(-40), received: recorded.received.slice(-40), text: document.body.innerText }));
        writeFileSync(`${path}.json`, JSON.stringify({ complaints: sandbox.complaints, ...seen }, undefined, 1));
      } catch (error) {
        this.tell(`nothing kept of what failed: ${error.message}`);
      }
    }
  }

  async end() {
    for (const sandbox of this.sandboxes) {
      await sandbox.close().catch(() => undefined);
    }
    for (const site of this.sites) {
      await site.close().catch(() => undefined);
    }
  }
}

async function run_test(test, run) {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`not done after ${time_limit / 1000} s`)), time_limit);
  });
  try {
    await Promise.race([run(test), late]);
  } catch (error) {
    test.check(`runs to its end`, false, error.stack);
  }
  clearTimeout(timer);
  if (test.failures > 0) {
    await test.keep_what_failed();
  }
  await test.end();
}

const words = process.argv.slice(2);
const at = words.indexOf("--browser");
const names = at < 0 ? ["chromium", "firefox"] : words.splice(at, 2).slice(1);
const [folder, out, ...chosen] = words;
const here = import.meta.dirname ?? new URL(".", import.meta.url).pathname;
const files = readdirSync(here).filter((name) => /^test_.*\.js$/.test(name)).sort();
mkdirSync(out, { recursive: true });

/** Runs the tests of one browser, one after the other: they share its processes. */
async function run_browser(browser_name) {
  let shared;
  try {
    shared = await start_browser(browser_name);
  } catch (error) {
    failed++;
    console.log(`not ok - ${browser_name} starts\n# ${String(error.message).split("\n")[0]}`);
    return;
  }
  console.log(`# ${await shared.version()}`);
  for (const file of files) {
    const name = file.slice("test_".length, -".js".length);
    const module = await import(join(resolve(here), file));
    if ((chosen.length > 0 && !chosen.includes(name)) || !(module.browsers ?? ["chromium"]).includes(browser_name)) {
      continue;
    }
    const start = Date.now();
    const browser = module.flags ? await start_browser(browser_name, module.flags) : shared;
    const test = new Test(`${browser_name}: ${name}`, browser, resolve(folder), resolve(out));
    await run_test(test, module.default);
    if (browser !== shared) {
      await browser.close();
    }
    test.tell(`${((Date.now() - start) / 1000).toFixed(1)} s`);
  }
  await shared.close();
}

await Promise.all(names.map(run_browser)); // beside one another: a test waits more than it computes
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed > 0 || passed === 0 ? 1 : 0;
