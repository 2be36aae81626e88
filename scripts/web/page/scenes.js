// The list of scenes to open: the user's own scripts, and those that come with Springtide.
import { byId, make, openDialog } from "./dom.js";

const GROUPS = {
  "": "Scenes",
  table1: "Models of Table 1, Liu et al. 2013",
  papers: "Papers",
  learning: "Learning",
  "learning/walker": "Learning",
};

/**
 * @param {{documents: any, list: () => {path: string, title: string, about: string, group: string}[], current: () =>
 * string, open: (id: string) => void}} parts
 */
export function startScenes({ documents, list, current, open }) {
  const dialog = byId("scenes-dialog"),
    find = byId("scenes-find");

  function item(id, title, about) {
    const changed = id.startsWith("scene:") && documents.isChanged(id);
    return make(
      "button",
      {
        className: "scene-item",
        type: "button",
        "data-test": `scene-${id}`,
        "aria-current": String(id === current()),
        onclick: () => {
          dialog.close();
          open(id);
        },
      },
      make("b", { textContent: title }),
      make("span", { textContent: [about, changed ? "changed by you" : ""].filter(Boolean).join("; ") }),
    );
  }
  function show() {
    const words = find.value.toLowerCase().split(/\s+/).filter(Boolean);
    const fits = (...texts) => words.every((word) => texts.some((text) => text.toLowerCase().includes(word)));
    const groups = new Map();
    const add = (group, element) => groups.set(group, [...(groups.get(group) ?? []), element]);
    for (const { id, title } of documents.own()) if (fits(title)) add("Yours", item(id, title, ""));
    for (const { path, title, about, group } of list())
      if (fits(path, title, about)) add(GROUPS[group] ?? group, item(`scene:${path}`, title, about));
    byId("scenes-list").replaceChildren(
      ...(groups.size ? [] : [make("p", { className: "quiet", textContent: "No scene has these words." })]),
      ...[...groups].flatMap(([group, items]) => [
        make("h3", { textContent: group }),
        make("div", { className: "scene-grid" }, ...items),
      ]),
    );
  }
  byId("scenes-open").addEventListener("click", () => {
    find.value = "";
    show();
    openDialog(dialog);
    if (matchMedia("(pointer: fine)").matches) find.focus();
  });
  find.addEventListener("input", show);
  find.addEventListener("keydown", (event) => {
    if (event.key === "Enter") byId("scenes-list").querySelector("button")?.click();
  });
  byId("scenes-close").addEventListener("click", () => dialog.close());
}

/** Asks for a name. @param {string} title @param {string} first @returns {Promise<string | null>} */
export function askName(title, first) {
  const dialog = byId("name-dialog"),
    input = byId("name-input");
  byId("name-title").textContent = title;
  input.value = first;
  openDialog(dialog);
  input.select();
  return new Promise((resolve) => {
    let answer = null;
    const accept = () => {
      answer = input.value.trim() || null;
      dialog.close();
    };
    byId("name-ok").onclick = accept;
    byId("name-cancel").onclick = () => dialog.close();
    input.onkeydown = (event) => {
      if (event.key === "Enter") accept();
    };
    dialog.addEventListener("close", () => resolve(answer), { once: true });
  });
}
