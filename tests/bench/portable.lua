-- What the portable mode costs: the time of a step in it and with vectors of 128 bits alone, relative to the normal
-- mode, on one thread. The modes are measured in turn, and the least time of a step counts.
local report = require "bench.report"
local o = report.options
local modes = { { "normal" }, { "vectors_128", "--vectors", "128" }, { "portable", "--portable" } }
local frames, warm_up = o.frames or 60, o.warm_up

local function list()
  if #o.scenes > 0 then
    return report.scenes()
  end
  local scenes = {}
  for i, name in ipairs { "curtain", "drape", "table1/brush", "table1/dress" } do
    scenes[i] = { name = name:match("[^/]+$"), path = ("%s/scenes/%s.lua"):format(report.root, name) }
  end
  return scenes
end

-- The times of the steps after the warm-up, ms.
local function measure(scene, mode)
  local folder = report.folder()
  local words = { "run", scene.path, "--headless", "--threads", 1, "--frames", warm_up + frames, "--stats",
    folder .. "/steps.csv" }
  table.move(mode, 2, #mode, #words + 1, words)
  table.move({ report.settings("--set", o.settings) }, 1, 2 * #o.settings, #words + 1, words)
  report.springtide(table.unpack(words))
  local times = {}
  for i, row in ipairs(report.rows(report.read_file(folder .. "/steps.csv"))) do
    times[#times + 1] = i > warm_up and row.step_ms or nil
  end
  report.drop(folder)
  return times
end

-- The mean over the frames of the least time that a run took for each.
local function mean(least)
  local sum = 0
  for _, time in ipairs(least) do
    sum = sum + time
  end
  return sum / #least
end

local rows = {}
for _, scene in ipairs(list()) do
  local least = {}
  for _ = 1, o.runs do
    for m, mode in ipairs(modes) do
      report.progress("portable", scene.name)
      local times = measure(scene, mode)
      for i, time in ipairs(least[m] or times) do
        times[i] = math.min(time, times[i])
      end
      least[m] = times
    end
  end
  local row = { scene.name }
  for m, mode in ipairs(modes) do
    row[m + 1] = mean(least[m])
    report.figure(scene.name, 1, mode[1] .. "_step_ms", row[m + 1], "ms")
  end
  row[5], row[6] = row[4] / row[2], row[4] / row[3]
  report.figure(scene.name, 1, "portable_of_normal", row[5], "1")
  rows[#rows + 1] = row
end
report.table("a step in the portable mode, one thread:",
  { "scene", "normal_ms", "vectors_128_ms", "portable_ms", "of_normal", "of_vectors_128" }, rows)

report.progress("portable", "functions")
local functions = {}
for i, r in ipairs(report.rows(report.bench("functions", 10 * o.runs))) do
  functions[i] = { r["function"], r.portable_ns + 0.0, r.library_ns + 0.0, r.portable_ns / r.library_ns }
  report.figure(r["function"], 1, "portable_ns", r.portable_ns, "ns")
  report.figure(r["function"], 1, "portable_of_library", r.portable_ns / r.library_ns, "1")
end
report.table("a call of an elementary function in the portable mode, and of the C library:",
  { "function", "portable_ns", "library_ns", "ratio" }, functions)
