// Dark and light: as the system says, or as the switch says.
import { byId } from "./dom.js";

const NEXT = { system: "light", light: "dark", dark: "system" };
const SAID = { system: "as the system", light: "light", dark: "dark" };

/** @param {any} storage @param {(theme: "dark"|"light") => void} onChange */
export function startTheme(storage, onChange) {
  const button = byId("theme-switch"),
    dark = matchMedia("(prefers-color-scheme: dark)");
  let wish = storage.get("theme");
  if (!(wish in NEXT)) wish = "system";

  const shown = () => (wish === "system" ? (dark.matches ? "dark" : "light") : wish);
  function apply() {
    document.documentElement.dataset.theme = shown();
    button.setAttribute("aria-label", `Theme: ${SAID[wish]}`);
    button.title = `Theme: ${SAID[wish]}`;
    onChange(shown());
  }
  button.addEventListener("click", () => {
    wish = NEXT[wish];
    storage.set("theme", wish);
    apply();
  });
  dark.addEventListener("change", apply);
  apply();
  return { shown };
}
