// Whether this browser can run the engine.

// A module whose only function returns a vector of 128 bits.
const simd = new Uint8Array([
  0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11,
]);

/** @returns {string} one sentence about what is missing, or "" */
export function missing() {
  if (typeof WebAssembly !== "object" || typeof WebAssembly.validate !== "function")
    return "This browser has no WebAssembly; open the page in a current Firefox, Chrome, Edge or Safari.";
  if (!WebAssembly.validate(simd))
    return (
      "This browser has no WebAssembly SIMD, which the engine needs; update it, or open the page in a current " +
      "Firefox, Chrome, Edge or Safari (16.4 or later)."
    );
  return "";
}
