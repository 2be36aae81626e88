// Shows the pictures: by WebGL, which draws into the canvas itself, or the software renderer's pixels. Without a canvas
// that takes them, the page gets the pixels.

/** A driver that renders on the processor: the engine's own renderer is faster. */
const emulator = /swiftshader|llvmpipe|softpipe|software|basic render/i;

/**
 * @param {boolean} emulated whether an emulation will do
 * @returns {string} why there is no WebGL, or ""
 */
function whyNotWebgl(emulated) {
  if (typeof OffscreenCanvas !== "function") return "this browser has no OffscreenCanvas";
  const gl = new OffscreenCanvas(1, 1).getContext("webgl2");
  if (!gl) return "this browser gives no WebGL 2";
  const info = gl.getExtension("WEBGL_debug_renderer_info");
  const name = String(gl.getParameter(info ? info.UNMASKED_RENDERER_WEBGL : gl.RENDERER));
  gl.getExtension("WEBGL_lose_context")?.loseContext();
  return !emulated && emulator.test(name) ? "there is no graphics processor" : "";
}

export class Canvas {
  /** @param {OffscreenCanvas | null} canvas */
  constructor(engine, canvas, ratio) {
    this.engine = engine;
    this.canvas = canvas;
    this.ratio = ratio; // device pixels in a CSS pixel
    this.webgl = false;
    this.context = null;
    this.image = null;
  }

  /** @param {string} wanted "automatic", "software" or "webgl" */
  choose(wanted) {
    if (wanted === "software") return this.useSoftware("");
    const why = this.canvas ? whyNotWebgl(wanted === "webgl") : "the page has no canvas for WebGL";
    if (why) return this.useSoftware(why);
    this.engine.Module.canvas = this.canvas;
    this.canvas.addEventListener("webglcontextlost", (event) => {
      event.preventDefault();
      this.lose("the graphics context was lost; the software renderer goes on");
    });
    this.webgl = this.engine.call("renderer", "webgl", "") === 1;
    if (!this.webgl) this.canvas = null; // after a failed WebGL context, it may refuse every other
  }

  useSoftware(why) {
    this.webgl = false;
    this.engine.call("renderer", "software", why);
  }

  lose(why) {
    if (!this.webgl) return;
    this.canvas = null;
    this.useSoftware(why);
    this.onLost?.();
  }

  /** Shows the picture that was drawn. Returns an image for the page, if it is to show it. */
  show() {
    if (this.webgl) return null;
    const { engine, canvas } = this;
    if (!canvas) return engine.pixels();
    const image = engine.pixels(this.image?.data);
    if (!image) return null;
    const { width, height, pixels } = image;
    if (pixels !== this.image?.data || this.image.width !== width) this.image = new ImageData(pixels, width, height);
    if (canvas.width !== width || canvas.height !== height) {
      canvas.width = width;
      canvas.height = height;
    }
    this.context ??= canvas.getContext("2d");
    if (!this.context) {
      this.canvas = null;
      return image;
    }
    this.context.putImageData(this.image, 0, 0);
    return null;
  }

  /** The canvas has the picture's size where WebGL draws into it. */
  resize(width, height) {
    if (this.webgl && this.canvas) {
      this.canvas.width = width;
      this.canvas.height = height;
    }
  }
}
