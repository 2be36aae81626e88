// Links in JavaScript against links in the native program: each reads what the other writes, and both refuse the same
// links in the same words.
//     node tests/web/link_test.mjs BUILD
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test from "node:test";
import { deflateSync } from "node:zlib";

import { decode, encode, file, looksLikeLink } from "../../scripts/web/page/link.js";
import { openMessage } from "../../scripts/web/page/session.js";

const program = join(process.argv[2] ?? "build/release", "springtide");
const folder = mkdtempSync(join(tmpdir(), "link-"));
process.on("exit", () => rmSync(folder, { recursive: true }));

const scene = `local tide = require "springtide"
local k = tide.param("stiffness", 50, { min = 1, max = 1000 })
-- ü € 🌊 \\ " \u0001\t
local scene = tide.scene { title = "Cloth", timestep = 1 / 60 }
scene:body("cloth", { mesh = tide.mesh.grid { columns = 5, rows = 5 }, mass = 1, stiffness = k })
return scene
`;

const pack = (content) => deflateSync(content).toString("base64url");

// What the native program makes of a link: null, or its message.
function native(link) {
  const path = join(folder, "a.springtide");
  writeFileSync(path, link);
  const { status, stderr } = spawnSync(program, ["link", "--decode", path], { encoding: "utf8" });
  return status === 0 ? null : stderr.trim().replace(`springtide: ${path}: `, "");
}

async function own(link) {
  try {
    await decode(link);
    return null;
  } catch (error) {
    assert.equal(error.constructor.name, "LinkError", error.stack);
    return error.message;
  }
}

test("a native link is read", async () => {
  const path = join(folder, "cloth-1.lua");
  writeFileSync(path, scene);
  const words = ["link", path, "--frames", "3", "--set", "stiffness=7.5", "--solver", "newton,iterations=2",
                 "--timestep", "0.01", "--seed", "12", "--base", "https://example.org/"];
  const experiment = await decode(execFileSync(program, words, { encoding: "utf8" }));
  assert.match(experiment.hash, /^[0-9a-f]{16}$/);
  const { hash, ...rest } = experiment;
  assert.deepEqual(rest, {
    name: "cloth-1", script: scene, modules: {}, parameters: { stiffness: "7.5" }, solver: "newton,iterations=2",
    timestep: 0.01, seed: 12, frame: 3,
  });
});

test("a link of the page is opened by the native program", async () => {
  const camera = { position: [1, 2, 3.5], target: [0, 0.5, 0], up: [0, 1, 0], field_of_view: 0.7 };
  const written = {
    name: "a scene.lua", script: scene, modules: { "parts.flags": "return 1\n" }, parameters: { stiffness: "80" },
    camera, frame: 4, hash: "0123456789abcdef",
  };
  const { name, text } = await file(written, "https://example.org/tide/");
  assert.equal(name, "a-scene-lua.springtide");
  writeFileSync(join(folder, name), text);
  const run = spawnSync(program, ["run", join(folder, name), "--headless", "--hash"], { encoding: "utf8" });
  assert.equal(run.status, 1);
  assert.match(run.stdout, /^link: the state at frame 4 differs/);
  const hash = run.stdout.trim().split("\n").pop();
  writeFileSync(join(folder, name), (await file({ ...written, hash })).text);
  const again = execFileSync(program, ["run", join(folder, name), "--headless"], { encoding: "utf8" });
  assert.equal(again, `link: the same bits at frame 4: ${hash}\n`);
  const shown = execFileSync(program, ["link", "--decode", text.trim()], { encoding: "utf8" });
  assert.match(shown, /-- camera: at 1, 2, 3.5 m, looks at 0, 0.5, 0 m, field of view 0.7 rad/);
  assert.match(shown, /-- module: parts.flags\n--   return 1\n/);
  const read = await decode(text);
  assert.deepEqual(read.camera, camera);
  assert.equal(openMessage({ title: "a", text: scene, modules: read.modules }).modules["parts/flags.lua"], "return 1\n");
});

test("what looks like a link", async () => {
  assert(looksLikeLink(`#${await encode({ name: "a", script: "return 1", frame: 0 })}`));
  assert(!looksLikeLink("#lesson=3"));
  assert(!looksLikeLink("local tide = require \"springtide\" # everything else is Lua"));
});

