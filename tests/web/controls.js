// The selectors of the page's controls. scripts/web/page/README.md lists their ids.
export const controls = {
  canvas: "#canvas",
  editor: ".cm-content",
  message: "#message",
  toast: "#toast",
};
