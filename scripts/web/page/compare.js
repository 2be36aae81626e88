// Panes: the present state under several solvers, values of a parameter, or timesteps, side by side.
import { byId, icon, make } from "./dom.js";

const MOST = 4;

export function startCompare(engine, { solver, parameters }) {
  const host = byId("compare"),
    labels = byId("pane-labels");
  let panes = [],
    what = "solvers",
    list = ["", ""],
    name = "";

  const texts = { solvers: "options, as iterations=20", vary: "", timesteps: "" };
  function options(values, chosen) {
    return values.map((value) => make("option", { value, textContent: value, selected: value === chosen }));
  }
  function start() {
    const filled = list.map((value) => value.trim()).filter(Boolean);
    if (what === "usual") engine.send({ type: "compare" });
    else if (what === "solvers") engine.send({ type: "compare", solvers: filled.join(",") });
    else if (what === "vary") engine.send({ type: "compare", vary: `${name}=${filled.join(",")}` });
    else engine.send({ type: "compare", timesteps: filled.join(",") });
  }
  function item(value, i) {
    const set = (text) => {
      list[i] = text;
    };
    const remove = make(
      "button",
      {
        className: "button small quiet",
        type: "button",
        "aria-label": `Remove value ${i + 1}`,
        disabled: list.length <= 2,
        onclick: () => {
          list.splice(i, 1);
          show();
        },
      },
      icon("close"),
    );
    if (what !== "solvers")
      return make(
        "div",
        { className: "compare-item" },
        make("input", {
          type: "text",
          value,
          "aria-label": `Value ${i + 1}`,
          "data-test": `compare-value-${i + 1}`,
          oninput: (e) => set(e.target.value),
        }),
        remove,
      );
    const [kind, ...rest] = value.split(",");
    const select = make(
      "select",
      { "aria-label": `Solver ${i + 1}`, "data-test": `compare-solver-${i + 1}` },
      ...options(
        solver.kinds().map((k) => k.name),
        kind,
      ),
    );
    const more = make("input", {
      type: "text",
      value: rest.join(","),
      placeholder: i ? "" : texts.solvers,
      "aria-label": `Options of solver ${i + 1}`,
      "data-test": `compare-options-${i + 1}`,
      spellcheck: false,
    });
    const write = () => set([select.value, more.value.replace(/\s/g, "")].filter(Boolean).join(","));
    select.addEventListener("change", write);
    more.addEventListener("input", write);
    if (!value) write();
    return make("div", { className: "compare-item" }, select, remove, more);
  }
  function plan() {
    const choice = make("select", {
      "data-test": "compare-what",
      "aria-label": "What the panes differ in",
      onchange: () => choose(choice.value),
    });
    const kinds = [
      ["solvers", "solvers"],
      ["vary", "values of a parameter"],
      ["timesteps", "timesteps"],
      ["usual", "the scene's own panes, or four usual solvers"],
    ];
    choice.append(
      ...kinds.map(([value, textContent]) => make("option", { value, textContent, selected: value === what })),
    );
    const numbers = parameters
      .list()
      .filter((p) => p.type === "number")
      .map((p) => p.name);
    const parameter = make(
      "select",
      {
        "data-test": "compare-parameter",
        "aria-label": "Parameter",
        onchange: (e) => {
          name = e.target.value;
        },
      },
      ...options(numbers, name),
    );
    return make(
      "fieldset",
      {},
      make("legend", { textContent: "Side by side" }),
      choice,
      ...(what === "vary"
        ? [numbers.length ? parameter : make("p", { className: "quiet", textContent: "The scene has no parameters." })]
        : []),
      ...(what === "usual" ? [] : list.map(item)),
      make(
        "div",
        { className: "row end" },
        what === "usual" || list.length >= MOST
          ? null
          : make("button", {
              className: "button small",
              type: "button",
              textContent: "Add",
              "data-test": "compare-add",
              onclick: () => {
                list.push("");
                show();
              },
            }),
        make("button", {
          className: "button small primary",
          type: "button",
          textContent: "Compare",
          "data-test": "compare-start",
          onclick: start,
        }),
      ),
    );
  }
  function choose(kind) {
    what = kind;
    name = parameters.list().find((p) => p.type === "number")?.name ?? "";
    const value = parameters.list().find((p) => p.name === name)?.value;
    if (kind === "solvers") list = [solver.text() ?? "local_global", "newton"];
    else if (kind === "vary") list = Number.isFinite(value) ? [String(value), String(2 * value || 1)] : ["1", "2"];
    else
      list = [solver.timestep() ?? 0.01, (solver.timestep() ?? 0.01) / 2].map((h) => String(Number(h.toPrecision(6))));
    show();
  }
  function pane({ index, label, failed, text }) {
    return make(
      "div",
      { className: "compare-pane", "data-test": `compare-pane-${index + 1}` },
      make("b", { textContent: label }),
      make("button", {
        className: "button small",
        type: "button",
        textContent: "Go on with it",
        "data-test": `compare-continue-${index + 1}`,
        onclick: () => engine.send({ type: "compare", off: true, pane: index }),
      }),
      make("p", { textContent: [failed ? "stopped" : "", text].filter(Boolean).join("\n") }),
    );
  }
  function show() {
    const open = panes.length > 1;
    host.replaceChildren(
      ...(open
        ? [
            make(
              "div",
              { className: "row end" },
              make("button", {
                className: "button small",
                type: "button",
                textContent: "End the comparison",
                "data-test": "compare-stop",
                onclick: () => engine.send({ type: "compare", off: true, pane: 0 }),
              }),
            ),
            ...panes.map(pane),
          ]
        : [plan()]),
    );
  }
  function showLabels() {
    // The picture has them, too; these are for those who hear the page
    labels.replaceChildren(
      ...(panes.length > 1
        ? panes.map(({ label, failed, text }) =>
            make("p", {
              textContent: [label, failed ? "stopped" : "", text?.split("\n")[0] ?? ""].filter(Boolean).join("; "),
            }),
          )
        : []),
    );
  }
  engine.on("panes", (message) => {
    const before = panes;
    panes = message.list ?? [];
    const same =
      before.length === panes.length &&
      panes.length > 1 &&
      before.every((p, i) => p.label === panes[i].label && p.failed === panes[i].failed);
    if (same)
      panes.forEach(({ text }, i) => {
        host.querySelectorAll(".compare-pane p")[i].textContent = text ?? "";
      });
    else show();
    showLabels();
    byId("picture").classList.toggle("panes", panes.length > 1); // the tools leave the top to the panes' names
  });
  engine.on("ready", () => {
    if (list.every((v) => !v)) choose("solvers");
  });
  engine.on("opened", () => {
    if (panes.length < 2) choose(what);
  });
  show();
  return {
    get open() {
      return panes.length > 1;
    },
    toggle() {
      if (panes.length > 1) engine.send({ type: "compare", off: true, pane: 0 });
      else engine.send({ type: "compare" });
    },
  };
}
