-- What a sweep measures. The file of --measure returns a table:
--
--   return {
--     height = function(scene, run) return (scene:body("cloth"):position(1)) end,     -- after the last frame
--     sag = { unit = "m", at_end = function(scene, run) return -run.series.lowest[#run.series.lowest] end },
--     lowest = { unit = "m", each = function(scene) return lowest_point(scene) end,    -- a series: after every
--                every = 10, of = "least" },                                           -- tenth frame
--   }
--
-- `run` has frames, parameters (by name) and series, of what was measured so far. A measure of a series is one number
-- of it: of = "last" (default), "first", "least", "most", "mean", or a function of the list of values. The functions
-- return numbers. The file runs in the sandbox of scenes, with `require "springtide"` and its modules.
local measures = {}

local FIELDS = { unit = "string", at_end = "function", each = "function", every = "number", of = true }

local function mean(list)
  local sum = 0
  for _, value in ipairs(list) do
    sum = sum + value
  end
  return sum / #list
end

local function extreme(choose)
  return function(list)
    local found = list[1]
    for _, value in ipairs(list) do
      found = choose(found, value)
    end
    return found
  end
end

local reductions = {
  first = function(list) return list[1] end, last = function(list) return list[#list] end, mean = mean,
  least = extreme(math.min), most = extreme(math.max),
}

-- Energies after the last frame: what is measured without a file.
function measures.default()
  local list = {}
  for _, name in ipairs { "elastic", "gravity", "kinetic", "total" } do
    list[#list + 1] = { name = name, unit = "J", at_end = function(scene) return scene:energy()[name] end }
  end
  return list
end

local function check_series(measure, field)
  local of = measure.of or "last"
  if measure.each == nil then
    for _, name in ipairs { "every", "of" } do
      assert(measure[name] == nil, field .. name .. ": expected `each`, a function, beside it")
    end
    return
  end
  measure.every = measure.every or 1
  assert(math.type(measure.every) == "integer" and measure.every >= 1,
         field .. "every: expected a whole number of frames from 1")
  measure.of = type(of) == "function" and of or reductions[of]
  assert(measure.of, field .. "of: expected first, last, least, most, mean or a function of the list of values")
end

local function check_measure(name, given)
  local field = ("measure %s: "):format(name)
  local measure = { name = name }
  if type(given) == "function" then
    given = { at_end = given }
  end
  assert(type(given) == "table", field .. "expected a function of the scene, or a table with `at_end` or `each`")
  for key, value in pairs(given) do
    local kind = FIELDS[key]
    assert(kind, field .. ("%s: there is no such field; expected at_end, each, every, of or unit"):format(
      tostring(key)))
    assert(kind == true or type(value) == kind, field .. ("%s: expected a %s"):format(key, tostring(kind)))
    measure[key] = value
  end
  assert((measure.at_end == nil) ~= (measure.each == nil), field .. "expected one of at_end and each, a function")
  check_series(measure, field)
  return measure
end

local function check_all(given)
  assert(type(given) == "table", "expected `return { NAME = function(scene) ... end, ... }`")
  local list = {}
  for name, measure in pairs(given) do
    assert(type(name) == "string" and name:find "^%a[%w_]*$" and #name <= 63,
           ("measure %s: expected a name of letters, digits and _"):format(tostring(name)))
    list[#list + 1] = check_measure(name, measure)
  end
  assert(#list > 0, "it measures nothing: expected `return { NAME = function(scene) ... end, ... }`")
  table.sort(list, function(a, b) return a.name < b.name end)
  return list
end

-- Runs a text of a file and returns a list of measures { name, unit, at_end, each, every, of } sorted by name, or nil
-- and a message. `compile` makes a function of a text, its name and its globals.
function measures.read(text, path, compile)
  local chunk, message = compile(text, path, setmetatable({}, { __index = _G }))
  if not chunk then
    return nil, message
  end
  local done, given = pcall(chunk)
  if not done then
    return nil, tostring(given)
  end
  local good, list = pcall(check_all, given)
  if not good then
    return nil, ("%s: %s"):format(path, tostring(list):gsub("^[^:]*%.lua:%d+: ", ""))
  end
  return list
end

local function number_of(measure, value)
  if type(value) ~= "number" then
    error(("measure %s: expected a number from its function, got %s"):format(measure.name, type(value)), 0)
  end
  return value + 0.0
end

-- Measures the series after a frame. Raises an error that names the measure.
function measures.frame(list, scene, run)
  for _, measure in ipairs(list) do
    if measure.each and scene.frame % measure.every == 0 then
      local values = run.series[measure.name]
      values[#values + 1] = number_of(measure, measure.each(scene, run))
    end
  end
end

-- Measures what is measured at the end; the result has the numbers by name.
function measures.finish(list, scene, run)
  local found = {}
  for _, measure in ipairs(list) do
    local values = run.series[measure.name]
    if values and #values > 0 then
      found[measure.name] = number_of(measure, measure.of(values))
    elseif measure.at_end then
      found[measure.name] = number_of(measure, measure.at_end(scene, run))
    end
  end
  return found
end

return measures
