// The worker in which the engine runs: messages out and in, and a new worker in place of one that is ended.
// scripts/web/README.md lists the messages.

/** @typedef {{type: string, [member: string]: any}} Message */

export function makeEngine(makeWorker = () => new Worker("worker.js")) {
  /** @type {Worker | null} */
  let worker = null;
  /** @type {Map<string, Set<(message: any) => void>>} */
  const listeners = new Map();
  const sends = new Set();
  let heard = 0;

  function tell(type, message) {
    for (const listener of listeners.get(type) ?? []) listener(message);
  }
  const engine = {
    /** Calls a function for each message of a type. Types "failed" and "started" are made here. */
    on(type, listener) {
      if (!listeners.has(type)) listeners.set(type, new Set());
      listeners.get(type).add(listener);
      return () => listeners.get(type).delete(listener);
    },
    /** @param {Message} message @param {Transferable[]} [transfer] */
    send(message, transfer = []) {
      worker?.postMessage(message, transfer);
      for (const listener of sends) listener(message);
    },
    /** Calls a function for each message that is sent. */
    onSend: (listener) => sends.add(listener),
    /** Starts a worker, and ends the one before. */
    start() {
      engine.stop();
      heard = performance.now();
      const started = makeWorker();
      worker = started;
      started.onmessage = ({ data }) => {
        if (worker !== started || typeof data?.type !== "string") return;
        heard = performance.now();
        tell(data.type, data);
      };
      started.onerror = (event) => {
        event.preventDefault();
        if (worker === started) tell("failed", { message: event.message ?? "" });
      };
      tell("started", {});
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
