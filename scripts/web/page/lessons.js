// The course beside the sandbox: the text of a lesson, its scene and its exercise in the editor, and the marks. The
// lessons' texts are made by the engine, in which raw HTML is text. An exercise is marked in a worker of its own, which
// is ended when it takes too long.
import { byId, make } from "./dom.js";
import { makeEngine } from "./engine.js";

const PAUSE = 2000; // ms after a change that ran, until an exercise that was marked is marked again
const PATIENCE = 120000; // ms for all checks; each has limits of its own, far below

/** @typedef {{number: number, name: string, title: string}} Lesson */
/** @typedef {{name: string, points: number, of: number, message: string, hint: string}} Check */

/** Puts the text of a lesson into an element. Styles of formulas are set one by one, as the page's policy demands. */
function showText(element, html) {
  const quiet = html.replace(/<[^<>]*>/g, (tag) => tag.replace(/ style="([^"]*)"/, ' data-style="$1"'));
  const parsed = new DOMParser().parseFromString(quiet, "text/html");
  element.replaceChildren(...parsed.body.childNodes);
  for (const styled of element.querySelectorAll("[data-style]"))
    for (const [property, value] of styled.dataset.style.split(";").map((one) => one.split(":")))
      styled.style.setProperty(property, value);
  for (const link of element.querySelectorAll("a[href^='http']"))
    Object.assign(link, { target: "_blank", rel: "noopener noreferrer" });
  for (const table of element.querySelectorAll("table, pre")) table.tabIndex = 0; // they scroll
}

const plain = (points) => String(Math.round(points * 100) / 100);

/**
 * @param {{engine: any, session: any, documents: any, storage: any, layout: any, notices: any,
 *          openDocument: (document: any, options?: any) => void}} parts
 */
