// The keys of the window, where no field has the focus. A key that means nothing here goes to the scene.
import { byId, make, openDialog } from "./dom.js";
import { TOOLS } from "./tools.js";

const HELP = [
  [
    "While it runs",
    [
      ["Space", "pause, go on"],
      [". or Right", "a single step"],
      ["Left, Right", "back and forth among the frames; PgUp, PgDn: ten at once"],
      ["R", "start again"],
      ["F5", "run the script again and go on"],
      ["1 to 4", "the remedies that a message offers"],
      ["Backspace", "close the message"],
    ],
  ],
  [
    "Mouse and touch",
    [
      ["left button, one finger", "what the tool says: Look turns the view"],
      ["right button, Shift", "move the view"],
      ["wheel, two fingers", "closer and farther; two fingers also turn and move the view"],
      ["F2 F3 F4 F6 F7, Tab", "look, drag, pin, cut, push; the next tool"],
      ["[ and ]", "the drag pulls with half, twice the stiffness"],
    ],
  ],
  [
    "View",
    [
      ["F", "show the whole scene"],
      ["Home", "the scene's own view"],
      ["W", "springs, coloured by strain"],
      ["G", "the other renderer: software, WebGL"],
      ["C", "panes: this state under several solvers, and back"],
      ["P", "save a picture"],
      ["F11", "full screen"],
    ],
  ],
  [
    "Editor",
    [
      ["Ctrl+Space", "complete the name"],
      ["Ctrl+F", "find"],
      ["Ctrl+Z, Ctrl+Y", "take back, and again"],
      ["Ctrl+Enter", "run the script now"],
      ["Ctrl+S", "save the script as a file"],
      ["Esc, then Tab", "leave the editor by the keyboard"],
      ["`", "the console, from the picture"],
    ],
  ],
];

/** @param {Record<string, any>} parts of the page */
export function startKeys({
  engine,
  transport,
  tools,
  view,
  compare,
  notices,
  layout,
  gameConsole,
  runAgain,
  suggestions,
}) {
  let stiffness = 1;
  const help = byId("help-dialog");
  byId("help-list").append(
    ...HELP.flatMap(([title, rows]) => [
      make("h3", { textContent: title }),
      ...rows.flatMap(([keys, meaning]) => [
        make("kbd", { textContent: keys }),
        make("span", { textContent: meaning }),
      ]),
    ]),
  );
  const openHelp = () => openDialog(help);
  byId("help-open").addEventListener("click", openHelp);
  byId("help-close").addEventListener("click", () => help.close());

  const acts = {
    " ": () => transport.play(),
    ".": () => transport.step(),
    ArrowRight: () => transport.go(1),
    ArrowLeft: () => transport.go(-1),
    PageUp: () => transport.go(-10),
    PageDown: () => transport.go(10),
    r: () => transport.reset(),
    F1: openHelp,
    F5: runAgain,
    f: () => engine.send({ type: "camera", to: "fit" }),
    Home: () => engine.send({ type: "camera", to: "scene" }),
    w: () => view.toggle("wireframe"),
    g: () => engine.send({ type: "renderer", name: rendererNow === "software" ? "webgl" : "software" }),
    c: () => compare.toggle(),
    p: () => engine.send({ type: "export", format: "png" }),
    F2: () => tools.choose(TOOLS[0]),
    F3: () => tools.choose(TOOLS[1]),
    F4: () => tools.choose(TOOLS[2]),
    F6: () => tools.choose(TOOLS[3]),
    F7: () => tools.choose(TOOLS[4]),
    Backspace: () => notices.dismiss(),
    "[": () => changeStiffness(0.5),
    "]": () => changeStiffness(2),
    F11: fullScreen,
    "`": () => {
      layout.choose("console");
      gameConsole.focus();
    },
  };
  const repeats = new Set([".", "ArrowRight", "ArrowLeft", "PageUp", "PageDown"]);
  let rendererNow = "software";
  engine.on("ready", (message) => {
    rendererNow = message.renderer;
  });
  engine.on("renderer", (message) => {
    rendererNow = message.name;
  });

  function changeStiffness(factor) {
    stiffness = Math.min(Math.max((stiffness || 1) * factor, 1 / 64), 1024);
    const value = Math.min(Math.max(100 * stiffness, 1), 1e6);
    engine.send({ type: "tool", stiffness: value });
    notices.toast(`the drag pulls with ${Number(value.toPrecision(4))} N/m`);
  }
  function fullScreen() {
    if (document.fullscreenElement) document.exitFullscreen();
    else document.documentElement.requestFullscreen?.().catch(() => notices.toast("this browser has no full screen"));
  }
  // A field has its own keys; a button has Space and Enter
  function isTaken(event) {
    const at = document.activeElement;
    if (document.querySelector("dialog[open]") || !(at instanceof HTMLElement)) return true;
    if (at.matches("textarea, select, #editor, input:not([type=range]):not([type=checkbox])"))
      return !/^F\d+$/.test(event.key);
    if (at.matches("input[type=range], [role=separator], [role=tab], #tools button"))
      return /^(Arrow|Page|Home|End)/.test(event.key) || event.key === "Tab" || event.key === " ";
    if (at.matches("button, a, summary, input"))
      return event.key === " " || event.key === "Enter" || event.key === "Tab";
    return event.key === "Tab" && at.id !== "picture"; // Tab is the window's next tool on the picture only
  }
  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.isComposing || event.ctrlKey || event.metaKey || event.altKey || isTaken(event))
      return;
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    const index = Number(key) - 1;
    if (key.length === 1 && index >= 0 && index < suggestions().length) {
      engine.send({ type: "suggestion", index });
    } else if (Object.hasOwn(acts, key)) {
      if (event.repeat && !repeats.has(key)) return event.preventDefault();
      acts[key]();
    } else if (key === "Tab") {
      // Shift+Tab leaves the picture; Tab goes through the tools, then leaves it
      if (event.shiftKey || tools.chosen === "push") return;
      tools.next();
    } else {
      if (!event.repeat)
        engine.send({ type: "key", key: event.key, down: true, shift: event.shiftKey, ctrl: false, alt: false });
      if (key.length !== 1) return;
    }
    event.preventDefault();
  });
  document.addEventListener("keyup", (event) => {
    if (isTaken(event) || Object.hasOwn(acts, event.key.toLowerCase())) return;
    engine.send({
      type: "key",
      key: event.key,
      down: false,
      shift: event.shiftKey,
      ctrl: event.ctrlKey,
      alt: event.altKey,
    });
  });
  byId("view-fit").addEventListener("click", () => engine.send({ type: "camera", to: "fit" }));
}
