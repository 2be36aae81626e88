// Time: steps the experiment by the clock, draws what has changed, and tells the page.

const BUDGET = 0.03; // s of steps between two pictures
const ALIVE = 1000; // ms between signs of life
const SNAPSHOT = 4000; // ms between snapshots for a restart

const next =
  typeof self.requestAnimationFrame === "function"
    ? (f) => self.requestAnimationFrame(f)
    : (f) => setTimeout(() => f(performance.now()), 16);

export class Loop {
  constructor(engine, canvas, post) {
    Object.assign(this, { engine, canvas, post });
    this.last = 0;
    this.waiting = false;
    this.run = null; // steps to a frame: { frame, hash }
    this.saved = { frame: -1, at: 0, every: SNAPSHOT };
    setInterval(() => {
      post({ type: "alive", memory: engine.memory });
      this.wake();
    }, ALIVE);
  }

  /** Something may have changed: looks at the next picture. */
  wake() {
    if (this.waiting) return;
    this.waiting = true;
    next((now) => this.turn(now));
  }

  turn(now) {
    const { engine } = this;
    this.waiting = false;
    const elapsed = this.last ? (now - this.last) / 1000 : 0;
    this.last = now;
    if (this.run) this.runOn();
    else engine.call("advance", elapsed, BUDGET);
    const playing = engine.call("is_playing") === 1;
    if (engine.call("is_dirty")) this.show();
    engine.flush();
    this.keep(now);
    if (playing || this.run) this.wake();
    else this.last = 0;
  }

  show() {
    const { engine } = this;
    engine.call("draw");
    const image = this.canvas.show();
    engine.flush();
    engine.call("tell_frame");
    if (!image) return engine.flush();
    engine.extra.frame = { image };
    engine.flush();
    engine.extra.frame = undefined;
  }

  /** A new experiment: nothing of it is saved, and its start needs no snapshot. */
  begin() {
    this.run = null;
    this.saved = { frame: -1, at: performance.now(), every: SNAPSHOT };
  }

  /** Steps to a frame, a piece at a time, then tells its hash. */
  runTo(frame, hash) {
    this.run = { frame, hash };
    this.wake();
  }

  runOn() {
    const { engine, run } = this;
    const left = run.frame - engine.call("frame");
    if (left > 0 && engine.call("step", left, 0.1) > 0 && run.frame > engine.call("frame"))
      return this.post({ type: "busy", what: `frame ${engine.call("frame")} of ${run.frame}`, seconds: 0 });
    this.run = null;
    this.post({ type: "busy", what: "", seconds: 0 });
    engine.call("hash", run.hash);
  }

  /** Tells the state from time to time, so that another worker can go on from it. */
  keep(now) {
    const { engine, saved } = this,
      frame = engine.call("frame");
    if (frame === 0 || frame === saved.frame || now - saved.at < saved.every || this.run) return;
    this.save(now);
  }

  save(now = performance.now()) {
    const { engine, saved } = this,
      start = performance.now();
    engine.call("snapshot");
    engine.flush();
    Object.assign(saved, { frame: engine.call("frame"), at: now });
    saved.every = Math.max(SNAPSHOT, 50 * (performance.now() - start)); // at most 2 % of the time
  }
}
