// Runs in the page before its own scripts: records what the page and its workers say to each other, and what the browser
// complains of. The tests read window.recorded.

/** The longest random delay (ms), see run.js. */
export const jitter = Number(process.env.SPRINGTIDE_WEB_JITTER ?? 0);

/** @param {number} jitter messages and frames of animation are delayed by up to this (ms), and keep their order */
export function record(jitter = 0) {
  const recorded = { sent: [], received: [], last: {}, counts: {}, frames: [], violations: [], workers: 0, ended: 0 };
  Object.defineProperty(window, "recorded", { value: recorded });
  // An element of the editor, which stands in a shadow root.
  recorded.in_editor = (selector) => document.querySelector("#editor")?.shadowRoot?.querySelector(selector);
  window.addEventListener("securitypolicyviolation", (event) => {
    recorded.violations.push(`${event.violatedDirective} ${event.blockedURI} ${event.sourceFile}:${event.lineNumber}`);
  });

  const keep = (list, item) => {
    list.push(item);
    if (list.length > 3000) {
      list.splice(0, 1000);
    }
  };
  const note = (data) => {
    const type = String(data?.type);
    recorded.last[type] = data;
    recorded.counts[type] = (recorded.counts[type] ?? 0) + 1;
    if (type === "frame") {
      const { image, ...rest } = data;
      recorded.last.frame = { ...rest, image: image ? { width: image.width, height: image.height } : undefined };
      keep(recorded.frames, data.frame);
    } else if (type !== "alive" && type !== "pong") {
      keep(recorded.received, data);
    }
  };

  /** A queue that delays each item. */
  const late_queue = () => {
    const queue = [];
    let end = 0;
    return (doing) => {
      if (jitter === 0) {
        return doing();
      }
      queue.push(doing);
      end = Math.max(end, performance.now() + jitter * Math.random() ** 4);
      return setTimeout(() => queue.shift()(), end - performance.now());
    };
  };
  if (jitter > 0) {
    const soon = window.requestAnimationFrame.bind(window);
    const frame_queue = late_queue();
    const waiting = new Map();
    let last = 1e9; // apart from the numbers of the browser
    window.requestAnimationFrame = (doing) => {
      const id = ++last;
      waiting.set(id, doing);
      frame_queue(() => soon((now) => {
        waiting.get(id)?.(now);
        waiting.delete(id);
      }));
      return id;
    };
    window.cancelAnimationFrame = (id) => waiting.delete(id);
  }

  const Plain = window.Worker;
  window.Worker = class extends Plain {
    #out = late_queue();

    constructor(...words) {
      super(...words);
      recorded.workers++;
      recorded.worker = this;
      const into = late_queue();
      super.onmessage = (event) => into(() => {
        note(event.data);
        this.listener?.(event);
      });
    }

    set onmessage(listener) {
      this.listener = listener;
    }

    postMessage(data, ...words) {
      if (data?.type !== "ping") {
        keep(recorded.sent, data?.type === "init" ? { ...data, canvas: !!data.canvas } : data);
      }
      this.#out(() => super.postMessage(data, ...words));
    }

    terminate() {
      recorded.ended++;
      super.terminate();
    }
  };
}
