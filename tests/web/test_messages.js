// Messages of odd shapes to the worker change nothing and are answered by one sentence.
import { cloth } from "./scenes.js";

const odd = [
  null, undefined, 7, "text", [], {}, { type: null }, { type: {} }, { type: "no such type" }, { type: "__proto__" },
  { type: "constructor" }, { type: "script" }, { type: "script", text: 5 }, { type: "script", text: null },
  { type: "step", frames: "many" }, { type: "step", frames: NaN }, { type: "step", frames: -1 }, { type: "step", frames: 1e300 },
  { type: "seek", frame: -5 }, { type: "seek", frame: 0.5 }, { type: "seek", frame: Infinity }, { type: "seek", frame: {} },
  { type: "parameter", name: "no such", value: 1 }, { type: "parameter", name: "stiffness", value: "x" },
  { type: "parameter", name: "stiffness", value: NaN }, { type: "parameter", name: "stiffness", value: 1e308 },
  { type: "parameter", name: [], value: {} }, { type: "solver", text: "no_such_solver" }, { type: "solver", text: "newton,iterations=-1" },
  { type: "solver", name: "newton", options: { iterations: {} } }, { type: "solver", pane: 99, text: "newton" },
  { type: "view", option: "nothing", value: 1 }, { type: "timestep", seconds: -1 }, { type: "timestep", seconds: NaN },
  { type: "speed", factor: 1e9 }, { type: "speed", factor: -1 }, { type: "tool", name: "hammer" },
  { type: "pointer", kind: "down", id: 1, x: NaN, y: NaN, button: 0 }, { type: "pointer", kind: "jump", id: 1, x: 0, y: 0 },
  { type: "gesture", dx: NaN, dy: 0, zoom: 0, turn: 0 }, { type: "gesture", dx: 0, dy: 0, zoom: -1, turn: 0 },
  { type: "wheel", x: 0, y: 0, delta: Infinity }, { type: "key", key: 5, down: "yes" },
  { type: "resize", width: -1, height: 0, ratio: NaN }, { type: "resize", width: 1e9, height: 1e9, ratio: 100 },
  { type: "compare", solvers: 5 }, { type: "compare", solvers: "no,such" }, { type: "lesson", number: 99 }, { type: "lesson", number: "x" },
  { type: "open" }, { type: "open", name: "x", script: 5 }, { type: "open", name: "x", script: "return 1", path: "../../x.lua" },
  { type: "open", name: "x", script: "return 1", modules: { "../../scripts/springtide/init.lua": "x" } },
  { type: "export", format: "exe" }, { type: "renderer", name: "paint" }, { type: "camera", to: "nowhere" },
  { type: "camera", camera: { position: [NaN, 0, 0], target: [0, 0, 0], up: [0, 1, 0], field_of_view: 1 } },
  { type: "suggestion", index: 1000 }, { type: "init" },
];

/** As JSON, in which numbers that it does not have are texts: the driver would send null in their place. */
const written = (message) => JSON.stringify(message, (_, value) =>
  typeof value === "number" && !Number.isFinite(value) ? `<${value}>` : value);

export default async function (t) {
  const sandbox = await t.open();
  await sandbox.answer("good", () => sandbox.write(cloth()));
  await sandbox.hash_at(12);
  const hash = await sandbox.hash();
  let unanswered = [];
  for (const message of odd) {
    const before = await sandbox.count("error");
    await sandbox.page.evaluate((words, id) => {
      const numbers = new Map([["<NaN>", NaN], ["<Infinity>", Infinity]]);
      const read = () => JSON.parse(words, (_, value) => numbers.get(value) ?? value);
      recorded.worker.postMessage(words === undefined ? undefined : read());
      recorded.worker.postMessage({ type: "ping", id });
    }, written(message), odd.indexOf(message));
    await sandbox.until(`an answer after ${written(message)}`, (id) => recorded.last.pong?.id === id, odd.indexOf(message));
    if ((await sandbox.count("error")) === before) {
      unanswered.push(written(message));
    } else {
      const error = await sandbox.last("error");
      t.check(`${written(message)}: one line`, error.message.length > 5 && !error.message.trim().includes("\n"), error);
    }
  }
  t.tell(`not refused: ${unanswered.join(" ")}`);
  t.equal("the same worker runs", await sandbox.recorded("workers"), 1);
  t.equal("nothing of the state has changed", await sandbox.hash(), hash);
  await sandbox.send({ type: "speed", factor: 1 });
  await sandbox.send({ type: "play", on: true });
  await sandbox.frames(3);
  t.equal("no complaint", sandbox.complaints, []);
}