const head = '{"springtide":1,"name":"a","script":"return 1"';
const contents = [
  "", "[]", "{}", "null", "1", '{"name":"a","springtide":1}', '{"springtide":0}', '{"springtide":2,"new":true}',
  '{"springtide":1.5}', '{"springtide":"1"}', `${head}}`, `${head},"frame":1}`, ` ${head} , "frame" : 1e2 } `,
  `${head},"frame":1}x`, `${head},"frame":1,}`, `${head},"frame":01}`, `${head},"frame":+1}`, `${head},"frame":.5}`,
  `${head},"frame":1.}`, `${head},"frame":"1"}`, `${head},"frame":-1}`, `${head},"frame":1e999}`,
  `${head},"frame":1000001}`, `${head},"frame":0.5}`, `${head},"frame":1,"extra":1}`, `${head},"frame":null}`,
  `${head},"frame":1,"__proto__":{}}`, `${head},"frame":1,"toString":1}`,
  `${head},"frame":1,"hash":"0123456789ABCDEF"}`, `${head},"frame":1,"hash":"123"}`, `${head},"frame":1,"hash":1}`,
  `${head},"frame":1,"timestep":0}`, `${head},"frame":1,"timestep":-1e999}`, `${head},"frame":1,"timestep":1e-3}`,
  `${head},"frame":1,"seed":9007199254740993}`, `${head},"frame":1,"seed":-0}`, `${head},"frame":1,"solver":""}`,
  `${head},"frame":1,"solver":"a\\u001bb"}`, `${head},"frame":1,"solver":"a\\u0085b"}`,
  `${head},"frame":1,"solver":"a\\n\\tb\\rc"}`,
  `${head},"frame":1,"solver":"${"x".repeat(4097)}"}`, `${head},"frame":1,"solver":"${"x".repeat(4096)}"}`,
  `${head},"frame":1,"modules":{"../a":""}}`, `${head},"frame":1,"modules":{"springtide":""}}`,
  `${head},"frame":1,"modules":{"springtide.wind":""}}`, `${head},"frame":1,"modules":{"springtides":""}}`,
  `${head},"frame":1,"modules":{"a..b":""}}`, `${head},"frame":1,"modules":{"a.":""}}`,
  `${head},"frame":1,"modules":{"":""}}`, `${head},"frame":1,"modules":{}}`, `${head},"frame":1,"modules":[]}`,
  `${head},"frame":1,"modules":{"a":1}}`, `${head},"frame":1,"parameters":{"k":5}}`,
  `${head},"frame":1,"parameters":{"k":{"k":{}}}}`, `${head},"frame":1,"parameters":{"k":""}}`,
  `${head},"frame":1,"parameters":{"":"1"}}`, `${head},"frame":1,"parameters":{"__proto__":"1"}}`,
  `${head},"frame":1,"parameters":{${[...Array(64).keys()].map((i) => `"p${i}":"1"`)}}}`,
  `${head},"frame":1,"parameters":{${[...Array(65).keys()].map((i) => `"p${i}":"1"`)}}}`,
  `${head},"frame":1,"camera":[1,2,3,4,5,6,0,1,0,0.7]}`, `${head},"frame":1,"camera":[1,2,3,1,2,3,0,1,0,0.7]}`,
  `${head},"frame":1,"camera":[1,2,3,4,5,6,0,0,0,0.7]}`, `${head},"frame":1,"camera":[1,2,3,4,5,6,0,1,0]}`,
  `${head},"frame":1,"camera":[1,2,3,4,5,6,0,1,0,0.7,1]}`, `${head},"frame":1,"camera":[1,2,3,4,5,6,0,1,0,9]}`,
  `${head},"frame":1,"camera":[1e10,2,3,4,5,6,0,1,0,1]}`, `${head},"frame":1,"camera":["1",2,3,4,5,6,0,1,0,1]}`,
  `${head},"frame":1,"camera":{}}`, '{"springtide":1,"name":"../a"}', '{"springtide":1,"name":""}',
  `{"springtide":1,"name":"${"n".repeat(65)}"}`, '{"springtide":1,"name":"a","script":""}',
  '{"springtide":1,"name":"a","script":"\\u0000"}', '{"springtide":1,"name":"a","script":"\\ud800"}',
  '{"springtide":1,"name":"a","script":"\\ud800\\u0041"}', '{"springtide":1,"name":"a","script":"\\x41"}',
  '{"springtide":1,"name":"a","script":"a\nb"}', '{"springtide":1,"name":"a","script":"a\\',
  '{"springtide":1,"name":"a","script":"\\ud83c\\udf0a\u007f\u0085","frame":0}', `\ufeff${head},"frame":1}`,
  Buffer.from(`{"springtide":1,"name":"a","script":"\xff"}`, "latin1"),
  Buffer.from(`{"springtide":1,"name":"a","script":"\xc0\x80"}`, "latin1"),
  Buffer.from(`{"springtide":1,"name":"a","script":"\xed\xa0\x80"}`, "latin1"),
  "[".repeat(1000000), Buffer.alloc(5000000),
];

test("both refuse the same contents, in the same words", async () => {
  for (const content of contents) {
    const link = pack(content);
    assert.equal(await own(link), native(link), String(content).slice(0, 200));
  }
});

test("a name that is given twice is refused", async () => {
  for (const twice of [`${head},"frame":1,"frame":1}`, `${head},"frame":1,"modules":{"a":"","a":""}}`]) {
    assert.match(await own(pack(twice)), /given twice/);
    assert.match(native(pack(twice)), /given twice/);
  }
});

test("both refuse the same damaged links", async () => {
  const link = pack(`${head},"frame":1}`);
  const damaged = [
    "", "#", "e", `${link}A`, `${link}AAAA`, link.slice(0, -1), link.slice(0, -6), link.slice(4), `${link}=`,
    link.replace("e", "%65"), `${link.slice(0, 9)} ${link.slice(9)}`, `${link}ü`, "A".repeat(1000001),
    pack(`${head},"frame":1}`).replace(/.$/, "_"), `#${link}#${link}`, `x#${link}`, ` ${link}\n`,
  ];
  for (const text of damaged) assert.equal(await own(text), native(text), text.slice(0, 100));
  for (let at = 2; at < link.length - 2; at++) { // one character changed
    const text = link.slice(0, at) + (link[at] === "A" ? "B" : "A") + link.slice(at + 1);
    const result = await own(text);
    assert(result === null || result.startsWith("link: "), text);
  }
});

test("what no link may hold is not written", async () => {
  const large = { name: "a", frame: 0 };
  await assert.rejects(encode({ ...large, script: "x".repeat(4000000) }), /larger than 4000000 bytes/);
  const noise = randomBytes(800000).toString("base64");
  await assert.rejects(encode({ ...large, script: noise }), /longer than 1000000 characters/);
  await assert.rejects(encode({ ...large, script: "" }), /expected the text of a scene/);
  await assert.rejects(encode({ ...large, script: "x", frame: -1 }), /expected a whole number/);
});
