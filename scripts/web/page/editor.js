// The editor of the script: CodeMirror with Lua, completion, help and errors at their line. It lives in a shadow
// root, where its style sheets can be constructed, as the page's Content-Security-Policy allows no style elements.
import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { bracketMatching, indentOnInput, indentUnit, StreamLanguage, syntaxHighlighting } from "@codemirror/language";
import { lua } from "@codemirror/legacy-modes/mode/lua";
import { lintGutter, lintKeymap, setDiagnostics } from "@codemirror/lint";
import { highlightSelectionMatches, search, searchKeymap } from "@codemirror/search";
import { EditorState, Prec } from "@codemirror/state";
import {
  drawSelection,
  dropCursor,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  highlightSpecialChars,
  hoverTooltip,
  keymap,
  lineNumbers,
} from "@codemirror/view";
import { highlighting, theme } from "./editor_theme.js";

/** @typedef {{line: number, message: string, severity?: "error"|"warning"}} Mark */

/**
 * @param {HTMLElement} host
 * @param {{onEdit: (text: string) => void, onRun: () => void, onSave: () => void,
 *          help: {complete: (context: any) => any, describe: (text: string, at: number) =>
 *            {from: number, to: number, type: string, help: string}|null}}} options
 */
export function makeEditor(host, { onEdit, onRun, onSave, help }) {
  const root = host.attachShadow({ mode: "open" });
  const states = new Map(); // by document, so that each keeps its undo history
  let shown = "",
    quiet = false;

  const run = () => (onRun(), true),
    save = () => (onSave(), true);
  const extensions = [
    lineNumbers(),
    highlightActiveLineGutter(),
    highlightSpecialChars(),
    history(),
    drawSelection(),
    dropCursor(),
    EditorState.allowMultipleSelections.of(true),
    indentOnInput(),
    indentUnit.of("  "),
    EditorState.tabSize.of(2),
    bracketMatching(),
    closeBrackets(),
    highlightActiveLine(),
    highlightSelectionMatches(),
    search({ top: true }),
    lintGutter(),
    theme,
    StreamLanguage.define(lua),
    syntaxHighlighting(highlighting),
    autocompletion({ override: [help.complete], icons: false, maxRenderedOptions: 60 }),
    hoverTooltip((view, at) => hoverHelp(view, at, help)),
    EditorView.contentAttributes.of({
      "aria-label": "Script of the scene, in Lua",
      autocapitalize: "off",
      autocorrect: "off",
      spellcheck: "false",
    }),
    Prec.high(
      keymap.of([
        { key: "Mod-Enter", run },
        { key: "Mod-s", run: save, preventDefault: true },
      ]),
    ),
    keymap.of([
      ...closeBracketsKeymap,
      ...defaultKeymap,
      ...searchKeymap,
      ...historyKeymap,
      ...completionKeymap,
      ...lintKeymap,
      indentWithTab,
    ]),
    EditorView.updateListener.of((update) => {
      if (update.docChanged && !quiet) onEdit(update.state.doc.toString());
    }),
  ];
  const fresh = (text) => EditorState.create({ doc: text, extensions });
  // Read-only until a document is shown: before that, nothing would save what is typed
  const empty = EditorState.create({ extensions: [extensions, EditorView.editable.of(false)] });
  const view = new EditorView({ state: empty, parent: /** @type {any} */ (root), root });

  return {
    view,
    /**
     * Shows a document; one that was shown before keeps its undo history and its place.
     * @param {string} id
     * @param {string} text
     */
    show(id, text) {
      if (shown) states.set(shown, view.state);
      const kept = states.get(id);
      shown = id;
      quiet = true;
      view.setState(kept && kept.doc.toString() === text ? kept : fresh(text));
      quiet = false;
    },
    /** Puts another text into the shown document, as an edit that can be taken back. @param {string} text */
    replace(text) {
      view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } });
    },
    text: () => view.state.doc.toString(),
    /** Forgets the undo history of a document. @param {string} id */
    forget(id) {
      states.delete(id);
    },
    /** Marks lines; an empty list removes all marks. @param {Mark[]} marks */
    mark(marks) {
      const doc = view.state.doc;
      view.dispatch(
        setDiagnostics(
          view.state,
          marks.map(({ line, message, severity = "error" }) => {
            const at = doc.line(Math.min(Math.max(Math.trunc(line) || 1, 1), doc.lines));
            const start = at.from + (at.text.length - at.text.trimStart().length);
            return { from: Math.min(start, at.to), to: at.to, severity, message };
          }),
        ),
      );
    },
    /** Moves the cursor to a line and shows it. @param {number} line from 1 */
    goTo(line) {
      const at = view.state.doc.line(Math.min(Math.max(line, 1), view.state.doc.lines));
      view.dispatch({ selection: { anchor: at.from }, effects: EditorView.scrollIntoView(at.from, { y: "center" }) });
      view.focus();
    },
    focus: () => view.focus(),
    measure: () => view.requestMeasure(),
  };
}

function hoverHelp(view, at, help) {
  const found = help.describe(view.state.doc.toString(), at);
  if (!found) return null;
  return {
    pos: found.from,
    end: found.to,
    above: true,
    create() {
      const dom = document.createElement("div"),
        type = document.createElement("code"),
        text = document.createElement("p");
      dom.className = "cm-help";
      type.textContent = found.type;
      text.textContent = found.help;
      dom.append(type, text);
      return { dom };
    },
  };
}