export function startLessons({ engine, session, documents, storage, layout, notices, openDocument }) {
  const root = byId("lesson");
  /** @type {Lesson[]} */
  let list = [];
  /** @type {any} */
  let lesson = null; // the message with the texts
  let number = Number(storage.get("lesson")) || 1,
    asked = false;
  let marker = null,
    timer = 0,
    follows = 0,
    again = 0; // `follows`: number of the lesson whose changes are marked

  const choice = make("select", {
    id: "lesson-choice",
    "aria-label": "Lesson",
    onchange: () => choose(Number(choice.value)),
  });
  const before = make("button", {
    id: "lesson-before",
    className: "button quiet",
    type: "button",
    textContent: "‹",
    title: "The lesson before",
    "aria-label": "The lesson before",
    onclick: () => choose(number - 1),
  });
  const after = make("button", {
    id: "lesson-after",
    className: "button quiet",
    type: "button",
    textContent: "›",
    title: "The next lesson",
    "aria-label": "The next lesson",
    onclick: () => choose(number + 1),
  });
  const scene = make("button", {
    id: "lesson-scene",
    className: "button",
    type: "button",
    textContent: "Scene",
    title: "Open the lesson's scene in the editor",
    onclick: () => openScript("scene"),
  });
  const exercise = make("button", {
    id: "lesson-exercise",
    className: "button",
    type: "button",
    textContent: "Exercise",
    title: "Open your exercise in the editor",
    onclick: () => openScript("exercise"),
  });
  const mark = make("button", {
    id: "lesson-mark",
    className: "button primary",
    type: "button",
    textContent: "Mark",
    title: "Check your exercise",
    onclick: () => {
      follows = number;
      startMarking();
    },
  });
  const marks = make("div", { id: "lesson-marks", role: "status", hidden: true });
  const text = make("article", { id: "lesson-text", lang: "en" });
  root.replaceChildren(
    make(
      "div",
      { className: "lesson-bar" },
      before,
      choice,
      after,
      make("span", { className: "lesson-acts" }, scene, exercise, mark),
    ),
    marks,
    text,
  );
  for (const button of [scene, exercise, mark]) button.disabled = true;

  const points = (name) => storage.getJson(`points:${name}`, null);

  function showList() {
    choice.replaceChildren(
      ...list.map((each) => {
        const got = points(each.name);
        const state = got ? ` (${plain(got.points)} of ${plain(got.of)})` : "";
        return make("option", { value: String(each.number), textContent: each.title + state });
      }),
    );
    choice.value = String(number);
    before.disabled = number <= 1;
    after.disabled = number >= list.length;
  }
  function ask() {
    asked = true;
    engine.send({ type: "lesson", number });
  }
  function choose(wanted) {
    if (!list.some((each) => each.number === wanted)) return;
    if (wanted !== number) {
      stopMarking();
      marks.hidden = true;
    }
    number = wanted;
    storage.set("lesson", String(number));
    showList();
    ask();
  }
  function show(message) {
    if (message.number !== number) return;
    const same = lesson?.number === message.number;
    lesson = message;
    for (const button of [scene, exercise]) button.disabled = false;
    mark.disabled = marker !== null;
    if (same && text.hasChildNodes()) return;
    showText(text, lesson.html);
    root.scrollTop = 0;
  }

  // --- scene and exercise --------------------------------------------------------------------------------------------

  const idOf = (what) => `lesson:${lesson.name}/${what}`;

  /** The document of the lesson's scene or exercise, as the user left it. */
  async function documentOf(what) {
    const base = lesson[what],
      id = idOf(what);
    const kept = await documents.find(id).catch(() => null);
    return {
      id,
      title: `${what === "scene" ? "Lesson" : "Exercise"} ${lesson.number}`,
      base,
      text: kept?.text ?? base,
    };
  }
  async function openScript(what) {
    if (!lesson) return;
    const document = await documentOf(what);
    if (session.document?.id !== document.id) openDocument(document);
    layout.choose("code");
  }

  // --- marks ---------------------------------------------------------------------------------------------------------

  function stopMarking() {
    marker?.stop();
    marker = null;
    clearTimeout(timer);
    mark.disabled = lesson === null;
    mark.textContent = "Mark";
  }
  function showMarks(...parts) {
    marks.replaceChildren(...parts);
    marks.hidden = false;
  }
  function fail(sentence) {
    stopMarking();
    showMarks(make("p", { className: "bad", textContent: sentence }));
  }
  async function startMarking() {
    if (!lesson || marker) return;
    const document = await documentOf("exercise");
    const submitted = session.document?.id === document.id ? session.document.text : document.text;
    const of = lesson.number;
    marker = makeEngine();
    mark.disabled = true;
    mark.textContent = "Marking ...";
    marker.on("marked", (message) => showMarked(of, message));
    marker.on("error", ({ where, message }) => {
      if (where === "engine" || where === "message") fail(message);
    });
    marker.on("failed", ({ message }) => fail(`The marking stopped: ${message || "the worker failed"}; mark again.`));
    marker.on("unsupported", ({ message }) => fail(message));
    timer = setTimeout(
      () => fail(`The marking took more than ${PATIENCE / 1000} s and was ended: look for a loop without end.`),
      PATIENCE,
    );
    marker.start();
    marker.send({ type: "init", width: 16, height: 16, ratio: 1, renderer: "software", theme: "light", threads: 1 });
    marker.send({ type: "mark", number: of, text: submitted });
  }
  /** @param {Check} check */
  function row(check) {
    const full = check.points >= check.of;
    return make(
      "li",
      { className: full ? "full" : check.points > 0 ? "part" : "none" },
      make("b", { textContent: check.name }),
      make("span", { className: "check-points", textContent: `${plain(check.points)} of ${plain(check.of)}` }),
      !full && check.message ? make("p", { className: "check-message", textContent: check.message }) : null,
      !full && check.hint
        ? make("details", {}, make("summary", { textContent: "Hint" }), make("p", { textContent: check.hint }))
        : null,
    );
  }
  function showMarked(of, { points: got, of: most, checks, failure }) {
    stopMarking();
    const marked = list.find((each) => each.number === of);
    if (failure) return fail(failure);
    if (marked) storage.setJson(`points:${marked.name}`, { points: got, of: most });
    showList();
    if (of !== number) return;
    if (!layout.isShown("lesson")) notices.toast(`${plain(got)} of ${plain(most)} points`);
    const next = list.find((each) => each.number === of + 1),
      all = got >= most;
    const onwards =
      all && next
        ? make("button", {
            id: "lesson-onwards",
            className: "button small",
            type: "button",
            textContent: `Next: ${next.title}`,
            onclick: () => choose(next.number),
          })
        : null;
    showMarks(
      make(
        "p",
        { className: all ? "good" : "" },
        make("b", { id: "lesson-points", textContent: `${plain(got)} of ${plain(most)} points` }),
        onwards,
      ),
      make("ul", { className: "check-list" }, ...checks.map(row)),
    );
    layout.mark("lesson");
  }

  // --- start ---------------------------------------------------------------------------------------------------------

  text.addEventListener("click", (event) => {
    const link = event.target.closest?.("a");
    const to = link && list.find((each) => link.getAttribute("href") === `${each.name}.html`);
    if (!to) return;
    event.preventDefault();
    choose(to.number);
  });
  session.on("ran", () => {
    clearTimeout(again);
    if (!session.current || !lesson || follows !== number || session.document?.id !== idOf("exercise")) return;
    again = setTimeout(() => {
      stopMarking();
      startMarking();
    }, PAUSE);
  });
  engine.on("lesson", show);
  engine.on("ready", () => {
    if (asked) ask();
  });
  byId("tab-lesson").addEventListener("click", () => {
    if (!asked) ask();
  });
  if (layout.isShown("lesson")) ask();

  return {
    /** Takes the list of lessons. @param {Lesson[]} lessons */
    setList(lessons) {
      list = lessons;
      if (!list.some((each) => each.number === number)) number = list[0]?.number ?? 1;
      showList();
    },
    /** Shows a lesson. @param {number} wanted */
    open(wanted) {
      choose(wanted);
      layout.choose("lesson");
    },
  };
}
