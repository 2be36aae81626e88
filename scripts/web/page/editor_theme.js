// The editor in the colours of the page.
import { HighlightStyle } from "@codemirror/language";
import { EditorView } from "@codemirror/view";
import { tags } from "@lezer/highlight";

export const highlighting = HighlightStyle.define([
  { tag: tags.comment, color: "var(--code-comment)", fontStyle: "italic" },
  { tag: [tags.keyword, tags.bool, tags.null], color: "var(--code-keyword)" },
  { tag: [tags.string, tags.special(tags.string)], color: "var(--code-string)" },
  { tag: tags.number, color: "var(--code-number)" },
  { tag: [tags.standard(tags.variableName), tags.standard(tags.name)], color: "var(--code-builtin)" },
]);

const field = {
  background: "var(--panel)",
  color: "var(--text)",
  border: "1px solid var(--line)",
  borderRadius: "5px",
  font: "inherit",
};

export const theme = EditorView.theme({
  "&": { height: "100%", fontSize: "12.5px", backgroundColor: "var(--panel)", color: "var(--text)" },
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": {
    fontFamily: "var(--mono)",
    lineHeight: "1.5",
    overscrollBehavior: "contain",
    scrollbarWidth: "thin",
  },
  ".cm-content": { caretColor: "var(--accent)", paddingBottom: "30vh" },
  ".cm-cursor, .cm-dropCursor": { borderLeftColor: "var(--accent)", borderLeftWidth: "2px" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": {
    background: "color-mix(in srgb, var(--accent) 28%, transparent)",
  },
  ".cm-gutters": { backgroundColor: "var(--panel)", color: "var(--quiet)", border: "none", paddingRight: "4px" },
  ".cm-lineNumbers .cm-gutterElement": { minWidth: "34px", fontSize: "12px" },
  ".cm-activeLine": { backgroundColor: "color-mix(in srgb, var(--accent) 6%, transparent)" },
  ".cm-activeLineGutter": { backgroundColor: "transparent", color: "var(--text)" },
  ".cm-gutter-lint": { width: "14px" },
  ".cm-gutter-lint .cm-gutterElement": { padding: "0 1px" },
  ".cm-lint-marker": { width: "12px", height: "12px" },
  ".cm-lint-marker-error": {
    content: "none",
    background: "var(--bad)",
    borderRadius: "50%",
    width: "9px",
    height: "9px",
    marginTop: "5px",
  },
  ".cm-lint-marker-warning": {
    content: "none",
    background: "var(--warn)",
    borderRadius: "50%",
    width: "9px",
    height: "9px",
    marginTop: "5px",
  },
  ".cm-lintRange-error": {
    backgroundImage: "none",
    textDecoration: "underline wavy var(--bad)",
    textUnderlineOffset: "3px",
  },
  ".cm-lintRange-warning": {
    backgroundImage: "none",
    textDecoration: "underline wavy var(--warn)",
    textUnderlineOffset: "3px",
  },
  ".cm-matchingBracket, &.cm-focused .cm-matchingBracket": {
    backgroundColor: "var(--accent-soft)",
    outline: "1px solid var(--line-strong)",
  },
  ".cm-selectionMatch": { backgroundColor: "color-mix(in srgb, var(--warn) 22%, transparent)" },
  ".cm-searchMatch": { backgroundColor: "color-mix(in srgb, var(--warn) 30%, transparent)" },
  ".cm-searchMatch.cm-searchMatch-selected": { backgroundColor: "color-mix(in srgb, var(--warn) 55%, transparent)" },
  ".cm-panels": { backgroundColor: "var(--raised)", color: "var(--text)", fontFamily: "var(--sans)" },
  ".cm-panels.cm-panels-top": { borderBottom: "1px solid var(--line)" },
  ".cm-panel.cm-search": { padding: "6px 28px 6px 8px", fontSize: "12px" },
  ".cm-panel.cm-search [name=close]": { color: "inherit", fontSize: "16px", top: "4px", right: "6px" },
  ".cm-textfield": { ...field, padding: "2px 6px", fontSize: "12px" },
  ".cm-button": { ...field, backgroundImage: "none", padding: "2px 8px", fontSize: "12px", cursor: "pointer" },
  ".cm-tooltip": {
    backgroundColor: "var(--panel)",
    color: "var(--text)",
    border: "1px solid var(--line)",
    borderRadius: "6px",
    boxShadow: "var(--shadow)",
    maxWidth: "min(520px, 90vw)",
    fontFamily: "var(--sans)",
    fontSize: "12px",
    overflow: "hidden",
  },
  ".cm-tooltip.cm-tooltip-autocomplete > ul": { fontFamily: "var(--mono)", fontSize: "12px", maxHeight: "16em" },
  ".cm-tooltip.cm-tooltip-autocomplete > ul > li": { padding: "2px 8px" },
  ".cm-tooltip-autocomplete ul li[aria-selected]": { background: "var(--accent)", color: "var(--accent-text)" },
  ".cm-completionDetail": { fontStyle: "normal", opacity: "0.75", marginLeft: "1em" },
  ".cm-completionMatchedText": { textDecoration: "none", fontWeight: "700" },
  ".cm-tooltip.cm-completionInfo": { padding: "6px 10px", maxWidth: "320px" },
  ".cm-help": { padding: "6px 10px" },
  ".cm-help code": {
    fontFamily: "var(--mono)",
    fontSize: "12px",
    color: "var(--code-builtin)",
    overflowWrap: "anywhere",
  },
  ".cm-help p": { margin: "3px 0 0" },
  ".cm-diagnostic": { padding: "5px 10px", fontFamily: "var(--sans)", whiteSpace: "pre-wrap" },
  ".cm-diagnostic-error": { borderLeft: "4px solid var(--bad)" },
  ".cm-diagnostic-warning": { borderLeft: "4px solid var(--warn)" },
  "@media (pointer: coarse)": { ".cm-content": { fontSize: "14px" } },
});
