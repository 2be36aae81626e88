-- Measures how long methods take until the error of a step (Liu et al. 2013, eq. 15) is small, by the curves that
-- `springtide convergence` writes.
local report = require "bench.report"
local o = report.options

-- "cholmod" is plain local/global with CHOLMOD's solve, as in the paper.
local methods = {
  { "cholmod", "local_global,solve=cholmod" }, { "local_global", "local_global" }, { "lbfgs", "lbfgs" },
  { "anderson", "local_global,acceleration=anderson" }, { "newton", "newton" },
}
local errors = { { 1e-1, "1e-1" }, { 1e-2, "1e-2" }, { 1e-3, "1e-3" } }

-- Finds where a curve reaches an error: iterations and ms. Both are interpolated between two measured points, on
-- logarithmic axes for iterations, since curves are almost straight there.
local function crossing(curve, wanted)
  for i, point in ipairs(curve) do
    if point.error <= wanted then
      local before = curve[i - 1]
      if not before then
        return point.iterations, 1e3 * point.seconds
      end
      local from, to = math.log(before.error), math.log(math.max(point.error, 1e-16))
      local share = (math.log(wanted) - from) / (to - from)
      local iterations = math.ceil(before.iterations * (point.iterations / before.iterations) ^ share)
      local along = (iterations - before.iterations) / (point.iterations - before.iterations)
      return iterations, 1e3 * (before.seconds + along * (point.seconds - before.seconds))
    end
  end
end

-- plan: path, name, threads, frame, settings. Returns rows of the table for report.table and adds the figures.
local function measure(plan)
  local texts, curves, folder = {}, {}, report.folder()
  for i, m in ipairs(methods) do
    texts[i] = m[2]
  end
  report.springtide("convergence", plan.path, "--frame", plan.frame, "--iterations", o.iterations, "--solvers",
    table.concat(texts, ","), "--threads", plan.threads, "--out", folder, report.settings("--set", plan.settings))
  for _, row in ipairs(report.rows(report.read_file(folder .. "/convergence.csv"))) do
    curves[row.solver] = curves[row.solver] or {}
    table.insert(curves[row.solver], row)
  end
  report.drop(folder)
  local rows, best, cholmod = {}, {}, {}
  for i, m in ipairs(methods) do
    rows[i] = { plan.name, plan.threads, m[1] }
    for e, wanted in ipairs(errors) do
      local iterations, ms = crossing(curves[m[2]] or {}, wanted[1])
      rows[i][2 + 2 * e], rows[i][3 + 2 * e] = ms or false, iterations or false
      report.figure(plan.name, plan.threads, ("%s_time_to_%s_ms"):format(m[1], wanted[2]), ms, "ms")
      report.figure(plan.name, plan.threads, ("%s_iterations_to_%s"):format(m[1], wanted[2]), iterations, "1")
      if m[1] == "cholmod" then
        cholmod[e] = ms
      elseif ms then
        best[e] = math.min(best[e] or ms, ms)
      end
    end
    rows[i][10] = rows[i][6] and cholmod[2] and rows[i][6] / cholmod[2]
  end
  for e, wanted in ipairs(errors) do
    report.figure(plan.name, plan.threads, ("time_to_%s_ms"):format(wanted[2]), best[e], "ms")
    report.figure(plan.name, plan.threads, ("time_to_%s_of_cholmod"):format(wanted[2]),
      best[e] and cholmod[e] and best[e] / cholmod[e], "1")
  end
  return rows
end

local function show(rows)
  report.table("ms of a step until its error (Liu et al. 2013, eq. 15) is below, and iterations:",
    { "scene", "threads", "method", "1e-1_ms", "of", "1e-2_ms", "of", "1e-3_ms", "of", "1e-2/cholmod" }, rows)
end

return { measure = measure, show = show }
