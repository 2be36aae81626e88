// The content of a link: the same fields, rules and sentences as engine/formats/link_json.c.

/**
 * An experiment as a link carries it.
 * @typedef {object} Experiment
 * @property {string} name of the scene: letters, digits, "-" and "_"
 * @property {string} script
 * @property {Object<string, string>} [modules] those of the scene's folder, as `require` names them
 * @property {Object<string, string>} [parameters] values of tide.param, as texts
 * @property {string} [solver] "NAME,key=value,..."; without it, the scene's own
 * @property {number} [timestep] s; without it, the scene's own
 * @property {number} [seed] of random numbers; without it 0
 * @property {{position: number[], target: number[], up: number[], field_of_view: number}} [camera]
 * @property {number} frame that the link shows
 * @property {string} [hash] of the state at the frame, 16 hexadecimal digits
 */

export const VERSION = 1;
const MOST_FRAMES = 1000000,
  MOST_PAIRS = 64,
  NAME_SIZE = 64,
  VALUE_SIZE = 4096;

/** A link that cannot be read or made; `message` is one sentence for the user. */
export class LinkError extends Error {}

const utf8 = new TextEncoder();

function fail(field, value, remedy) {
  throw new LinkError(["link", value === undefined ? field : `${field} = ${value}`, remedy].filter(Boolean).join(": "));
}

export function failContent() {
  fail("", undefined, `its content is not what a link of format ${VERSION} holds; it was not made by Springtide`);
}

// A number as C writes it.
const plain = (value) =>
  String(value)
    .replace("Infinity", "inf")
    .replace(/e-(\d)$/, "e-0$1");
// The start of a text, on one line and without control characters, as the native program shows it.
function show(text) {
  const bytes = (c) => [...utf8.encode(c)].map((byte) => `\\x${byte.toString(16).toUpperCase().padStart(2, "0")}`);
  return `"${text
    .slice(0, 40)
    .replace(/[\n\t]/g, " ")
    .replace(/\p{Cc}/gu, (c) => bytes(c).join(""))}"`;
}

function checkString(value) {
  if (typeof value !== "string" || value.includes("\0") || /\p{Surrogate}/u.test(value)) failContent();
  return value;
}

function checkWhole(field, value, largest) {
  if (typeof value !== "number") failContent();
  if (!(value >= 0 && value <= largest && value === Math.floor(value)))
    fail(field, plain(value), `expected a whole number from 0 to ${largest}`);
  return value;
}

function checkNumber(field, value, least, largest) {
  if (typeof value !== "number") failContent();
  if (!(value >= least && value <= largest)) {
    fail(field, plain(value), `expected a number from ${plain(least)} to ${largest}`);
  }
  return value;
}

function checkLimited(field, value, largest) {
  checkString(value);
  if (!value || utf8.encode(value).length > largest || /\p{Cc}/u.test(value))
    fail(field, show(value), `expected a text of 1 to ${largest} bytes without control characters`);
  return value;
}

function checkName(value) {
  if (!/^[A-Za-z0-9_-]{1,64}$/.test(checkString(value)))
    fail("name", show(value), "expected a name of 1 to 64 letters, digits, hyphens and underscores");
  return value;
}

/** Returns the nearest name that a link may have. */
export function linkName(text) {
  return text.replace(/[^A-Za-z0-9_-]/g, "-").slice(0, NAME_SIZE) || "scene";
}

const isModule = (name) =>
  name.length <= NAME_SIZE && /^[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)*$/.test(name) && !/^springtide(\.|$)/.test(name);

function checkPairs(field, value, check) {
  if (typeof value !== "object" || value === null || Array.isArray(value)) failContent();
  const pairs = {};
  const names = Object.keys(value);
  names.forEach((name, i) => {
    if (i === MOST_PAIRS) fail(field, undefined, `expected at most ${MOST_PAIRS}`);
    check(name, value[name]);
    Object.defineProperty(pairs, name, { value: value[name], enumerable: true });
  });
  return pairs;
}

const checkModules = (value) =>
  checkPairs("modules", value, (name, text) => {
    if (!isModule(checkString(name)))
      fail("modules", show(name), 'expected a module\'s name like "flags" or "parts.flags", not one of the library');
    checkString(text);
  });

