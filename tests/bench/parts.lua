-- The parts of an iteration and of a frame of the scenes of Table 1, or of others.
local report, figures = require "bench.report", require "bench.scene_figures"
local o = report.options

local measured = {}
for _, scene in ipairs(report.scenes()) do
  for _, threads in ipairs(report.thread_counts()) do
    report.progress("parts", scene.name, threads == 1 and "1 thread" or threads .. " threads")
    local f = figures.measure { path = scene.path, name = scene.name, threads = threads, frames = o.frames or 60,
      warm_up = o.warm_up, runs = o.runs, settings = o.settings }
    table.insert(measured, { f, threads })
  end
end
figures.show_parts(measured)
