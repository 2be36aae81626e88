// One row of a panel for one field: a slider with a number, a check box, a choice or a text. Parameters of scenes and
// the field tables of solvers become such rows.
import { make } from "./dom.js";
import { exact, short } from "./numbers.js";

/**
 * @typedef {object} Field
 * @property {string} key name in messages
 * @property {string} label
 * @property {"real"|"integer"|"boolean"|"choice"|"text"} type
 * @property {any} value
 * @property {any} [initial]
 * @property {number} [minimum]
 * @property {number} [maximum]
 * @property {number} [low] lower end of the slider; without both ends there is none
 * @property {number} [high]
 * @property {boolean} [logarithmic]
 * @property {string} [unit]
 * @property {string} [help]
 * @property {string[]} [choices]
 * @property {string} [test] stable name of the row; default the key
 */

const STEPS = 1000;
const PAUSE = 50; // ms between the messages of a slider that moves

/** @param {Field} field @param {(value: any) => void} onChange */
export function makeField(field, onChange) {
  const kinds = { boolean: checkField, choice: choiceField, text: textField, real: numberField, integer: numberField };
  const id = `field-${field.test ?? field.key}`;
  const row = make("div", { className: "field", title: field.help ?? "", "data-test": id });
  const label = make("label", { textContent: field.label, for: `${id}-input` });
  row.append(label);
  const update = kinds[field.type](row, id, field, onChange);
  update(field);
  return { element: row, update };
}

function checkField(row, id, first, onChange) {
  const input = make("input", { type: "checkbox", id: `${id}-input`, onchange: () => onChange(input.checked) });
  row.classList.add("single");
  row.append(input);
  return (field) => {
    input.checked = Boolean(field.value);
  };
}

function choiceField(row, id, first, onChange) {
  const select = make(
    "select",
    { id: `${id}-input`, className: "wide", onchange: () => onChange(select.value) },
    ...(first.choices ?? []).map((choice) => make("option", { value: choice, textContent: choice })),
  );
  row.classList.add("single");
  row.append(select);
  return (field) => {
    select.value = String(field.value);
  };
}

function textField(row, id, first, onChange) {
  const input = make("input", {
    type: "text",
    id: `${id}-input`,
    className: "wide",
    onchange: () => onChange(input.value),
  });
  row.classList.add("single");
  row.append(input);
  return (field) => {
    if (document.activeElement !== input) input.value = field.value ?? "";
  };
}

