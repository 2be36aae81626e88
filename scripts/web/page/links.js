// Links in the page: copy one, save it as a file, open one. link.js has the format.
import { byId, openDialog, saveFile } from "./dom.js";
import { makeEngine } from "./engine.js";
import { decode, encode, file as makeFile, looksLikeLink } from "./link.js";
import { linkName } from "./link_content.js";
import { openMessage } from "./session.js";

const FILE_LARGEST = 1100000; // bytes of a file that is read
const PATIENCE = 60000; // ms for the hash of a link

/** Messages after which a run from the start no longer gives the present state. */
const DISTURBS = new Set([
  "parameter",
  "solver",
  "timestep",
  "script",
  "pointer",
  "key",
  "console",
  "suggestion",
  "compare",
  "reset",
]);

/**
 * @param {{engine: any, session: any, documents: any, parameters: any, solver: any, transport: any, notices: any,
 *          openDocument: (document: any, options: any) => void}} parts
 */
export function startLinks({ engine, session, documents, parameters, solver, transport, notices, openDocument }) {
  let camera = null,
    pure = true,
    busy = false;
  engine.on("camera", ({ position, target, up, field_of_view }) => {
    camera = { position, target, up, field_of_view };
  });
  engine.on("opened", () => {
    pure = true;
  });
  engine.onSend((message) => {
    if (DISTURBS.has(message.type)) pure = false;
  });

  /** The experiment as it is now, without the hash. */
  function stateNow() {
    const { document, text, options } = session.good;
    const values = { ...options.parameters, ...parameters.changed() };
    return {
      name: linkName(document.title.replace(/\.lua$/, "").replace(/.*\//, "")),
      script: text,
      modules: document.modules,
      parameters: Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)])),
      solver: solver.text(),
      timestep: (solver.chosenTimestep() ?? options.timestep) || undefined,
      seed: options.seed,
      camera,
      frame: transport.frame,
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
      off.push(
        other.on("reached", (message) => {
          if (message.frame === state.frame) finish(message.hash);
        }),
      );
      if (other === engine) return engine.send({ type: "hash" });
      off.push(
        other.on("error", () => finish(null)),
        other.on("failed", () => finish(null)),
        other.on("unsupported", () => finish(null)),
      );
      other.start();
      other.send({ type: "init", width: 16, height: 16, ratio: 1, renderer: "software", theme: "light", threads: 1 });
      const { name, script, modules, parameters: values, solver: text, timestep, seed } = state;
      other.send(
        openMessage(
          { ...session.good.document, title: name, text: script, modules },
          { parameters: values, solver: text, timestep, seed, play: false },
        ),
      );
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
      return { ...state, ...(hash ? { hash } : {}) };
    } finally {
      busy = false;
    }
  }
  const here = () => location.href.replace(/[#?].*$/, "");
  const attempt = (act) =>
    act().catch((error) =>
      notices.show({ key: "link", title: "No link was made.", text: String(error.message ?? error) }),
    );

  byId("link-copy").addEventListener("click", () =>
    attempt(async () => {
      const experiment = await make(),
        { hash } = experiment;
      const address = `${here()}#${await encode(experiment)}`;
      try {
        await navigator.clipboard.writeText(address);
        notices.toast(hash ? `link copied: ${address.length} characters` : "link copied, without a hash");
      } catch {
        byId("import-text").value = address;
        openDialog(byId("import-dialog"));
        byId("import-text").select();
      }
      document.documentElement.dataset.link = address; // for those who read the page by a program
    }),
  );
  byId("link-download").addEventListener("click", () =>
    attempt(async () => {
      const { name, text } = await makeFile(await make(), here());
      saveFile(name, text, "text/plain");
      notices.toast(`saved; open it by: springtide ${name}`);
    }),
  );

  /** Opens a link, or says why not. @param {string} text @returns {Promise<boolean>} */
  async function open(text) {
    let state;
    try {
      state = await decode(text);
    } catch (error) {
      notices.show({ key: "link", title: "The link was not opened.", text: String(error.message ?? error) });
      return false;
    }
    const {
      name,
      script,
      modules,
      parameters: values,
      solver: solverText,
      timestep,
      seed,
      camera: view,
      frame,
      hash,
    } = state;
    const made = documents.make(name, {
      text: script,
      base: script,
      untrusted: true,
      ...(Object.keys(modules ?? {}).length ? { modules } : {}),
    });
    const options = {
      parameters: values,
      solver: solverText,
      timestep,
      seed,
      camera: view,
      frame,
      hash,
      portable: true,
      play: false,
    };
    openDocument(
      made,
      Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined && value !== null)),
    );
    return true;
  }
  let linked = null; // the frame of the link whose hash was the same
  engine.on("frame", ({ frame }) => {
    if (linked === null || frame === linked) return;
    linked = null;
    notices.close("same");
  });
  engine.on("reached", ({ frame, hash, expected, same }) => {
    linked = same === true ? frame : null;
    if (same === true)
      notices.show({
        key: "same",
        kind: "good",
        title: `Same bits: ${hash}`,
        text: `Frame ${frame} has the hash of the link.`,
      });
    else if (same === false)
      notices.show({
        key: "reached",
        title: "Other bits than the link's.",
        text: `Frame ${frame} has the hash ${hash}, the link expects ${expected}.`,
      });
  });

  async function openFile(file) {
    if (file.size > FILE_LARGEST)
      return notices.show({
        key: "link",
        title: `${file.name} was not opened.`,
        text: `It has ${file.size} bytes; at most ${FILE_LARGEST} are read.`,
      });
    const text = await file.text();
    if (/\.lua$/i.test(file.name)) openDocument(documents.make(file.name.replace(/\.lua$/i, ""), { text }), {});
    else await open(text);
  }
  const dialog = byId("import-dialog"),
    box = byId("import-text"),
    chooser = byId("import-file");
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
  // A link that is pasted anywhere but into a field
  addEventListener("paste", (event) => {
    const text = event.clipboardData?.getData("text/plain") ?? "";
    if (event.target instanceof Element && event.target.closest("input, textarea, #editor")) return;
    if (looksLikeLink(text)) open(text);
  });
  return { open };
}
