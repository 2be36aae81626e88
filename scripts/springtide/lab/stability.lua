-- Where a solver is stable over two axes, measured by running it, and the line that theory draws.
--
-- A cell is a run of the scene of so many frames. It begins with a small push of every particle in a direction of its
-- own, so that nothing that grows is missed. The size of a state is the root of its kinetic and elastic energy. The
-- growth of a run is the largest size in its last quarter over that in its first quarter. The run is stable when the
-- growth is at most 2: |eigenvalue| up to 1.001 in 1000 frames. Runs end early once they have grown or shrunk beyond
-- doubt.
--
-- The theory is the largest |eigenvalue| of a step at X = h d and Y = h^2 k0 (Shinya 2005, eq. 15 to 21), where h is
-- the substep, k0 the largest eigenvalue of M^-1 K at the start and d = d0 + alpha k0 the solver's Rayleigh damping.
-- Its line is where that is 1. Explicit methods are given the timestep as their substep, unless one is given or swept;
-- theory says nothing of an automatic one.
--
--   local result = lab.stability("oscillator.lua", { frames = 400, solvers = { "explicit_euler" },
--     sweep = { name = "damping.mass", of = "option", values = { 0.5, 1.5 } },
--     across = { name = "stiffness", values = { 0.5, 1.5 } } })
--
-- Options besides those of lab.lua: frames (1000). An axis may be `logarithmic`. The result has `maps`: { solver,
-- set, rows, line }. rows[j][i] is the cell of across.values[j] and sweep.values[i]: { stable, growth, frames, X, Y,
-- amplification }. `line` lists pairs of points { sweep, across }.
local output = require "springtide.lab.output"
local shared = require "springtide.lab.shared"

local stability = {}

local FINER = 4 -- parts of a cell between which the theory's line is straight
local EIGENVALUE_ITERATIONS = 2000
local GROWTH, FAR, NEAR, UNDAMPED = 2, 1e6, 1e-6, 1e-9
local LONGEST_TIMESTEP = 10 -- s

-- --- the theory ------------------------------------------------------------------------------------------------------

-- d = d0 + alpha k0; nil when the solver chooses it.
local function damping_of(solver, k0)
  local damping = solver.damping
  if type(damping) ~= "table" or damping.model == "none" then
    return 0
  end
  return damping.model ~= "auto" and (damping.mass or 0) + (damping.stiffness or 0) * k0 or nil
end

-- The equal parts that a step of h seconds is cut into; nil when the solver chooses them.
local function substep_of(info, solver, h)
  if not shared.option(info, "substep") then
    return h
  end
  local longest = solver.substep
  return type(longest) == "number" and h / math.max(1, math.ceil(h / longest * (1 - 1e-12))) or nil
end

-- X, Y and the amplification there; nothing where theory says nothing.
local function predict(scene, info)
  if not info.amplification then
    return {}
  end
  local solver, system = scene.solver, scene:system()
  local k0 = system:largest_eigenvalue(system:positions(), { tolerance = 1e-6, max_iterations = EIGENVALUE_ITERATIONS })
  local h, d = substep_of(info, solver, scene.timestep / solver.substeps), damping_of(solver, k0)
  local cell = { X = h and d and h * d, Y = h and h * h * k0 }
  if shared.is_finite(cell.X) and shared.is_finite(cell.Y) then
    cell.amplification = info.amplification(cell.X, cell.Y)
  end
  return cell
end

-- --- one cell --------------------------------------------------------------------------------------------------------

