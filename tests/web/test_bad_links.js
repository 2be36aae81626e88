// Links that are damaged, too large, newer or hostile: one sentence each, the page works, and nothing of them runs.
import { deflateSync } from "node:zlib";
import { read_link, write_link } from "./links.js";
import { cloth } from "./scenes.js";

const good = { springtide: 1, name: "cloth", script: cloth(), frame: 2 };
const good_link = write_link(good);
const mangled = (from, text) => good_link.slice(0, from) + text + good_link.slice(from + text.length);
const deep = `{"springtide":1,"name":"x","script":"return 1","frame":0,"camera":${"[".repeat(100000)}`;

const bad = [
  ["cut short", good_link.slice(0, -20), /damaged|corrupt/i],
  ["changed", mangled(60, "AAAAAAAA"), /damaged|corrupt/i],
  ["of another alphabet", "#!!!!%20<b>", /damaged|corrupt/i],
  ["not deflated", `#${Buffer.from("hello world").toString("base64url")}`, /damaged|corrupt/i],
  ["over a megabyte", `#${"A".repeat(1000001)}`, /1000000|1,000,000|megabyte|longer/i],
  ["a bomb", `#${deflateSync(Buffer.alloc(200e6)).toString("base64url")}`, /4000000|larger|too large/i],
  ["of a newer version", write_link({ ...good, springtide: 2, more: true }), /newer/i],
  ["with an unknown field", write_link({ ...good, evil: 1 }), /evil|unknown/i],
  ["without a script", write_link({ springtide: 1, name: "x", frame: 0 }), /script/i],
  ["with a frame that is no number", write_link({ ...good, frame: "x" }), /damaged|frame|JSON|not made by/i],
  ["with a frame too late", write_link({ ...good, frame: 1e9 }), /frame/i],
  ["with a name of HTML", write_link({ ...good, name: "<img src=x onerror=hacked=1>" }), /name/i],
  ["with a module outside", write_link({ ...good, modules: { "../../x": "return 1" } }), /module/i],
  ["with a module of the library", write_link({ ...good, modules: { "springtide.check": "return 1" } }), /module/i],
  ["with a hash that is none", write_link({ ...good, hash: "<b>0</b>" }), /hash/i],
  ["with a camera that is none", write_link({ ...good, camera: [0, 0, 0, 0, 0, 0, 0, 0, 0, 1] }), /camera/i],
  ["deeply nested", write_link(deep), /damaged|camera|JSON|not made by/i],
  ["with a field twice", write_link('{"springtide":1,"name":"a","name":"b","script":"return 1","frame":0}'), /twice|damaged|not made by/i],
  ["of JSON that is a list", write_link("[]"), /damaged|JSON|link|not made by/i],
  ["with text after its end", write_link(`${JSON.stringify(good)} {}`), /damaged|JSON|not made by/i],
];

export default async function (t) {
  t.equal("the test's own link is right", read_link(good_link), good);
  const site = await t.site();
  const sandbox = await t.open({ site });
  const mine = cloth("-- mine");
  await sandbox.answer("good", () => sandbox.write(mine));
  await sandbox.until("kept", () => Object.values({ ...localStorage }).some((value) => value.includes("-- mine")));

  for (const [name, fragment, sentence] of bad) {
    if (name === "cut short") {
      await sandbox.go("", fragment);
    } else {
      // As where an address is typed into the page's own tab.
      await sandbox.page.evaluate((text) => {
        document.querySelector("#message-close").click();
        location.hash = text;
      }, fragment);
    }
    const seen = await sandbox.message().catch((error) => error.message);
    t.contains(`${name}: is told`, seen, sentence);
    await sandbox.frames(1);
    t.equal(`${name}: the page works, with the script kept`, await sandbox.written(), mine);
    t.equal(`${name}: nothing of it is an element`, await sandbox.page.evaluate(() =>
      window.hacked === undefined && document.querySelectorAll('img[src="x"]').length === 0), true);
  }
  await sandbox.go("", good_link);
  await sandbox.next("reached");
  t.equal("a good one opens after all these", await sandbox.written(), good.script);

  // A script from a link runs under limits, and its failure is told like any other.
  for (const [name, line, sentence] of [
    ["an endless loop", "while true do end", /second|time|long|loop/i],
    ["all memory", 'local all, long = {}, ("x"):rep(1000000) for i = 1, math.huge do all[i] = long .. i end', /memory/i],
    ["a file", 'io.open("/etc/passwd")', /io/i],
  ]) {
    await sandbox.go("", write_link({ ...good, script: cloth(line) }));
    t.contains(`a link with ${name}: is told`, await sandbox.message(), sentence);
    t.check(`a link with ${name}: the page answers`, (await sandbox.delay()) < 2000);
    t.equal(`a link with ${name}: the script is shown`, await sandbox.written(), cloth(line));
  }
  await sandbox.go();
  await sandbox.frames(2);
  const stored = await sandbox.page.evaluate(() => JSON.stringify({ ...localStorage }));
  t.contains("what was written before is still in the list", stored, "-- mine");
}
