// The worker in which the engine runs: messages out and in, and a new worker in place of one that is ended.
// scripts/web/README.md lists the messages.

/** @typedef {{type: string, [member: string]: any}} Message */

// A browser under load may fail to start a worker, which then sends nothing. In Firefox a worker may also hang after its
// script has started, if it starts threads while the threads of another page end.
const DEAF = 10000; // ms until the first message, "begun"
const HUNG = 4000; // ms from there until the next message

export function makeEngine(makeWorker = () => new Worker("worker.js")) {
  /** @type {Worker | null} */
  let worker = null;
  /** @type {Map<string, Set<(message: any) => void>>} */
  const listeners = new Map();
  const sends = new Set();
  let heard = 0,
    ready = false;
  /** @type {Message[]} */
  let early = []; // what a worker that is not ready yet was sent
  let lost = 0; // workers that never said anything

  function tell(type, message) {
    for (const listener of listeners.get(type) ?? []) listener(message);
  }
  function replace() {
    engine.stop();
    heard = performance.now();
    ready = false;
    const started = makeWorker();
    worker = started;
    const giveUp = () => {
      if (worker === started && lost++ < 2) engine.again();
    };
    let deaf = setTimeout(giveUp, DEAF);
    started.onmessage = ({ data }) => {
      clearTimeout(deaf);
      if (data?.type === "begun") deaf = setTimeout(giveUp, HUNG);
      if (worker !== started || typeof data?.type !== "string") return;
      heard = performance.now();
      if (data.type === "ready") [ready, early] = [true, []];
      tell(data.type, data);
    };
    started.onerror = (event) => {
      event.preventDefault();
      if (worker === started) tell("failed", { message: event.message ?? "" });
    };
  }
  const engine = {
    /** Calls a function for each message of a type. Types "failed", "started" and "again" are made here. */
    on(type, listener) {
      if (!listeners.has(type)) listeners.set(type, new Set());
      listeners.get(type).add(listener);
      return () => listeners.get(type).delete(listener);
    },
    /** @param {Message} message @param {Transferable[]} [transfer] */
    send(message, transfer = []) {
      worker?.postMessage(message, transfer);
      if (!ready) early.push(message);
      for (const listener of sends) listener(message);
    },
    /** Calls a function for each message that is sent. */
    onSend: (listener) => sends.add(listener),
    /** Starts a worker, and ends the one before. */
    start() {
      [early, lost] = [[], 0];
      replace();
      tell("started", {});
    },
    /**
     * Starts another worker in place of one that never became ready, and sends it the same. Who listens to "again" sends
     * the first message, which may transfer a canvas.
     */
    again() {
      const messages = early.filter(({ type }) => type !== "init" || !listeners.has("again"));
      early = [];
      replace();
      tell("again", {});
      for (const message of messages) {
        worker?.postMessage(message);
        early.push(message);
      }
    },
    stop() {
      worker?.terminate();
      worker = null;
    },
    /** Milliseconds since the last message of the worker. */
    silence: () => (worker ? performance.now() - heard : 0),
    /** Forgets a silence, after the page itself was asleep. */
    excuse() {
      heard = performance.now();
    },
  };
  return engine;
}