-- Random numbers in [0, 1), the same everywhere: PCG-XSH-RR 64/32 (O'Neill 2014).
local function random_numbers(seed)
  local state = seed + 1442695040888963407
  local function draw()
    local old = state
    state = old * 6364136223846793005 + 1442695040888963407
    local shifted, turn = (((old >> 18) ~ old) >> 27) & 0xffffffff, old >> 59
    return (shifted >> turn | shifted << (32 - turn & 31)) & 0xffffffff
  end
  draw()
  return function()
    local high = draw() >> 5
    return (high * 67108864 + (draw() >> 6)) * 2.0 ^ -53
  end
end

local function largest(numbers)
  local found = 0
  for i = 1, #numbers do
    found = math.max(found, math.abs(numbers[i]))
  end
  return found
end

-- Pushes by a tenth of what the fastest particle moves in a step or, at rest, a thousandth of the scene's extent.
local function push(scene)
  local system, random = scene:system(), random_numbers(1)
  local fastest, extent = largest(system:velocities()), largest(system:positions())
  local length = fastest > 0 and 0.1 * scene.timestep * fastest or 1e-3 * (extent > 0 and extent or 1)
  local ones = {}
  for i = 1, 3 * system.free_count do
    ones[i] = 1
  end
  local free, at = system:scatter(ones), 0 -- 0 at the coordinates of pinned particles
  for _, body in ipairs(scene:bodies()) do
    local x = body:positions()
    for k = 1, #x do
      local part = 2 * random() - 1
      x[k] = x[k] + free[at + k] * length * part
    end
    at = at + #x
  end
end

-- Runs the scene and returns its growth and the frames that were run. A step that diverges is an infinite growth.
local function measure_growth(scene, frames)
  local quarter = math.max(1, frames // 4)
  local first, last, lowest = -math.huge, -math.huge, math.huge -- J: largest totals; the least of gravity
  local function size_of(total)
    return math.sqrt(math.max(total - lowest, 0))
  end
  for frame = 0, frames do
    if frame > 0 then
      local done, message, diverged = scene:step()
      if diverged then
        return math.huge, frame
      end
      shared.check(done, message)
    end
    local energy = scene:energy()
    lowest = math.min(lowest, energy.gravity)
    local size, start = size_of(energy.total), size_of(first)
    local far = size > FAR * start and frame > 0
    if frame <= quarter and not far then
      first = math.max(first, energy.total)
    end
    if frame > frames - quarter then
      last = math.max(last, energy.total)
    end
    if start > 0 and (far or frame > quarter and size < NEAR * start) then
      return size / start, frame
    end
  end
  return size_of(last) == 0 and 0 or size_of(last) / size_of(first), frames
end

local function measure_cell(study, map, sweep, across)
  local scene = study:open { solver = map.set, sweep = sweep, across = across }
  local cell = predict(scene, map.info)
  push(scene)
  cell.growth, cell.frames = measure_growth(scene, study.frames)
  cell.stable = cell.growth <= GROWTH
  return cell
end

-- --- the theory's line -----------------------------------------------------------------------------------------------
-- Marching over squares a quarter of a cell wide, on whose corners X and Y are interpolated between the cells.

-- Between the values at four corners; along logarithmic axes the logarithms are, where there are any.
local function interpolate(values, u, v, logarithmic)
  local sum = 0
  for i = 1, 4 do
    logarithmic = logarithmic and values[i] > 0
  end
  for i = 0, 3 do
    local value = values[i + 1]
    sum = sum + (i % 2 == 1 and u or 1 - u) * (i // 2 == 1 and v or 1 - v) * (logarithmic and math.log(value) or value)
  end
  return logarithmic and math.exp(sum) or sum
end

-- How far |eigenvalue| is above 1 at a place of the map; columns and rows count from 0, with fractions. nil: not known.
local function excess(study, map, column, row)
  local c = math.min(column // 1, #study.sweep.values - 2)
  local r = math.min(row // 1, #study.across.values - 2)
  local X, Y = {}, {}
  for i = 0, 3 do
    local cell = map.rows[math.tointeger(r + i // 2 + 1)][math.tointeger(c + i % 2 + 1)]
    if not cell.X or not cell.Y then
      return nil
    end
    X[i + 1], Y[i + 1] = cell.X, cell.Y
  end
  local logarithmic = study.sweep.logarithmic or study.across.logarithmic
  local x, y = interpolate(X, column - c, row - r, logarithmic), interpolate(Y, column - c, row - r, logarithmic)
  if not shared.is_finite(x) or not shared.is_finite(y) then
    return nil
  end
  -- Where nothing is damped |eigenvalue| is 1 to rounding, in all of the stable region.
  local above = map.info.amplification(x, y) - 1 - UNDAMPED
  return above == above and above or nil
end

local function value_at(axis, at)
  local i = math.min(at // 1, #axis.values - 2)
  local a, b, part = axis.values[math.tointeger(i + 1)], axis.values[math.tointeger(i + 2)], at - i
  return axis.logarithmic and a * (b / a) ^ part or a + part * (b - a)
end

-- Where the line crosses the edge from a to b, places { column, row, excess }; nil where it does not.
local function find_crossing(study, map, a, b)
  if not a[3] or not b[3] or (a[3] > 0) == (b[3] > 0) then
    return nil
  end
  local above = a[3] > 0
  for _ = 1, 40 do
    local middle = { 0.5 * (a[1] + b[1]), 0.5 * (a[2] + b[2]) }
    if ((excess(study, map, middle[1], middle[2]) or 0) > 0) == above then
      a = middle
    else
      b = middle
    end
  end
  return { value_at(study.sweep, a[1]), value_at(study.across, a[2]) }
end

-- The pieces of the line through one square: pairs of points.
local function trace_square(study, map, corners, line)
  local found = {}
  for i = 1, 4 do
    found[#found + 1] = find_crossing(study, map, corners[i], corners[i % 4 + 1])
  end
  for i = 1, #found - 1, 2 do
    line[#line + 1] = { found[i], found[i + 1] }
  end
end

local function trace_line(study, map)
  local line, corners = {}, {}
  local columns, rows = FINER * (#study.sweep.values - 1), FINER * (#study.across.values - 1)
  for r = 0, rows do
    corners[r] = {}
    for c = 0, columns do
      corners[r][c] = { c / FINER, r / FINER, excess(study, map, c / FINER, r / FINER) }
    end
  end
  for r = 0, rows - 1 do
    for c = 0, columns - 1 do
      trace_square(study, map, { corners[r][c], corners[r][c + 1], corners[r + 1][c + 1], corners[r + 1][c] }, line)
    end
  end
  return line
end

-- --- the study -------------------------------------------------------------------------------------------------------

-- Calls a function with every cell, row by row.
local function each_cell(study, map, visit)
  for j, row in ipairs(map.rows) do
    for i, cell in ipairs(row) do
      visit(cell, study.sweep.values[i], study.across.values[j])
    end
  end
end

local function measure_map(study, solver)
  local first = study:open { solver = solver, sweep = study.sweep.values[1], across = study.across.values[1] }
  local map = { solver = solver, info = first:solver_info(), rows = {}, predicted = false }
  -- Explicit methods would cut the timestep until it is stable.
  map.set = shared.with_option(map.info, solver, "substep", LONGEST_TIMESTEP)
  local columns, rows = #study.sweep.values, #study.across.values
  for j, across in ipairs(study.across.values) do
    map.rows[j] = {}
    for i, sweep in ipairs(study.sweep.values) do
      study.progress("cells", (j - 1) * columns + i - 1, columns * rows)
      map.rows[j][i] = measure_cell(study, map, sweep, across)
      map.predicted = map.predicted or map.rows[j][i].amplification ~= nil
    end
  end
  study.progress("cells", 1, 1)
  map.line = map.predicted and trace_line(study, map) or {}
  map.info = nil
  return map
end

function stability.default_solvers()
  return shared.solvers(function(info) return info.amplification end)
end

local function begin(source, options)
  local study = shared.begin(source, options, { name = "stability", frames = 1000 })
  study.solvers = study.solvers or stability.default_solvers()
  if not study.sweep or not study.across or #study.sweep.values < 2 or #study.across.values < 2 then
    study:refuse("sweep, --across", nil, "a map needs at least two values each")
  end
  return study
end

local function measure(study)
  local result = { maps = {} }
  for i, solver in ipairs(study.solvers) do
    result.maps[i] = measure_map(study, solver)
    study.each(result.maps[i])
  end
  return result
end

function stability.measure(source, options)
  return measure(begin(source, options))
end

-- --- tables and pictures ---------------------------------------------------------------------------------------------

-- How many cells are stable, and where theory and measurement differ.
local function print_map(study, map)
  local count, stable, differ, clear = 0, 0, 0, 0
  each_cell(study, map, function(cell)
    count, stable = count + 1, stable + (cell.stable and 1 or 0)
    if cell.amplification and cell.stable ~= (cell.amplification <= 1 + UNDAMPED) then
      differ = differ + 1
      clear = clear + (math.abs(cell.amplification - 1) > 0.01 and 1 or 0)
    end
  end)
  local line = ("%-36s %6d of %d cells stable"):format(map.solver, stable, count)
  if map.predicted then
    line = ("%s; theory differs in %d, in %d of them by more than 1 %%"):format(line, differ, clear)
  end
  local swept = study.sweep.name == "substep" or study.across.name == "substep"
  print(line .. (map.set ~= map.solver and not swept and "; its substep is the timestep" or ""))
  return stable, count
end

local function tabulate_cells(study, map)
  local csv = output.table(study, { "stable", "growth", "frames", "X", "Y", "predicted" })
  each_cell(study, map, function(cell, sweep, across)
    csv:row(map.solver, sweep, across, { cell.stable and 1 or 0, cell.growth, cell.frames, cell.X or false,
                                         cell.Y or false, cell.amplification or false })
  end)
  return csv
end

local function tabulate_line(study, map)
  local csv = output.table(study, {})
  for _, piece in ipairs(map.line) do
    csv:row(map.solver, piece[1][1], piece[1][2], {})
    csv:row(map.solver, piece[2][1], piece[2][2], {})
    csv:gap()
  end
  return csv
end

local function half_step(axis)
  local first, last, gaps = axis.values[1], axis.values[#axis.values], #axis.values - 1
  return axis.logarithmic and (last / first) ^ (0.5 / gaps) or math.abs(last - first) / (2 * gaps)
end

-- The range of an axis with its outer cells.
local function find_range(axis)
  local half, a, b = half_step(axis), axis.values[1], axis.values[#axis.values]
  if axis.logarithmic then
    return math.min(a, b) / half, math.max(a, b) * half
  end
  return math.min(a, b) - half, math.max(a, b) + half
end

-- Whether the map's axes are X and Y themselves, as in Shinya's figures.
local function is_shinyas_plane(study, map)
  local same = true
  each_cell(study, map, function(cell, sweep, across)
    same = same and cell.X and cell.Y and math.abs(cell.X - sweep) < 1e-6 and math.abs(cell.Y - across) < 1e-6
  end)
  return same
end

local shinyas_lines = [[
set arrow from 0,0 to 4,4 nohead front linecolor rgb '#d55e00' linewidth 2 dashtype 2
set arrow from 2,0 to 4,4 nohead front linecolor rgb '#d55e00' linewidth 2 dashtype 2
set label 'Y = X (eq. 22)' at 1.85,2.15 right front textcolor rgb '#d55e00'
set label 'Y = 2X - 4 (eq. 23)' at 3.15,2.05 left front textcolor rgb '#d55e00'
set label 'Y = 0 (eq. 24)' at 1,0.15 center front textcolor rgb '#d55e00']]

-- The cells as boxes, stable and unstable, and the theory's line.
local function make_curves(study, map, line_file, stable, count)
  local x, y, curves, ends = study.sweep, study.across, {}, {}
  for _, axis in ipairs { x, y } do
    local half, column = ("%.12g"):format(half_step(axis)), axis.column
    ends[#ends + 1] = ("$%s%s%s"):format(column, axis.logarithmic and "/" or "-", half)
    ends[#ends + 1] = ("$%s%s%s"):format(column, axis.logarithmic and "*" or "+", half)
  end
  local function add_boxes(title, filter, colour)
    curves[#curves + 1] = { title = title, filter_column = "stable", filter = filter, x = x.column, y = y.column,
                            more = ends, style = "boxxyerror fillstyle solid 1 noborder linecolor rgb " .. colour }
  end
  if stable > 0 then
    add_boxes("measured: stable", "1", "'#8ec9e8'")
  end
  if stable < count then
    add_boxes("measured: unstable", "0", "'#e4e4e4'")
  end
  if #map.line > 0 then
    curves[#curves + 1] = { title = "theory: |eigenvalue| = 1", csv = line_file, x = x.column, y = y.column,
                            style = "lines linecolor rgb 'black' linewidth 2" }
  end
  return curves
end

local function write_map(study, map, out)
  local stable, count = print_map(study, map)
  local cells = shared.file_name("stability_", map.solver, ".csv")
  local line = shared.file_name("stability_", map.solver, "_line.csv")
  out:save(cells, tabulate_cells(study, map))
  if #map.line > 0 then
    out:save(line, tabulate_line(study, map))
  end
  local x, y, shinyas = study.sweep, study.across, is_shinyas_plane(study, map)
  local euler = shinyas and map.solver:match "^[^,]*" == "explicit_euler"
  local plot = { title = ("%s on %s, %d steps"):format(map.solver, study.scene_name, study.frames),
                 x_label = (shinyas and "X = h d: " or "") .. x.label,
                 y_label = (shinyas and "Y = h^2 k: " or "") .. y.label,
                 x_logarithmic = x.logarithmic, y_logarithmic = y.logarithmic,
                 curves = make_curves(study, map, line, stable, count), more = euler and shinyas_lines or nil }
  plot.x_minimum, plot.x_maximum = find_range(x)
  plot.y_minimum, plot.y_maximum = find_range(y)
  if euler then
    plot.y_minimum = math.min(plot.y_minimum, 0)
  end
  out:plot(shared.file_name("stability_", map.solver, ""), cells, plot)
end

-- Measures, prints a line for each map and writes its tables and its picture.
function stability.run(source, options, out)
  local study = begin(source, options)
  study.each = function(map) write_map(study, map, out) end
  out.functions.silence(true)
  out:begin()
  measure(study)
end

return stability
