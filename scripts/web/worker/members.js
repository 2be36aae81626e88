// Reads the members of messages. A message comes from the page, and perhaps from a link: nothing in it is trusted.

export class BadMessage extends Error {}

function fail(message, name, what) {
  throw new BadMessage(`message "${message.type}": ${name}: expected ${what}`);
}

/** @returns {string} */
export function text(message, name, otherwise) {
  const value = message[name] ?? otherwise;
  if (typeof value !== "string") fail(message, name, "a text");
  // C ends a text at a zero
  if (value.includes("\0")) fail(message, name, "a text without zeros");
  return value;
}

/** @returns {number} */
export function number(message, name, otherwise) {
  const value = message[name] ?? otherwise;
  if (typeof value !== "number" || !Number.isFinite(value)) fail(message, name, "a finite number");
  return value;
}

/** A number within a range. @returns {number} */
export function ranged(message, name, least, most, otherwise) {
  const value = number(message, name, otherwise);
  if (value < least || value > most) fail(message, name, `a number from ${least} to ${most}`);
  return value;
}

/** A whole number from 0, or another least. @returns {number} */
export function count(message, name, otherwise, least = 0, most = Number.MAX_SAFE_INTEGER) {
  const value = number(message, name, otherwise);
  if (!Number.isInteger(value) || value < least || value > most)
    fail(message, name, `a whole number from ${least} to ${most}`);
  return value;
}

/** One of some words. @returns {string} */
export function word(message, name, words) {
  const value = text(message, name);
  if (!words.includes(value)) fail(message, name, `one of ${words.join(", ")}`);
  return value;
}

/** @returns {boolean} */
export function flag(message, name, otherwise) {
  const value = message[name] ?? otherwise;
  if (typeof value !== "boolean") fail(message, name, "true or false");
  return value;
}

const isPlain = (value) => ["string", "number", "boolean"].includes(typeof value);

/** A table of plain values, as texts; a list of numbers becomes {1,2,3}. @returns {[string, string][]} */
export function pairs(message, name) {
  const value = message[name] ?? {};
  if (typeof value !== "object" || Array.isArray(value)) fail(message, name, "an object");
  return Object.entries(value)
    .filter(([, member]) => member !== null && member !== undefined)
    .map(([key, member]) => {
      const isList = Array.isArray(member) && member.every((part) => typeof part === "number");
      if (!isList && !isPlain(member)) fail(message, `${name}.${key}`, "a text, number, boolean or list of numbers");
      const words = isList ? `{${member.join(",")}}` : String(member);
      if (`${key}${words}`.includes("\0")) fail(message, `${name}.${key}`, "a text without zeros");
      return [key, words];
    });
}

export const modifiers = (message) =>
  (message.shift === true ? 1 : 0) | (message.ctrl === true ? 2 : 0) | (message.alt === true ? 4 : 0);
