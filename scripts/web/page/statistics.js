// What the last step did, in numbers.
import { byId, make } from "./dom.js";
import { milliseconds, short } from "./numbers.js";

const EVERY = 100; // ms between updates of the numbers

export function startStatistics(engine) {
  const host = byId("statistics-list"),
    rows = new Map();
  let shown = 0,
    title = null;
  function row(name, value) {
    if (!rows.has(name)) {
      const dd = make("dd", { "data-test": `statistic-${name.replaceAll(" ", "-")}` });
      rows.set(name, { dt: make("dt", { textContent: name }), dd });
    }
    rows.get(name).dd.textContent = value;
    return [rows.get(name).dt, rows.get(name).dd];
  }
  const note = make("dd", { className: "note", "data-test": "statistic-warning" });

  engine.on("opened", (message) => {
    title = message;
    shown = 0;
  });
  engine.on("frame", (frame) => {
    const now = performance.now();
    if (frame.playing && now - shown < EVERY) return;
    shown = now;
    const report = frame.report,
      energy = frame.energy ?? {};
    const lines = [
      ...row("of real time", frame.playing && Number.isFinite(frame.rate) ? short(frame.rate, 2) : "-"),
      ...row("iterations", report ? String(report.iterations) : "-"),
      ...row("g", report && Number.isFinite(report.objective) ? `${short(report.objective, 6)} J s\u00b2` : "-"),
      ...row(
        "|grad g|",
        report && Number.isFinite(report.gradient_norm) ? `${short(report.gradient_norm, 3)} kg m` : "-",
      ),
      ...row("contacts", report ? String(report.contacts ?? 0) : "-"),
      ...row("factorizations", report ? String(report.factorizations ?? 0) : "-"),
      ...row("energy", `${short(energy.total, 5)} J`),
      ...row("kinetic", `${short(energy.kinetic)} J`),
      ...row("elastic", `${short(energy.elastic)} J`),
      ...row("drawing", milliseconds(frame.draw_ms)),
      ...row("bodies", title?.bodies?.length ? `${title.bodies.length}` : "-"),
      ...row("vertices", title?.bodies ? String(title.bodies.reduce((n, b) => n + b.vertices, 0)) : "-"),
      ...row("springs", title?.bodies ? String(title.bodies.reduce((n, b) => n + b.springs, 0)) : "-"),
    ];
    note.textContent = report?.warning || "";
    if (host.childElementCount !== lines.length + (note.textContent ? 1 : 0))
      host.replaceChildren(...(note.textContent ? [note] : []), ...lines);
  });
}
