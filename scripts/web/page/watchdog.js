// Watches the worker: a script that neither ends nor yields must not take the page with it.

const EVERY = 500; // ms between looks
const LIMIT = 5000; // ms of silence, after which the worker is ended
const LIMIT_LOADING = 60000; // ms, before the engine is ready
const LIMIT_THREADS = 20000; // ms, the same with threads: a browser may fail to start them without a word
const LIMIT_FIRST = 20000; // ms, before its first picture: the graphics driver may compile for seconds
const SLEEP = 120000; // ms, from which on a sleep is told

/**
 * @param {ReturnType<import("./engine.js").makeEngine>} engine
 * @param {{onSilent: (whileLoading: boolean) => void, onSleep: (minutes: number) => void}} listeners
 *   onSilent: the worker is to be ended
 */
export function watch(engine, { onSilent, onSleep }) {
  const first = globalThis.crossOriginIsolated ? LIMIT_THREADS : LIMIT_LOADING;
  let ready = false,
    limit = first,
    looked = performance.now();
  engine.on("started", () => {
    [ready, limit] = [false, first];
  });
  engine.on("again", () => {
    [ready, limit] = [false, LIMIT_LOADING];
  });
  engine.on("ready", () => {
    [ready, limit] = [true, LIMIT_FIRST];
  });
  engine.on("frame", () => {
    limit = LIMIT;
  });
  document.addEventListener("visibilitychange", () => engine.excuse());
  return setInterval(() => {
    const now = performance.now(),
      late = now - looked > 3 * EVERY;
    if (now - looked > SLEEP) onSleep(Math.round((now - looked) / 60000));
    looked = now;
    // A page that slept hears its worker only after its own timers
    if (late || document.hidden) engine.excuse();
    else if (engine.silence() > limit) {
      engine.excuse();
      onSilent(!ready);
    }
  }, EVERY);
}
