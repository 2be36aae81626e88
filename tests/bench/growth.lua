-- Time and memory of cloths and of blocks of springs (scenes/papers/growth.lua) against their vertices.
local report, figures = require "bench.report", require "bench.scene_figures"
local step_errors = require "bench.step_errors"
local o = report.options

local sizes = { cloth = { 1000, 10000, 100000, 1000000 }, volume = { 1000, 10000, 100000, 500000 } }
local MOST_FOR_ERRORS = 20000 -- beyond, finding the minimum of a step takes minutes
local path = report.root .. "/scenes/papers/growth.lua"

local measured, rows = {}, {}
for _, shape in ipairs { "cloth", "volume" } do
  for _, vertices in ipairs((not o.shape or o.shape == shape) and sizes[shape] or {}) do
    for _, threads in ipairs(vertices <= o.vertices and report.thread_counts() or {}) do
      report.progress("growth", shape .. " of " .. vertices, threads == 1 and "1 thread" or threads .. " threads")
      local settings = { "shape=" .. shape, "vertices=" .. vertices, table.unpack(o.settings) }
      local f = figures.measure { path = path, threads = threads, frames = o.frames or 3, warm_up = 0, runs = o.runs,
        settings = settings, name = function(found) return ("%s_%d"):format(shape, found.vertices // 1) end }
      table.insert(measured, { f, threads })
      if vertices <= MOST_FOR_ERRORS and threads == 1 then
        table.move(step_errors.measure { path = path, name = f.name, threads = 1, frame = (o.frames or 3) + 2,
          settings = settings }, 1, 5, #rows + 1, rows)
      end
    end
  end
end
figures.show("growth; prepare: what the first step takes more than a later one; a frame has ten iterations; linear: "
  .. "iterations of\nconjugate gradients in it:",
  { "vertices", "springs", "build_ms", "analyse_ms", "factor_ms", "prepare_ms", "nnz", "frame_ms", "iteration_ms",
    { "linear", "linear_iterations" }, "memory_mb", "process_mb", "solved" }, measured)
figures.show_parts(measured)
step_errors.show(rows)
