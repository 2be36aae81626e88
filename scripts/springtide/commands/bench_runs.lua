-- The runs of `springtide bench`: opening a scene, its warm-up, and frames that are measured again and again from one
-- state.
local runs = {}

local function step(bench, scene)
  local measured = table.pack(bench.functions.timed_step(scene))
  bench.done = bench.done + 1
  bench.functions.progress("frames", bench.done, bench.total)
  return table.unpack(measured)
end

-- Takes the warm-up, then goes back to the state after it for each run. A run takes one frame that prepares the solver,
-- then those that count: after each of them calls add(bench, sum, scene, ...) with what begin(bench) has returned and
-- what `timed_step` returns. Returns the sums.
function runs.measure(bench, scene, begin, add)
  local sums = {}
  bench.done, bench.total = 0, bench.warm_up + bench.runs * (bench.frames + 1)
  for _ = 1, bench.warm_up do
    step(bench, scene)
  end
  local start = scene:snapshot()
  for i = 1, bench.runs do
    sums[i] = begin(bench)
    scene:restore(start)
    step(bench, scene)
    for _ = 1, bench.frames do
      add(bench, sums[i], scene, step(bench, scene))
    end
  end
  return sums
end

-- Opens a scene with these parameters and returns measure(bench, path, scene), or nil, a message, and whether the
-- options are at fault; other messages are printed.
function runs.open_and_measure(bench, path, set, measure)
  local functions = bench.functions
  local scene, message, refused = functions.open({ set = set }, path)
  if scene and bench.solver then
    local taken, failure = functions.set_solver(scene, bench.solver)
    if not taken then
      return nil, failure, true
    end
  end
  if scene then
    local done, row = pcall(measure, bench, path, scene)
    functions.progress("frames", 1, 1)
    scene = nil -- luacheck: ignore 311 (the collector may have it)
    collectgarbage()
    if done then
      return row
    end
    message = tostring(row)
  end
  if not refused then
    functions.complain(message)
  end
  return nil, message, refused
end

-- Calls open(item), which returns what open_and_measure does, for each item. Returns the rows and whether a run failed,
-- or nil and a message if the options are at fault.
function runs.collect(items, open)
  local rows, failed = {}, false
  for i, item in ipairs(items) do
    local row, message, refused = open(item, i)
    if refused then
      return nil, message
    end
    failed = failed or not row
    rows[#rows + 1] = row
  end
  return rows, failed
end

return runs
