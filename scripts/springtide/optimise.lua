-- Minimises functions of a few numbers without their derivatives: by CMA-ES (robust, a batch of points at a time) or by
-- Nelder and Mead (few points, for smooth functions of few numbers).
--
--   local optimise = require "springtide.optimise"
--   local found = optimise.minimise(function(x) return (x[1] - 3) ^ 2 + x[2] ^ 2 end, { start = { 0, 0 } })
--   print(found.x[1], found.value, found.evaluations)
--
-- Options: method ("cma_es", or "nelder_mead"), start, step (0.3: the first spread), lower and upper (lists; the search
-- is reflected at these bounds, and step is a part of their distance), logarithmic (a list of booleans: ratios count),
-- evaluations (1000, the most), tolerance (1e-10, of the value), seed (1), population (of CMA-ES), each (called with
-- each batch: a list of { x, value }). Equal options find equal numbers. A value that is not a number counts as
-- infinite.
--
-- The result has x, value, evaluations, reason ("tolerance" or "evaluations") and history, a list of
-- { evaluations, value } of each improvement.
--
-- optimise.scene does this with the parameters of a scene. Each point is a run in a process of its own, by
-- springtide.sweep, from plain Lua:
--
--   local found = assert(optimise.scene {
--     scene = "walker.lua", parameters = { { "pace", 0.5, 3 }, { "stiffness", 10, 1e4, scale = "log", start = 100 } },
--     measure = "gait.lua", maximise = "distance", frames = 600, out = "gait", evaluations = 300, seed = 1 })
--   print(found.parameters.pace, found.value)
--
-- Each batch is a folder of `out`. Where it was stopped, the same call goes on: runs that are done are not taken again.
-- A run that does not end well counts as infinitely bad. Fields besides those: minimise in place of maximise, solvers,
-- jobs, threads, time_limit, set, timestep (as for springtide.sweep), and the options above.
local sweep = require "springtide.sweep"

local optimise = {}

local methods = { cma_es = "springtide.optimise.cma_es", nelder_mead = "springtide.optimise.nelder_mead" }

local OPTIONS = {
  method = "string", start = "table", step = "number", lower = "table", upper = "table", logarithmic = "table",
  evaluations = "number", tolerance = "number", seed = "number", population = "number", each = "function",
}
local SCENE = {
  scene = "string", parameters = "table", measure = "string", minimise = "string", maximise = "string",
  frames = "number", out = "string", solvers = "string", jobs = "number", threads = "number", time_limit = "number",
  set = "table", timestep = "number",
}

local function fail(field, value, remedy)
  error(("optimise: %s%s: %s"):format(field, value ~= nil and " = " .. tostring(value) or "", remedy), 0)
end

local function check_fields(given, ...)
  for name, value in pairs(given) do
    local kind
    for _, known in ipairs { ... } do
      kind = kind or known[name]
    end
    if not kind then
      fail(tostring(name), nil, "there is no such field")
    elseif type(value) ~= kind then
      fail(name, value, "expected a " .. kind)
    end
  end
end

local function check_number(field, value, least, whole)
  if type(value) ~= "number" or value ~= value or value < least or value == math.huge
    or (whole and not math.tointeger(value)) then
    fail(field, value, ("expected a %s from %g"):format(whole and "whole number" or "number", least))
  end
  return whole and math.tointeger(value) or value
end

-- --- bounds ----------------------------------------------------------------------------------------------------------

-- Reflects u into [0, 1].
local function reflect(u)
  u = u % 2
  return u > 1 and 2 - u or u
end

local function check_bounds(options, i)
  local low, high = options.lower[i], options.upper[i]
  for name, value in pairs { lower = low or false, upper = high or false } do
    if type(value) ~= "number" or value - value ~= 0 then
      fail(("%s[%d]"):format(name, i), value or nil, "expected a finite number")
    end
  end
  if low >= high then
    fail(("lower[%d]"):format(i), low, ("expected less than upper[%d], %g"):format(i, high))
  elseif options.logarithmic and options.logarithmic[i] and low <= 0 then
    fail(("lower[%d]"):format(i), low, "expected a number above 0, as it is logarithmic")
  end
  return low, high
end

-- Functions from a number to the search's own and back: with bounds [0, 1] is between them.
local function scales(options)
  local list = {}
  for i = 1, #options.start do
    local scale = { to = function(x) return x end, back = function(u) return u end }
    if options.lower then
      local low, high = check_bounds(options, i)
      local is_log = options.logarithmic and options.logarithmic[i]
      scale.to = is_log and function(x) return math.log(x / low) / math.log(high / low) end
        or function(x) return (x - low) / (high - low) end
      scale.back = function(u)
        local part = reflect(u)
        return math.max(low, math.min(high, is_log and low * (high / low) ^ part or low + part * (high - low)))
      end
    end
    list[i] = scale
  end
  return list
end

-- --- minimising ------------------------------------------------------------------------------------------------------

local function check_start(options)
  if not options.start or #options.start == 0 then
    fail("start", nil, "expected a list of numbers")
  elseif (options.lower == nil) ~= (options.upper == nil) then
    fail("lower", nil, "expected lower and upper, or neither")
  end
  for i, x in ipairs(options.start) do
    if type(x) ~= "number" or x - x ~= 0 then
      fail(("start[%d]"):format(i), x, "expected a finite number")
    elseif options.lower and not (x >= (options.lower[i] or -math.huge) and x <= (options.upper[i] or math.huge)) then
      fail(("start[%d]"):format(i), x, "expected a number within the bounds")
    end
  end
end