const checkParameters = (value) =>
  checkPairs("parameters", value, (name, text) => {
    checkLimited("parameters", name, NAME_SIZE);
    checkLimited(name, text, VALUE_SIZE);
  });

function checkCamera(numbers) {
  if (!Array.isArray(numbers) || numbers.length < 10) failContent();
  numbers.slice(0, 10).forEach((number, i) => checkNumber("camera", number, i < 9 ? -1e9 : 0.001, i < 9 ? 1e9 : 3));
  if (numbers.length > 10) failContent();
  const sum = (at) => Math.abs(at(0)) + Math.abs(at(1)) + Math.abs(at(2));
  if (!(sum((k) => numbers[k] - numbers[3 + k]) > 1e-9 && sum((k) => numbers[6 + k]) > 1e-9))
    fail("camera", undefined, "expected a target apart from its position, and a direction up");
  return {
    position: numbers.slice(0, 3),
    target: numbers.slice(3, 6),
    up: numbers.slice(6, 9),
    field_of_view: numbers[9],
  };
}

function checkVersion(value) {
  checkWhole("springtide", value, 1e9);
  if (value > VERSION)
    fail(
      "",
      undefined,
      `made by a newer version of Springtide, in format ${value} where this one reads ${VERSION}; ` +
        "open it with a newer one",
    );
  if (value !== VERSION) failContent();
}

function checkHash(value) {
  if (!/^[0-9a-f]{16}$/.test(checkString(value))) fail("hash", show(value), "expected 16 hexadecimal digits");
  return value;
}

const checks = {
  springtide: checkVersion,
  name: checkName,
  script: (value) => checkString(value) || fail("script", '""', "expected the text of a scene"),
  modules: checkModules,
  parameters: checkParameters,
  solver: (value) => checkLimited("solver", value, VALUE_SIZE),
  timestep: (value) => checkNumber("timestep", value, 1e-9, 1000),
  seed: (value) => checkWhole("seed", value, Number.MAX_SAFE_INTEGER),
  camera: checkCamera,
  frame: (value) => checkWhole("frame", value, MOST_FRAMES),
  hash: checkHash,
};

function parse(json) {
  try {
    return JSON.parse(json);
  } catch {
    return failContent();
  }
}

// Counts the names in a JSON text: JSON.parse keeps the last of those that are given twice.
function countNames(json) {
  let count = 0;
  for (const [, colon] of json.matchAll(/"(?:[^"\\]|\\.)*"\s*(:?)/g)) count += colon ? 1 : 0;
  return count;
}

/**
 * Reads the JSON of a link.
 * @param {string} json
 * @returns {Experiment}
 */
export function readContent(json) {
  const object = parse(json);
  if (typeof object !== "object" || object === null || Array.isArray(object)) failContent();
  const names = Object.keys(object);
  if (names[0] !== "springtide") failContent();
  const experiment = { modules: {}, parameters: {} };
  for (const name of names) {
    if (!Object.hasOwn(checks, name))
      fail(
        show(name),
        undefined,
        `unknown: a link of format ${VERSION} has no such field; it was not made by Springtide`,
      );
    experiment[name] = checks[name](object[name]);
  }
  for (const name of ["name", "script", "frame"])
    if (!Object.hasOwn(object, name)) fail(name, undefined, "missing; each link has it");
  delete experiment.springtide;
  const known = names.length + Object.keys(experiment.modules).length + Object.keys(experiment.parameters).length;
  if (countNames(json) !== known) fail("", undefined, "a name in it is given twice");
  return experiment;
}

/**
 * Writes the JSON of a link, in the order of the fields, without those that say nothing.
 * @param {Experiment} experiment
 * @returns {string}
 */
export function writeContent(experiment) {
  const { camera } = experiment;
  const some = (object) => (object && Object.keys(object).length ? object : undefined);
  const json = JSON.stringify({
    springtide: VERSION,
    name: linkName(experiment.name),
    script: experiment.script,
    modules: some(experiment.modules),
    parameters: some(experiment.parameters),
    solver: experiment.solver || undefined,
    timestep: experiment.timestep || undefined,
    seed: experiment.seed || undefined,
    camera: camera && [...camera.position, ...camera.target, ...camera.up, camera.field_of_view],
    frame: experiment.frame,
    hash: experiment.hash || undefined,
  });
  readContent(json); // refuses what could not be read
  return json;
}
