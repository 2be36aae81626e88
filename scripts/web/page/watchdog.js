// Watches the worker: a script that neither ends nor yields must not take the page with it.

const EVERY = 500; // ms between looks
const LIMIT = 5000; // ms of silence, after which the worker is ended
const LIMIT_LOADING = 60000; // ms, before the engine is ready

/**
 * @param {ReturnType<import("./engine.js").makeEngine>} engine
 * @param {(while_loading: boolean) => void} onSilent the worker is to be ended
 */
export function watch(engine, onSilent) {
  let ready = false, looked = performance.now();
  engine.on("ready", () => { ready = true; });
  engine.on("started", () => { ready = false; });
  document.addEventListener("visibilitychange", () => engine.excuse());
  return setInterval(() => {
    const now = performance.now(), late = now - looked > 3 * EVERY;
    looked = now;
    // A page that slept hears its worker only after its own timers
    if (late || document.hidden) engine.excuse();
    else if (engine.silence() > (ready ? LIMIT : LIMIT_LOADING)) {
      engine.excuse();
      onSilent(!ready);
    }
  }, EVERY);
}
