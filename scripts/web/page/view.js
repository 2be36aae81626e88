// View options: colours by numbers, arrows, contacts. The engine lists them.
import { byId, make } from "./dom.js";
import { makeField } from "./fields.js";

export function startView(engine) {
  const host = byId("view-list");
  let rows = new Map(),
    shape = "",
    list = [];

  function show(views) {
    list = views;
    const now = JSON.stringify(views.map((v) => [v.option, v.type, v.choices, v.label]));
    if (now !== shape) {
      shape = now;
      rows = new Map();
      const checks = make("div", { className: "checks" });
      host.replaceChildren();
      for (const view of views) {
        const test = `view-${view.option}`,
          send = (value) => engine.send({ type: "view", option: view.option, value });
        if (view.type === "boolean") {
          const input = make("input", {
            type: "checkbox",
            onchange: () => send(input.checked),
            "data-test": `${test}-input`,
          });
          checks.append(
            make(
              "label",
              { className: "check", title: view.help ?? "", "data-test": test },
              input,
              view.label ?? view.option,
            ),
          );
          rows.set(view.option, (v) => {
            input.checked = Boolean(v.value);
          });
        } else {
          const type = { number: "real" }[view.type] ?? view.type;
          const field = makeField({ ...view, type, key: view.option, label: view.label ?? view.option, test }, send);
          host.append(field.element);
          rows.set(view.option, (v) => field.update({ ...v, type, key: v.option, label: v.label ?? v.option }));
        }
      }
      host.append(checks);
    }
    for (const view of views) rows.get(view.option)?.(view);
  }
  engine.on("ready", (message) => show(message.views ?? []));
  engine.on("views", (message) => show(message.list ?? []));
  return {
    list: () => list,
    /** Switches a boolean option. @param {string} option */
    toggle(option) {
      const view = list.find((v) => v.option === option);
      if (view) engine.send({ type: "view", option, value: !view.value });
    },
  };
}
