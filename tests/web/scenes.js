// Small scenes of the tests.

const cloth_lines = [
  'local tide = require "springtide"',
  'local stiffness = tide.param("stiffness", 50, { min = 1, max = 1000, unit = "N/m" })',
  'local scene = tide.scene { title = "Cloth", timestep = 1 / 60, solver = { "local_global", iterations = 5 } }',
  'local cloth = scene:body("cloth", {',
  "  mesh = tide.mesh.grid { columns = 9, rows = 7, width = 1, height = 0.75 },",
  "  mass = 0.2, stiffness = stiffness, bend = 5,",
  "})",
  "cloth:pin { 1, 9 }",
];

/** A small cloth; further lines of Lua before its end. */
export function cloth(...more) {
  return [...cloth_lines, ...more, "return scene", ""].join("\n");
}

/** The line of the first of further lines. */
export const line_after_cloth = cloth_lines.length + 1;
