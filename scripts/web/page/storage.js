// Keeps what the user wrote in the browser's storage, each script under a key of its own. Where there is no storage the
// page goes on, and `onFailure` is told once.

const PREFIX = "springtide:";

/** @param {(sentence: string) => void} onFailure */
export function openStorage(onFailure) {
  /** @type {Storage | null} */
  let store = null;
  const memory = new Map(); // where there is no storage
  let told = false;

  function fail(reason) {
    if (!told) onFailure(reason);
    told = true;
  }
  try {
    store = window.localStorage;
    store.setItem(`${PREFIX}probe`, "1");
    store.removeItem(`${PREFIX}probe`);
  } catch {
    store = null;
    setTimeout(() => fail("This browser keeps nothing for this page: save your script as a file before you close it."));
  }

  return {
    get available() {
      return store !== null;
    },
    /** @param {string} key @returns {string | null} */
    get(key) {
      try {
        return (memory.has(key) ? memory.get(key) : store?.getItem(PREFIX + key)) ?? null;
      } catch {
        return null;
      }
    },
    /** @param {string} key @param {string} value @returns {boolean} whether it is kept */
    set(key, value) {
      try {
        if (store) {
          store.setItem(PREFIX + key, value);
          memory.delete(key);
          return true;
        }
      } catch {
        fail("The browser's storage is full: save your script as a file, or remove scripts from the list of scenes.");
      }
      memory.set(key, value);
      return false;
    },
    /** @param {string} key */
    remove(key) {
      memory.delete(key);
      try {
        store?.removeItem(PREFIX + key);
      } catch {
        /* it is absent then */
      }
    },
    /** The keys that begin so, in order. @param {string} start */
    keys(start) {
      const found = new Set([...memory.keys()].filter((key) => key.startsWith(start)));
      try {
        for (let i = 0; store && i < store.length; i++) {
          const key = store.key(i);
          if (key?.startsWith(PREFIX + start)) found.add(key.slice(PREFIX.length));
        }
      } catch {
        /* as if empty */
      }
      return [...found].sort();
    },
    /** A value of JSON, or `otherwise` where there is none or a broken one. */
    getJson(key, otherwise) {
      try {
        return JSON.parse(this.get(key) ?? "null") ?? otherwise;
      } catch {
        return otherwise;
      }
    },
    setJson(key, value) {
      return this.set(key, JSON.stringify(value));
    },
  };
}
