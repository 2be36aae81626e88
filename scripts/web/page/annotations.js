// What the annotations (completions.json, made of scripts/springtide/library.lua) say about a place in a script: which
// names may stand there, and what a name means. Pure functions of text; tests/web tests them under node.

/** @typedef {{help: string, base: string, fields: Record<string, [string, string]>}} Class */
/** @typedef {{name: string, type: string, help: string, call: boolean}} Entry */

const KEYWORDS = (
  "and break do else elseif end false for function goto if in local nil not or repeat return " + "then true until while"
).split(" ");
const DEEPEST = 20; // tables within tables
const NEAR = 300; // characters before a bracket that are looked at
const GLOBALS = (
  "assert error ipairs math next pairs pcall print require select setmetatable string table " + "tonumber tostring type"
).split(" ");

/** @param {{classes: Record<string, Class>}} data */
export function makeAnnotations({ classes }) {
  /** All fields of a class, with those of its bases. @returns {Record<string, [string, string]>} */
  function fieldsOf(name) {
    const found = Object.hasOwn(classes, name) ? classes[name] : null;
    return found ? { ...(found.base ? fieldsOf(found.base) : {}), ...found.fields } : {};
  }
  const classesIn = (type) => (type.match(/[A-Za-z_][\w.]*/g) ?? []).filter((name) => Object.hasOwn(classes, name));

  /** The class that a call returns, or that a plain field has. */
  function resultOf(type) {
    const returned = /^fun\(.*\):\s*(.*)$/.exec(type)?.[1] ?? (type.startsWith("fun(") ? "" : type);
    return classesIn(returned)[0] ?? "";
  }

  /** The classes of the tables that a call takes. */
  function argumentsOf(type) {
    const inside = /^fun\((.*?)\)(?::|\??$)/.exec(type)?.[1] ?? "";
    return classesIn(inside.replace(/^self: [\w.]+,?/, ""));
  }

  /**
   * The class of an expression such as `tide.mesh` or `cloth`, from the assignments before it; "" where it is
   * unknown.
   */
  function classOf(expression, text, depth = 0) {
    const clean = expression.trim();
    if (depth > 6 || !clean) return "";
    const parts = clean.split(/[.:]/);
    if (parts.length > 1) {
      const owner = classOf(parts.slice(0, -1).join("."), text, depth + 1);
      const field = owner && fieldsOf(owner)[parts[parts.length - 1]];
      return field ? resultOf(field[0]) : "";
    }
    const assigned =
      new RegExp(`(?:^|[^\\w.])(?:local\\s+)?${clean.replace(/\W/g, "")}\\s*=\\s*([^\\n]*)`).exec(text)?.[1] ?? "";
    const required = /^require\s*\(?\s*["']([\w.]+)["']/.exec(assigned)?.[1];
    if (required === "springtide") return "tide";
    if (required) {
      const last = required.split(".").pop() ?? "";
      return `springtide.${last[0]?.toUpperCase()}${last.slice(1)}Module`;
    }
    const call = /^([A-Za-z_][\w.]*(?::\w+)?)\s*(?=[({"']|$)/.exec(assigned)?.[1];
    if (call && call !== clean) return classOf(call, text, depth + 1);
    return { tide: "tide", scene: "tide.Scene", canvas: "tide.Canvas" }[clean] ?? "";
  }

  /** The open brackets around a place: for each, its position. Comments and strings are left out. */
  function openBrackets(text, at) {
    const open = [];
    const token = /--\[\[[\s\S]*?\]\]|--[^\n]*|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|[{}()]/g;
    for (let found = token.exec(text); found && found.index < at; found = token.exec(text)) {
      if ("{(".includes(found[0])) open.push(found.index);
      else if ("})".includes(found[0])) open.pop();
      else if (found.index + found[0].length > at - (found[0].startsWith("--") ? 1 : 0)) return null; // in a text
    }
    return open;
  }

  /** The classes of the table whose bracket stands at `open[level]`. */
  function tableClasses(text, open, level) {
    if (level < 0 || open.length - level > DEEPEST || text[open[level]] !== "{") return [];
    const before = text.slice(Math.max(0, open[level] - NEAR), open[level]);
    // `name { ... }`, or `name(..., { ... })` with the parenthesis still open
    const inside = text[open[level - 1]] === "(" && /[(,]\s*$/.test(before);
    const call = /([A-Za-z_][\w.]*(?::\w+)?)\s*$/.exec(
      inside ? text.slice(Math.max(0, open[level - 1] - NEAR), open[level - 1]) : before,
    );
    if (call) {
      const parts = call[1].split(/[.:]/),
        name = parts.pop();
      const owner = classOf(parts.join("."), text);
      const field = owner && fieldsOf(owner)[name];
      const taken = field ? argumentsOf(field[0]) : [];
      return name === "collider" ? colliderClasses(text, open[level]) : taken;
    }
    const key = /([A-Za-z_]\w*)\s*=\s*$/.exec(before)?.[1];
    if (!key) return tableClasses(text, open, level - 1); // a table in a list of such tables
    for (const outer of tableClasses(text, open, level - 1)) {
      const field = fieldsOf(outer)[key];
      if (!field) continue;
      if (key === "solver") return solverClasses(text, open[level]);
      return classesIn(field[0]);
    }
    return [];
  }

  /** Of a family of classes, the one that the table names, else all. */
  const colliderClasses = (text, open) =>
    family(text, open, /shape\s*=\s*["'](\w+)["']/, "tide.Collider", "tide.ColliderFields");
  const solverClasses = (text, open) => family(text, open, /^\{\s*["'](\w+)["']/, "tide.Solver", "");
  function family(text, open, pattern, prefix, otherwise) {
    const named = pattern.exec(text.slice(open, open + 400))?.[1];
    const camel = named
      ? prefix +
        named
          .split("_")
          .map((word) => word[0]?.toUpperCase() + word.slice(1))
          .join("")
      : "";
    return Object.hasOwn(classes, camel) ? [camel] : otherwise ? [otherwise] : [];
  }

  const entry = (name, [type, help]) => ({ name, type, help, call: type.startsWith("fun(") });
  const entriesOf = (name) =>
    Object.entries(fieldsOf(name))
      .filter(([field]) => /^[A-Za-z_]/.test(field))
      .map(([f, v]) => entry(f, v));

  return {
    /**
     * What may stand at a place: where the word begins, and its candidates.
     * @returns {{from: number, entries: Entry[]}|null}
     */
    complete(text, at) {
      const open = openBrackets(text, at);
      if (!open) return null;
      const before = text.slice(0, at),
        line = before.slice(before.lastIndexOf("\n") + 1);
      const member = /([A-Za-z_][\w.]*(?::\w+)?)\s*([.:])(\w*)$/.exec(line);
      if (member) {
        const owner = classOf(member[1], text);
        const entries = owner
          ? entriesOf(owner)
          : member[2] === ":"
            ? ["tide.Scene", "tide.Body", "tide.Collider", "tide.Mesh"].flatMap(entriesOf)
            : [];
        const wanted = entries.filter((e) => member[2] !== ":" || e.call);
        return { from: at - member[3].length, entries: [...new Map(wanted.map((e) => [e.name, e])).values()] };
      }
      const chained = /\)\s*:(\w*)$/.exec(line);
      if (chained)
        return {
          from: at - chained[1].length,
          entries: ["tide.Mesh", "tide.Body", "tide.Distance"].flatMap(entriesOf).filter((e) => e.call),
        };
      const word = /(^|[^\w."'])([A-Za-z_]\w*)$/.exec(line)?.[2] ?? "";
      const fields = tableClasses(text, open, open.length - 1).flatMap(entriesOf);
      const key = /[{,]\s*\w*$/.test(before) || /^\s*\w*$/.test(line);
      if (!word && !(key && fields.length && /[{,\s]$/.test(before))) return null;
      const words = new Set(text.match(/\b[A-Za-z_]\w{2,}\b/g) ?? []);
      words.delete(word);
      const plain = [...KEYWORDS, ...GLOBALS, ...words].map((name) => ({ name, type: "", help: "", call: false }));
      const known = new Set(fields.map((f) => f.name));
      return {
        from: at - word.length,
        entries: key ? [...fields, ...(word ? plain.filter((p) => !known.has(p.name)) : [])] : plain,
      };
    },
    /** What the name at a place means. @returns {{from: number, to: number, type: string, help: string}|null} */
    describe(text, at) {
      let from = at,
        to = at;
      while (from > 0 && /\w/.test(text[from - 1])) from--;
      while (to < text.length && /\w/.test(text[to])) to++;
      const open = openBrackets(text, at);
      if (from === to || !open) return null;
      const name = text.slice(from, to);
      const owner = /([A-Za-z_][\w.]*)\s*[.:]\s*$/.exec(text.slice(Math.max(0, from - 120), from))?.[1];
      const inTable = /^\s*=[^=]/.test(text.slice(to, to + 8)) ? tableClasses(text, open, open.length - 1) : [];
      for (const type of owner ? [classOf(owner, text)] : inTable) {
        const field = type && Object.hasOwn(fieldsOf(type), name) && fieldsOf(type)[name];
        if (field) return { from, to, type: `${name}: ${field[0].replace(/^fun/, "function")}`, help: field[1] };
      }
      const type = classOf(name, text);
      return type && !owner ? { from, to, type: `${name}: ${type}`, help: classes[type]?.help ?? "" } : null;
    },
  };
}