function numberField(row, id, first, onChange) {
  let field = first,
    timer = 0,
    wanted = null,
    last = -Infinity;
  const number = make("input", {
    type: "text",
    id: `${id}-input`,
    className: "number",
    inputMode: "decimal",
    autocomplete: "off",
  });
  const ranged = () => Number.isFinite(field.low) && Number.isFinite(field.high) && field.high > field.low;
  const slider = make("input", {
    type: "range",
    min: "0",
    max: String(STEPS),
    step: "any",
    "aria-label": first.label,
    "data-test": `${id}-slider`,
  });
  row.append(slider, number, make("span", { className: "unit", textContent: first.unit ?? "" }));

  const logarithmic = () => field.logarithmic && field.low > 0;
  function place(value) {
    const along = logarithmic()
      ? Math.log(Math.max(value, field.low) / field.low) / Math.log(field.high / field.low)
      : (value - field.low) / (field.high - field.low);
    return STEPS * Math.min(Math.max(along, 0), 1);
  }
  function valueAt(position) {
    const along = position / STEPS;
    if (along <= 0) return field.low;
    if (along >= 1) return field.high;
    const value = logarithmic()
      ? field.low * (field.high / field.low) ** along
      : field.low + along * (field.high - field.low);
    if (field.type === "integer") return Math.round(value);
    // Steps of a slider are round numbers
    const grain =
      10 ** Math.floor(Math.log10(logarithmic() ? value : field.high - field.low) - (logarithmic() ? 1.7 : 2.3));
    return Number((Math.round(value / grain) * grain).toPrecision(6));
  }
  function display(value) {
    slider.style.setProperty("--filled", `${(place(value) / STEPS) * 100}%`);
    slider.setAttribute("aria-valuetext", `${short(value)} ${field.unit ?? ""}`.trim());
    row.classList.toggle("changed", field.initial !== undefined && value !== field.initial);
  }
  function flush() {
    timer = 0;
    if (wanted === null) return;
    last = performance.now();
    onChange(wanted);
    wanted = null;
  }
  function set(value, now) {
    field = { ...field, value };
    wanted = value;
    display(value);
    clearTimeout(timer);
    if (now || performance.now() - last >= PAUSE) flush();
    else timer = setTimeout(flush, PAUSE);
  }
  slider.addEventListener("input", () => {
    const value = valueAt(Number(slider.value));
    number.value = short(value, 6);
    set(value, false);
  });
  slider.addEventListener("change", flush);
  slider.addEventListener("keydown", (event) => {
    const by = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1, PageUp: 10, PageDown: -10 }[event.key];
    if (!by) return;
    event.preventDefault();
    const at = valueAt(Number(slider.value) + (by * STEPS) / 100);
    const value = field.type === "integer" && at === field.value ? field.value + Math.sign(by) : at;
    slider.value = String(place(value));
    number.value = short(value, 6);
    set(Math.min(Math.max(value, field.low), field.high), false);
  });
  function typed() {
    const value = Number(number.value.trim().replace(",", ".").replace(/^inf$/i, "Infinity"));
    const least = field.minimum ?? -Infinity,
      most = field.maximum ?? Infinity;
    const bad =
      number.value.trim() === "" ||
      Number.isNaN(value) ||
      value < least ||
      value > most ||
      (field.type === "integer" && !Number.isInteger(value));
    number.setAttribute("aria-invalid", String(bad));
    number.title = bad
      ? `${field.label}: a${field.type === "integer" ? " whole" : ""} number from ${short(least)} to ${short(most)}`
      : "";
    if (bad) return;
    if (ranged()) slider.value = String(place(value));
    set(value, true);
  }
  number.addEventListener("change", typed);
  number.addEventListener("focus", () => number.select());
  number.addEventListener("keydown", (event) => {
    if (event.key === "Escape") number.value = exact(field.value);
  });

  return (now) => {
    field = { ...now };
    slider.hidden = !ranged();
    row.classList.toggle("plain-number", !ranged());
    if (wanted !== null || slider.matches(":active")) return; // the user is moving it
    if (ranged()) {
      slider.value = String(place(field.value));
    }
    display(field.value);
    if (document.activeElement !== number) {
      number.value = exact(Number(Number(field.value).toPrecision(6)));
      number.setAttribute("aria-invalid", "false");
    }
  };
}

/**
 * Keeps a list of rows equal to a list of fields: rows whose fields are of the same kind stay, with the focus in them.
 * @param {HTMLElement} host @param {string} empty sentence where there is no field
 * @param {(field: Field, value: any) => void} onChange
 */
export function makeFieldList(host, empty, onChange) {
  let shape = null,
    rows = [],
    current = [];
  const shapeOf = (fields) =>
    JSON.stringify(fields.map((f) => [f.key, f.label, f.type, f.unit, f.help, f.choices, f.test, f.group]));
  return {
    /** @param {(Field & {group?: string})[]} fields */
    update(fields) {
      const now = shapeOf(fields);
      current = fields;
      if (now === shape) {
        fields.forEach((field, i) => rows[i].update(field));
        return;
      }
      shape = now;
      rows = fields.map((field, i) => makeField(field, (value) => onChange(current[i], value)));
      const groups = new Map();
      const open = new Set([...host.querySelectorAll("details[open] > summary")].map((s) => s.textContent));
      host.replaceChildren(...(fields.length ? [] : [make("p", { className: "empty", textContent: empty })]));
      fields.forEach((field, i) => {
        if (!field.group) return host.append(rows[i].element);
        if (!groups.has(field.group)) {
          const inner = make("div", { className: "inner" });
          groups.set(field.group, inner);
          host.append(
            make("details", { open: open.has(field.group) }, make("summary", { textContent: field.group }), inner),
          );
        }
        groups.get(field.group).append(rows[i].element);
      });
    },
  };
}
