// The numbers of the frames, for the plots: the last LIMIT of them, without the frames that a rewind has taken back.

const LIMIT = 3000;

export const CHARTS = [
  {
    name: "energy",
    unit: "J",
    series: [
      ["kinetic", (f) => f.energy?.kinetic],
      ["elastic", (f) => f.energy?.elastic],
      ["gravity", (f) => f.energy?.gravity],
      ["total", (f) => f.energy?.total],
    ],
    fromLowest: ["gravity", "total"],
  },
  { name: "iterations", unit: "", series: [["iterations", (f) => f.report?.iterations]], fromZero: true },
  { name: "gradient norm", unit: "kg m", series: [["|grad g|", (f) => f.report?.gradient_norm]], logarithmic: true },
  {
    name: "step time",
    unit: "ms",
    series: [
      ["step", (f) => f.step_ms],
      ["draw", (f) => f.draw_ms],
    ],
    fromZero: true,
  },
];

const NAMES = CHARTS.flatMap((chart) => chart.series.map(([name, read]) => ({ name, read })));

export function makePlotData() {
  let rows = [];
  return {
    add(frame) {
      while (rows.length && rows[rows.length - 1].frame >= frame.frame) rows.pop();
      const values = Object.fromEntries(
        NAMES.map(({ name, read }) => [name, Number.isFinite(read(frame)) ? read(frame) : NaN]),
      );
      rows.push({ frame: frame.frame, time: frame.time, values });
      if (rows.length > 1.25 * LIMIT) rows = rows.slice(-LIMIT);
    },
    clear() {
      rows = [];
    },
    /** The rows of the last `seconds`. */
    last(seconds) {
      const end = rows.length ? rows[rows.length - 1].time : 0;
      let from = rows.length;
      while (from > 0 && rows[from - 1].time >= end - seconds) from--;
      return rows.slice(from);
    },
    count: () => rows.length,
  };
}
