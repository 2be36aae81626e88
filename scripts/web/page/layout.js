// Tabs, the splits between the columns, and which of three layouts the page has: columns, columns with the lesson
// beside the script on a wide screen, or the picture over one panel.
import { byId, make } from "./dom.js";

const PANELS = [
  { name: "code", title: "Code", dock: "left" },
  { name: "controls", title: "Controls", dock: "right" },
  { name: "plots", title: "Plots", dock: "right" },
  { name: "compare", title: "Compare", dock: "right" },
  { name: "console", title: "Console", dock: "bottom" },
  { name: "lesson", title: "Lesson", dock: "left" },
];

/** @param {any} storage @param {() => void} onLayout */
export function startLayout(storage, onLayout) {
  const narrow = matchMedia("(max-width: 899px)"),
    wide = matchMedia("(min-width: 1500px)");
  const chosen = { left: "code", right: "controls", all: "controls", ...storage.getJson("tabs", {}) };
  const tabs = new Map(
    PANELS.map((panel) => [
      panel.name,
      make("button", {
        id: `tab-${panel.name}`,
        className: "tab",
        type: "button",
        role: "tab",
        textContent: panel.title,
        "aria-controls": `panel-${panel.name}`,
        onclick: () => layout.choose(panel.name),
      }),
    ]),
  );
  const dockOf = (panel) => (panel.name === "lesson" && wide.matches ? "right" : panel.dock);
  const groupOf = (panel) => (narrow.matches ? "all" : dockOf(panel));

  /** The panel that a group shows: what was chosen in another layout may stand in another group now. */
  function shownIn(group) {
    const here = PANELS.filter((panel) => groupOf(panel) === group);
    return (here.find((panel) => panel.name === chosen[group]) ?? here[0])?.name;
  }

  function apply() {
    document.body.classList.toggle("narrow", narrow.matches);
    const lesson = byId("panel-lesson"),
      host = byId(wide.matches ? "right" : "left");
    if (lesson.parentElement !== host) host.insertBefore(lesson, wide.matches ? null : byId("split-console"));
    const shown = { left: false, right: false };
    for (const panel of PANELS) {
      const group = groupOf(panel),
        tab = tabs.get(panel.name);
      const on = group === "bottom" || shownIn(group) === panel.name;
      byId(`panel-${panel.name}`).hidden = !on;
      tab.setAttribute("aria-selected", String(on));
      tab.tabIndex = on ? 0 : -1;
      tab.hidden = group === "bottom";
      if (group !== "bottom" && tab.parentElement?.id !== `tabs-${group}`) byId(`tabs-${group}`).append(tab);
      if (on && tab.classList.contains("marked")) tab.classList.remove("marked");
      if (on) shown[dockOf(panel) === "right" ? "right" : "left"] = true;
    }
    // The order of the list is that of PANELS
    for (const id of ["tabs-left", "tabs-right", "tabs-all"])
      byId(id).append(...PANELS.map((p) => tabs.get(p.name)).filter((tab) => tab.parentElement?.id === id));
    byId("left").classList.toggle("away", !shown.left);
    byId("right").classList.toggle("away", !shown.right);
    byId("work").classList.toggle("reading", wide.matches && shownIn("right") === "lesson");
    onLayout();
  }

  const layout = {
    get narrow() {
      return narrow.matches;
    },
    /** Shows a panel. @param {string} name @param {boolean} [focus] */
    choose(name, focus = false) {
      const panel = PANELS.find((p) => p.name === name);
      if (!panel) return;
      if (groupOf(panel) !== "bottom") chosen[groupOf(panel)] = name;
      if (groupOf(panel) === "all" && panel.dock !== "bottom") chosen[dockOf(panel)] = name;
      storage.setJson("tabs", chosen);
      apply();
      if (focus) tabs.get(name).focus();
    },
    /** Whether a panel can be seen. @param {string} name */
    isShown: (name) => !byId(`panel-${name}`).hidden,
    /** Marks the tab of a hidden panel that has news. @param {string} name */
    mark(name) {
      if (!layout.isShown(name)) tabs.get(name).classList.add("marked");
    },
  };

  for (const list of ["tabs-left", "tabs-right", "tabs-all"])
    byId(list).addEventListener("keydown", (event) => {
      const here = [...byId(list).children],
        at = here.indexOf(document.activeElement);
      const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: here.length - 1 }[event.key];
      if (at < 0 || to === undefined) return;
      event.preventDefault();
      layout.choose(here[(to + here.length) % here.length].id.slice("tab-".length), true);
    });

  startSplit(
    "split-left",
    "--left",
    storage,
    (x) => x,
    240,
    () => innerWidth - 560,
  );
  startSplit(
    "split-right",
    "--right",
    storage,
    (x) => innerWidth - x,
    240,
    () => innerWidth - 560,
  );
  startSplit(
    "split-console",
    "--console",
    storage,
    (_, y) => innerHeight - y,
    68,
    () => 0.6 * innerHeight,
  );
  // The keyboard of a phone covers half of the page, so the picture becomes smaller
  document.addEventListener("focusin", (event) =>
    document.body.classList.toggle(
      "typing",
      event.target instanceof Element && event.target.matches("#editor, #console-input"),
    ),
  );
  document.addEventListener("focusout", () => document.body.classList.remove("typing"));
  // A lesson that is read stays in sight when it changes its column
  wide.addEventListener("change", () => {
    const [from, to] = wide.matches ? ["left", "right"] : ["right", "left"];
    if (chosen[from] === "lesson") chosen[to] = "lesson";
  });
  for (const width of [narrow, wide]) width.addEventListener("change", apply);
  apply();
  return layout;
}

/** Makes a separator that sets a length of the layout by pointer and by arrow keys. */
function startSplit(id, property, storage, measure, least, most) {
  const split = byId(id),
    root = document.documentElement;
  let size = Number(storage.get(`split:${id}`)) || 0;
  function apply(to) {
    size = Math.round(Math.min(Math.max(to, least), Math.max(most(), least)));
    root.style.setProperty(property, `${size}px`);
    split.setAttribute("aria-valuenow", String(size));
    storage.set(`split:${id}`, String(size));
  }
  const vertical = split.getAttribute("aria-orientation") === "vertical";
  const now = () => {
    const box = split.getBoundingClientRect();
    return measure(box.left, box.bottom);
  };
  split.addEventListener("pointerdown", (event) => {
    split.setPointerCapture(event.pointerId);
    split.classList.add("active");
    event.preventDefault();
  });
  split.addEventListener("pointermove", (event) => {
    if (split.hasPointerCapture(event.pointerId)) apply(measure(event.clientX, event.clientY));
  });
  split.addEventListener("lostpointercapture", () => split.classList.remove("active"));
  split.addEventListener("keydown", (event) => {
    const by = { ArrowLeft: [-16, 0], ArrowRight: [16, 0], ArrowUp: [0, -16], ArrowDown: [0, 16] }[event.key];
    if (!by || (vertical ? !by[0] : !by[1])) return;
    event.preventDefault();
    const box = split.getBoundingClientRect();
    apply(measure(box.left + by[0], box.bottom + by[1]));
  });
  split.addEventListener("dblclick", () => {
    root.style.removeProperty(property);
    storage.remove(`split:${id}`);
  });
  split.setAttribute("aria-valuemin", String(least));
  split.setAttribute("aria-valuenow", String(Math.round(now())));
  if (size) apply(size);
}
