// Makes and finds elements. Text from scripts, links and the engine is only ever set as text, never parsed as HTML.

/** @param {string} id @returns {any} */
export function byId(id) {
  const element = document.getElementById(id);
  if (!element) throw new Error(`the page has no element "${id}"`);
  return element;
}

/**
 * Makes an element. Members of `properties` that begin with "on" are listeners; those with a dash and "role"
 * are attributes.
 * @param {string} tag
 * @param {Record<string, any>} [properties]
 * @param {...(Node|string|null)} children
 * @returns {any}
 */
export function make(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (value === undefined || value === null) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name.includes("-") || name === "role" || name === "for" || name === "list")
      element.setAttribute(name, value);
    else element[name] = value;
  }
  element.append(...children.filter((child) => child !== null));
  return element;
}

/** @param {string} name of a symbol of index.html */
export function icon(name) {
  const space = "http://www.w3.org/2000/svg";
  const svg = document.createElementNS(space, "svg"),
    use = document.createElementNS(space, "use");
  svg.setAttribute("class", "icon");
  use.setAttribute("href", `#i-${name}`);
  svg.append(use);
  return svg;
}

/** Opens a dialog, which a click beside it closes. @param {HTMLDialogElement} dialog */
export function openDialog(dialog) {
  if (!dialog.open) dialog.showModal();
  dialog.onclick = (event) => {
    if (event.target !== dialog) return;
    const box = dialog.getBoundingClientRect();
    const inside =
      event.clientX >= box.left &&
      event.clientX <= box.right &&
      event.clientY >= box.top &&
      event.clientY <= box.bottom;
    if (!inside) dialog.close();
  };
}

/** Gives a file to the user. @param {string} name @param {BlobPart} content @param {string} type */
export function saveFile(name, content, type) {
  const url = URL.createObjectURL(new Blob([content], { type }));
  make("a", { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 10000);
}
