-- The error of one step against iterations and seconds (Liu et al. 2013, eq. 15, figures 2 and 3):
--
--   error = (g(x) - g(x*)) / (g(y) - g(x*))
--
-- g is that of a backward Euler step of the scene without the solvers' damping and without contact. y is the start of
-- all methods that minimise g, and x* the lowest minimum that Newton's method finds from two starts, where the gradient
-- is rounding. All solvers take the same step, from the same positions and velocities, after the scene's update.
--
--   local result = lab.convergence("curtain.lua", { frame = 25, solvers = { "local_global", "lbfgs" } })
--
-- Options besides those of lab.lua: frame (30), frames (1) to average over, and iterations (100), the most.
-- The result has `iterations`, a list, and `groups`, one for each value of the sweep: { sweep, g_start, g_reference,
-- rounding, particles, timestep, curves }. A curve has solver, method, failure (a message or nil), prepare_seconds,
-- lowest and points: { iterations, error, gradient, g, kinetic, elastic, seconds, frames }, or false where iterations
-- were left out as too slow.
local output = require "springtide.lab.output"
local shared = require "springtide.lab.shared"

local convergence = {}

local REFERENCE_ITERATIONS = 1000
local MOST_POINTS = 64
local SLOW = 2 -- s: after a run that takes longer, only each doubling of the iterations is measured
local ROUNDING = 1e-13 -- an error below it means nothing

-- --- the numbers of iterations ---------------------------------------------------------------------------------------

