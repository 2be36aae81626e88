-- Springs that keep the strands of tide.mesh.strands upright, like the bristles of a brush.
--
--   local bristles = require "springtide.bristles"
--   local brush = tide.mesh.strands { points = 19, length = 0.1, on = handle, count = 105 }
--   local springs = bristles.springs { strands = 105, points = 19, stiffness = 60, root_stiffness = 30 }
--   scene:body("brush", { mesh = brush, stiffness = 300, bend = 100, springs = springs })
--
-- The body's `stiffness` joins neighbours, and `bend` joins vertices two apart. This module joins vertices three apart,
-- which resists bending, and joins the root to farther vertices, which keeps the initial direction and shape of the
-- strand. With the default `reach`, a strand of 19 vertices has 18 + 17 + 16 + 10 = 61 springs, and 105 strands have
-- 6,405, as the brush in Table 1 of Liu et al. 2013.

local bristles = {}

local known = { "strands", "points", "stiffness", "root_stiffness", "reach" }

local function refuse(field, value, expected)
  local shown = type(value) == "string" and ("%q"):format(value) or
    type(value) == "number" and ("%.10g"):format(value) or value == nil and "nil" or "a " .. type(value)
  error(("bristles.springs: %s = %s: expected %s"):format(field, shown, expected), 4)
end

local function check_integer(definition, field, least, most)
  local value = definition[field]
  local whole = math.type(value) and math.tointeger(value)
  if not whole or whole < least or whole > most then
    local range = most < math.maxinteger and ("from %d to %d"):format(least, most) or ("of at least %d"):format(least)
    refuse(field, value, "an integer " .. range)
  end
  return whole
end

local function check_stiffness(value, field)
  if math.type(value) == nil or not (value >= 0 and value < math.huge) then
    refuse(field, value, "a stiffness of at least 0 N/m")
  end
  return value
end

---What springs a brush's strands have besides those of the body's `stiffness` and `bend`.
---@class springtide.Bristles
---@field strands integer # how many there are
---@field points integer # vertices of each, as of the mesh; at least 2
---@field stiffness number # of springs between vertices three apart; in N/m
---@field root_stiffness? number # of springs from the root; in N/m; default that of the others
---@field reach? integer # vertices that the root is joined to, from the fifth on; 0 to points - 4; default 10 at most

---The list for a body's `springs`, with the rest lengths that the mesh has.
---@param definition springtide.Bristles
---@return number[][]
function bristles.springs(definition)
  if type(definition) ~= "table" then
    error("bristles.springs: expected a table { strands = ..., points = ..., stiffness = ... }", 2)
  end
  for name in pairs(definition) do
    local found = false
    for _, other in ipairs(known) do
      found = found or name == other
    end
    if not found then
      error(("bristles.springs: %s: unknown; expected one of %s"):format(tostring(name), table.concat(known, ", ")), 2)
    end
  end
  local strands = check_integer(definition, "strands", 1, math.maxinteger)
  local points = check_integer(definition, "points", 2, math.maxinteger)
  local stiffness = check_stiffness(definition.stiffness, "stiffness")
  local root_stiffness = stiffness
  if definition.root_stiffness ~= nil then
    root_stiffness = check_stiffness(definition.root_stiffness, "root_stiffness")
  end
  local most = math.max(points - 4, 0)
  local reach = definition.reach ~= nil and check_integer(definition, "reach", 0, most) or math.min(10, most)

  local springs = {}
  for first = 1, strands * points, points do
    for i = first, first + points - 4 do
      springs[#springs + 1] = { i, i + 3, stiffness }
    end
    for i = first + 4, first + 3 + reach do
      springs[#springs + 1] = { first, i, root_stiffness }
    end
  end
  return springs
end

return bristles
