// Completion and help of the editor, from annotations that are fetched after the page has begun.
import { makeAnnotations } from "./annotations.js";

/** @param {string} url of completions.json */
export function makeEditorHelp(url) {
  /** @type {ReturnType<typeof makeAnnotations> | null} */
  let annotations = null;
  const loading = fetch(url)
    .then((answer) => (answer.ok ? answer.json() : null))
    .then((data) => {
      if (data?.classes) annotations = makeAnnotations(data);
    })
    .catch(() => null); // without it the editor does not complete, and nothing else changes

  return {
    loading,
    /** A source of CodeMirror. */
    complete(context) {
      const found = annotations?.complete(context.state.doc.toString(), context.pos);
      if (
        !found ||
        !found.entries.length ||
        (!context.explicit &&
          found.from === context.pos &&
          !/[.:]$/.test(context.state.sliceDoc(Math.max(0, context.pos - 1), context.pos)))
      )
        return null;
      return {
        from: found.from,
        validFor: /^\w*$/,
        options: found.entries.map((e) => ({
          label: e.name,
          detail: e.type.length > 36 ? `${e.type.slice(0, 35)}...` : e.type,
          info: e.help || undefined,
          type: e.call ? "method" : "property",
          boost: e.type ? 1 : 0,
        })),
      };
    },
    describe: (text, at) => annotations?.describe(text, at) ?? null,
  };
}
