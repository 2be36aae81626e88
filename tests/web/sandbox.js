// The page, open in a browser: what a test does with it and sees of it.
import { read_png } from "./png.js";
import { jitter, record } from "./recorder.js";

const patience = Number(process.env.SPRINGTIDE_WEB_PATIENCE ?? 60) * 1000; // until a test gives up to wait

export class Sandbox {
  /**
   * Opens the page in a context of its own: fresh storage, no service worker.
   * @param {import("puppeteer-core").Browser} browser
   * @param {{address: string}} site
   * @param {object} [options]
   * @param {string} [options.query] with its "?"
   * @param {string} [options.fragment] with its "#"
   * @param {{width: number, height: number, hasTouch?: boolean, deviceScaleFactor?: number}} [options.viewport]
   * @param {"dark" | "light"} [options.theme] what the system prefers
   * @param {() => void} [options.before] a function to run in the page before its own scripts
   */
  static async open(browser, site, options = {}) {
    const sandbox = new Sandbox();
    sandbox.pings = 1e6; // apart from those of the page
    sandbox.site = site;
    sandbox.options = options;
    sandbox.context = await browser.createBrowserContext();
    await sandbox.new_page();
    await sandbox.go(options.query ?? "", options.fragment ?? "");
    return sandbox;
  }

