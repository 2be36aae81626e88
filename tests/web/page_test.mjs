// Parts of the page without a browser: completion, plots, numbers, the user's scripts, and which script runs.
//     node tests/web/page_test.mjs COMPLETIONS.json
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";

import { makeAnnotations } from "../../scripts/web/page/annotations.js";
import { makeDocuments } from "../../scripts/web/page/documents.js";
import { short, ticks } from "../../scripts/web/page/numbers.js";
import { makePlotData } from "../../scripts/web/page/plot_data.js";
import { makeSession, openMessage } from "../../scripts/web/page/session.js";

globalThis.addEventListener ??= () => undefined; // of the window

const annotations = makeAnnotations(JSON.parse(readFileSync(process.argv[2], "utf8")));
const curtain = readFileSync(new URL("../../scenes/curtain.lua", import.meta.url), "utf8");

/** The names that complete a text at the mark |. */
function names(marked) {
  const at = marked.indexOf("|"), found = annotations.complete(marked.slice(0, at) + marked.slice(at + 1), at);
  return found && found.entries.map((entry) => entry.name);
}

function includes(marked, ...wanted) {
  for (const name of wanted) assert.ok(names(marked)?.includes(name), `${marked.slice(-40)}: ${name} in ${names(marked)}`);
}

test("completion knows modules, bodies, tables and families", () => {
  includes(`${curtain}\ntide.|`, "scene", "param", "mesh");
  includes(`${curtain}\ntide.mesh.|`, "grid", "sphere");
  includes(`${curtain}\ncurtain:|`, "pin", "positions");
  assert.ok(!names(`${curtain}\ncurtain:|`).includes("name"), "a field is no method");
  includes(`${curtain}\nscene:body("x", { st|`, "stiffness", "mass");
  includes(`${curtain}\nscene:body("x", { mesh = tide.mesh.grid { co|`, "columns");
  includes(`${curtain}\nscene:collider("x", { shape = "box", si|`, "size", "friction");
  includes('local tide = require "springtide"\ntide.scene { solver = { "newton", li|', "linear");
  includes('local tide = require "springtide"\ntide.param("x", 3, { m|', "min", "max");
  includes(`${curtain}\ncurt|`, "curtain");
});

test("completion is silent in comments and strings", () => {
  assert.equal(names("-- tide.|"), null);
  assert.equal(names('local a = "tide.|"'), null);
  assert.equal(names("--[[ tide.| ]]"), null);
});

test("help tells what a name is", () => {
  assert.match(annotations.describe(curtain, curtain.indexOf("pin {") + 1).help, /^Holds vertices/);
  assert.match(annotations.describe(curtain, curtain.indexOf("mass = 1") + 1).help, /^mass of the whole body/);
  assert.equal(annotations.describe("-- mass = 1", 4), null);
});

test("completion takes hostile texts", () => {
  for (const text of ["{".repeat(5000), `${"a.".repeat(3000)}`, "constructor.", "__proto__:", "local a = a\na.", "\u0000.{("]) {
    annotations.complete(text, text.length);
    annotations.describe(text, Math.max(0, text.length - 2));
  }
});

test("numbers are short, and ticks round", () => {
  assert.deepEqual([0, 80, 1 / 3, 1e-7, 123456789, NaN, Infinity].map((n) => short(n)), ["0", "80", "0.3333", "1e-7", "1.23e8", "-", "inf"]);
  assert.deepEqual(ticks(0, 10, 5), [0, 2, 4, 6, 8, 10]);
  assert.deepEqual(ticks(1, 1, 5), []);
  assert.ok(ticks(0.13, 0.92, 4).every((t) => t >= 0.13 && t <= 0.92));
});

test("plots forget what a rewind takes back, and have a limit", () => {
  const data = makePlotData();
  const frame = (n) => ({ frame: n, time: n / 10, energy: { kinetic: n, elastic: 0, gravity: 0, total: n }, report: { iterations: 1 } });
  for (let n = 1; n <= 50; n++) data.add(frame(n));
  data.add(frame(20));
  assert.equal(data.count(), 20);
  assert.deepEqual(data.last(0.5).map((row) => row.frame), [15, 16, 17, 18, 19, 20]);
  for (let n = 21; n <= 20000; n++) data.add(frame(n));
  assert.ok(data.count() <= 4000, String(data.count()));
});

