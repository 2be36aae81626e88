-- The order of accuracy: the error after a fixed time against the timestep.
--
-- The scene runs from its start for frames * timestep seconds with the timestep, a half of it, a quarter and so on. The
-- error is the root of the mean square distance of the free particles from where Runge-Kutta of order 4 brings them
-- with an eighth of the shortest timestep, in substeps of at most a 32nd of the longest stable one, and with the
-- solver's damping. Iterative solvers are given a tolerance and many iterations, explicit ones the timestep as their
-- substep; timesteps above the longest stable one are left out.
--
-- The order is the slope of the longest run of points in which the slopes from point to point agree to within 0.15 (of
-- equally long runs, that with the shortest timesteps), by least squares of the logarithms. Points whose error is above
-- a tenth of the motion, or within 50 times what rounding may leave, take no part.
--
--   local result = lab.order("pendulum.lua", { frames = 8, halvings = 4, solvers = { "verlet", "bdf2" } })
--
-- Options besides those of lab.lua: frames (16), the length of a run in the longest timesteps, and halvings (6).
-- The result has `time` and `curves`: { solver, sweep, set, order, theory, settled, left_out, failure, points }. Each
-- point is { timestep, steps, error, fitted, unconverged }.
local output = require "springtide.lab.output"
local shared = require "springtide.lab.shared"

local order = {}

local REFINEMENT, STABLE_PARTS, ITERATIONS = 8, 32, 10000
local TOLERANCE, AGREEMENT = 1e-9, 0.15

-- --- runs ------------------------------------------------------------------------------------------------------------

-- The longest stable timestep in theory, s; 0 where the solver knows none.
local function stable_timestep(report)
  if report.stable_substep == 0 then -- never stable without damping
    return 2 / math.sqrt(report.largest_eigenvalue)
  end
  return report.stable_substep or 0
end

-- Where Runge-Kutta of order 4 brings the particles. The solver's damping is its own, too.
local function run_reference(study, solver, sweep, time, h)
  local text = "rk4"
  for option in solver:gmatch ",([^,]*)" do
    text = option:sub(1, 7) == "damping" and text .. "," .. option or text
  end
  local scene = study:open { solver = text, sweep = sweep, timestep = h }
  shared.check(scene:step())
  local stable = stable_timestep(scene:report())
  local substep = stable > 0 and math.min(h, stable / STABLE_PARTS) or h
  text = shared.with_option(scene:solver_info(), text, "substep", substep)
  scene = study:open { solver = text, sweep = sweep, timestep = h }
  shared.check(scene:step(math.floor(time / h + 0.5)))
  return scene:system():positions()
end

-- The options with which a solver solves each step to its end, and as it is.
local function with_options(info, text, h)
  text = shared.with_option(info, text, "substep", h)
  local iterations = shared.option(info, "iterations")
  if shared.option(info, "tolerance") then
    local most = iterations and iterations.maximum or ITERATIONS
    text = shared.with_option(info, text, "tolerance", TOLERANCE)
    text = shared.with_option(info, text, "iterations", math.min(ITERATIONS, most))
  end
  return shared.with_option(info, text, "cg_tolerance", 1e-12)
end

-- Root of the mean square distance over the free particles, m.
local function distance(system, a, b)
  local apart = system:gather(a) - system:gather(b)
  return math.sqrt(apart:dot(apart) / math.max(system.free_count, 1))
end

-- Adds the point of a timestep to the curve.
local function measure_point(study, curve, reference, h, steps)
  curve.set = with_options(curve.info, curve.solver, h)
  local scene, unconverged = study:open { solver = curve.set, sweep = curve.sweep, timestep = h }, 0
  for _ = 1, steps do
    local done, message, diverged = scene:step()
    local report = done and scene:report()
    local stable = report and stable_timestep(report) or 0
    if diverged or stable > 0 and h > stable * (1 + 1e-9) then
      curve.left_out = curve.left_out + 1
      curve.failure = message or curve.failure
      return
    end
    shared.check(done, message)
    unconverged = unconverged + (report.converged and 0 or 1)
  end
  local system = scene:system()
  curve.points[#curve.points + 1] = { timestep = h, steps = steps, fitted = false, unconverged = unconverged,
                                      error = distance(system, system:positions(), reference) }
end

-- --- the slope -------------------------------------------------------------------------------------------------------

-- Whether the slopes within points first ... last agree.
local function is_straight(points, first, last)
  local least, most = math.huge, -math.huge
  for i = first, last - 1 do
    local a, b = points[i], points[i + 1]
    local slope = math.log(a.error / b.error) / math.log(a.timestep / b.timestep)
    least, most = math.min(least, slope), math.max(most, slope)
  end
  return most - least <= AGREEMENT
end

-- The points whose errors are between the two limits: first ... last; nil when there are fewer than two.
local function find_usable(points, least, most)
  local first = 1
  while points[first] and points[first].error >= most do
    first = first + 1
  end
  local last = first
  while points[last] and points[last].error > least do
    last = last + 1
  end
  if last >= first + 2 then
    return first, last - 1
  end
end

-- The longest straight run within first ... last; nil when no three points are straight.
local function find_straight(points, first, last)
  for length = last - first, 2, -1 do
    for start = last - length, first, -1 do
      if is_straight(points, start, start + length) then
        return start, start + length
      end
    end
  end
end