  /** One more tab with the same storage. */
  async new_page() {
    const { viewport, theme, before } = this.options;
    this.page = await this.context.newPage();
    this.complaints = [];
    this.asked = [];
    this.dialogs = [];
    this.page.on("console", (message) => {
      if (message.type() === "error" || message.type() === "assert") {
        this.complaints.push(`${message.text()} ${message.location()?.url ?? ""}`);
      }
    });
    this.page.on("pageerror", (error) => this.complaints.push(`uncaught: ${error.message ?? error}`));
    this.page.on("request", (request) => this.asked.push(request.url()));
    this.page.on("dialog", (dialog) => {
      this.dialogs.push(dialog.message());
      dialog.accept().catch(() => undefined);
    });
    await this.page.setViewport(viewport ?? { width: 1280, height: 800 });
    if (theme) {
      await this.page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: theme }]);
    }
    await this.page.evaluateOnNewDocument(record, jitter);
    if (before) {
      await this.page.evaluateOnNewDocument(before);
    }
  }

  async go(query = "", fragment = "") {
    await this.page.goto("about:blank"); // a change of the fragment alone would not load the page again
    await this.page.goto(this.site.address + query + fragment, { waitUntil: "load", timeout: patience });
  }

  async close() {
    await this.context.close();
  }

  // --- what the page and its worker said ------------------------------------------------------------------------------

  /** Waits until a function in the page returns something true; returns it. */
  async until(what, condition, ...words) {
    const end = Date.now() + patience;
    for (;;) {
      const seen = await this.page.evaluate(condition, ...words);
      if (seen) {
        return seen;
      }
      if (Date.now() > end) {
        throw new Error(`${what}: not seen in ${patience / 1000} s`);
      }
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  /** Waits until the experiment has taken more frames. */
  async frames(count) {
    const start = await this.page.evaluate(() => recorded.frames.length);
    await this.until(`${count} frames`, (least) => recorded.frames.length >= least, start + count);
  }

  /** The last message of a type from the worker. */
  last(type) {
    return this.page.evaluate((name) => recorded.last[name], type);
  }

  count(type) {
    return this.page.evaluate((name) => recorded.counts[name] ?? 0, type);
  }

  recorded(member) {
    return this.page.evaluate((name) => recorded[name], member);
  }

  /** Does something and waits for the next message of a type; returns that message. */
  async answer(type, doing) {
    const before = await this.count(type);
    await doing();
    return this.next(type, before);
  }

  next(type, before = 0) {
    return this.until(`a message "${type}"`, (name, least) =>
      (recorded.counts[name] ?? 0) > least && recorded.last[name], type, before);
  }

  /** Waits until the worker has answered all that was sent to it. */
  async settle() {
    const id = ++this.pings;
    await this.send({ type: "ping", id });
    await this.until("a pong", (n) => recorded.last.pong?.id === n, id);
  }

  /** Pauses, and returns the hash of the present state. The page asks for it, too. */
  async hash() {
    await this.send({ type: "play", on: false });
    await this.settle();
    await this.send({ type: "hash" });
    await this.settle();
    return (await this.last("reached")).hash;
  }

  /** Goes to a frame from the initial state, and returns its hash. */
  async hash_at(frame) {
    const before = await this.count("reached"); // a scene before may have reached the same frame
    await this.send({ type: "run_to", frame });
    await this.until(`frame ${frame} is reached`, ([least, n]) => recorded.counts.reached > least
      && recorded.last.reached.frame === n && recorded.last.frame?.frame === n, [before, frame]);
    return this.hash();
  }

  /** Runs lines of Lua in the world, and returns what they printed. */
  async lua(text) {
    const before = await this.page.evaluate(() => recorded.received.length);
    await this.answer("console", () => this.send({ type: "console", text }));
    return this.page.evaluate((start) => recorded.received.slice(start).filter((m) => m.type === "print")
      .map((m) => m.text).join("").trim(), before);
  }

  /** Whether the page itself answers, and soon: the longest time (ms) that it kept a timer waiting in half a second. */
  async delay() {
    return this.page.evaluate(async () => {
      let longest = 0;
      const end = performance.now() + 500;
      while (performance.now() < end) {
        const start = performance.now();
        await new Promise((resolve) => setTimeout(resolve, 5));
        longest = Math.max(longest, performance.now() - start);
      }
      return longest;
    });
  }

  /** Sends a message to the worker, as the page does. */
  send(message) {
    return this.page.evaluate((data) => recorded.worker.postMessage(data), message);
  }

  // --- what a user does -----------------------------------------------------------------------------------------------

  async key(...keys) {
    for (const key of keys.slice(0, -1)) {
      await this.page.keyboard.down(key);
    }
    await this.page.keyboard.press(keys.at(-1));
    for (const key of keys.slice(0, -1).reverse()) {
      await this.page.keyboard.up(key);
    }
  }

  /** Waits until the editor has a document. */
  async editor() {
    await this.until("the editor", () => !!recorded.in_editor('.cm-content[contenteditable="true"]'));
  }

  async focus_editor() {
    await this.editor();
    await this.page.evaluate(() => recorded.in_editor(".cm-content").focus());
  }

  /** Replaces the text in the editor, by pasting. Firefox gives a script's paste no data: there CodeMirror takes the text. */
  async write(text) {
    await this.focus_editor();
    await this.key("Control", "a");
    await this.page.evaluate((pasted) => {
      const data = new DataTransfer();
      data.setData("text/plain", pasted);
      const event = new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true });
      const content = recorded.in_editor(".cm-content");
      content.dispatchEvent(event);
      const { view } = content.cmTile;
      if (view.state.doc.toString() !== pasted) {
        view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: pasted }, userEvent: "input.paste" });
      }
    }, text);
  }

  /** The whole text in the editor, as CodeMirror has it: the document shows only the lines that are seen. */
  async written() {
    await this.editor();
    return this.page.evaluate(() => recorded.in_editor(".cm-content").cmTile.view.state.doc.toString());
  }

  /** Waits for the message over the picture and returns its text. */
  message() {
    return this.until("a message over the picture", () => {
      const box = document.querySelector("#message");
      return !box.hidden && box.innerText;
    });
  }

  async text(selector) {
    return this.page.evaluate((name) => document.querySelector(name)?.innerText ?? "", selector);
  }

  async visible(selector) {
    return this.page.evaluate((name) => !!document.querySelector(name)?.checkVisibility?.({ visibilityProperty: true }), selector);
  }

  /** What the window shows, as a PNG file, of which a copy is written to a path. */
  async screenshot(path) {
    // Beyond the window, Chromium would change the size of the page for the picture.
    return Buffer.from(await this.page.screenshot({ captureBeyondViewport: false, path }));
  }

  /** What a part of the page looks like: the number of its colours, its mean brightness (0 to 255), a hash of it. */
  async picture(selector = "#canvas") {
    const box = await this.page.$eval(selector, (element) => {
      const { left, top, width, height } = element.getBoundingClientRect();
      return [left, top, width, height].map((length) => Math.floor(length * devicePixelRatio));
    });
    const [left, top, width, height] = box;
    const { width: row, channels, bytes } = read_png(await this.screenshot());
    const colours = new Set();
    let sum = 0;
    let hash = 0;
    for (let y = top; y < top + height; y++) {
      for (let x = left; x < left + width; x++) {
        const [r, g, b] = bytes.subarray((y * row + x) * channels, (y * row + x) * channels + 3);
        const colour = (r << 16) | (g << 8) | b;
        colours.add(colour);
        sum += r + g + b;
        hash = (Math.imul(hash, 31) + colour) | 0;
      }
    }
    return { width, height, colours: colours.size, brightness: sum / (3 * width * height), hash };
  }

  async body() {
    return this.page.evaluate(() => document.body.innerText);
  }

  /** Sets an input as a user does: with the events that follow from it. */
  async set(selector, value) {
    await this.page.evaluate((name, text) => {
      const element = document.querySelector(name);
      const kind = element instanceof HTMLSelectElement ? HTMLSelectElement : HTMLInputElement;
      Object.getOwnPropertyDescriptor(kind.prototype, "value").set.call(element, text);
      element.dispatchEvent(new Event("input", { bubbles: true }));
      element.dispatchEvent(new Event("change", { bubbles: true }));
    }, selector, String(value));
  }
}
