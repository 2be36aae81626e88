// The worker in which the engine runs. scripts/web/README.md specifies the messages.
import { Canvas } from "./canvas.js";
import { loadEngine } from "./engine.js";
import { handlers } from "./handlers.js";
import { Loop } from "./loop.js";
import { BadMessage, count, flag, number, text } from "./members.js";
import { missing } from "./support.js";

const post = (message, transfer = []) => self.postMessage(message, transfer);
const base = self.location.href;

/** The parts, once the engine is loaded. */
let parts = null;
const waiting = [];

function tellBad(error, where = "message") {
  const message = error instanceof Error ? error.message : String(error);
  post({ type: "error", where, file: "", line: 0, message, traceback: "", suggestions: [], exploded: false });
}

/** The engine is gone after a trap: the page starts another worker. */
function die(error) {
  const memory = error instanceof RangeError || /memory/i.test(error?.message ?? "");
  tellBad(
    memory ? "the engine has no more memory; use a smaller mesh" : `the engine stopped: ${error?.message ?? error}`,
    "engine",
  );
  self.onmessage = null;
  setTimeout(() => self.close(), 0); // its messages go out first
}

function handle(message) {
  const handler = Object.hasOwn(handlers, message.type) ? handlers[message.type] : null;
  try {
    if (!handler) throw new BadMessage(`message "${String(message.type).slice(0, 40)}": there is no such message`);
    handler(message, parts);
    parts.engine.flush();
    parts.loop.wake();
  } catch (error) {
    if (error instanceof BadMessage) tellBad(error);
    else die(error);
  }
}

// Firefox 153 hung in 5 of 25 starts in which the worker started four others, and in none of 25 with one.
const MOST_THREADS = /\bFirefox\//.test(self.navigator.userAgent) ? 2 : 8;

async function begin(message) {
  const lack = missing();
  if (lack) return post({ type: "unsupported", message: lack });
  const width = number(message, "width", 800),
    height = number(message, "height", 450),
    ratio = number(message, "ratio", 1);
  const wanted = text(message, "renderer", "automatic");
  const isolated = self.crossOriginIsolated === true && flag(message, "isolated", true);
  const own = Math.min(self.navigator.hardwareConcurrency || 1, MOST_THREADS);
  const threads = isolated ? count(message, "threads", 0, 0, 64) || own : 1;
  const engine = await loadEngine({ base, threads, post });
  const canvas = new Canvas(engine, message.canvas ?? null, ratio);
  const loop = new Loop(engine, canvas, post);
  canvas.onLost = () => loop.wake();
  parts = { engine, canvas, loop, post };
  engine.call("begin", width * ratio, height * ratio, ratio);
  engine.call("threads", threads);
  canvas.choose(wanted);
  const messages = engine.take(),
    { name, why } = messages.find(({ type }) => type === "renderer");
  post({ ...messages[0], threads: engine.call("thread_count"), renderer: name, why });
  for (const later of waiting.splice(0)) handle(later);
}

let begun = false;
self.onmessage = ({ data }) => {
  if (typeof data !== "object" || data === null) return tellBad("a message is an object with a type");
  if (parts) return handle(data);
  if (begun || data.type !== "init") return waiting.push(data);
  begun = true;
  begin(data).catch((error) => {
    tellBad(
      error instanceof BadMessage ? error : `the engine could not be loaded: ${error.message}; reload the page`,
      "engine",
    );
  });
};
post({ type: "begun" });
