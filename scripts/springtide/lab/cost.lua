-- The cost of a solver: seconds of computing for a second of the scene (Shinya 2005, fig. 5 to 7; Ahmad et al. 2007,
-- fig. 6 and 8), with what it depends on: particles, k0 (the largest eigenvalue of M^-1 K at the start), timestep,
-- iterations and substeps.
--
--   local result = lab.cost("drape.lua", { frame = 20, frames = 100, solvers = { "semi_implicit", "rk4" },
--     sweep = { name = "side", values = { 8, 16, 32 } } })
--
-- Options besides those of lab.lua: frame (30), before which the measurement begins, and frames (100), its length.
-- The result has `rows` by solver, then across, then sweep: { solver, sweep, across, timestep, particles, springs, k0,
-- seconds, iterations, linear, substeps, rejected, substep, stable, algorithm_1 }. Counts are those of a step; seconds
-- is nil where a step diverged; particles are free ones; algorithm_1 is 2 / sqrt of the filtered eigenvalue of Ahmad et
-- al. 2007, nil without a filter.
local output = require "springtide.lab.output"
local shared = require "springtide.lab.shared"

local cost = {}

local RUNS = 3 -- the fastest counts
local EIGENVALUE = { tolerance = 1e-5, max_iterations = 20000 }

-- --- one solver with one value on each axis --------------------------------------------------------------------------

local function measure_start(scene, row)
  local system = scene:system()
  local x = system:positions()
  row.timestep, row.particles, row.springs = scene.timestep, system.free_count, 0
  row.k0 = system:largest_eigenvalue(x, EIGENVALUE)
  local filtered = system:filtered_eigenvalue(x)
  row.algorithm_1 = filtered and 2 / math.sqrt(filtered)
  for _, body in ipairs(scene:bodies()) do
    row.springs = row.springs + body.spring_count
  end
end

local counts = { iterations = "iterations", linear = "linear_iterations", substeps = "substeps", rejected = "rejected" }

local function add_report(row, report)
  for name, count in pairs(counts) do
    row[name] = (row[name] or 0) + report[count]
  end
  row.substep, row.stable = report.substep, report.stable_substep
end

-- Takes a step. Returns its seconds without the scene's update; nil when it diverged.
local function take_step(study, scene)
  local problem = shared.check(scene:problem())
  local start = study:clock()
  local done, message, diverged = problem:advance()
  local seconds = study:clock() - start
  if diverged then
    return nil
  end
  shared.check(done, message)
  return seconds
end

-- Seconds of `frames` steps from the snapshot, after one that makes the solver ready; nil when one diverged.
local function time_run(study, scene, snapshot, row)
  scene:restore(snapshot)
  local sum = take_step(study, scene) and 0
  for _ = 1, sum and study.frames or 0 do
    local seconds = take_step(study, scene)
    if not seconds then
      return nil
    end
    sum = sum + seconds
    if row then
      add_report(row, scene:report())
    end
  end
  return sum
end

local function measure_seconds(study, scene, row)
  for _ = 1, study.frame - 1 do
    if not take_step(study, scene) then
      return nil
    end
  end
  local snapshot, best = scene:snapshot(), math.huge
  for run = 1, RUNS do
    local seconds = time_run(study, scene, snapshot, run == 1 and row)
    if not seconds then
      return nil
    end
    best = math.min(best, seconds)
  end
  return best / (study.frames * row.timestep)
end

local function measure_row(study, solver, sweep, across)
  local row = { solver = solver, sweep = sweep, across = across }
  local scene = study:open(row)
  measure_start(scene, row)
  row.seconds = measure_seconds(study, scene, row)
  for name in pairs(counts) do
    row[name] = (row[name] or 0) / study.frames
  end
  return row
end

-- --- the study -------------------------------------------------------------------------------------------------------

local function begin(source, options)
  local study = shared.begin(source, options, { name = "cost", frame = 30, frames = 100, solvers = { "" } })
  study:clock() -- fails where there is none
  return study
end

