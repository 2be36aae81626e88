// The same bits: states in the browser have the hashes of the program, and those of tests/golden/hashes.txt where it has them.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { cloth } from "./scenes.js";

export const browsers = ["chromium", "firefox"];

const root = fileURLToPath(new URL("../../", import.meta.url));
const scenes = ["curtain", "drape", "pendulum", "rope", "jelly", "flag"];
const solvers = ["local_global", "lbfgs", "newton", "vbd", "xpbd", "bdf2", "rk4"];

/** Lines of the table: scene, solver, frames, hash. */
function golden() {
  const lines = readFileSync(join(root, "tests/golden/hashes.txt"), "utf8").split("\n");
  return lines.map((line) => line.split(/\s+/)).filter((words) => /^[0-9a-f]{16}$/.test(words[3] ?? ""));
}

export default async function (t) {
  const program = join(process.env.SPRINGTIDE_BUILD ?? join(root, "build/release"), "springtide");
  const native = (file, frames, ...more) => execFileSync(program, ["run", file, "--headless", "--portable", "--frames", `${frames}`,
    "--hash", ...more], { encoding: "utf8", cwd: root }).trim().split("\n").at(-1);
  const sandbox = await t.open({ started: false });
  await sandbox.next("ready");
  const in_browser = async (message, frames) => {
    const before = await sandbox.page.evaluate(() => recorded.received.length);
    await sandbox.send({ type: "open", portable: true, play: false, ...message });
    await sandbox.until("it is open", (from) => recorded.received.slice(from).some((m) => m.type === "opened"), before);
    return sandbox.hash_at(frames);
  };
  const table = golden();
  for (const scene of scenes) {
    const [, , frames = "5", hash] = table.find(([name, solver]) => name === scene && solver === "own") ?? [];
    const seen = await in_browser({ name: scene, path: `/scenes/${scene}.lua`,
      script: readFileSync(join(root, "scenes", `${scene}.lua`), "utf8") }, Number(frames));
    t.equal(`${scene}, ${frames} frames`, seen, hash ?? native(`scenes/${scene}.lua`, frames));
  }
  const folder = mkdtempSync(join(tmpdir(), "golden-"));
  const file = join(folder, "cloth.lua");
  writeFileSync(file, cloth());
  for (const solver of solvers) {
    const seen = await in_browser({ name: "cloth", script: cloth(), solver }, 20);
    t.equal(`a cloth under ${solver}`, seen, native(file, 20, "--solver", solver));
  }
  rmSync(folder, { recursive: true });
}
