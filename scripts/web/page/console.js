// Lua lines against the live world, and what scripts print.
import { byId, make } from "./dom.js";

const MOST_LINES = 500, MOST_HISTORY = 100;

export function startConsole(engine, storage, layout) {
  const log = byId("console-log"), input = byId("console-input");
  let history = storage.getJson("console", []).filter((line) => typeof line === "string"), at = history.length, draft = "", asked = 0, waiting = null;

  function add(text, kind) {
    const near = log.scrollHeight - log.scrollTop - log.clientHeight < 30;
    log.append(make("p", { textContent: text.replace(/\n$/, ""), className: kind }));
    while (log.childElementCount > MOST_LINES) log.firstElementChild.remove();
    if (near) log.scrollTop = log.scrollHeight;
    if (kind !== "input") layout.mark("console");
  }
  function fit() {
    input.rows = Math.min(input.value.split("\n").length, 6);
  }
  function remember(line) {
    if (history[history.length - 1] !== line) history.push(line);
    history = history.slice(-MOST_HISTORY);
    storage.setJson("console", history);
    at = history.length;
  }
  function run() {
    const text = input.value.trimEnd();
    if (!text.trim()) return;
    waiting = text;
    engine.send({ type: "console", text });
  }
  function recall(by) {
    if (at === history.length) draft = input.value;
    at = Math.min(Math.max(at + by, 0), history.length);
    input.value = at === history.length ? draft : history[at];
    fit();
    input.setSelectionRange(input.value.length, input.value.length);
  }
  engine.on("print", (message) => {
    if (waiting !== null) {
      add(waiting, "input");
      remember(waiting);
      waiting = null;
      input.value = "";
      fit();
    }
    add(String(message.text), message.kind);
  });
  engine.on("console", (message) => {
    if (message.unfinished) {
      input.value = `${waiting ?? input.value}\n`;
      waiting = null;
    } else if (waiting !== null) {
      add(waiting, "input");
      remember(waiting);
      waiting = null;
      input.value = "";
    }
    fit();
  });
  engine.on("completions", (message) => {
    if (message.id !== asked || !message.names?.length) return;
    const head = input.value.slice(0, input.selectionStart), tail = input.value.slice(input.selectionStart);
    const names = message.names, common = names.reduce((a, b) => {
      let n = 0;
      while (n < a.length && a[n] === b[n]) n++;
      return a.slice(0, n);
    });
    const kept = head.slice(0, head.length - message.length);
    if (common.length > message.length) {
      input.value = kept + common + tail;
      input.setSelectionRange(kept.length + common.length, kept.length + common.length);
    } else add(names.join("  "), "info");
  });
  input.addEventListener("input", fit);
  input.addEventListener("keydown", (event) => {
    const single = !input.value.includes("\n");
    if (event.key === "Enter" && !event.shiftKey) run();
    else if (event.key === "ArrowUp" && (single || at < history.length)) recall(-1);
    else if (event.key === "ArrowDown" && (single || at < history.length)) recall(1);
    else if (event.key === "Tab" && !event.shiftKey && input.value.trim())
      engine.send({ type: "complete", text: input.value.slice(0, input.selectionStart), id: ++asked });
    else return;
    event.preventDefault();
  });
  byId("console-clear").addEventListener("click", () => log.replaceChildren());
  return { add, focus: () => input.focus() };
}
