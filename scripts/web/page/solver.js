// The solver with all options of its field table, and the timestep. They can be changed at any frame.
import { byId } from "./dom.js";
import { makeFieldList } from "./fields.js";

const PLAIN = [
  "substeps",
  "substep",
  "iterations",
  "tolerance",
  "damping",
  "acceleration",
  "linear",
  "adaptive",
  "theta",
  "compliance",
];

/** Reads an option, which a record may hold. */
function optionOf(options, key) {
  if (Object.hasOwn(options, key)) return options[key];
  return key
    .split(".")
    .reduce((value, part) => (value && typeof value === "object" ? value[part] : undefined), options);
}

function integerRange(field, value) {
  const least = field.minimum ?? 0,
    most = field.maximum ?? 1e6;
  let likely = least + 100;
  while (likely < value || likely < 5 * (Number(field.initial) || 0)) likely *= 10;
  const high = Math.min(likely, most);
  return { low: least, high, logarithmic: high - least > 50 && least > 0 };
}

/**
 * Turns fields of the engine's table into rows. A record's inner fields show only if its first is not its first
 * choice.
 */
function toRows(fields, options, advanced, prefix = "") {
  return fields.flatMap((field) => {
    const key = prefix + field.name,
      group = (prefix ? advanced : !PLAIN.includes(field.name)) ? "Advanced" : undefined;
    if (field.type === "record") {
      const [first, ...rest] = field.fields ?? [];
      if (!first) return [];
      const chosen = optionOf(options, `${key}.${first.name}`) ?? first.initial;
      const head = {
        key: `${key}.${first.name}`,
        label: field.name,
        type: "choice",
        value: chosen,
        choices: first.choices,
        help: field.help,
        group,
      };
      const on = first.type !== "choice" || chosen !== first.choices?.[0];
      return [head, ...(on ? toRows(rest, options, Boolean(group), `${key}.`) : [])];
    }
    if (!["boolean", "integer", "real", "choice", "text"].includes(field.type)) return [];
    const value = optionOf(options, key) ?? field.initial,
      base = { key, label: field.name, value, help: field.help, unit: field.unit, choices: field.choices, group };
    if (field.type === "real" && field.word && typeof value !== "number")
      return [{ ...base, type: "text", value: value ?? field.word }];
    if (field.type === "integer")
      return [
        { ...base, type: "integer", minimum: field.minimum, maximum: field.maximum, ...integerRange(field, value) },
      ];
    return [
      {
        ...base,
        type: field.type,
        minimum: field.minimum,
        maximum: field.maximum,
        low: field.minimum,
        high: field.maximum,
      },
    ];
  });
}

export function startSolver(engine) {
  let kinds = [],
    now = null,
    chosen; // chosen: the timestep that was set here, in place of the scene's
  const rows = makeFieldList(byId("solver-list"), "No scene is open.", (field, value) => {
    if (field.key === "timestep!") {
      chosen = value;
      engine.send({ type: "timestep", seconds: value });
    } else if (field.key === "method!") engine.send({ type: "solver", name: value, options: {}, pane: now.pane });
    else
      engine.send({ type: "solver", name: now.name, options: { ...now.options, [field.key]: value }, pane: now.pane });
  });
  function show() {
    if (!now) return;
    const kind = kinds.find((k) => k.name === now.name),
      names = kinds.map((k) => k.name);
    const choices = names.includes(now.name) ? names : [...names, now.name];
    const h = now.timestep;
    const options = toRows(kind?.fields ?? [], now.options ?? {}, false).map((row) => ({
      ...row,
      test: `solver-${row.key}`,
    }));
    rows.update([
      {
        key: "method!",
        test: "solver-method",
        label: "method",
        type: "choice",
        value: now.name,
        choices,
        help: kind?.help ?? "",
      },
      {
        key: "timestep!",
        test: "solver-timestep",
        label: "timestep",
        type: "real",
        value: h,
        minimum: 1e-9,
        maximum: 10,
        low: Math.min(1e-4, h),
        high: Math.max(0.1, h),
        logarithmic: true,
        unit: "s",
        help: "h, the world's step",
      },
      ...options.filter((row) => !row.group),
      ...options.filter((row) => row.group),
    ]);
    byId("solver-own").disabled = Boolean(now.own) && !chosen;
  }
  engine.on("ready", (message) => {
    kinds = message.solvers ?? [];
  });
  engine.on("opened", () => {
    chosen = undefined;
  });
  engine.on("solver", (message) => {
    if (message.pane) return; // the panel shows the first pane
    now = message;
    show();
  });
  byId("solver-own").addEventListener("click", () => {
    chosen = 0;
    engine.send({ type: "solver", text: "" });
    engine.send({ type: "timestep", seconds: 0 });
  });
  return {
    kinds: () => kinds,
    /** The text of a solver that is not the scene's own, else undefined. */
    text: () => (now && !now.own ? now.text : undefined),
    timestep: () => now?.timestep,
    /** The timestep that was set here; 0: the scene's own was; undefined: neither. */
    chosenTimestep: () => chosen,
  };
}
