// Links: an experiment as text, the same for this page and for the native program (engine/formats/link.c). Nothing of a
// link is sent anywhere: it stands after the # of an address, which browsers keep to themselves.
//
//     const text = await encode({ name: "curtain", script, parameters, camera, frame, hash });
//     const experiment = await decode(location.hash);        // throws a LinkError
import { LinkError, failContent, linkName, readContent, writeContent } from "./link_content.js";

export { LinkError };

/** @typedef {import("./link_content.js").Experiment} Experiment */

const LARGEST = 1000000; // characters
const LARGEST_CONTENT = 4000000; // bytes
export const ENDING = ".springtide"; // of files that hold a link

const fail = (sentence) => {
  throw new LinkError(`link: ${sentence}`);
};
const failDamaged = () => fail("damaged: it was cut short or changed on its way; copy it again, whole");
const failLarge = () => fail(`longer than ${LARGEST} characters, which no link may be; ask for the scene as a file`);

function checkBrowser() {
  if (typeof CompressionStream === "undefined" || typeof DecompressionStream === "undefined")
    fail("this browser cannot compress; links need Chrome 80, Firefox 113, Safari 16.4 or later");
}

// --- base64url -------------------------------------------------------------------------------------------------------

const DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
const VALUES = new Int8Array(128).fill(-1);
for (let i = 0; i < 64; i++) VALUES[DIGITS.charCodeAt(i)] = i;

function toBase64(bytes) {
  const parts = [];
  for (let i = 0; i < bytes.length; i += 3) {
    const count = Math.min(bytes.length - i, 3);
    const bits = (bytes[i] << 16) | ((bytes[i + 1] ?? 0) << 8) | (bytes[i + 2] ?? 0);
    for (let k = 0; k <= count; k++) parts.push(DIGITS[(bits >> (18 - 6 * k)) & 63]);
  }
  return parts.join("");
}

// Returns null for other characters, for a length that no encoding has, and for bits beyond the last byte.
function fromBase64(text) {
  const bytes = new Uint8Array(Math.floor((3 * text.length) / 4));
  let bits = 0,
    kept = 0,
    at = 0;
  for (let i = 0; i < text.length; i++) {
    const value = VALUES[text.charCodeAt(i)] ?? -1;
    if (value < 0) return null;
    bits = ((bits << 6) | value) & 0xffff;
    kept += 6;
    if (kept >= 8) {
      kept -= 8;
      bytes[at++] = (bits >> kept) & 255;
    }
  }
  return text.length % 4 === 1 || bits & ((1 << kept) - 1) ? null : bytes;
}

// --- compression -----------------------------------------------------------------------------------------------------

// Hands the bytes through a stream; returns null when more than `largest` come out. Rejects when the stream does.
async function pump(stream, bytes, largest) {
  const writer = stream.writable.getWriter();
  writer.write(bytes).catch(() => {});
  writer.close().catch(() => {});
  const reader = stream.readable.getReader();
  const pieces = [];
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    size += value.length;
    if (size > largest) {
      reader.cancel().catch(() => {});
      return null;
    }
    pieces.push(value);
  }
  const all = new Uint8Array(size);
  let at = 0;
  for (const piece of pieces) {
    all.set(piece, at);
    at += piece.length;
  }
  return all;
}

function adler32(bytes) {
  let a = 1,
    b = 0;
  for (const byte of bytes) {
    a = (a + byte) % 65521;
    b = (b + a) % 65521;
  }
  return ((b << 16) | a) >>> 0;
}

// Some streams ignore what follows the end, so the checksum, the last four bytes, is checked here, too.
function isWhole(packed, content) {
  if (packed.length < 6) return false;
  const end = new DataView(packed.buffer, packed.byteOffset + packed.length - 4, 4);
  return end.getUint32(0) === adler32(content);
}

async function inflate(packed) {
  let content;
  try {
    content = await pump(new DecompressionStream("deflate"), packed, LARGEST_CONTENT);
  } catch {
    failDamaged();
  }
  if (!content)
    fail(`its content is larger than ${LARGEST_CONTENT} bytes, which no link's may be; ask for the scene as a file`);
  if (!isWhole(packed, content)) failDamaged();
  return content;
}

// --- links -----------------------------------------------------------------------------------------------------------

/**
 * Returns whether a text may be meant as a link: an address with one, or the part after #.
 * @param {string} text
 */
export function looksLikeLink(text) {
  return /^\s*(\S*#)?e[A-Za-z0-9_-]{20,}\s*$/.test(text);
}

/**
 * Reads a link: an address with the link after its #, or that part alone; blanks around it are left out.
 * @param {string} text
 * @returns {Promise<Experiment>}
 */
export async function decode(text) {
  const payload = text.slice(text.indexOf("#") + 1).replace(/^[ \t-\r]+|[ \t-\r]+$/g, "");
  if (!payload) fail("empty; expected an address with the link after its #");
  if (payload.length > LARGEST) failLarge();
  checkBrowser();
  const packed = fromBase64(payload);
  if (!packed) failDamaged();
  const content = await inflate(packed);
  let json;
  try {
    json = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(content);
  } catch {
    failContent();
  }
  return readContent(json);
}

/**
 * Writes a link, without "#".
 * @param {Experiment} experiment
 * @returns {Promise<string>}
 */
export async function encode(experiment) {
  checkBrowser();
  const content = new TextEncoder().encode(writeContent(experiment));
  if (content.length > LARGEST_CONTENT)
    fail(
      `script: it and its modules are larger than ${LARGEST_CONTENT} bytes, which no link may hold; ` +
        "give the file away",
    );
  const text = toBase64(await pump(new CompressionStream("deflate"), content, Infinity));
  if (text.length > LARGEST) failLarge();
  return text;
}

/**
 * Returns the name and the content of the file that opens the experiment in the native program.
 * @param {Experiment} experiment
 * @param {string} [base] the page's address
 */
export async function file(experiment, base = "") {
  return { name: linkName(experiment.name) + ENDING, text: `${base}#${await encode(experiment)}\n` };
}
