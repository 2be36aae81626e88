// What each message of the page does.
import { BadMessage, count, flag, modifiers, number, pairs, ranged, text, word } from "./members.js";
import { isScriptPath, writeFile } from "./files.js";

const PORTABLE = 1,
  UNTRUSTED = 2; // flags of tide_web_open
const TOOLS = ["look", "drag", "pin", "cut", "push"];
const LARGEST = 16384; // pixels of a side of the picture
let path = "/work/scene.lua"; // of the script that is open

/** @typedef {{engine: import("./engine.js").Engine, canvas: import("./canvas.js").Canvas,
 *   loop: import("./loop.js").Loop, post: (message: object, transfer?: Transferable[]) => void}} Parts */

function scriptPath(message) {
  const given = text(message, "path", "/work/scene.lua"),
    absolute = given.startsWith("/") ? given : `/${given}`;
  if (!isScriptPath(absolute)) throw new BadMessage('message "open": path: expected a .lua file in /scenes or /work');
  return absolute;
}

function writeModules(FS, message, folder) {
  for (const [name, content] of pairs(message, "modules")) {
    const file = `${folder}/${name}`;
    if (!isScriptPath(file))
      throw new BadMessage(`message "open": modules: "${name}" is not a Lua file beside the script`);
    writeFile(FS, file, content);
  }
}

/** "NAME,key=value,..." of a message. */
function solverText(message) {
  if (message.text !== undefined) return text(message, "text");
  const options = pairs(message, "options")
    .map(([key, value]) => `,${key}=${value}`)
    .join("");
  return text(message, "name", "") + options;
}

/** The ten numbers of a camera. */
function cameraText(camera) {
  const numbers = [camera?.position, camera?.target, camera?.up, camera?.field_of_view].flat();
  if (numbers.length !== 10 || !numbers.every(Number.isFinite))
    throw new BadMessage(
      "camera: expected position, target and up, of three numbers each, and field_of_view, a number",
    );
  return numbers.join(" ");
}

/** Answers a script with its id, after what else it has caused. */
function tellRan(message, ok, engine, post) {
  engine.flush();
  if (message.id !== undefined) post({ type: "ran", id: number(message, "id"), ok });
}