local function measure(study)
  local result, sweeps, acrosses = { rows = {} }, shared.values(study.sweep), shared.values(study.across)
  local count = #study.solvers * #sweeps * #acrosses
  for _, solver in ipairs(study.solvers) do
    for _, across in ipairs(acrosses) do
      for _, sweep in ipairs(sweeps) do
        study.progress("measurements", #result.rows, count)
        local row = measure_row(study, solver, sweep, across)
        result.rows[#result.rows + 1] = row
        study.each(row)
      end
    end
  end
  study.progress("measurements", count, count)
  return result
end

function cost.measure(source, options)
  return measure(begin(source, options))
end

-- --- slopes ----------------------------------------------------------------------------------------------------------

local quantities = {
  { "particles", function(row) return row.particles end },
  { "sqrt(k0)", function(row) return math.sqrt(row.k0) end },
  { "timestep", function(row) return row.timestep end },
}

-- Whether a quantity goes far enough over the rows for a slope to tell something.
local function varies(rows, of)
  local least, most = math.huge, 0
  for _, row in ipairs(rows) do
    least, most = math.min(least, of(row)), math.max(most, of(row))
  end
  return least > 0 and most > 1.5 * least
end

-- The rows of a solver with one value across, as lists.
local function lines_of(study, result)
  local lines, length = {}, #shared.values(study.sweep)
  for i, row in ipairs(result.rows) do
    local line = (i - 1) // length + 1
    lines[line] = lines[line] or {}
    table.insert(lines[line], row)
  end
  return lines
end

local function slope_text(rows, of)
  local points = {}
  for _, row in ipairs(varies(rows, of) and rows or {}) do
    if (row.seconds or 0) > 0 and of(row) > 0 then
      points[#points + 1] = { of(row), row.seconds }
    end
  end
  local slope = shared.slope(points)
  return slope and (" %12.2f"):format(slope) or (" %12s"):format("-")
end

-- The width of the column of solvers.
local function widest(study)
  local width = 11
  for _, solver in ipairs(study.solvers) do
    width = math.max(width, #solver)
  end
  return width
end

-- A text with spaces after it; string.format takes no width above 99.
local function padded(text, width)
  return text .. (" "):rep(width - #text)
end

local function print_slopes(study, result)
  local shown, heading = {}, padded("", widest(study))
  for _, quantity in ipairs(quantities) do
    if varies(result.rows, quantity[2]) then
      shown[#shown + 1] = quantity[2]
      heading = heading .. (" %12s"):format(quantity[1])
    end
  end
  if #shared.values(study.sweep) < 2 or #shown == 0 then
    return
  end
  print("\nslope of log seconds against log of\n" .. heading)
  for _, rows in ipairs(lines_of(study, result)) do
    local text = padded(rows[1].solver, widest(study))
    for _, of in ipairs(shown) do
      text = text .. slope_text(rows, of)
    end
    if study.across then
      text = ("%s   %s = %.6g"):format(text, study.across.name, rows[1].across)
    end
    print(text)
  end
end

-- --- tables and pictures ---------------------------------------------------------------------------------------------

local function print_row(study, row)
  local text = padded(row.solver ~= "" and row.solver or "scene's own", widest(study))
  for _, value in ipairs { row.sweep or false, row.across or false } do
    text = text .. (value and (" %12.6g"):format(value) or "")
  end
  text = text .. (" %9d %9d %10.4g"):format(row.particles, row.springs, row.k0)
  if not row.seconds then
    print(text .. "   diverged")
    return
  end
  print(text .. (" %10.4g %10.4g %10.4g %10.4g %10.4g %10.4g"):format(
    row.seconds, 1e3 * row.seconds * row.timestep, row.iterations, row.linear, row.substeps, row.substep or 0))
end

local function print_table(study, result)
  local text = padded("solver", widest(study))
  for _, axis in ipairs { study.sweep or false, study.across or false } do
    text = text .. (axis and (" %12s"):format(axis.name) or "")
  end
  print(text .. (" %9s %9s %10s %10s %10s %10s %10s %10s %10s"):format(
    "particles", "springs", "k0 (1/s^2)", "s a second", "ms a step", "iterations", "linear", "substeps", "substep (s)"))
  for _, row in ipairs(result.rows) do
    print_row(study, row)
  end
end

-- A line of the plots is a solver with one value across.
local function line_name(study, row)
  local text = study:label(row.solver)
  return study.across and ("%s %s=%.6g"):format(text, study.across.name, row.across) or text
end

local function tabulate(study, result)
  -- Names that no axis has
  local csv = output.table(study, {
    "line", "h", "particles", "springs", "largest_eigenvalue", "seconds", "milliseconds", "iterations_taken",
    "linear_iterations", "substeps_taken", "substeps_rejected", "substep_taken", "substep_stable",
    "substep_algorithm_1" })
  for _, row in ipairs(result.rows) do
    local went = row.seconds ~= nil
    csv:row(row.solver, row.sweep, row.across, {
      line_name(study, row), row.timestep, row.particles, row.springs, row.k0, row.seconds or false,
      went and 1e3 * row.seconds * row.timestep, went and row.iterations, went and row.linear, went and row.substeps,
      went and row.rejected, row.substep or false, (row.stable or 0) > 0 and row.stable, row.algorithm_1 or false })
  end
  return csv
end

-- The line of slope 1 through the slowest point of all.
local function reference_curve(study, result, drawing)
  local most
  for _, row in ipairs(result.rows) do
    if (row.seconds or 0) > 0 and (not most or row.seconds > most.seconds) then
      most = row
    end
  end
  return { title = "slope 1", filter_column = "line", filter = line_name(study, result.rows[1]), x = drawing.x,
           y = ("%.6g * %s%s"):format(most and most.seconds / drawing.of(most) or 1,
                                      drawing.x:find("$", 1, true) and "" or "$", drawing.x),
           style = "lines dashtype 2 linecolor rgb '#999999'" }
end

local function draw(study, result, drawing, out)
  local curves = {}
  for _, rows in ipairs(lines_of(study, result)) do
    local name = line_name(study, rows[1])
    curves[#curves + 1] = { title = name, filter_column = "line", filter = name, x = drawing.x, y = drawing.y }
  end
  curves[#curves + 1] = drawing.of and reference_curve(study, result, drawing)
  out:plot(drawing.name, "cost.csv", {
    title = drawing.title, x_label = drawing.x_label, y_label = drawing.y_label, x_logarithmic = drawing.x_logarithmic,
    y_logarithmic = true, curves = curves, more = "set key below Left reverse" })
end

-- Ahmad et al. 2007, fig. 6: of filtered methods, the substep that is stable in theory and that of algorithm 1.
local function draw_substeps(study, result, out)
  local curves, axis = {}, study.sweep
  for _, rows in ipairs(lines_of(study, result)) do
    if rows[1].algorithm_1 then
      local name = line_name(study, rows[1])
      local function add(title, y, style)
        curves[#curves + 1] = { title = ("%s: %s"):format(name, title), filter_column = "line", filter = name,
                                x = axis.column, y = y, style = style }
      end
      add("stable", "1e3 * $substep_stable", "linespoints")
      add("algorithm 1", "1e3 * $substep_algorithm_1", "lines dashtype 2")
    end
  end
  if #curves > 0 then
    out:plot("substep", "cost.csv", {
      title = "Longest substep, by the theory of the filter and by the paper's algorithm 1", x_label = axis.label,
      y_label = "substep (ms)", x_logarithmic = axis.logarithmic, curves = curves,
      more = "set key below Left reverse" })
  end
end

local function draw_all(study, result, out)
  local axis, seconds = study.sweep, "seconds of computing for a simulated second"
  local _, particles = table.unpack(quantities[1])
  local _, root_of_k0 = table.unpack(quantities[2])
  draw(study, result, { name = "cost", title = "Cost", x = axis.column, x_label = axis.label, y = "seconds",
                        y_label = seconds, x_logarithmic = axis.logarithmic }, out)
  if varies(result.rows, particles) then
    draw(study, result, { name = "cost_particles", title = "Cost against particles", x = "particles",
                          x_label = "free particles", y = "seconds", y_label = seconds, x_logarithmic = true,
                          of = particles }, out)
  end
  if varies(result.rows, root_of_k0) then
    draw(study, result, { name = "cost_sqrt_k0", title = "Cost against the root of the largest eigenvalue of M^-1 K",
                          x = "sqrt($largest_eigenvalue)", x_label = "sqrt(k0) (1/s)", y = "seconds",
                          y_label = seconds, x_logarithmic = true, of = root_of_k0 }, out)
  end
  draw(study, result, {
    name = "iterations", title = "Iterations", x = axis.column, x_label = axis.label,
    y = "($linear_iterations > 0 ? $linear_iterations : $substeps_taken > 1 ? $substeps_taken : " ..
      "$iterations_taken > 0 ? $iterations_taken : 1) / $h",
    y_label = "(linear) iterations, or explicit substeps, in a simulated second", x_logarithmic = axis.logarithmic,
  }, out)
  draw_substeps(study, result, out)
end

-- Measures, prints the table and the slopes and writes cost.csv with its pictures.
function cost.run(source, options, out)
  local study = begin(source, options)
  out.functions.silence(true)
  out:begin()
  local result = measure(study)
  out.functions.silence(false)
  print_table(study, result)
  out:save("cost.csv", tabulate(study, result))
  if #shared.values(study.sweep) > 1 then
    draw_all(study, result, out)
  end
  print_slopes(study, result)
end

return cost
