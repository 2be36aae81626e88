// Play, step, reset, the strip of frames, speed, and the figures below the picture.
import { byId } from "./dom.js";
import { megabytes, milliseconds } from "./numbers.js";

const EVERY = 80; // ms between updates of the figures while it runs

export function startTransport(engine, notices) {
  const play = byId("play"),
    timeline = byId("timeline"),
    speed = byId("speed"),
    hash = byId("figure-hash");
  let playing = false,
    last = null,
    shown = 0,
    dragging = false,
    asked = -1,
    seeking = 0;

  function showPlaying() {
    play.setAttribute("aria-pressed", String(playing));
    play.setAttribute("aria-label", playing ? "Pause" : "Play");
    play.title = playing ? "Pause (Space)" : "Play (Space)";
    byId("play-icon").setAttribute("href", playing ? "#i-pause" : "#i-play");
  }
  function showTimeline(frame) {
    const { first = 0, last: end = frame.frame } = frame.history ?? {};
    timeline.min = String(Math.min(first, frame.frame));
    timeline.max = String(Math.max(end, frame.frame));
    if (!dragging) timeline.value = String(frame.frame);
    const span = Number(timeline.max) - Number(timeline.min);
    timeline.style.setProperty(
      "--filled",
      `${span > 0 ? ((Number(timeline.value) - Number(timeline.min)) / span) * 100 : 100}%`,
    );
    timeline.setAttribute("aria-valuetext", `frame ${timeline.value} of ${timeline.max}`);
    timeline.disabled = span <= 0;
  }
  function showFigures(frame) {
    byId("figure-frame").textContent = String(frame.frame);
    byId("figure-time").textContent = `${Number(frame.time).toFixed(3)} s`;
    byId("figure-step").textContent = milliseconds(frame.step_ms);
    byId("figure-draw").textContent = milliseconds(frame.draw_ms);
  }
  engine.on("frame", (frame) => {
    const changed = frame.playing !== playing;
    last = frame;
    playing = Boolean(frame.playing);
    if (changed) showPlaying();
    const now = performance.now();
    if (playing && !changed && now - shown < EVERY) return;
    shown = now;
    showTimeline(frame);
    showFigures(frame);
    // The hash takes time for large scenes, and nobody reads it while it changes
    if (playing) {
      hash.textContent = "-";
      asked = -1;
    } else if (!going && (asked !== frame.frame || changed)) {
      asked = frame.frame;
      engine.send({ type: "hash" });
    }
  });
  // A run to a frame is answered by its hash without being asked
  let going = false;
  engine.onSend(({ type, frame }) => {
    if (type === "run_to" || (type === "open" && frame > 0)) going = true;
    else if (type === "play" || type === "open" || type === "seek" || type === "step") going = false;
  });
  engine.on("error", () => {
    going = false;
  });
  engine.on("reached", (message) => {
    going = false;
    if (!playing && typeof message.hash === "string") hash.textContent = message.hash;
  });
  engine.on("opened", () => {
    asked = -1;
  });
  engine.on("good", () => {
    asked = -1;
  });
  engine.on("alive", (message) => {
    byId("figure-memory").textContent = megabytes(message.memory);
  });

  const transport = {
    get playing() {
      return playing;
    },
    get frame() {
      return last?.frame ?? 0;
    },
    play: (on = !playing) => engine.send({ type: "play", on }),
    step: (frames = 1) => engine.send({ type: "step", frames }),
    reset: () => engine.send({ type: "reset" }),
    /** Goes some frames back or forth; at the newest, forth is a step. @param {number} by */
    go(by) {
      const newest = last?.history?.last ?? transport.frame;
      if (by > 0 && transport.frame >= newest) transport.step(by);
      else
        engine.send({
          type: "seek",
          frame: Math.min(Math.max(transport.frame + by, last?.history?.first ?? 0), newest),
        });
    },
  };
  play.addEventListener("click", () => transport.play());
  byId("step").addEventListener("click", () => transport.step());
  byId("reset").addEventListener("click", () => transport.reset());
  timeline.addEventListener("input", () => {
    dragging = true;
    const frame = Number(timeline.value); // read now: a frame message may move the slider before the callback runs
    cancelAnimationFrame(seeking);
    seeking = requestAnimationFrame(() => engine.send({ type: "seek", frame }));
  });
  timeline.addEventListener("change", () => {
    dragging = false;
  });
  timeline.addEventListener("pointerup", () => {
    dragging = false;
  });
  speed.addEventListener("change", () => engine.send({ type: "speed", factor: Number(speed.value) }));
  hash.addEventListener("click", async () => {
    if (hash.textContent === "-") return notices.toast("pause first: the hash is that of the shown frame");
    try {
      await navigator.clipboard.writeText(hash.textContent);
      notices.toast("hash copied");
    } catch {
      notices.toast(`hash: ${hash.textContent}`);
    }
  });
  showPlaying();
  return transport;
}
