// What the page says of errors in scripts, of an engine that hangs, and of browsers that lack something. Each is one
// sentence that tells what to do; the script stays in the editor.
import { byId } from "./dom.js";
import { watch } from "./watchdog.js";

const SOON = 30000; // ms between restarts that count as one trouble
const FEW = 5; // pictures, before which a silence is of the graphics driver

export function startFailures({ engine, session, editor, notices, layout, canvas, theme, view, transport, tools }) {
  const state = byId("editor-state"),
    curtain = byId("curtain"),
    loading = byId("loading");
  let suggestions = [],
    restarts = [],
    failed = false,
    views = null,
    gone = false,
    ready = false;
  let drawn = 0,
    renderer = "",
    software = false, // the graphics driver did not answer
    single = false; // the engine is to have one thread

  let said = { text: "", kind: "" };
  function say(text, kind = "") {
    said = { text, kind };
    state.textContent = text;
    state.className = kind;
    state.title = text;
  }
  function fatal(reason) {
    gone = true;
    curtain.hidden = false;
    loading.textContent = "The engine does not run.";
    notices.show({ key: "fatal", title: reason, text: "Your script is kept: the editor works without the engine." });
  }

  // --- errors of scripts ---

  // Whether an error is of the text in the editor, and not of a module or of the console
  function isOfEditor(file) {
    const path = session.document?.path ?? "scene.lua";
    return !file || file.endsWith("scene.lua") || file.split("/").pop() === path.split("/").pop();
  }
  engine.on("error", (message) => {
    const { where, file = "", line = 0, message: text = "" } = message;
    if (file === "console") return; // it is told there
    if (where === "input" || where === "message") return notices.toast(text);
    if (where === "engine") return stopped(text); // its worker has ended itself
    failed = true;
    suggestions = message.suggestions ?? [];
    const here = line > 0 && isOfEditor(file);
    if (here) {
      editor.mark([{ line, message: text }]);
      layout.mark("code");
    }
    say(here ? `Line ${line}: ${text}` : text, "bad");
    const titles = {
      syntax: "The script cannot be read.",
      run: "The script stopped.",
      step: message.exploded ? "The state exploded." : "The step failed.",
      draw: "The script stopped while it drew.",
    };
    const goesOn = session.good && (where === "syntax" || where === "run");
    notices.show({
      key: "error",
      title: (titles[where] ?? "The engine stopped.") + (goesOn ? " The last good world goes on." : ""),
      text: `${line > 0 && !here ? `${file}:${line}: ` : here ? `Line ${line}: ` : ""}${text}`,
      actions: [
        ...(here
          ? [
              {
                label: `Show line ${line}`,
                act: () => {
                  layout.choose("code");
                  editor.goTo(line);
                },
              },
            ]
          : []),
        ...suggestions.map(({ label }, index) => ({
          label: `${index + 1}  ${label}`,
          act: () => engine.send({ type: "suggestion", index }),
        })),
      ],
    });
  });
  function mend() {
    failed = false;
    suggestions = [];
    editor.mark([]);
    notices.close("error");
  }
  notices.onClose((key) => {
    if (key === "error") engine.send({ type: "dismiss" });
  });
  engine.on("mended", mend);
  engine.on("opened", mend);
  let notice = "";
  engine.on("good", (message) => {
    mend();
    notice = message.notice;
  });
  let restoring = false; // the answer that comes next is of the script that was opened again
  session.on("ran", () => {
    const restored = restoring;
    restoring = false;
    if (failed) return say(said.text, said.kind);
    if (session.current && !restored) notices.close("restart");
    say(
      session.current ? (notice ? `Runs: ${notice}` : "Runs") : "Edited: change the script, and it runs again",
      session.current ? "good" : "bad",
    );
    notice = "";
  });
  session.on("change", () => {
    if (!failed) say(session.waiting ? "Running" : session.current ? "Runs" : "Edited", session.current ? "good" : "");
  });
  engine.on("frame", () => {
    if (state.textContent !== said.text && !session.waiting) say(said.text, said.kind);
  });
  engine.on("busy", ({ what, seconds }) => {
    if (!what) say(said.text, said.kind);
    else if (seconds > 0.4 && session.waiting) {
      state.textContent = `${what}: ${seconds.toFixed(1)} s`;
      state.className = "";
    }
  });

  // --- the engine ---

  function wish() {
    const name = software ? "software" : (new URLSearchParams(location.search).get("renderer") ?? "");
    return ["software", "webgl"].includes(name) ? name : "automatic";
  }
  function startWorker() {
    const offscreen = canvas.renew();
    const message = { type: "init", ...canvas.size(), renderer: wish(), theme: theme.shown(), threads: single ? 1 : 0 };
    if (offscreen) engine.send({ ...message, canvas: offscreen }, [offscreen]);
    else engine.send(message);
  }
  engine.on("started", startWorker);
  engine.on("again", () => {
    single = true; // it may have hung while it started its threads
    startWorker();
  });
  engine.on("ready", (message) => {
    ready = true;
    drawn = 0;
    renderer = message.renderer;
    loading.textContent = "Opening the scene";
  });
  engine.on("progress", ({ loaded, total }) => {
    if (total > 0) loading.textContent = `Loading the engine: ${Math.min(100, Math.round((100 * loaded) / total))} %`;
  });
  engine.on("frame", () => {
    drawn++;
    if (!gone) curtain.hidden = true;
  });
  engine.on("unsupported", ({ message }) => fatal(message));
  engine.on("ready", (message) => {
    const threads = message.threads > 1 ? `${message.threads} threads` : "one thread",
      why = message.why ? `: ${message.why}` : "";
    byId("help-about").textContent = `Springtide ${message.version}, ${threads}, ${message.renderer} renderer${why}.`;
    if (message.why && wish() === "webgl") notices.toast(message.why);
    for (const { option, value } of views ?? []) engine.send({ type: "view", option, value });
    views = null;
  });
  engine.on("renderer", ({ name, why }) => {
    renderer = name;
    if (why) notices.show({ key: "renderer", kind: "warn", title: why });
    else notices.toast(`${name} renderer`);
  });

  /** Ends the worker and starts another, with the last good script where it was. @param {string} reason */
  function restart(reason) {
    const now = performance.now(),
      playing = transport.playing;
    restarts = [...restarts.filter((at) => now - at < SOON), now];
    views = view.list().map(({ option, value }) => ({ option, value }));
    session.save();
    const speed = Number(byId("speed").value);
    engine.start();
    const same = session.good !== null && session.good.text === session.document?.text;
    const opened = session.restore({ play: playing && restarts.length < 3, fresh: restarts.length > 1 });
    restoring = opened;
    engine.send({ type: "speed", factor: speed });
    engine.send({ type: "tool", name: tools.chosen });
    failed = true;
    say("The engine was started again", "bad");
    notices.show({
      key: "restart",
      title: reason,
      text: same
        ? "It was started again, and the scene goes on from its last snapshot."
        : opened
          ? "It was started again with the last script that ran. Yours is in the editor: change it, and it runs again."
          : "It was started again. Your script is in the editor: change it, and it runs again.",
      actions: [
        {
          label: "Run it again",
          act: () => {
            notices.close("restart");
            session.run();
          },
        },
      ],
    });
  }
  function stopped(reason) {
    if (gone) return;
    if (!ready)
      fatal(
        sentence((reason || "the engine could not be loaded").replace(/;? reload the page\.?$/, "")) +
          " Look to the network, and reload the page.",
      );
    else if (restarts.filter((at) => performance.now() - at < SOON).length > 3)
      fatal(`${sentence(reason)} It was started again three times: change the script, and reload the page.`);
    else restart(sentence(reason || "the engine stopped"));
  }
  const sentence = (text) => `${text[0].toUpperCase()}${text.slice(1).replace(/\.$/, "")}.`;
  engine.on("failed", ({ message }) => stopped(message));
  watch(engine, {
    onSleep: (minutes) => notices.toast(`This tab slept for ${minutes} minutes: the scene goes on from where it was.`),
    onSilent: (whileLoading) => {
      if (gone) return;
      if (whileLoading && globalThis.crossOriginIsolated && !single) engine.again();
      else if (whileLoading) fatal("The engine did not load within a minute: look to the network, and reload the page.");
      else if (drawn < FEW && renderer === "webgl") {
        software = true;
        restart("The graphics driver did not answer: the software renderer draws.");
      } else restart("The engine did not answer for seconds and was ended.");
    },
  });
  if (typeof WebAssembly !== "object")
    fatal("This browser has no WebAssembly, by which the engine runs: use a newer one, or allow it in the settings.");
  return { suggestions: () => suggestions };
}
