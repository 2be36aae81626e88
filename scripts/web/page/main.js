// Puts the page together: the parts, what opens first, and what is said when something goes wrong.
import { startCanvas } from "./canvas.js";
import { startCompare } from "./compare.js";
import { startConsole } from "./console.js";
import { byId, saveFile } from "./dom.js";
import { makeDocuments } from "./documents.js";
import { makeEditor } from "./editor.js";
import { makeEditorHelp } from "./editor_help.js";
import { makeEngine } from "./engine.js";
import { startFailures } from "./failures.js";
import { startKeys } from "./keys.js";
import { startLayout } from "./layout.js";
import { startLessons } from "./lessons.js";
import { startLinks } from "./links.js";
import { makeNotices } from "./notices.js";
import { startOffline } from "./offline.js";
import { startParameters } from "./parameters.js";
import { startPlots } from "./plots.js";
import { askName, startScenes } from "./scenes.js";
import { makeSession } from "./session.js";
import { startSolver } from "./solver.js";
import { startStatistics } from "./statistics.js";
import { openStorage } from "./storage.js";
import { startTheme } from "./theme.js";
import { startTools } from "./tools.js";
import { startTransport } from "./transport.js";
import { startView } from "./view.js";

const FIRST_SCENE = "curtain.lua";

async function fetchText(path) {
  const answer = await fetch(path);
  if (!answer.ok) throw new Error(`${path} was not fetched: ${answer.status} ${answer.statusText}`.trim());
  return answer.text();
}

const notices = makeNotices();
const storage = openStorage((sentence) => notices.show({ key: "storage", kind: "warn", title: sentence }));
const engine = makeEngine();
const documents = makeDocuments(storage, (path) => fetchText(`scenes/${path}`));
const session = makeSession(engine, documents);
const help = makeEditorHelp("completions.json");
let scenes = [],
  plots = null;

const theme = startTheme(storage, (name) => {
  engine.send({ type: "theme", name });
  plots?.refresh();
});
const editor = makeEditor(byId("editor"), { onEdit: session.edit, onRun: session.run, onSave: saveScript, help });
const layout = startLayout(storage, () => {
  plots?.refresh();
  editor.measure();
});
plots = startPlots(engine, () => layout.isShown("plots"));
const canvas = startCanvas(engine);
const parameters = startParameters(engine);
const solver = startSolver(engine);
const view = startView(engine);
startStatistics(engine);
const transport = startTransport(engine, notices);
const tools = startTools(engine, notices);
const gameConsole = startConsole(engine, storage, layout);
const compare = startCompare(engine, { solver, parameters });
const failures = startFailures({ engine, session, editor, notices, layout, canvas, theme, view, transport, tools });
startKeys({
  engine,
  transport,
  tools,
  view,
  compare,
  notices,
  layout,
  gameConsole,
  runAgain: session.run,
  suggestions: failures.suggestions,
});
const lessons = startLessons({ engine, session, documents, storage, layout, notices, openDocument });
const links = startLinks({ engine, session, documents, parameters, solver, transport, notices, openDocument });
startScenes({ documents, list: () => scenes, current: () => session.document?.id ?? "", open: openById });

engine.on("exported", ({ name, bytes, mime }) => saveFile(name, bytes, mime));

// --- documents -------------------------------------------------------------------------------------------------------

function saveScript() {
  const { title } = session.document ?? { title: "scene" };
  saveFile(`${title.replace(/\.lua$/, "").replace(/[^\w-]+/g, "_")}.lua`, editor.text(), "text/x-lua");
}

/** Opens a document in the editor and in the engine. */
function openDocument(document, options = {}) {
  for (const key of ["error", "restart", "reached", "same", "link", "open", "removed"]) notices.close(key);
  session.open(document, options);
  editor.show(document.id, document.text);
  if (document.base === undefined) documents.keep(document);
  storage.set("last", document.id);
}

async function openById(id, options = {}) {
  try {
    openDocument(await documents.find(id), options);
    return true;
  } catch (error) {
    notices.show({
      key: "open",
      title: "The scene was not opened.",
      text: String(error.message ?? error),
      actions: [{ label: "Try again", act: () => openById(id, options) }],
    });
    return false;
  }
}

function showDocument() {
  const document = session.document;
  if (!document) return;
  const own = document.id.startsWith("own:"),
    listed = scenes.find((scene) => `scene:${scene.path}` === document.id);
  const changed = document.base !== undefined && document.text !== document.base;
  byId("scene-title").textContent = listed?.title ?? document.title;
  globalThis.document.title = `${listed?.title ?? document.title} - Springtide`;
  const badge = byId("scene-state");
  badge.hidden = !(own || changed);
  badge.textContent = document.untrusted ? "from a link" : own ? "yours" : "changed";
  byId("scene-revert").hidden = !changed;
  byId("scene-rename").hidden = !own;
  byId("scene-remove").hidden = !own;
}
session.on("change", showDocument);

byId("scene-new").addEventListener("click", async () => {
  const title = await askName("Name of the new scene", documents.freeTitle("My scene"));
  if (!title) return;
  openDocument(documents.make(title));
  layout.choose("code");
});
byId("scene-rename").addEventListener("click", async () => {
  const title = await askName("Name of the scene", session.document.title);
  if (!title || title === session.document.title) return;
  const renamed = documents.rename(session.document, title);
  editor.forget(session.document.id);
  session.rename(renamed);
  editor.show(renamed.id, renamed.text);
  storage.set("last", renamed.id);
});
byId("scene-revert").addEventListener("click", () => editor.replace(session.document.base));
byId("scene-remove").addEventListener("click", () => {
  const removed = { ...session.document };
  openById(`scene:${FIRST_SCENE}`).then((opened) => {
    if (!opened) return;
    documents.remove(removed.id);
    notices.show({
      key: "removed",
      kind: "info",
      title: `${removed.title} was removed.`,
      actions: [{ label: "Take it back", act: () => openDocument(removed) }],
    });
  });
});
byId("scene-save").addEventListener("click", saveScript);

// --- start -----------------------------------------------------------------------------------------------------------

async function openFirst() {
  if (location.hash.length > 1 && (await links.open(location.href))) return;
  const last = storage.get("last");
  if (last && last !== `scene:${FIRST_SCENE}`) {
    const found = await documents.find(last).catch(() => null);
    if (found) return openDocument(found);
  }
  const message = notices.open === "link";
  if (!message) return openById(`scene:${FIRST_SCENE}`);
  // The reason why a link was not opened stays
  const first = await documents.find(`scene:${FIRST_SCENE}`).catch(() => null);
  if (!first) return;
  session.open(first);
  editor.show(first.id, first.text);
}

addEventListener("hashchange", () => {
  if (location.hash.length > 1) links.open(location.href);
});
engine.start();
openFirst();
fetchText("scenes.json")
  .then((text) => {
    scenes = JSON.parse(text);
    showDocument();
  })
  .catch((error) => gameConsole.add(`The list of scenes is missing: ${error.message}`, "warning"));
fetchText("lessons.json")
  .then((text) => lessons.setList(JSON.parse(text)))
  .catch((error) => gameConsole.add(`The list of lessons is missing: ${error.message}`, "warning"));
// Files are kept for later once the picture moves: the first load comes first
const firstFrame = engine.on("frame", () => {
  firstFrame();
  setTimeout(() => startOffline({ notices, beforeReload: session.save }), 1000);
});
