// Links in the page: copy one, save it as a file, open one. link.js has the format.
import { byId, openDialog, saveFile } from "./dom.js";
import { makeEngine } from "./engine.js";

const FILE_LARGEST = 1100000; // bytes of a file that is read
const PATIENCE = 60000; // ms for the hash of a link

/** Messages after which a run from the start no longer gives the present state. */
const DISTURBS = new Set(["parameter", "solver", "timestep", "script", "pointer", "key", "console", "suggestion", "compare", "reset"]);

/**
 * @param {{codec: {encode: (state: any) => Promise<string>, decode: (text: string) => Promise<any>}, engine: any, session: any, documents: any,
 *          parameters: any, solver: any, transport: any, notices: any, layout: any, openDocument: (document: any, options: any) => void}} parts
 */
export function startLinks({ codec, engine, session, documents, parameters, solver, transport, notices, openDocument }) {
  let camera = null, pure = true, busy = false;
  engine.on("camera", ({ position, target, up, field_of_view }) => { camera = { position, target, up, field_of_view }; });
  engine.on("opened", () => { pure = true; });
  engine.onSend((message) => {
    if (DISTURBS.has(message.type)) pure = false;
  });

  /** The experiment as it is now, without the hash. */
  function stateNow() {
    const { document, text, options } = session.good;
    return {
      name: document.title.replace(/\.lua$/, "").replace(/.*\//, "").replace(/[^A-Za-z0-9_-]+/g, "_").slice(0, 60) || "scene",
      script: text, modules: document.modules, parameters: parameters.changed(), solver: solver.text(),
      timestep: solver.ownTimestep() ? undefined : solver.timestep(), seed: options.seed, camera, frame: transport.frame,
    };
  }

  /** The hash of a state, from a run in a worker of its own where the present one was changed on its way. */
  function hashOf(state) {
    return new Promise((resolve) => {
      const other = pure && !transport.playing ? engine : makeEngine();
      const timer = setTimeout(() => finish(null), PATIENCE);
      const off = [];
      function finish(hash) {
        clearTimeout(timer);
        off.forEach((remove) => remove());
        if (other !== engine) other.stop();
        resolve(hash);
      }
      off.push(other.on("reached", (message) => { if (message.frame === state.frame) finish(message.hash); }));
      if (other === engine) return engine.send({ type: "hash" });
      off.push(other.on("error", () => finish(null)), other.on("failed", () => finish(null)), other.on("unsupported", () => finish(null)));
      other.start();
      other.send({ type: "init", width: 16, height: 16, ratio: 1, renderer: "software", theme: "light", threads: 1 });
      const { name, script, modules, parameters: values, solver: text, timestep, seed } = state;
      const { path, untrusted } = session.good.document;
      const message = { name, script, path, modules, parameters: values, solver: text, timestep, seed, untrusted: untrusted || undefined, play: false };
      other.send({ type: "open", ...Object.fromEntries(Object.entries(message).filter(([, value]) => value !== undefined)) });
      other.send({ type: "run_to", frame: state.frame });
    });
  }
  async function make() {
    if (!session.good) throw new Error("Open a scene that runs first.");
    if (busy) throw new Error("A link is being made already.");
    busy = true;
    try {
      if (transport.playing) transport.play(false);
      const state = stateNow();
      const slow = setTimeout(() => notices.toast(`computing the hash of frame ${state.frame}`), 400);
      const hash = await hashOf(state);
      clearTimeout(slow);
      return { state, hash, fragment: await codec.encode({ ...state, ...(hash ? { hash } : {}) }) };
    } finally {
      busy = false;
    }
  }
  const attempt = (act) => act().catch((error) => notices.show({ key: "link", title: "No link was made.", text: String(error.message ?? error) }));

  byId("link-copy").addEventListener("click", () => attempt(async () => {
    const { hash, fragment } = await make();
    const address = `${location.href.replace(/[#?].*$/, "")}#${fragment}`;
    try {
      await navigator.clipboard.writeText(address);
      notices.toast(hash ? `link copied: ${address.length} characters` : "link copied, without a hash");
    } catch {
      byId("import-text").value = address;
      openDialog(byId("import-dialog"));
      byId("import-text").select();
    }
    document.documentElement.dataset.link = address; // for those who read the page by a program
  }));
  byId("link-download").addEventListener("click", () => attempt(async () => {
    const { state, fragment } = await make();
    saveFile(`${state.name}.springtide`, `${location.href.replace(/[#?].*$/, "")}#${fragment}\n`, "text/plain");
    notices.toast(`saved; run it by: springtide ${state.name}.springtide`);
  }));

  /** Opens a link, or says why not. @param {string} text @returns {Promise<boolean>} */
  async function open(text) {
    let state;
    try {
      state = await codec.decode(text.trim());
      if (state?.error) throw new Error(state.error);
    } catch (error) {
      notices.show({ key: "link", title: "The link was not opened.", text: String(error.message ?? error) });
      return false;
    }
    const { name, script, modules, parameters: values, solver: solverText, timestep, seed, camera: view, frame, hash } = state;
    const made = documents.make(name || "Link", { text: script, base: script, untrusted: true, modules });
    const options = { parameters: values, solver: solverText, timestep, seed, camera: view, frame, hash, portable: true };
    openDocument(made, Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined && value !== null)));
    return true;
  }
  engine.on("reached", ({ frame, hash, expected, same }) => {
    if (same === true) notices.show({ key: "reached", kind: "good", title: `Same bits: ${hash}`, text: `Frame ${frame} has the hash of the link.` });
    else if (same === false)
      notices.show({ key: "reached", title: "Other bits than the link's.", text: `Frame ${frame} has the hash ${hash}, the link expects ${expected}.` });
  });

  async function openFile(file) {
    if (file.size > FILE_LARGEST) return notices.show({ key: "link", title: `${file.name} was not opened.`, text: `It has ${file.size} bytes; at most ${FILE_LARGEST} are read.` });
    const text = await file.text();
    if (/\.lua$/i.test(file.name)) openDocument(documents.make(file.name.replace(/\.lua$/i, ""), { text }), {});
    else await open(text);
  }
  const dialog = byId("import-dialog"), box = byId("import-text"), chooser = byId("import-file");
  byId("import-open").addEventListener("click", () => openDialog(dialog));
  byId("import-close").addEventListener("click", () => dialog.close());
  byId("import-text-open").addEventListener("click", async () => {
    dialog.close();
    if (box.value.trim()) await open(box.value);
    box.value = "";
  });
  chooser.addEventListener("change", async () => {
    dialog.close();
    const [file] = chooser.files ?? [];
    chooser.value = "";
    if (file) await openFile(file);
  });
  addEventListener("dragover", (event) => event.preventDefault());
  addEventListener("drop", async (event) => {
    const [file] = event.dataTransfer?.files ?? [];
    event.preventDefault();
    if (file) await openFile(file);
  });
  return { open };
}