/** @type {Record<string, (message: any, parts: Parts) => void>} */
export const handlers = {
  open(message, { engine, loop, post }) {
    // All members are read before anything changes
    const file = scriptPath(message),
      script = message.script === undefined ? null : text(message, "script");
    const settings = pairs(message, "parameters"),
      solver = text(message, "solver", "");
    const timestep = number(message, "timestep", 0),
      seed = number(message, "seed", 0),
      frame = count(message, "frame", 0);
    const flags =
      (flag(message, "portable", true) ? PORTABLE : 0) | (flag(message, "untrusted", false) ? UNTRUSTED : 0);
    const world = message.world === undefined ? null : text(message, "world"),
      hash = text(message, "hash", "");
    const camera = message.camera ? cameraText(message.camera) : "",
      play = flag(message, "play", world === null);
    const name = text(message, "name", "");
    if (script === null && !engine.FS.analyzePath(file).exists)
      throw new BadMessage(`message "open": there is no ${file}`);
    writeModules(engine.FS, message, file.slice(0, file.lastIndexOf("/")));
    if (script !== null) writeFile(engine.FS, file, script);
    for (const [key, value] of settings) engine.call("set", key, value);
    engine.extra.opened = { name };
    const opened = engine.call("open", file, solver, timestep, seed, flags);
    tellRan(message, opened === 1, engine, post);
    if (!opened) return;
    path = file;
    loop.begin();
    if (world !== null) engine.call("restore", world);
    if (camera) engine.call("camera", camera);
    engine.call("play", play && frame === 0 ? 1 : 0);
    if (frame > 0 || message.hash !== undefined) loop.runTo(frame, hash);
  },
  script(message, { engine, post }) {
    engine.FS.writeFile(path, text(message, "text"));
    tellRan(message, engine.call("reload") === 1, engine, post);
  },
  play: (message, { engine }) => engine.call("play", flag(message, "on") ? 1 : 0),
  speed: (message, { engine }) => engine.call("speed", ranged(message, "factor", 0.001, 4)),
  step(message, { engine, loop }) {
    const frames = count(message, "frames", 1, 1, 1e6);
    if (frames === 1 && !loop.run) return engine.call("step", 1, 0);
    loop.runTo((loop.run?.frame ?? engine.call("frame")) + frames, ""); // steps that are still to come are taken, too
  },
  reset: (_, { engine }) => engine.call("reset"),
  seek: (message, { engine }) => engine.call("seek", count(message, "frame")),
  parameter: (message, { engine }) =>
    engine.call("parameter", text(message, "name"), String(message.value ?? "").replaceAll("\0", "")),
  solver: (message, { engine }) => engine.call("solver", count(message, "pane", 0), solverText(message)),
  timestep: (message, { engine }) => engine.call("timestep", number(message, "seconds")),
  view: (message, { engine }) =>
    engine.call("view", text(message, "option"), String(message.value).replaceAll("\0", "")),
  tool(message, { engine }) {
    const name = message.name === undefined ? "" : word(message, "name", TOOLS);
    engine.call("tool", name, ranged(message, "stiffness", 0, 1e6, 0));
  },
  pointer(message, { engine, canvas }) {
    const { ratio } = canvas;
    engine.call(
      "pointer",
      word(message, "kind", ["down", "move", "up", "cancel"]),
      ratio * number(message, "x"),
      ratio * number(message, "y"),
      number(message, "button", 0),
      modifiers(message),
    );
  },
  wheel: (message, { engine }) => engine.call("wheel", number(message, "delta")),
  gesture(message, { engine, canvas }) {
    const { ratio } = canvas;
    engine.call(
      "gesture",
      ratio * number(message, "dx", 0),
      ratio * number(message, "dy", 0),
      ranged(message, "zoom", 0.001, 1000, 1),
      number(message, "turn", 0),
      modifiers(message),
    );
  },
  key(message, { engine }) {
    if (flag(message, "down", true)) engine.call("key", keyName(text(message, "key")));
  },
  camera(message, { engine }) {
    if (message.to !== undefined) engine.call("camera_to", word(message, "to", ["fit", "scene"]));
    else engine.call("camera", cameraText(message.camera));
  },
  resize(message, { engine, canvas }) {
    const ratio = ranged(message, "ratio", 0.1, 16, 1),
      width = ranged(message, "width", 0, LARGEST / ratio),
      height = ranged(message, "height", 0, LARGEST / ratio);
    canvas.ratio = ratio;
    engine.call("resize", width * ratio, height * ratio, ratio);
    canvas.resize(Math.round(width * ratio), Math.round(height * ratio));
  },
  theme() {}, // the picture keeps the scene's own background
  console: (message, { engine }) => engine.call("console", text(message, "text")),
  complete: (message, { engine }) => engine.call("complete", text(message, "text"), number(message, "id", 0)),
  compare(message, { engine }) {
    if (flag(message, "off", false)) engine.call("end_comparing", number(message, "pane", 0));
    else
      engine.call("compare", text(message, "solvers", ""), text(message, "vary", ""), text(message, "timesteps", ""));
  },
  suggestion: (message, { engine }) => engine.call("suggestion", number(message, "index")),
  dismiss: (_, { engine }) => engine.call("dismiss"),
  run_to(message, { engine, loop }) {
    const frame = count(message, "frame");
    engine.call("reset");
    loop.runTo(frame, text(message, "hash", ""));
  },
  hash: (message, { engine }) => engine.call("hash", text(message, "expected", "")),
  save: (_, { loop }) => loop.save(),
  export(message, { engine, post }) {
    const format = text(message, "format");
    const mime = {
      png: "image/png",
      obj: "text/plain",
      ply: "application/octet-stream",
      vtk: "text/plain",
      mesh: "text/plain",
      world: "text/plain",
    }[format];
    if (!mime) throw new BadMessage(`message "export": format: there is no "${format.slice(0, 20)}"`);
    const file = `/work/export.${format}`;
    if (engine.call("export", file) !== 1) return;
    const bytes = engine.FS.readFile(file);
    engine.FS.unlink(file);
    post(
      {
        type: "exported",
        name: `${path
          .split("/")
          .pop()
          .replace(/\.lua$/, "")}.${format}`,
        bytes,
        mime,
      },
      [bytes.buffer],
    );
  },
  renderer: (message, { canvas }) => canvas.choose(word(message, "name", ["software", "webgl"])),
  lesson(message, { engine }) {
    if (engine.has("lesson")) engine.call("lesson", count(message, "number"));
  },
  mark(message, { engine }) {
    engine.FS.writeFile("/work/exercise.lua", text(message, "text"));
    if (engine.has("mark"))
      engine.call("mark", number(message, "number"), "/work/exercise.lua", number(message, "seed", 0));
  },
  ping: (message, { post }) => post({ type: "pong", id: message.id }),
};

/** The name that a scene gets for a key of the browser: as in the window, in lower case. */
function keyName(key) {
  const names = {
    " ": "space",
    Enter: "return",
    ArrowLeft: "left",
    ArrowRight: "right",
    ArrowUp: "up",
    ArrowDown: "down",
  };
  return (names[key] ?? key).toLowerCase().slice(0, 40);
}