local function fit_curve(curve, least, most)
  local first, last = find_usable(curve.points, least, most)
  if not first then
    return
  end
  local from, to = find_straight(curve.points, first, last)
  curve.settled = from ~= nil
  from, to = from or last - 1, to or last
  local logarithms = {}
  for i = from, to do
    local point = curve.points[i]
    point.fitted = true
    logarithms[#logarithms + 1] = { point.timestep, point.error }
  end
  curve.order = shared.slope(logarithms)
end

-- --- the study -------------------------------------------------------------------------------------------------------

local function measure_curve(study, solver, sweep)
  local scene = study:open { sweep = sweep }
  local h = scene.timestep
  local time = h * study.frames
  local reference = run_reference(study, solver, sweep, time, h / (REFINEMENT << study.halvings))
  local system = scene:system()
  local motion = distance(system, reference, system:positions())
  if motion == 0 then
    shared.fail(("%s: nothing in it moves in %.4g s, so that there is no error to measure"):format(
      study.scene_name, time))
  end
  local size = motion
  for i = 1, #reference do
    size = math.max(size, math.abs(reference[i]))
  end
  local info = study:open({ solver = solver, sweep = sweep }):solver_info()
  local curve = { solver = solver, sweep = sweep, points = {}, left_out = 0, theory = info.order, settled = false,
                  info = info, time = time }
  for halving = 0, study.halvings do
    measure_point(study, curve, reference, h / (1 << halving), study.frames << halving)
  end
  curve.info = nil
  fit_curve(curve, 50 * 1.1e-16 * size * math.sqrt(study.frames * (REFINEMENT << study.halvings)), 0.1 * motion)
  return curve
end

function order.default_solvers()
  return shared.solvers(function(info) return info.order > 0 end)
end

local function begin(source, options)
  local study = shared.begin(source, options, { name = "order", frames = 16, halvings = 6 })
  study.solvers = study.solvers or order.default_solvers()
  if study.sweep and (study.sweep.of or study.sweep.name) == "timestep" then
    study:refuse("sweep", "timestep", "a study of order goes through timesteps by itself; --timestep is the first")
  end
  return study
end

local function measure(study)
  local result = { curves = {} }
  local sweeps = shared.values(study.sweep)
  for s, sweep in ipairs(sweeps) do
    for i, solver in ipairs(study.solvers) do
      study.progress("curves", (s - 1) * #study.solvers + i - 1, #sweeps * #study.solvers)
      local curve = measure_curve(study, solver, sweep)
      study.progress("curves", 1, 1)
      result.time = curve.time
      result.curves[#result.curves + 1] = curve
      study.each(curve, #result.curves)
    end
  end
  return result
end

function order.measure(source, options)
  return measure(begin(source, options))
end

-- --- tables and pictures ---------------------------------------------------------------------------------------------

local function print_curve(study, curve, index)
  if index == 1 then
    print(("After %.4g s; tolerance %.0e and at most %d iterations where a solver has them, substeps of a timestep")
      :format(curve.time, TOLERANCE, ITERATIONS))
    print(("%-28s %6s %7s  %9s %10s  %s"):format("solver", "order", "theory", "h, s", "error, m", "fitted"))
  end
  local label, last = study:label(curve.solver, curve.sweep), curve.points[#curve.points]
  if not last then
    print(("%-28s  %s"):format(label, curve.failure or "no timestep is stable"))
    return
  end
  local fitted, unconverged = 0, 0
  for _, point in ipairs(curve.points) do
    fitted = fitted + (point.fitted and 1 or 0)
    unconverged = unconverged + point.unconverged
  end
  print(("%-28s %6s %7s  %9.2e %10.2e  %d of %d%s%s%s"):format(
    label, curve.order and ("%.2f"):format(curve.order) or "-", curve.theory > 0 and curve.theory or "-",
    last.timestep, last.error, fitted, #curve.points,
    curve.left_out > 0 and ("; %d unstable"):format(curve.left_out) or "",
    fitted > 0 and not curve.settled and "; not settled" or "",
    unconverged > 0 and ("; %d steps not converged"):format(unconverged) or ""))
end

local function tabulate(study, result)
  local csv = output.table(study, { "timestep", "steps", "error", "fitted", "order", "theory", "unconverged", "set" })
  for _, curve in ipairs(result.curves) do
    for _, p in ipairs(curve.points) do
      csv:row(curve.solver, curve.sweep, nil, { p.timestep, p.steps, p.error, p.fitted and 1 or 0, curve.order or false,
                                                curve.theory, p.unconverged, (curve.set:gsub(",", " ")) })
    end
  end
  return csv
end

local function draw(study, result, out)
  local curves, shortest, longest = {}, math.huge, 0
  for _, curve in ipairs(result.curves) do
    local first, last = curve.points[1], curve.points[#curve.points]
    if first then
      longest, shortest = math.max(longest, first.timestep), math.min(shortest, last.timestep)
      local label = study:label(curve.solver, curve.sweep)
      curves[#curves + 1] = { title = curve.order and ("%s: %.2f"):format(label, curve.order) or label,
                              filter_column = "curve", filter = label, x = "timestep", y = "error" }
    end
  end
  if #curves > 0 then
    out:plot("order", "order.csv", {
      title = ("%s: error after %.4g s and the order that it shows"):format(study.scene_name, result.time),
      x_label = "timestep (s)", y_label = "distance from the reference, root of the mean square (m)",
      x_logarithmic = true, y_logarithmic = true, x_minimum = 0.8 * shortest, x_maximum = 1.25 * longest,
      curves = curves })
  end
end

-- Measures, prints a line for each curve and writes order.csv with its picture.
function order.run(source, options, out)
  local study = begin(source, options)
  study.each = function(curve, index) print_curve(study, curve, index) end
  out.functions.silence(true)
  out:begin()
  local result = measure(study)
  out:save("order.csv", tabulate(study, result))
  draw(study, result, out)
end

return order
