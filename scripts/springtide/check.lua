-- Checks of exercises. A lesson's check.lua returns what `check.exercise` makes of a table:
--
--     local check = require "springtide.check"
--     return check.exercise {
--       title = "One spring and its energy",
--       checks = {
--         { name = "energy of a spring", points = 3, hint = "E = k/2 (|a - b| - r)^2",
--           run = function(t)
--             local energy = t:answer("energy", "function")
--             for _, case in t:cases(5) do
--               local k = case:number(1, 100)
--               t:near(energy(k, 1, 1.5), k / 2 * 0.25, { tolerance = 1e-9, message = "energy at length 1.5" })
--             end
--           end },
--       },
--     }
--
-- springtide/check/test.lua has what a check can ask of a submission (`t`); springtide/check/run.lua marks one.
local check = {}

local exercise_fields = {
  title = "string", time_limit = "number", memory_limit = "number", checks = "table",
}
local check_fields = {
  name = "string", points = "number", hint = "string", time_limit = "number", run = "function",
}
local required = { title = true, checks = true, name = true, points = true, run = true }

local function refuse(object, field, value, remedy)
  local shown = value == nil and "" or (" = %s"):format(type(value) == "string" and ("%q"):format(value) or value)
  error(("%s: %s%s: %s"):format(object, field, shown, remedy), 0)
end

local function verify_fields(object, given, fields)
  if type(given) ~= "table" then
    error(("%s: expected a table, got a %s"):format(object, type(given)), 0)
  end
  for field, value in pairs(given) do
    if not fields[field] then
      refuse(object, tostring(field), nil, "there is no such field")
    elseif type(value) ~= fields[field] then
      refuse(object, field, tostring(value), ("expected a %s"):format(fields[field]))
    elseif fields[field] == "number" and not (value > 0 and value < 1e6) then
      refuse(object, field, value, "expected a number above 0 and below 1e6")
    end
  end
  for field in pairs(fields) do
    if required[field] and given[field] == nil then
      refuse(object, field, nil, ("is missing; expected a %s"):format(fields[field]))
    end
  end
end

---An exercise: what a check.lua returns.
---@class springtide.Exercise
---@field title string # its title
---@field time_limit? number # for a submission, in s of processor time; default 10
---@field memory_limit? number # for a submission, in MB; default 512
---@field checks springtide.Check[] # in the order in which they run
---
---One check of an exercise.
---@class springtide.Check
---@field name string # its name, different from that of the others
---@field points number # that it gives
---@field hint? string # shown after a failure
---@field time_limit? number # of this check, in s of processor time; default: half of what is left
---@field run fun(t: table) # asks the submission by the methods of t and raises where it fails

---Verifies the definition of an exercise and returns it with its defaults.
---@param definition springtide.Exercise
---@return springtide.Exercise
function check.exercise(definition)
  verify_fields("exercise", definition, exercise_fields)
  local object = ("exercise %q"):format(definition.title)
  local names = {}
  if #definition.checks == 0 then
    refuse(object, "checks", nil, "expected at least one check")
  end
  for i, each in ipairs(definition.checks) do
    local name = ("%s: check %d"):format(object, i)
    verify_fields(name, each, check_fields)
    if names[each.name] then
      refuse(name, "name", each.name, "an earlier check has this name; give each its own")
    end
    names[each.name] = true
  end
  return {
    title = definition.title,
    time_limit = definition.time_limit or 10,
    memory_limit = definition.memory_limit or 512,
    checks = definition.checks,
  }
end

return check
