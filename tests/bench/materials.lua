-- What an iteration of local_global takes for materials, relative to that of springs on the same mesh, on one thread:
-- the least local and global times of single frames, in several rounds in which both are measured in turn.
local report = require "bench.report"
local o = report.options
local path = report.root .. "/tests/bench/material_scene.lua"

local pairs_of_materials = {
  { "corotated", "springs" }, -- a solid of 35,000 tetrahedra
  { "membrane", "curtain" },  -- 12,800 triangles with quadratic bending
  { "own_element", "curtain" },
}

local function measure(material)
  local folder = report.folder()
  report.springtide("bench", path, "--csv", folder .. "/scene.csv", "--frames", o.frames or 1, "--warm-up",
    math.min(o.warm_up, 5), "--runs", 10 * o.runs, "--threads", 1, "--set", "material=" .. material,
    report.settings("--set", o.settings))
  local row = report.rows(report.read_file(folder .. "/scene.csv"))[1]
  report.drop(folder)
  return row.local_ms / row.iterations, row.global_ms / row.iterations
end

local rows = {}
for _, pair in ipairs(pairs_of_materials) do
  local least = {}
  for _ = 1, o.runs do
    for _, material in ipairs(pair) do
      report.progress("materials", material)
      local at, local_ms, global_ms = least[material] or { math.huge, math.huge }, measure(material)
      least[material] = { math.min(at[1], local_ms), math.min(at[2], global_ms) }
    end
  end
  local a, b = least[pair[1]], least[pair[2]]
  local ratio = (a[1] + a[2]) / (b[1] + b[2])
  table.insert(rows, { pair[1], pair[2], a[1], a[2], b[1], b[2], ratio })
  report.figure(pair[1], 1, "local_ms", a[1], "ms")
  report.figure(pair[1], 1, "global_ms", a[2], "ms")
  report.figure(pair[1], 1, "iteration_of_" .. pair[2], ratio, "1")
end
report.table("an iteration of materials and of springs on the same mesh, one thread:",
  { "material", "springs", "local_ms", "global_ms", "springs_local_ms", "springs_global_ms", "ratio" }, rows)
