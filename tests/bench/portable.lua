-- What the portable mode costs: the processor time of a frame in it and with vectors of 128 bits alone, relative to the
-- normal mode, on one thread. The modes are measured in turn, and the least counts.
local report = require "bench.report"
local o = report.options
local modes = { { "normal" }, { "vectors_128", "--vectors", "128" }, { "portable", "--portable" } }

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

local function measure(scene, mode)
  local folder = report.folder()
  local words = { "bench", scene.path, "--csv", folder .. "/scene.csv", "--frames", o.frames or 60, "--warm-up",
    o.warm_up, "--runs", 1, "--threads", 1, report.settings("--set", o.settings) }
  table.move(mode, 2, #mode, #words + 1, words)
  report.springtide(table.unpack(words))
  local row = report.rows(report.read_file(folder .. "/scene.csv"))[1]
  report.drop(folder)
  return row.processor_ms
end

local rows = {}
for _, scene in ipairs(list()) do
  local row = { scene.name, math.huge, math.huge, math.huge }
  for _ = 1, o.runs do
    for m, mode in ipairs(modes) do
      report.progress("portable", scene.name)
      row[m + 1] = math.min(row[m + 1], measure(scene, mode))
    end
  end
  for m, mode in ipairs(modes) do
    report.figure(scene.name, 1, mode[1] .. "_frame_ms", row[m + 1], "ms")
  end
  row[5], row[6] = row[4] / row[2], row[4] / row[3]
  report.figure(scene.name, 1, "portable_of_normal", row[5], "1")
  rows[#rows + 1] = row
end
report.table("a frame in the portable mode, processor time of one thread:",
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
