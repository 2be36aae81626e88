// The canvas of the picture: its size, and mouse, pen and touch on it. One finger does what the left button does; two
// turn, move and zoom the view.
import { byId } from "./dom.js";

export function startCanvas(engine) {
  const host = byId("picture");
  let canvas = byId("canvas"),
    image = null,
    transferred = false;
  const fingers = new Map(); // by id of the pointer: { x, y }
  let two = false; // a gesture of two fingers, until all are up

  const size = () => ({
    width: Math.max(1, host.clientWidth),
    height: Math.max(1, host.clientHeight),
    ratio: Math.min(devicePixelRatio || 1, 2),
  });
  const placeOf = (event) => {
    const box = host.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  };
  const send = (kind, event, place = placeOf(event)) =>
    engine.send({
      type: "pointer",
      kind,
      id: event.pointerId,
      ...place,
      button: Math.max(event.button, 0),
      shift: event.shiftKey,
      ctrl: event.ctrlKey || event.metaKey,
      alt: event.altKey,
    });
  const isControl = (event) => event.target instanceof Element && event.target.closest("button, #message, #tools");

  function down(event) {
    if (isControl(event)) return;
    host.focus({ preventScroll: true });
    event.preventDefault();
    try {
      host.setPointerCapture(event.pointerId);
    } catch {
      /* it is up again */
    }
    fingers.set(event.pointerId, placeOf(event));
    if (event.pointerType === "touch" && fingers.size >= 2) {
      if (!two)
        for (const [id, place] of fingers)
          if (id !== event.pointerId) send("cancel", { ...plain(event), pointerId: id }, place);
      two = true;
    } else if (!two) send("down", event);
  }
  const plain = ({ button, shiftKey, ctrlKey, metaKey, altKey }) => ({ button, shiftKey, ctrlKey, metaKey, altKey });

  function move(event) {
    if (!fingers.has(event.pointerId)) return;
    const before = [...fingers.values()].map((f) => ({ ...f }));
    fingers.set(event.pointerId, placeOf(event));
    if (!two) return send("move", event);
    const after = [...fingers.values()];
    if (after.length < 2) return;
    const span = ([a, b]) => Math.max(Math.hypot(b.x - a.x, b.y - a.y), 1),
      angle = ([a, b]) => Math.atan2(b.y - a.y, b.x - a.x);
    const middle = ([a, b]) => ({ x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 });
    const turn = angle(after) - angle(before),
      from = middle(before),
      to = middle(after);
    engine.send({
      type: "gesture",
      dx: to.x - from.x,
      dy: to.y - from.y,
      zoom: span(after) / span(before),
      turn: Math.atan2(Math.sin(turn), Math.cos(turn)),
    });
  }
  function up(event) {
    if (!fingers.delete(event.pointerId)) return;
    if (!two) send(event.type === "pointercancel" ? "cancel" : "up", event);
    if (fingers.size === 0) two = false;
  }
  host.addEventListener("pointerdown", down);
  host.addEventListener("pointermove", move);
  host.addEventListener("pointerup", up);
  host.addEventListener("pointercancel", up);
  host.addEventListener("contextmenu", (event) => event.preventDefault());
  host.addEventListener(
    "wheel",
    (event) => {
      if (isControl(event)) return;
      event.preventDefault();
      const unit = [1, 16, 400][event.deltaMode] ?? 1;
      // A pinch on a trackpad comes as a wheel with Ctrl, in small numbers
      engine.send({ type: "wheel", ...placeOf(event), delta: event.deltaY * unit * (event.ctrlKey ? 8 : 1) });
    },
    { passive: false },
  );
  // Safari's own pinch would zoom the page
  for (const name of ["gesturestart", "gesturechange"]) host.addEventListener(name, (event) => event.preventDefault());

  let sent = "";
  new ResizeObserver(() => {
    const now = size(),
      key = JSON.stringify(now);
    if (key === sent) return;
    sent = key;
    engine.send({ type: "resize", ...now });
  }).observe(host);

  engine.on("frame", ({ image: picture }) => {
    if (!picture) return;
    // No OffscreenCanvas, or a lost one: the page puts the pixels itself
    if (transferred) replace();
    image ??= canvas.getContext("2d");
    if (canvas.width !== picture.width || canvas.height !== picture.height)
      Object.assign(canvas, { width: picture.width, height: picture.height });
    image.putImageData(new ImageData(picture.pixels, picture.width, picture.height), 0, 0);
  });

  function replace() {
    const fresh = canvas.cloneNode(false);
    canvas.replaceWith(fresh);
    canvas = fresh;
    image = null;
    transferred = false;
  }
  return {
    size,
    /**
     * Makes a new canvas for a new worker, and hands it over where the browser can.
     * @returns {OffscreenCanvas | null}
     */
    renew() {
      replace();
      fingers.clear();
      two = false;
      const box = size();
      Object.assign(canvas, { width: Math.round(box.width * box.ratio), height: Math.round(box.height * box.ratio) });
      transferred = typeof canvas.transferControlToOffscreen === "function";
      return transferred ? canvas.transferControlToOffscreen() : null;
    },
  };
}
