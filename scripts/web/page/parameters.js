// The parameters that the script declares (tide.param). A new value is an input, and the script runs again.
import { byId } from "./dom.js";
import { makeFieldList } from "./fields.js";

// The ends of a slider. With one end of the range, the other is ten times as far from it as the first value, or a
// hundred times, as the present one needs.
function rangeOf({ minimum = -Infinity, maximum = Infinity, initial, value }) {
  if (!(minimum <= maximum) || (!Number.isFinite(minimum) && !Number.isFinite(maximum))) return {};
  const end = Number.isFinite(minimum) ? minimum : maximum;
  let reach = 10 * Math.abs(initial - end) || 1;
  while (reach < Math.abs(value - end)) reach *= 10;
  return {
    low: Number.isFinite(minimum) ? minimum : maximum - reach,
    high: Number.isFinite(maximum) ? maximum : minimum + reach,
  };
}

// Whether a parameter is a count: without a unit, integers only, a range of at least 8.
function isCount({ value, initial, minimum, maximum, unit }) {
  return (
    !unit &&
    [value, initial, minimum, maximum].every((n) => Number.isInteger(n) && Math.abs(n) <= 1e9) &&
    maximum - minimum >= 8
  );
}

export function startParameters(engine) {
  let list = [],
    first = new Map(); // values when the scene was opened, for kinds that have no initial value
  const rows = makeFieldList(
    byId("parameter-list"),
    "The scene has none; tide.param(name, value) makes one.",
    (field, value) => engine.send({ type: "parameter", name: field.key, value }),
  );
  const toField = (p) => ({
    key: p.name,
    label: p.name,
    test: `parameter-${p.name}`,
    value: p.value,
    initial: p.initial,
    minimum: p.minimum,
    maximum: p.maximum,
    logarithmic: p.logarithmic,
    unit: p.unit,
    choices: p.choices,
    help: [p.help, p.initial === undefined ? "" : `first ${p.initial}${p.unit ? ` ${p.unit}` : ""}`]
      .filter(Boolean)
      .join("; "),
    type: p.type === "number" ? (isCount(p) ? "integer" : "real") : p.type,
    ...(p.type === "number" ? rangeOf(p) : {}),
  });

  engine.on("opened", () => {
    first = new Map();
  });
  engine.on("parameters", (message) => {
    for (const { name, value } of message.list) if (!first.has(name)) first.set(name, value);
    list = message.list.map((p) => ({ ...p, initial: p.initial ?? first.get(p.name) }));
    rows.update(list.map(toField));
    byId("parameters-reset").parentElement.hidden = list.length === 0;
    byId("parameters-reset").disabled = list.every((p) => p.value === p.initial);
  });
  byId("parameters-reset").addEventListener("click", () => {
    for (const p of list) if (p.value !== p.initial) engine.send({ type: "parameter", name: p.name, value: p.initial });
  });
  return {
    /** The values that differ from the script's own, by name. */
    changed: () => Object.fromEntries(list.filter((p) => p.value !== p.initial).map((p) => [p.name, p.value])),
    list: () => list,
  };
}
