-- Time to an error of the scenes of Table 1, or of others. The dog is measured when it is named: finding its minimum
-- takes minutes.
local report, step_errors = require "bench.report", require "bench.step_errors"
local o = report.options

local rows = {}
for _, scene in ipairs(report.scenes()) do
  if scene.name ~= "dog" or #o.scenes > 0 then
    report.progress("errors", scene.name)
    local frame = (o.frames or 60) + o.warm_up + 1
    table.move(step_errors.measure { path = scene.path, name = scene.name, threads = o.threads or 1, frame = frame,
      settings = o.settings }, 1, 5, #rows + 1, rows)
  end
end
step_errors.show(rows)
