-- Table 1 of Liu et al. 2013, Fast Simulation of Mass-Spring Systems. Their times are of one core of an Intel i7-3720QM
-- at 2.6 GHz.
local report = require "bench.report"
local o = report.options

-- Times in ms. Collision is detection and response together.
local columns = { "m", "s", "h_ms", "iteration_ms", "iterations", "collision_ms", "frame_ms", "prefactor_ms" }
local paper = {
  curtain = { 6561, 32158, 33.0, 5.0, 10, false, 50.0, 113.0 },
  hippo = { 2387, 13135, 33.0, 1.0, 20, false, 20.0, 18.0 },
  frog = { 6834, 35261, 33.0, 3.1, 20, false, 62.0, 54.0 },
  dog = { 28390, 148047, 33.0, 20.3, 20, false, 406.0, 442.0 },
  brush = { 1995, 6405, 33.0, 0.68, 20, 0.99, 14.6, 9.8 },
  dress = { 3505, 6811, 8.3, 0.61, 20, 476.0, 488.0, 11.0 },
}
local compared = { iteration_ms = true, collision_ms = true, frame_ms = true, prefactor_ms = true }

local rows, parts = {}, {}
for _, scene in ipairs(report.scenes(true)) do
  report.progress("table1", scene.name)
  local folder = report.folder()
  report.springtide("bench", scene.path, "--csv", folder .. "/scene.csv", "--frames", o.frames or 60,
    "--warm-up", o.warm_up, "--runs", o.runs, "--threads", o.threads or 1, report.settings("--set", o.settings))
  local r = report.rows(report.read_file(folder .. "/scene.csv"))[1]
  report.drop(folder)
  local ours = {
    math.tointeger(r.vertices), math.tointeger(r.springs), r.h_ms + 0.0, tonumber(r.iteration_ms) or false,
    math.tointeger(r.iterations) or r.iterations, r.detect_ms + r.respond_ms + 0.0, r.frame_ms + 0.0,
    tonumber(r.prefactor_ms) or false,
  }
  local cells, faster = { scene.name }, { "  times faster" }
  for i, theirs in ipairs(paper[scene.name]) do
    cells[i + 1] = report.shown(ours[i]) .. " / " .. report.shown(theirs)
    local ratio = compared[columns[i]] and theirs and ours[i] and ours[i] > 0 and theirs / ours[i]
    faster[i + 1] = ratio and report.shown(ratio) or "-"
    if ratio then
      report.figure(scene.name, o.threads or 1, "paper_of_" .. columns[i]:gsub("_ms", ""), ratio, "1")
    end
  end
  table.insert(rows, cells)
  table.insert(rows, faster)
  table.insert(parts, { scene.name, r.detect_ms + 0.0, r.respond_ms + 0.0, r.median_ms, r.processor_ms, r.draw_ms,
    r.reference_ms, r.ratio })
end
report.table("Liu et al. 2013, Table 1; each cell is ours / theirs:", { "scene", table.unpack(columns) }, rows)
report.table("the same frames; ratio: of a frame to the reference of `springtide bench`:",
  { "scene", "detect_ms", "respond_ms", "median_ms", "processor_ms", "draw_ms", "reference_ms", "ratio" }, parts)
