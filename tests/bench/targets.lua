-- Targets of the engine beside the measurements of this run. All except memory, reload and contact are ratios within
-- the run.
local report = require "bench.report"

local targets = {
  { "curtain", 1, "solve, of CHOLMOD's", "solve_of_cholmod", 0.28 },
  { "hippo", 1, "solve, of CHOLMOD's", "solve_of_cholmod", 0.35 },
  { "frog", 1, "solve, of CHOLMOD's", "solve_of_cholmod", 0.30 },
  { "dog", 1, "solve, of CHOLMOD's", "solve_of_cholmod", 0.30 },
  { "curtain", 2, "solve, of CHOLMOD's on one", "solve_of_cholmod", 0.18 },
  { "dog", 2, "solve, of CHOLMOD's on one", "solve_of_cholmod", 0.18 },
  { "curtain", 1, "solve, of reading the factor twice", "solve_of_stream", 1.5 },
  { "dog", 1, "solve, of reading the factor twice", "solve_of_stream", 1.5 },
  { "curtain", 1, "local step, of the solve", "local_of_solve", 0.35 },
  { "hippo", 1, "local step, of the solve", "local_of_solve", 0.35 },
  { "frog", 1, "local step, of the solve", "local_of_solve", 0.35 },
  { "dog", 1, "local step, of the solve", "local_of_solve", 0.35 },
  { "curtain", 2, "iteration, of CHOLMOD's solve on one", "iteration_of_cholmod", 0.25 },
  { "curtain", 1, "time to error 1e-2, of CHOLMOD's", "time_to_1e-2_of_cholmod", 0.1 },
  { "hippo", 1, "time to error 1e-2, of CHOLMOD's", "time_to_1e-2_of_cholmod", 0.1 },
  { "dog", 2, "frame, of CHOLMOD's solve on one", "frame_of_cholmod", 16.7 / 2.7 }, -- 16.7 ms where the solve takes 2.7
  { "dog", 1, "memory of the process, MB", "process_mb", 200.0 },
  { "curtain", 1, "reload without a change, ms", "reload_ms", 50.0 },
  { "brush", 1, "collision, ms (Liu et al. 2013, Table 1)", "collision_ms", 0.99 },
  { "dress", 1, "collision, ms (a tenth of Liu et al. 2013, Table 1)", "collision_ms", 48.0 },
  { "corotated", 1, "iteration, of springs on the mesh", "iteration_of_springs", 2.5 },
  { "membrane", 1, "iteration, of the curtain's", "iteration_of_curtain", 2.0 },
  { "own_element", 1, "iteration, of the curtain's", "iteration_of_curtain", 6.0 },
  { "tear", 1, "a tear in the curtain, ms", "tear_ms", 2.0 },
  { "cloth_1000000", 1, "memory of the process, MB", "process_mb", 4096.0 },
}

local rows = {}
for _, t in ipairs(targets) do
  local scene, threads, what, figure, most = table.unpack(t)
  local value = report.find(report.figures, scene, threads, figure)
  if value then
    table.insert(rows, { scene, threads, what, most, value, value <= most and "target met" or "target missed" })
  end
end
if #rows > 0 then
  report.table("what the engine is held to:", { "scene", "threads", "figure", "at most", "measured", "" }, rows)
end
