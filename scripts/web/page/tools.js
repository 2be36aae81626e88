// What the left button, or one finger, does: look, drag, pin, cut, push.
import { byId } from "./dom.js";

export const TOOLS = ["look", "drag", "pin", "cut", "push"];

export function startTools(engine, notices) {
  let chosen = "look";
  function show(name) {
    chosen = name;
    for (const tool of TOOLS) {
      const button = byId(`tool-${tool}`),
        on = tool === name;
      button.setAttribute("aria-checked", String(on));
      button.tabIndex = on ? 0 : -1;
    }
  }
  const tools = {
    get chosen() {
      return chosen;
    },
    choose(name) {
      show(name);
      engine.send({ type: "tool", name });
      notices.toast(byId(`tool-${name}`).title.replace(/ \(.*\)$/, ""));
    },
    next: () => tools.choose(TOOLS[(TOOLS.indexOf(chosen) + 1) % TOOLS.length]),
  };
  for (const tool of TOOLS) byId(`tool-${tool}`).addEventListener("click", () => tools.choose(tool));
  byId("tools").addEventListener("keydown", (event) => {
    const by = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (!by) return;
    event.preventDefault();
    event.stopPropagation();
    tools.choose(TOOLS[(TOOLS.indexOf(chosen) + by + TOOLS.length) % TOOLS.length]);
    byId(`tool-${chosen}`).focus();
  });
  engine.on("frame", (frame) => {
    if (TOOLS.includes(frame.tool) && frame.tool !== chosen) show(frame.tool);
  });
  return tools;
}