function makeStore() {
  const kept = new Map();
  return {
    get: (key) => kept.get(key) ?? null, set: (key, value) => Boolean(kept.set(key, value)), remove: (key) => kept.delete(key),
    keys: (start) => [...kept.keys()].filter((key) => key.startsWith(start)).sort(),
    getJson: (key, otherwise) => JSON.parse(kept.get(key) ?? "null") ?? otherwise, setJson: (key, value) => Boolean(kept.set(key, JSON.stringify(value))),
  };
}

test("scripts are kept apart, and an unchanged scene is not kept", async () => {
  const documents = makeDocuments(makeStore(), async (path) => `-- ${path}`);
  const scene = await documents.find("scene:a.lua");
  documents.keep({ ...scene, text: "-- mine" });
  assert.equal((await documents.find("scene:a.lua")).text, "-- mine");
  assert.equal((await documents.find("scene:a.lua")).base, "-- a.lua");
  documents.keep(scene);
  assert.equal(documents.isChanged("scene:a.lua"), false);
  const own = documents.make("Mine");
  documents.keep(own);
  assert.equal(documents.make("Mine").title, "Mine 2");
  const renamed = documents.rename(own, "Yours");
  assert.deepEqual(documents.own(), [{ id: "own:Yours", title: "Yours" }]);
  assert.equal((await documents.find(renamed.id)).text, own.text);
  await assert.rejects(documents.find("own:Mine"), /storage/);
});

/** An engine that notes what is sent. */
function makeEngine() {
  const sent = [], listeners = new Map();
  return {
    sent, send: (message) => sent.push(message), on: (type, listener) => listeners.set(type, [...(listeners.get(type) ?? []), listener]),
    tell: (message) => (listeners.get(message.type) ?? []).forEach((listener) => listener(message)),
  };
}

test("an edit runs by reconciling; after a failed opening it opens", () => {
  const engine = makeEngine(), session = makeSession(engine, makeDocuments(makeStore(), async () => ""));
  session.open({ id: "own:a", title: "a", text: "bad" });
  engine.tell({ type: "ran", id: engine.sent[0].id, ok: false });
  session.edit("good");
  session.run();
  assert.equal(engine.sent[1].type, "open");
  assert.equal(session.current, false);
  engine.tell({ type: "ran", id: engine.sent[1].id, ok: true });
  assert.equal(session.current, true);
  session.edit("better");
  session.run();
  assert.deepEqual([engine.sent[2].type, engine.sent[2].text], ["script", "better"]);
});

test("the last good script, not a bad or an unanswered one, opens again at its snapshot", () => {
  const engine = makeEngine(), session = makeSession(engine, makeDocuments(makeStore(), async () => ""));
  session.open({ id: "own:a", title: "a", text: "one" }, { parameters: { k: 2 }, frame: 9 });
  engine.tell({ type: "ran", id: engine.sent[0].id, ok: true });
  engine.tell({ type: "snapshot", world: "W" });
  session.edit("two");
  session.run();
  session.edit("three");
  session.run();
  engine.tell({ type: "ran", id: engine.sent[1].id, ok: false });
  engine.tell({ type: "started" });
  assert.equal(session.restore({ play: true, fresh: false }), true);
  const { type, script, parameters, world, frame } = engine.sent.at(-1);
  assert.deepEqual({ type, script, parameters, world, frame }, { type: "open", script: "one", parameters: { k: 2 }, world: "W", frame: undefined });
  assert.equal(session.document.text, "three");
});

test("a message that opens has no member without a value, and a link's script is untrusted", () => {
  assert.deepEqual(openMessage({ title: "a", text: "t", untrusted: true }, { frame: 0, hash: undefined }),
    { type: "open", name: "a", script: "t", untrusted: true, frame: 0 });
  assert.deepEqual(openMessage({ title: "a", text: "t", modules: { "parts.flags": "m" } }).modules, { "parts/flags.lua": "m" });
  assert.equal(openMessage({ title: "a", text: "t", path: "table1/dog.lua" }).path, "/scenes/table1/dog.lua");
});
