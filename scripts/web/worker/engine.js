// The engine: loads it, calls its functions, and hands on the messages that they leave.
import { fetchFiles, placeFiles } from "./files.js";

/**
 * @param {{base: string, threads: number, post: (message: object, transfer?: Transferable[]) => void}} options
 */
export async function loadEngine({ base, threads, post }) {
  let name = threads > 1 ? "springtide-threads" : "springtide";
  const files = fetchFiles(base, (loaded, total) => post({ type: "progress", loaded, total }));
  files.catch(() => {}); // awaited below
  try {
    self.importScripts(new URL(`${name}.js`, base).href);
  } catch (error) {
    if (threads === 1) throw error;
    name = "springtide"; // a folder with one variant
    self.importScripts(new URL(`${name}.js`, base).href);
  }
  const Module = await self.Springtide({
    locateFile: (file) => new URL(file, base).href,
    mainScriptUrlOrBlob: new URL(`${name}.js`, base).href,
    helpers: threads - 1, // PTHREAD_POOL_SIZE in web.sh
    preRun: [
      (module) => {
        module.ENV.SPRINGTIDE_SCRIPTS = "/scripts";
      },
    ],
    print: (text) => post({ type: "print", kind: "output", text: `${text}\n` }),
    printErr: (text) => post({ type: "print", kind: "warning", text: `${text}\n` }),
    onBusy: (what, seconds) => post({ type: "busy", what, seconds }),
  });
  placeFiles(Module.FS, await files);
  return new Engine(Module, post);
}

export class Engine {
  constructor(Module, post) {
    this.Module = Module;
    this.FS = Module.FS;
    this.post = post;
    /** Members to add to the next message of a type. */
    this.extra = {};
  }

  /** Calls tide_web_NAME with numbers and texts. */
  call(name, ...values) {
    const kinds = values.map((value) => (typeof value === "string" ? "string" : "number"));
    return this.Module.ccall(`tide_web_${name}`, "number", kinds, values);
  }

  has(name) {
    return typeof this.Module[`_tide_web_${name}`] === "function";
  }

  /** Takes the messages that wait. @returns {{type: string, [member: string]: any}[]} */
  take() {
    const lines = this.Module.ccall("tide_web_take", "string", [], []);
    return lines
      .split("\n")
      .filter(Boolean)
      .map((line) => JSON.parse(line));
  }

  /** Posts the messages that wait. */
  flush() {
    for (const message of this.take()) this.post({ ...message, ...this.extra[message.type] });
  }

  get memory() {
    return this.Module.HEAPU8.length;
  }

  /** The picture's pixels, a copy. */
  pixels(into) {
    const width = this.call("width"),
      height = this.call("height"),
      at = this.call("pixels");
    const size = 4 * width * height;
    if (!size || !at) return null;
    const pixels = into?.length === size ? into : new Uint8ClampedArray(size);
    pixels.set(this.Module.HEAPU8.subarray(at, at + size));
    return { width, height, pixels };
  }
}
