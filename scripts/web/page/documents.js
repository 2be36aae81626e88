// The scripts: those that come with Springtide, and the user's own, each kept in the storage under a key of its own.

/**
 * @typedef {object} Document
 * @property {string} id "scene:PATH", "own:TITLE" or "lesson:..."
 * @property {string} title
 * @property {string} text
 * @property {string} [base] the text as it came; without it the script is the user's
 * @property {string} [path] in the engine's folder of scenes
 * @property {boolean} [untrusted] it came by a link
 * @property {Record<string, string>} [modules] of its own, that it requires
 */

const NEW_SCENE = `-- A cloth that hangs from two corners. Change a number: the scene goes on with it.
local tide = require "springtide"

local stiffness = tide.param("stiffness", 80, { min = 1, max = 1e4, scale = "log", unit = "N/m" })

local scene = tide.scene { title = "TITLE", timestep = 1 / 60 }
local cloth = scene:body("cloth", {
  mesh = tide.mesh.grid { columns = 31, rows = 31, width = 0.4, height = 0.4 },
  mass = 0.05, stiffness = stiffness, bend = stiffness / 4, pattern = "checker",
})
cloth:pin { 1, 31 }

return scene
`;

/** @param {any} storage @param {(path: string) => Promise<string>} fetchScene */
export function makeDocuments(storage, fetchScene) {
  const key = (id) => `script:${id}`;
  const documents = {
    /** The user's own, by title. @returns {{id: string, title: string}[]} */
    own: () =>
      storage
        .keys("script:own:")
        .map((k) => ({ id: k.slice("script:".length), title: storage.getJson(k, {}).title ?? k })),
    /** Whether the user has changed a scene. @param {string} id */
    isChanged: (id) => storage.get(key(id)) !== null,
    /** Finds a document. @param {string} id @returns {Promise<Document>} */
    async find(id) {
      const kept = storage.getJson(key(id), null);
      if (id.startsWith("scene:")) {
        const path = id.slice("scene:".length),
          base = await fetchScene(path);
        return { id, title: kept?.title ?? path, path, base, text: typeof kept?.text === "string" ? kept.text : base };
      }
      if (typeof kept?.text !== "string") throw new Error(`there is no script "${id}" in this browser's storage`);
      return { ...kept, id };
    },
    /**
     * Keeps a document, or forgets the changes of one that is as it came.
     * @param {Document} document
     * @returns {boolean}
     */
    keep(document) {
      if (document.base !== undefined && document.text === document.base) {
        storage.remove(key(document.id));
        return true;
      }
      const { id, base, ...rest } = document; // a base is fetched again
      return storage.setJson(key(id), id.startsWith("scene:") ? rest : { ...rest, base });
    },
    remove: (id) => storage.remove(key(id)),
    /** A title that no script has yet. @param {string} wish */
    freeTitle(wish) {
      const clean =
        wish
          .replace(/[\u0000-\u001f\u007f]/g, " ")
          .trim()
          .slice(0, 80) || "Untitled";
      for (let i = 1; ; i++) {
        const title = i === 1 ? clean : `${clean} ${i}`;
        if (storage.get(key(`own:${title}`)) === null) return title;
      }
    },
    /**
     * Makes a script of the user's own.
     * @param {string} wish title
     * @param {Partial<Document>} [more]
     * @returns {Document}
     */
    make(wish, more = {}) {
      const title = documents.freeTitle(wish);
      return { id: `own:${title}`, title, text: NEW_SCENE.replace("TITLE", title.replace(/["\\]/g, "")), ...more };
    },
    /** Gives another title. @param {Document} document @param {string} wish @returns {Document} */
    rename(document, wish) {
      const title = documents.freeTitle(wish),
        renamed = { ...document, id: `own:${title}`, title };
      if (documents.keep(renamed)) storage.remove(key(document.id));
      return renamed;
    },
  };
  return documents;
}