-- 1, 2, 3, 5, 8, 10, 13 ...: Fibonacci's, and the powers of ten that the table shows.
local function list_iterations(last)
  local list, a, b, power = {}, 1, 2, 1
  while #list < MOST_POINTS do
    local following = math.min(a, power, last)
    list[#list + 1] = following
    if following == last then
      break
    end
    while a <= following do
      a, b = b, a + b
    end
    power = power <= following and power * 10 or power
  end
  return list
end

-- The columns of the printed table: at most four.
local function list_marks(last)
  local marks, mark = {}, 1
  while mark < last do
    marks[#marks + 1] = mark
    mark = mark * 10
  end
  marks[#marks + 1] = last
  return #marks <= 4 and marks or { marks[1], marks[2], marks[3], last }
end

local function is_power_of_ten(n)
  while n % 10 == 0 do
    n = n // 10
  end
  return n == 1
end

-- --- the step that is measured ---------------------------------------------------------------------------------------

-- The scene's next step with its minimum x*.
local function begin_step(scene)
  local problem = shared.check(scene:problem())
  local y = problem.inertial
  local step = { problem = problem, system = scene:system(), g_start = problem:g(y),
                 start_norm = problem:gradient_norm(y), g_reference = math.huge }
  for _, start in ipairs { 0, 100 } do -- iterations of local_global
    local x = shared.check(problem:solve(("newton,iterations=%d,tolerance=1e-14,warm_start=%d"):format(
      REFERENCE_ITERATIONS, start)))
    local g = problem:g(x)
    if g < step.g_reference then
      step.g_reference, step.reference_norm = g, problem:gradient_norm(x)
    end
  end
  local fall = step.g_start - step.g_reference
  if not shared.is_finite(fall) or fall <= 0 then
    shared.fail("study: --frame: nothing is to be minimised in this step: the state without forces between " ..
      "particles is its result already; choose a frame at which springs are stretched")
  end
  step.masses = step.system:mass_matrix()
  return step
end

local function measure_result(step, x, v, report)
  local g, free = step.problem:g(x), step.system:gather(v)
  return {
    iterations = report.iterations, g = g, error = (g - step.g_reference) / (step.g_start - step.g_reference),
    gradient = step.problem:gradient_norm(x) / step.start_norm,
    kinetic = 0.5 * free:dot(step.masses:multiply(free)), elastic = step.system:energy(x),
    seconds = report.step_seconds,
  }
end

-- --- one solver ------------------------------------------------------------------------------------------------------

local function begin_curve(study, scene, solver, sweep)
  local method = scene:method(study:solver_text(solver, sweep))
  local info = method.info
  return {
    solver = solver, sweep = sweep, method = info.name, points = {}, frames = 0, lowest = 0, measure = method,
    iterative = shared.option(info, "iterations") ~= nil,
    other = info.order >= 2 or shared.option(info, "substep") ~= nil, -- it solves another equation
  }
end

-- Whether more iterations would tell nothing: the solver has ended by itself, or the error or the gradient is rounding.
local function has_ended(curve, step, now, iterations)
  local stopped = now.iterations > 0 and now.iterations < iterations -- 0: a script's solver that does not tell
  return not curve.iterative or stopped or math.abs(now.error) < ROUNDING or
    now.gradient <= 2 * step.reference_norm / step.start_norm
end

local sums = { "error", "gradient", "g", "kinetic", "elastic", "seconds" }

-- Adds a frame's result to a point. A result that an earlier point had already does not count as measured.
local function add(point, now, measured)
  for _, name in ipairs(sums) do
    point[name] = (point[name] or 0) + now[name]
  end
  point.iterations = math.max(point.iterations or 0, measured and now.iterations or 0)
  point.frames = (point.frames or 0) + (measured and 1 or 0)
end

-- Whether a first frame leaves this number of iterations out.
local function is_too_slow(curve, now, list, i)
  return curve.frames == 0 and now and now.seconds > SLOW and list[i] < 2 * now.iterations and
    not is_power_of_ten(list[i]) and i < #list
end

-- Adds one frame to the curve. A step that cannot be taken ends the curve and is told.
local function measure_curve(curve, step, list)
  local now, ended
  if curve.failure then
    return
  end
  for i, iterations in ipairs(list) do
    local point = curve.points[i]
    if point == nil and curve.frames == 0 then
      point = not (not ended and is_too_slow(curve, now, list, i)) and {}
    end
    if point then
      if not ended then
        local x, v, report = curve.measure:time(step.problem, iterations)
        now = x and measure_result(step, x, v, report)
        if not now or not shared.is_finite(now.g) then
          curve.failure = x and "the step diverges" or v
          return
        end
        curve.lowest = math.min(curve.lowest, now.error)
        curve.last = math.max(curve.last or 0, i)
      end
      add(point, now, not ended)
      ended = ended or has_ended(curve, step, now, iterations)
    end
    curve.points[i] = point
  end
  curve.frames = curve.frames + 1
end

-- Sums become means, and what lies behind the last measured point goes.
local function finish_curve(curve, frames)
  for i = #curve.points, (curve.last or 0) + 1, -1 do
    curve.points[i] = nil
  end
  for _, point in ipairs(curve.points) do
    for _, name in ipairs(point and sums or {}) do
      point[name] = point[name] / frames
    end
  end
  curve.prepare_seconds = curve.measure.prepare_seconds
  curve.measure, curve.last = nil, nil
end

-- --- the study -------------------------------------------------------------------------------------------------------

local function measure_group(study, list, sweep)
  local group = { sweep = sweep, curves = {} }
  local scene = study:open { sweep = sweep }
  for i, solver in ipairs(study.solvers) do
    group.curves[i] = begin_curve(study, scene, solver, sweep)
  end
  study:run_to(scene, study.frame)
  for frame = 1, study.frames do
    local step = begin_step(scene)
    for i, curve in ipairs(group.curves) do
      study.progress("curves", (frame - 1) * #group.curves + i - 1, study.frames * #group.curves)
      measure_curve(curve, step, list)
    end
    if frame == 1 then
      group.g_start, group.g_reference = step.g_start, step.g_reference
      group.rounding = step.reference_norm / step.start_norm
      group.particles, group.timestep = step.system.particle_count, step.problem.timestep
    end
    if frame < study.frames then
      shared.check(step.problem:advance())
    end
  end
  study.progress("curves", 1, 1)
  for _, curve in ipairs(group.curves) do
    finish_curve(curve, study.frames)
  end
  return group
end

function convergence.default_solvers()
  return shared.solvers(function(info)
    return shared.option(info, "iterations") and not shared.option(info, "substep") and info.order < 2
  end)
end

local function begin(source, options)
  local study = shared.begin(source, options, { name = "convergence", frame = 30, frames = 1, iterations = 100 })
  study.solvers = study.solvers or convergence.default_solvers()
  local swept = study.sweep and study.sweep.of == "option" and study.sweep.name
  if swept == "iterations" or swept == "tolerance" then
    study:refuse("sweep", swept,
                 "a study of error goes through iterations by itself, without a tolerance; --iterations is the last")
  end
  return study
end

local function measure(study)
  local result = { iterations = list_iterations(study.iterations), groups = {} }
  for i, sweep in ipairs(shared.values(study.sweep)) do
    result.groups[i] = measure_group(study, result.iterations, sweep)
    study.each(result.groups[i])
  end
  return result
end

function convergence.measure(source, options)
  return measure(begin(source, options))
end

-- --- tables and pictures ---------------------------------------------------------------------------------------------

-- The point of so many iterations, or the last one before.
local function point_at(curve, list, wanted)
  local found
  for i, point in ipairs(curve.points) do
    if list[i] <= wanted then
      found = point or found
    end
  end
  return found
end

local function print_curve(curve, label, list, marks)
  local line = { ("%-36s"):format(label) }
  if curve.failure then
    print(line[1] .. "  " .. curve.failure)
    return
  end
  for _, mark in ipairs(marks) do
    local point = point_at(curve, list, mark)
    line[#line + 1] = ("%11.2e %8.2f"):format(point.error, 1e3 * point.seconds)
  end
  line[#line + 1] = ("%13.1f"):format(1e3 * curve.prepare_seconds)
  print(table.concat(line) .. (curve.other and "  solves another equation" or ""))
end

-- g has several minima where springs are compressed.
local function tell_of_other_minima(curve, label)
  local last = curve.points[#curve.points]
  if curve.failure or not last then
    return
  end
  if curve.lowest < -1e3 * ROUNDING then
    print(("%s reaches a lower minimum of g than x*: its error goes down to %.2e, below 0, and is not in the pictures")
      :format(label, curve.lowest))
  elseif last.gradient < 1e-10 and last.error > 1e3 * ROUNDING then
    print(("%s ends in another minimum of g than x*, higher by %.2e of the error at the start"):format(
      label, last.error))
  end
end

local function print_group(study, group, list)
  local marks = list_marks(study.iterations)
  print(("g(y) = %.6g, g(x*) = %.6g, |grad g(x*)| = %.1e |grad g(y)|; %d particles, timestep %g s"):format(
    group.g_start, group.g_reference, group.rounding, group.particles, group.timestep))
  local heading = { ("%-36s"):format("after iterations: error, ms") }
  for _, mark in ipairs(marks) do
    heading[#heading + 1] = ("%20d"):format(mark)
  end
  print(table.concat(heading) .. ("%13s"):format("prepare, ms"))
  for _, curve in ipairs(group.curves) do
    print_curve(curve, study:label(curve.solver, group.sweep), list, marks)
  end
  for _, curve in ipairs(group.curves) do
    tell_of_other_minima(curve, study:label(curve.solver, group.sweep))
  end
end

local function tabulate(study, result)
  local csv = output.table(study, { "method", "iterations", "error", "gradient", "g", "kinetic", "elastic", "seconds",
                                    "prepare_seconds", "frames" })
  for _, group in ipairs(result.groups) do
    for _, curve in ipairs(group.curves) do
      for _, p in ipairs(curve.failure and {} or curve.points) do
        if p then
          csv:row(curve.solver, curve.sweep, nil, { curve.method, p.iterations, p.error, p.gradient, p.g, p.kinetic,
                                                    p.elastic, p.seconds, curve.prepare_seconds, p.frames })
        end
      end
    end
  end
  return csv
end

local pictures = {
  { "error_iterations", "iterations", "error", "iterations", "relative error of g (Liu et al. 2013, eq. 15)" },
  { "error_seconds", "1e3*$seconds", "error", "time of the step (ms)",
    "relative error of g (Liu et al. 2013, eq. 15)" },
  { "gradient_iterations", "iterations", "gradient", "iterations", "|grad g(x)| / |grad g(y)|" },
}

local function draw(study, out)
  local title = ("%s, the step to frame %d"):format(study.scene_name, study.frame)
  if study.frames > 1 then
    title = ("%s and the %d after it, mean"):format(title, study.frames - 1)
  end
  for _, picture in ipairs(pictures) do
    local curves = {}
    for _, sweep in ipairs(shared.values(study.sweep)) do
      for _, solver in ipairs(study.solvers) do
        local label = study:label(solver, sweep)
        curves[#curves + 1] = { title = label, filter_column = "curve", filter = label, x = picture[2], y = picture[3] }
      end
    end
    out:plot(picture[1], "convergence.csv", { title = title, x_label = picture[4], y_label = picture[5],
                                              x_logarithmic = true, y_logarithmic = true, curves = curves })
  end
end

-- Measures, prints the table and writes convergence.csv with its pictures.
function convergence.run(source, options, out)
  local study = begin(source, options)
  local list = list_iterations(study.iterations)
  out:begin()
  study.each = function(group) print_group(study, group, list) end
  local result = measure(study)
  out:save("convergence.csv", tabulate(study, result))
  draw(study, out)
end

return convergence
