// Starts the browsers of Debian.
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";

const require = createRequire(join(process.env.SPRINGTIDE_WEB_MODULES ?? ".", "package.json"));
const { default: puppeteer } = require("puppeteer-core");

// Without a graphics processor, Chromium draws WebGL by SwiftShader, and puts the page together by itself: that by
// SwiftShader, too, would take seconds a picture.
const chromium_arguments = ["--enable-unsafe-swiftshader", "--disable-dev-shm-usage", "--enable-precise-memory-info"];

/** @param {"chromium" | "firefox"} name @param {string[]} [more] further arguments */
export function start_browser(name, more = []) {
  const common = { headless: true, protocolTimeout: 60000 };
  if (name === "firefox") {
    return puppeteer.launch({ ...common, browser: "firefox", executablePath: "/usr/bin/firefox-esr", args: more });
  }
  // Chromium refuses to run as root in its own sandbox of processes.
  const as_root = process.getuid() === 0 ? ["--no-sandbox"] : [];
  return puppeteer.launch({
    ...common,
    browser: "chrome",
    executablePath: "/usr/bin/chromium",
    args: [...as_root, ...chromium_arguments, ...more],
    env: { ...process.env, HOME: process.env.HOME ?? tmpdir() },
  });
}
