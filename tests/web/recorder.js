// Runs in the page before its own scripts: records what the page and its workers say to each other, and what the browser
// complains of. The tests read window.recorded.

export function record() {
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

  const Plain = window.Worker;
  window.Worker = class extends Plain {
    constructor(...words) {
      super(...words);
      recorded.workers++;
      recorded.worker = this;
      this.addEventListener("message", (event) => note(event.data));
    }

    postMessage(data, ...words) {
      if (data?.type !== "ping") {
        keep(recorded.sent, data?.type === "init" ? { ...data, canvas: !!data.canvas } : data);
      }
      super.postMessage(data, ...words);
    }

    terminate() {
      recorded.ended++;
      super.terminate();
    }
  };
}
