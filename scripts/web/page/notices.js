// What the page says: one message over the picture, which stays until it is closed or mended, and short toasts.
import { byId, make } from "./dom.js";

export function makeNotices() {
  const box = byId("message"),
    toast = byId("toast");
  const closers = new Set();
  let timer = 0,
    current = "";

  const notices = {
    /**
     * Shows a message in place of the one before.
     * @param {{key: string, kind?: "bad"|"info"|"good"|"warn", title: string, text?: string,
     *          actions?: {label: string, act: () => void}[]}} message
     */
    show({ key, kind = "bad", title, text = "", actions = [] }) {
      current = key;
      box.className = kind;
      byId("message-title").textContent = title;
      byId("message-text").textContent = text;
      byId("message-actions").replaceChildren(
        ...actions.map(({ label, act }, i) =>
          make("button", {
            className: "button small",
            type: "button",
            textContent: label,
            onclick: act,
            "data-test": `message-action-${i + 1}`,
          }),
        ),
      );
      box.hidden = false;
    },
    /** Closes the message if it is of this key; without one, any. @param {string} [key] */
    close(key) {
      if (key !== undefined && key !== current) return;
      box.hidden = true;
      current = "";
    },
    /** Calls a function with the key of a message that the user closes. */
    onClose: (listener) => closers.add(listener),
    /** Closes the message for the user. */
    dismiss() {
      const key = current;
      notices.close();
      if (key) for (const listener of closers) listener(key);
    },
    get open() {
      return current;
    },
    /** @param {string} text */
    toast(text) {
      toast.textContent = text;
      toast.hidden = false;
      clearTimeout(timer);
      timer = setTimeout(() => {
        toast.hidden = true;
      }, 2600);
    },
  };
  byId("message-close").addEventListener("click", notices.dismiss);
  return notices;
}
