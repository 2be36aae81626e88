// Lua lines against the live world, and what scripts print.
import { byId, make } from "./dom.js";

const MOST_LINES = 500,
  MOST_HISTORY = 100;

export function startConsole(engine, storage, layout) {
  const log = byId("console-log"),
    input = byId("console-input");
  let history = storage.getJson("console", []).filter((line) => typeof line === "string"),
    at = history.length,
    draft = "",
    asked = 0,
    waiting = null;

  let pending = []; // of { text, kind }: a script may print a thousand lines in a frame
  let open = null; // the paragraph of a line whose end has not come yet

  function put({ text, kind }) {
    const lines = text.split("\n"),
      last = lines.pop(); // after a line end it is empty
    for (const line of lines.slice(-MOST_LINES)) {
      if (open?.className === kind) open.append(line);
      else log.append(make("p", { textContent: line, className: kind }));
      open = null;
    }
    if (last && open?.className === kind) open.append(last);
    else if (last) log.append((open = make("p", { textContent: last, className: kind })));
  }
  function flush() {
    const near = log.scrollHeight - log.scrollTop - log.clientHeight < 30;
    pending.forEach(put);
    pending = [];
    while (log.childElementCount > MOST_LINES) log.firstElementChild.remove();
    if (near) log.scrollTop = log.scrollHeight;
  }
  function add(text, kind) {
    if (!pending.length) setTimeout(flush, 16);
    pending.push({ text, kind });
    if (pending.length > 4 * MOST_LINES) pending = pending.slice(-2 * MOST_LINES);
    if (kind !== "input") layout.mark("console");
  }
  const addLine = (text, kind) => add(text.endsWith("\n") ? text : `${text}\n`, kind);

  /** Puts the line that runs into the log, before what it prints. */
  function echo() {
    if (waiting === null) return;
    addLine(waiting, "input");
    remember(waiting);
    waiting = null;
    input.value = "";
    fit();
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
  engine.on("print", ({ text, kind }) => {
    echo();
    if (kind === "output") add(String(text), kind);
    else addLine(String(text), kind);
  });
  engine.on("error", ({ file, message }) => {
    if (file !== "console") return;
    echo();
    addLine(message, "error");
  });
  engine.on("console", (message) => {
    if (message.unfinished) {
      input.value = `${waiting ?? input.value}\n`;
      waiting = null;
    } else echo();
    fit();
  });
  engine.on("completions", (message) => {
    if (message.id !== asked || !message.names?.length) return;
    const head = input.value.slice(0, input.selectionStart),
      tail = input.value.slice(input.selectionStart);
    const names = message.names,
      common = names.reduce((a, b) => {
        let n = 0;
        while (n < a.length && a[n] === b[n]) n++;
        return a.slice(0, n);
      });
    const kept = head.slice(0, head.length - message.length);
    if (common.length > message.length) {
      input.value = kept + common + tail;
      input.setSelectionRange(kept.length + common.length, kept.length + common.length);
    } else addLine(names.join("  "), "info");
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
  byId("console-clear").addEventListener("click", () => {
    log.replaceChildren();
    open = null;
  });
  return { add: addLine, focus: () => input.focus() };
}
