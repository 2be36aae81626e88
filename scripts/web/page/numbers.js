// Writes numbers for people.

/** Writes a number with as few digits as tell it to a precision. @param {number} value @param {number} [digits] */
export function short(value, digits = 4) {
  if (!Number.isFinite(value)) return value === undefined || Number.isNaN(value) ? "-" : value > 0 ? "inf" : "-inf";
  if (value === 0) return "0";
  const size = Math.abs(value);
  if (size >= 1e6 || size < 1e-4)
    return value
      .toExponential(Math.max(digits - 2, 0))
      .replace(/\.?0+e/, "e")
      .replace("e+", "e");
  return String(Number(value.toPrecision(digits)));
}

/** Writes a number that parses to the same value. @param {number} value */
export const exact = (value) => (Number.isFinite(value) ? String(value) : "");

/** @param {number} ms */
export const milliseconds = (ms) =>
  Number.isFinite(ms) ? `${ms >= 100 ? ms.toFixed(0) : ms >= 10 ? ms.toFixed(1) : ms.toFixed(2)} ms` : "-";

/** @param {number} bytes */
export const megabytes = (bytes) => (Number.isFinite(bytes) ? `${(bytes / 1048576).toFixed(0)} MB` : "-");

/**
 * Returns round numbers that divide a range, about `count` of them.
 * @param {number} low
 * @param {number} high
 * @param {number} count
 */
export function ticks(low, high, count) {
  const rough = (high - low) / count;
  if (!(rough > 0) || !Number.isFinite(rough)) return [];
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((m) => m * power).find((s) => s >= rough * 0.999) ?? 10 * power;
  const out = [];
  for (let i = Math.ceil(low / step - 1e-9) + 0; i * step <= high + 1e-9 * step && out.length < 50; i++)
    out.push(i * step);
  return out;
}
