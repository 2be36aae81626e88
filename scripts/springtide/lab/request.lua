-- Reads a command line of `springtide convergence` or `springtide compare`: the lists of solvers and of values, checked
-- against the scene. The request has the options as text. Afterwards it has
--   solvers           a list of "NAME" or "NAME,option=value,..."; "" is the scene's own solver
--   sweep, across     nil, or { name, label, column, of, values, logarithmic }. `label` has the unit; `column` is the
--                     name in data tables, valid for gnuplot; `of` is "parameter", "option" or "timestep"
-- The functions of the program: number(text), nearest(name, names), params(), check(solver), refuse_solver(solver).
local tide = require "springtide"
local shared = require "springtide.lab.shared"

local request = {}

local MOST_VALUES, MOST_PANES = 10000, 9

local function all_of_the_scene() return { "" } end

-- The studies: the file in springtide/lab/, which axes they take, which other options, and the default solvers.
local studies = {
  error = { module = "convergence", sweep = "optional", takes = { frame = true, frames = true, iterations = true } },
  order = { module = "order", sweep = "optional", takes = { frames = true, halvings = true } },
  stability = { module = "stability", sweep = "required", across = "required", takes = { frames = true } },
  cost = { module = "cost", sweep = "optional", across = "optional", takes = { frame = true, frames = true } },
  pictures = { module = "pictures", sweep = "optional", takes = { frame = true, size = true } },
  velocities = { module = "velocities", takes = { frame = true, frames = true } },
  comparison = { sweep = "optional", across = "optional", takes = {} },
}

-- Ends the study: an option is wrong. `value` is false where there is none to show.
local function refuse(option, value, remedy, ...)
  remedy = remedy:format(...)
  shared.fail(remedy, { option, value, remedy })
end

-- --- lists -----------------------------------------------------------------------------------------------------------

