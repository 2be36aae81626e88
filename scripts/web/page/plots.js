// Scrolling plots of the last seconds: energies, iterations, gradient norm, time a step.
import { byId, make } from "./dom.js";
import { short, ticks } from "./numbers.js";
import { CHARTS, makePlotData } from "./plot_data.js";

const SECONDS = 10;
const EVERY = 50; // ms between pictures
const LEFT = 52,
  BOTTOM = 18,
  TOP = 6,
  RIGHT = 6; // CSS pixels around a plot

export function startPlots(engine, isShown) {
  const data = makePlotData(),
    host = byId("plots");
  const charts = CHARTS.map((chart) => makeChart(chart, host));
  let waiting = false,
    drawn = 0;

  function draw() {
    waiting = false;
    if (!isShown()) return;
    drawn = performance.now();
    const rows = data.last(SECONDS);
    for (const chart of charts) chart.draw(rows);
  }
  function later() {
    if (waiting) return;
    waiting = true;
    setTimeout(() => requestAnimationFrame(draw), Math.max(0, EVERY - (performance.now() - drawn)));
  }
  engine.on("frame", (frame) => {
    if (frame.report) data.add(frame);
    later();
  });
  engine.on("opened", () => {
    data.clear();
    later();
  });
  byId("plots-clear").addEventListener("click", () => {
    data.clear();
    later();
  });
  new ResizeObserver(later).observe(host);
  return { refresh: later, data };
}

