// What is open: the document in the editor, and the script that the engine runs. They differ while a script has an
// error, and after the engine was started again.

const PAUSE = 300; // ms without typing, after which the script runs again

/** @typedef {import("./documents.js").Document} Document */

/**
 * The message that opens a document as a new experiment.
 * @param {Document} document @param {any} options members of the message
 */
export function openMessage({ title, text, path, modules, untrusted }, options = {}) {
  const files =
    modules &&
    Object.fromEntries(Object.entries(modules).map(([name, content]) => [`${name.replaceAll(".", "/")}.lua`, content]));
  // An untrusted scene reads no file beside its own. Here the only files are those of the page and of the link.
  const message = {
    type: "open",
    name: title,
    script: text,
    path: path && `/scenes/${path}`,
    modules: files,
    untrusted: (untrusted && !files) || undefined,
    ...options,
  };
  return Object.fromEntries(Object.entries(message).filter(([, value]) => value !== undefined && value !== null));
}

/** @param {any} engine @param {any} documents */
export function makeSession(engine, documents) {
  /** @type {Document | null} */
  let document = null;
  let running = ""; // id of the document that the engine runs
  let timer = 0,
    unsaved = false;
  let sent = [],
    count = 0; // scripts that the engine has not answered yet: { id, kind, document, text, options }
  /** @type {{document: Document, text: string, options: any} | null} */
  let good = null; // the last that ran
  let world = null; // its last snapshot
  const listeners = { change: [], ran: [] };
  const tell = (what) => listeners[what].forEach((listener) => listener());

  function save() {
    if (!unsaved || !document) return;
    unsaved = false;
    documents.keep(document);
    tell("change");
  }
  function sendOpen(of, text, options) {
    sent.push({ id: ++count, kind: "open", document: of, text, options });
    engine.send({ ...openMessage({ ...of, text }, options), id: count });
  }
  function run() {
    clearTimeout(timer);
    timer = 0;
    save();
    if (!document) return;
    if (running === document.id) {
      sent.push({ id: ++count, kind: "script", document, text: document.text, options: good?.options ?? {} });
      engine.send({ type: "script", text: document.text, id: count });
    } else sendOpen(document, document.text, {});
  }
  engine.on("ran", ({ id, ok }) => {
    const item = sent.find((one) => one.id === id);
    sent = sent.filter((one) => one.id > id);
    if (item && ok) {
      running = item.document.id;
      good = { document: item.document, text: item.text, options: lasting(item.options) };
      if (item.kind === "open" && !item.options.world) world = null;
    }
    tell("ran");
  });
  // What a restart needs again: not the place to go to
  const lasting = ({ parameters, solver, timestep, seed, portable }) =>
    JSON.parse(JSON.stringify({ parameters, solver, timestep, seed, portable }));

  engine.on("snapshot", (message) => {
    if (typeof message.world === "string") world = message.world;
  });
  engine.on("started", () => {
    sent = [];
  });
  addEventListener("pagehide", save);

  return {
    get document() {
      return document;
    },
    /** Whether the engine runs what the editor shows. */
    get current() {
      return document !== null && running === document.id && good?.text === document.text;
    },
    get good() {
      return good;
    },
    /** Whether an answer of the engine is awaited. */
    get waiting() {
      return sent.length > 0;
    },
    on: (what, listener) => listeners[what].push(listener),
    /** Opens a document as a new experiment. @param {Document} opened @param {any} [options] members of the message */
    open(opened, options = {}) {
      save();
      clearTimeout(timer);
      document = { ...opened };
      running = "";
      tell("change");
      sendOpen(document, document.text, options);
    },
    /** Takes the text of the editor. @param {string} text */
    edit(text) {
      if (!document || document.text === text) return;
      document.text = text;
      unsaved = true;
      clearTimeout(timer);
      timer = setTimeout(run, PAUSE);
      tell("change");
    },
    run,
    save,
    /** Takes another title or id of the same document. @param {Document} renamed */
    rename(renamed) {
      if (running === document?.id) running = renamed.id;
      document = renamed;
      tell("change");
    },
    /**
     * Opens the last good script at its last snapshot, in a new worker.
     * @param {{play: boolean, fresh: boolean}} how fresh: without the snapshot
     */
    restore({ play, fresh }) {
      running = "";
      if (!good) return false;
      sendOpen(good.document, good.text, { ...good.options, play, ...(world && !fresh ? { world } : {}) });
      if (fresh) world = null;
      return true;
    },
  };
}