-- Notes a batch of points with their values. A value that is not a number becomes infinite.
local function note(found, options, points, values)
  local batch = {}
  for j, x in ipairs(points) do
    local value = values[j]
    if type(value) ~= "number" then
      fail("value", value, "expected a number from the function")
    end
    value = value == value and value or math.huge
    values[j] = value
    found.evaluations = found.evaluations + 1
    batch[j] = { x = x, value = value }
    if value < found.value or not found.x then
      found.x, found.value = x, value
      found.history[#found.history + 1] = { evaluations = found.evaluations, value = value }
    end
  end
  if options.each then
    options.each(batch)
  end
  return values
end

---Minimises by a function of a list of points that returns a list of values: batches are evaluated side by side.
---@param evaluate fun(points: number[][]): number[]
---@param options table
---@return table
function optimise.minimise_batches(evaluate, options)
  check_fields(options, OPTIONS)
  check_start(options)
  local name = options.method or "cma_es"
  local method, scale = methods[name], scales(options)
  if not method then
    fail("method", name, "expected cma_es or nelder_mead")
  end
  local found = { value = math.huge, evaluations = 0, history = {} }
  local problem = {
    start = {}, step = check_number("step", options.step or 0.3, 1e-12),
    seed = check_number("seed", options.seed or 1, 0, true),
    tolerance = check_number("tolerance", options.tolerance or 1e-10, 0),
    evaluations = check_number("evaluations", options.evaluations or 1000, 1, true),
    population = options.population and check_number("population", options.population, 4, true),
  }
  for i, x in ipairs(options.start) do
    problem.start[i] = scale[i].to(x)
  end
  function problem.evaluate(points)
    local list = {}
    for j, point in ipairs(points) do
      list[j] = {}
      for i, u in ipairs(point) do
        list[j][i] = scale[i].back(u)
      end
    end
    return note(found, options, list, evaluate(list))
  end
  found.reason = require(method)(problem)
  if not found.x then
    fail("evaluations", problem.evaluations, "expected enough for a first batch of points")
  end
  return found
end

---Minimises a function of a list of numbers.
---@param f fun(x: number[]): number
---@param options table
---@return table
function optimise.minimise(f, options)
  return optimise.minimise_batches(function(points)
    local values = {}
    for j, point in ipairs(points) do
      values[j] = f(point)
    end
    return values
  end, options)
end

-- --- scenes ----------------------------------------------------------------------------------------------------------

-- The options of the search that the parameters give, and their names.
local function read_parameters(given)
  local search, names = { start = {}, lower = {}, upper = {}, logarithmic = {} }, {}
  for i, parameter in ipairs(given.parameters or {}) do
    local name, low, high = parameter[1], parameter[2], parameter[3]
    if type(name) ~= "string" or type(low) ~= "number" or type(high) ~= "number" then
      fail(("parameters[%d]"):format(i), nil, 'expected { "pace", 0.5, 3 }: a name and its bounds')
    end
    local is_log = parameter.scale == "log"
    names[i], search.lower[i], search.upper[i], search.logarithmic[i] = name, low, high, is_log
    search.start[i] = parameter.start or (is_log and low > 0 and math.sqrt(low * high) or (low + high) / 2)
  end
  if #names == 0 then
    fail("parameters", nil, 'expected a list like { { "pace", 0.5, 3 } }')
  end
  for name in pairs(OPTIONS) do
    if given[name] ~= nil and search[name] == nil then
      search[name] = given[name]
    elseif given[name] ~= nil then
      fail(name, nil, "expected this in `parameters`")
    end
  end
  return search, names
end

local function value_of(row, measure, sign)
  local value = row.status == "done" and row.measures[measure]
  return value and value == value and sign * value or math.huge
end

-- Raises what a first batch without any value tells: the scene or the measure is wrong.
local function check_first(rows, values, measure)
  for j in ipairs(rows) do
    if values[j] < math.huge then
      return
    end
  end
  local row = rows[1]
  error(("optimise: no run of the first batch measures %s; the first is %s%s"):format(measure, row.status,
    row.reason ~= "" and ": " .. row.reason or ", without such a measure"), 0)
end

local function search_scene(given)
  check_fields(given, SCENE, OPTIONS)
  local search, names = read_parameters(given)
  local measure, sign = given.maximise or given.minimise, given.maximise and -1 or 1
  if (given.maximise == nil) == (given.minimise == nil) then
    fail("maximise", nil, "expected the name of a measure to maximise, or one to minimise")
  elseif type(given.out) ~= "string" then
    fail("out", given.out, "expected a folder")
  end
  local batches = 0
  local found = optimise.minimise_batches(function(points)
    batches = batches + 1
    local rows, message = sweep.run {
      scene = given.scene, out = ("%s/%04d"):format(given.out, batches), measure = given.measure, set = given.set,
      points = table.move(points, 1, #points, 1, { names = names }), frames = given.frames, solvers = given.solvers,
      jobs = given.jobs, threads = given.threads, time_limit = given.time_limit, timestep = given.timestep,
    }
    if not rows then
      error(message, 0)
    end
    local values = {}
    for j, row in ipairs(rows) do
      values[j] = value_of(row, measure, sign)
    end
    if batches == 1 then
      check_first(rows, values, measure)
    end
    return values
  end, search)
  found.parameters, found.value = {}, sign * found.value
  for i, name in ipairs(names) do
    found.parameters[name] = found.x[i]
  end
  for _, improvement in ipairs(found.history) do
    improvement.value = sign * improvement.value
  end
  return found
end

---Searches parameters of a scene that make a measure the least, or the most. Returns the result, or nil and a message.
---@param options table
---@return table?, string?
function optimise.scene(options)
  local done, found = pcall(search_scene, options)
  if not done then
    return nil, tostring(found)
  end
  return found
end

return optimise