function makeChart(chart, host) {
  const canvas = make("canvas", {
    "data-test": `plot-${chart.name.replaceAll(" ", "-")}`,
    role: "img",
    "aria-label": `plot of ${chart.name}`,
  });
  const values = chart.series.map(([name], i) => {
    const key = make("i"),
      value = make("span", {});
    key.style.background = `var(--series-${i + 1})`;
    return { key, value, name, element: make("span", {}, key, chart.series.length > 1 ? `${name} ` : "", value) };
  });
  host.append(
    make(
      "section",
      { className: "plot" },
      make(
        "div",
        { className: "plot-head" },
        make("h3", { textContent: chart.name }),
        make("span", { className: "unit", textContent: chart.unit }),
        ...values.map((v) => v.element),
      ),
      canvas,
    ),
  );
  let hover = null,
    rows = [];
  canvas.addEventListener("pointermove", (event) => {
    hover = event.offsetX;
    draw(rows);
  });
  canvas.addEventListener("pointerleave", () => {
    hover = null;
    draw(rows);
  });

  function rangeOf(shift) {
    let low = Infinity,
      high = -Infinity;
    for (const row of rows)
      for (const { name } of values) {
        const raw = row.values[name] - (shift[name] ?? 0),
          value = chart.logarithmic ? (raw > 0 ? Math.log10(raw) : NaN) : raw;
        if (value < low) low = value;
        if (value > high) high = value;
      }
    if (!(low <= high)) return null;
    if (chart.fromZero) [low, high] = [Math.min(low, 0), high > 0 ? high : 1];
    const least = chart.logarithmic ? 0.5 : 1e-12 + 1e-3 * Math.abs(high);
    if (high - low < least) [low, high] = [low - least / 2, high + least / 2];
    const margin = 0.06 * (high - low);
    return { low: chart.fromZero && low >= 0 ? 0 : low - margin, high: high + margin };
  }
  function draw(now) {
    rows = now;
    const ratio = devicePixelRatio || 1,
      width = canvas.clientWidth,
      height = canvas.clientHeight;
    if (!width) return;
    if (canvas.width !== Math.round(width * ratio)) canvas.width = Math.round(width * ratio);
    if (canvas.height !== Math.round(height * ratio)) canvas.height = Math.round(height * ratio);
    const pen = canvas.getContext("2d"),
      style = getComputedStyle(document.documentElement);
    const colour = (name) => style.getPropertyValue(name).trim();
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    pen.clearRect(0, 0, width, height);
    pen.font = `11px ${getComputedStyle(document.body).fontFamily}`;
    pen.fillStyle = colour("--quiet");
    // gravity's zero is arbitrary: it counts from its lowest shown value
    const shift = Object.fromEntries(
      (chart.fromLowest ?? []).map((name) => [
        name,
        rows.reduce((least, row) => Math.min(least, row.values[name]), Infinity),
      ]),
    );
    const range = rangeOf(shift);
    if (!range || rows.length < 2) {
      pen.fillText(rows.length < 2 ? "no steps yet" : "not measured by this solver", LEFT, height / 2);
      for (const { value } of values) value.textContent = "";
      return;
    }
    const end = rows[rows.length - 1].time,
      start = Math.min(rows[0].time, end - 1e-9);
    const x = (time) => LEFT + ((width - LEFT - RIGHT) * (time - start)) / (end - start);
    const y = (value) => height - BOTTOM - ((height - BOTTOM - TOP) * (value - range.low)) / (range.high - range.low);
    axes(pen, { x, y, range, start, end, width, height, colour });
    values.forEach(({ name }, i) => {
      pen.strokeStyle = colour(`--series-${i + 1}`);
      pen.lineWidth = 1.5;
      pen.lineJoin = "round";
      pen.beginPath();
      let pending = false;
      for (const row of rows) {
        const raw = row.values[name] - (shift[name] ?? 0),
          value = chart.logarithmic ? (raw > 0 ? Math.log10(raw) : NaN) : raw;
        if (!Number.isFinite(value)) pending = false;
        else if (pending) pen.lineTo(x(row.time), y(value));
        else {
          pen.moveTo(x(row.time), y(value));
          pending = true;
        }
      }
      pen.stroke();
    });
    label(pen, x, start, end, height, colour);
  }
  function axes(pen, { x, y, range, start, end, width, height, colour }) {
    pen.lineWidth = 1;
    pen.textAlign = "right";
    pen.textBaseline = "middle";
    const marks = chart.logarithmic ? powers(range) : ticks(range.low, range.high, 4);
    for (const mark of marks) {
      const at = Math.round(y(mark)) + 0.5;
      if (at < TOP - 1 || at > height - BOTTOM + 1) continue;
      pen.strokeStyle = colour("--line");
      pen.beginPath();
      pen.moveTo(LEFT, at);
      pen.lineTo(width - RIGHT, at);
      pen.stroke();
      pen.fillText(chart.logarithmic ? `1e${mark}` : short(mark), LEFT - 6, at);
    }
    pen.textBaseline = "alphabetic";
    pen.textAlign = "center";
    for (const mark of ticks(start, end, 5)) {
      pen.beginPath();
      pen.moveTo(Math.round(x(mark)) + 0.5, height - BOTTOM);
      pen.lineTo(Math.round(x(mark)) + 0.5, height - BOTTOM + 3);
      pen.stroke();
      if (x(mark) > LEFT + 10 && x(mark) < width - 24) pen.fillText(short(mark), x(mark), height - 4);
    }
    pen.textAlign = "right";
    pen.fillText("s", width - RIGHT, height - 4);
    pen.textAlign = "left";
  }
  function powers({ low, high }) {
    const every = Math.max(1, Math.ceil((high - low) / 4)),
      out = [];
    for (let p = Math.ceil(low / every) * every; p <= high; p += every) out.push(p);
    return out.length ? out : [Number(((low + high) / 2).toFixed(1))];
  }
  function label(pen, x, start, end, height, colour) {
    let row = rows[rows.length - 1];
    if (hover !== null) {
      const time = start + ((end - start) * (hover - x(start))) / (x(end) - x(start));
      row = rows.reduce((best, one) => (Math.abs(one.time - time) < Math.abs(best.time - time) ? one : best), row);
      pen.strokeStyle = colour("--line-strong");
      pen.lineWidth = 1;
      pen.beginPath();
      pen.moveTo(Math.round(x(row.time)) + 0.5, TOP);
      pen.lineTo(Math.round(x(row.time)) + 0.5, height - BOTTOM);
      pen.stroke();
    }
    for (const { name, value } of values) value.textContent = short(row.values[name], 3);
  }
  return { draw };
}