-- "a,b,option=v": an item with an equals sign is an option of the solver before it; braces enclose the commas of a
-- vector.
local function read_solvers(list)
  local solvers = {}
  local hidden = list:gsub("%b{}", function(vector) return (vector:gsub(",", "\0")) end)
  for item in (hidden .. ","):gmatch "([^,]*)," do
    item = item:gsub("%z", ",")
    if item == "" then
      refuse("solvers", list, "expected names with commas between them, like local_global,newton")
    elseif not item:find("=", 1, true) then
      solvers[#solvers + 1] = item
    elseif #solvers == 0 then
      refuse("solvers", list, "expected a solver before its option, like newton,linear=pcg")
    else
      solvers[#solvers] = solvers[#solvers] .. "," .. item
    end
  end
  return solvers
end

-- A:B:COUNT or A:B:COUNT:log; A:B:log:COUNT is the same
local function read_range(functions, option, text, axis)
  local parts, numbers = {}, {}
  for part in (text .. ":"):gmatch "([^:]*):" do
    parts[#parts + 1] = part
  end
  if parts[3] == "log" and #parts == 4 then
    parts[3], parts[4] = parts[4], parts[3]
  end
  for i = 1, 3 do
    numbers[i] = functions.number(parts[i])
    if not numbers[i] then
      refuse(option, text, "expected A:B:COUNT or A:B:COUNT:log, numbers all three")
    elseif i < 3 and (not parts[i + 1] or (parts[i + 1] == "" and #parts == i + 1)) then
      refuse(option, text, "expected a count after the two ends, like 1:100:20")
    end
  end
  local first, last, count = table.unpack(numbers)
  axis.logarithmic = parts[4] == "log" and #parts == 4
  if #parts > 3 and not axis.logarithmic then
    refuse(option, text, "expected nothing or `log` after the count")
  elseif not (count >= 2 and count <= MOST_VALUES and count == math.floor(count)) then
    refuse(option, text, "expected a whole count from 2 to %d", MOST_VALUES)
  elseif first == last then
    refuse(option, text, "expected two different ends")
  elseif axis.logarithmic and not (first > 0 and last > 0) then
    refuse(option, text, "expected ends above 0 for `log`")
  end
  for i = 0, count - 1 do
    local part = i / (count - 1)
    axis.values[i + 1] = i + 1 == count and last or axis.logarithmic and first * (last / first) ^ part
      or first + part * (last - first)
  end
end

local function read_list(functions, option, text, axis)
  for start, part in (text .. ","):gmatch "()([^,]*)," do
    if #axis.values == MOST_VALUES then
      refuse(option, false, "expected at most %d values", MOST_VALUES)
    end
    axis.values[#axis.values + 1] = functions.number(part)
      or refuse(option, text:sub(start), "expected numbers with commas between them, or A:B:COUNT")
  end
end

local function new_axis(name)
  -- gnuplot might take the name for an expression.
  local column = (name:find "^%a" and "" or "_") .. name:gsub("[^%w.]", "_")
  return { name = name, label = name, column = column, values = {}, logarithmic = false }
end

-- NAME=A,B,C or NAME=A:B:COUNT
local function read_axis(functions, option, text)
  if not text then
    return nil
  end
  local name, values = text:match "^([^=]+)=(.*)$"
  if not name or #name > 63 then
    refuse(option, text, "expected NAME=A,B,C or NAME=A:B:COUNT, like stiffness=1:100:20:log")
  end
  local axis = new_axis(name)
  local read = values:find(":", 1, true) and read_range or read_list
  read(functions, option, values, axis)
  return axis
end

-- --- what an axis is, by the scene -----------------------------------------------------------------------------------

local function check_param(option, param, axis)
  axis.of = "parameter"
  if param.unit ~= "" then
    axis.label = ("%s (%s)"):format(axis.name, param.unit)
  end
  if param.type ~= "number" then
    refuse(option, axis.name, "this parameter of the scene is not a number")
  end
  for _, value in ipairs(axis.values) do
    if param.minimum <= param.maximum and not (value >= param.minimum and value <= param.maximum) then
      refuse(option, ("%g"):format(value), "the scene's %s goes from %g to %g", axis.name, param.minimum, param.maximum)
    end
  end
end

local function check_timestep(option, axis)
  axis.of, axis.label = "timestep", "timestep (s)"
  for _, value in ipairs(axis.values) do
    if not (value > 0 and value <= 10) then
      refuse(option, "timestep", "expected seconds above 0 and at most 10")
    end
  end
end

-- The unit of the option, by the first solver.
local function label_option(solver, axis)
  for _, info in ipairs(tide.solvers()) do
    local field = info.name == solver:match "^[^,]*" and shared.option(info, axis.name)
    if field and field.unit ~= "" then
      axis.label = ("%s (%s)"):format(axis.name, field.unit)
    end
  end
end

-- Returns the first text of the solver that is refused, nil if none is, and whether it has the option.
local function find_refusal(functions, solver, axis)
  for _, value in ipairs(axis.values) do
    local text = ("%s,%s=%.17g"):format(solver, axis.name, value)
    local accepted, known = functions.check(text)
    if not accepted then
      return text, known
    end
  end
  return nil, true
end

-- Keeps only solvers that have the option, unless the command line names the solvers.
local function check_option(functions, solvers, named, option, axis, params)
  local kept, refused, is_known = {}, nil, false
  axis.of = "option"
  for _, solver in ipairs(solvers) do
    if solver ~= "" then
      local text, known = find_refusal(functions, solver, axis)
      is_known = is_known or known
      if not text then
        kept[#kept + 1] = solver
      elseif known or not refused then
        refused = text
      end
    end
  end
  if not is_known then
    local names = { "timestep" }
    for _, param in ipairs(params) do
      names[#names + 1] = param.name
    end
    local nearest = functions.nearest(axis.name, names)
    refuse(option, axis.name, nearest and "there is no such parameter of the scene; did you mean %s?"
      or "expected a parameter of the scene (tide.param), timestep, or an option of the solvers", nearest)
  elseif refused and (named or #kept == 0) then
    shared.fail("the solver refuses it", { solver = refused })
  end
  label_option(kept[1], axis)
  return kept
end

local function find_axis(functions, solvers, named, option, axis, params)
  if not axis then
    return solvers
  end
  for _, param in ipairs(params) do
    if param.name == axis.name then
      check_param(option, param, axis)
      return solvers
    end
  end
  if axis.name == "timestep" then
    check_timestep(option, axis)
    return solvers
  end
  return check_option(functions, solvers, named, option, axis, params)
end

-- --- the request -----------------------------------------------------------------------------------------------------

-- Refuses options that the study would ignore, and asks for those that it needs.
local function check_use(given, study)
  if given.frames == 0 then
    refuse("frames", "0", "expected at least 1 for a study")
  end
  for _, option in ipairs { "frame", "frames", "iterations", "halvings", "size" } do
    if given[option == "size" and "width" or option] and not study.takes[option] then
      refuse(option, false, "a study of %s does not take it", given.study)
    end
  end
  for _, option in ipairs { "sweep", "across" } do
    if given[option] and not study[option] then
      refuse(option, given[option], "a study of %s does not take it", given.study)
    elseif not given[option] and study[option] == "required" then
      refuse(option, false, "a study of %s needs it, like --%s stiffness=1:100:20", given.study, option)
    end
  end
end

-- Reads the lists of the request. Returns the module of the study, if it has one.
function request.read(given, functions)
  local study = studies[given.study]
  local options = { "sweep", "across" }
  if given.study == "comparison" then
    options = { "vary", "timesteps" }
    given.across = given.across and "timestep=" .. given.across
  end
  check_use(given, study)
  local module = study.module and require("springtide.lab." .. study.module)
  local sweep = read_axis(functions, options[1], given.sweep)
  local across = read_axis(functions, options[2], given.across)
  local named = given.solvers ~= nil
  local solvers = named and read_solvers(given.solvers) or (module and module.default_solvers or all_of_the_scene)()
  local params = shared.check(functions.params())
  for _, solver in ipairs(solvers) do
    if solver ~= "" and not functions.check(solver) then
      shared.fail("the scene refuses it", { solver = solver })
    end
  end
  solvers = find_axis(functions, solvers, named, options[1], sweep, params)
  solvers = find_axis(functions, solvers, named, options[2], across, params)
  if sweep and across and sweep.name == across.name then
    refuse(options[2], across.name, "expected another name than that of --%s", options[1])
  elseif sweep and across and sweep.column == across.column then
    across.column = across.column .. "_2"
  end
  given.solvers, given.sweep, given.across = solvers, sweep, across
  return module
end

-- Checks any number of axes together: two have different names and columns, and the scene takes every value. Returns
-- the solvers that have all options.
local function check_axes(functions, option, axes, solvers)
  local params, named, seen = shared.check(functions.params()), solvers ~= nil, {}
  solvers = named and read_solvers(solvers) or all_of_the_scene()
  for _, solver in ipairs(solvers) do
    if solver ~= "" and not functions.check(solver) then
      shared.fail("the scene refuses it", { solver = solver })
    end
  end
  for _, axis in ipairs(axes) do
    solvers = find_axis(functions, solvers, named, option, axis, params)
    if seen[axis.name] then
      refuse(option, axis.name, "expected each name once")
    end
    while seen["column " .. axis.column] do
      axis.column = axis.column .. "_2"
    end
    seen[axis.name], seen["column " .. axis.column] = true, true
  end
  return solvers
end

-- The axes of a sweep: `texts` are "NAME=VALUES". Returns the solvers and a list of axes.
function request.read_axes(functions, option, texts, solvers)
  local axes = {}
  for i, text in ipairs(texts) do
    axes[i] = read_axis(functions, option, text)
  end
  return check_axes(functions, option, axes, solvers), axes
end

-- The axes of a table of points: `names` are those of its columns, `columns` their values.
function request.table_axes(functions, option, names, columns, solvers)
  local axes = {}
  for i, name in ipairs(names) do
    axes[i] = new_axis(name)
    axes[i].values = columns[i]
  end
  return check_axes(functions, option, axes, solvers), axes
end

-- What opens the scene at a point of the axes: a table of the option `set`, a timestep, and the solver's text.
function request.opening(axes, solver, values)
  local how = { solver = solver ~= "" and solver or nil, set = {} }
  for i, axis in ipairs(axes) do
    if axis.of == "timestep" then
      how.timestep = values[i]
    elseif axis.of == "parameter" then
      how.set[axis.name] = values[i]
    else
      how.solver = ("%s,%s=%.17g"):format(how.solver, axis.name, values[i])
    end
  end
  return how
end

-- Calls functions.pane for each pane of a comparison: the product of solvers, sweep and across.
function request.plan(given, functions)
  local sweeps, acrosses = shared.values(given.sweep), shared.values(given.across)
  local count = #given.solvers * #sweeps * #acrosses
  if count > MOST_PANES then
    refuse(false, ("%d panes"):format(count), "expected at most %d", MOST_PANES)
  end
  for _, solver in ipairs(given.solvers) do
    for _, sweep in ipairs(sweeps) do
      for _, across in ipairs(acrosses) do
        local pane = { solver = solver }
        for _, place in ipairs { { given.sweep or {}, sweep }, { given.across or {}, across } } do
          local axis, value = table.unpack(place)
          if axis.of == "timestep" then
            pane.timestep = value
          elseif axis.of == "parameter" then
            pane.param, pane.value = axis.name, ("%.17g"):format(value)
          elseif axis.of == "option" then
            pane.solver = ("%s,%s=%.17g"):format(pane.solver, axis.name, value)
          end
        end
        if not functions.pane(pane) then
          refuse("solvers", pane.solver, "a solver has too many options")
        end
      end
    end
  end
end

return request
