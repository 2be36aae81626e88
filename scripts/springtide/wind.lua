-- Forces of moving air or water on the triangles of a body.
--
--   local wind = require "springtide.wind"
--   local breeze = wind.new(scene, flag, { velocity = { 6, 0, 1 } })
--   function scene.update(dt) breeze:blow(dt) end
--
-- A fluid of density rho passes a triangle of area A and unit normal n with the relative velocity u. The force is
--   f = 1/2 rho drag A |u.n| (u.n) n + 1/2 rho friction A |u| (u - (u.n) n),
-- pressure along the normal plus friction in the plane. Each corner gets a third. Both sides of the triangle are alike.
-- An implicit step limits each term, so that in h seconds it cannot reverse its component of u: a term of size c |u.n|
-- becomes c |u.n| / (1 + h c / m), with m the mass of the triangle, and likewise for friction. The forces are therefore
-- stable for dense fluids and light cloth.
local wind = {}
wind.__index = wind

local known = { "velocity", "density", "drag", "friction" }

local function check_name(name)
  for _, other in ipairs(known) do
    if name == other then
      return
    end
  end
  error(("wind: %s: unknown; expected one of %s"):format(tostring(name), table.concat(known, ", ")), 3)
end

function wind:__newindex(name, value)
  check_name(name)
  rawset(self, name, value)
end

local function refuse(field, value, expected)
  local kind = type(value)
  local shown = kind == "string" and ("%q"):format(value) or value ~= value and "nan" or
    kind == "number" and ("%.10g"):format(value) or value == nil and "nil" or "a " .. kind
  error(("wind: %s = %s: expected %s"):format(field, shown, expected), 4)
end

local function check_number(definition, field, default)
  local value = definition[field]
  if value == nil then
    return default
  end
  if math.type(value) == nil or not (value >= 0 and value < math.huge) then
    refuse(field, value, "a finite number of at least 0")
  end
  return value
end

local function is_finite(value)
  return math.type(value) ~= nil and math.abs(value) < math.huge
end

local function check_velocity(value)
  if value == nil then
    return function() return 0, 0, 0 end
  end
  if type(value) == "function" then
    return value
  end
  if type(value) ~= "table" or #value ~= 3 then
    refuse("velocity", value, "{ x, y, z } or a function(x, y, z, t) that returns three numbers")
  end
  for k = 1, 3 do
    if not is_finite(value[k]) then
      refuse("velocity", value[k], "three finite numbers")
    end
  end
  local x, y, z = value[1], value[2], value[3]
  return function() return x, y, z end
end

---@alias springtide.Flow fun(x: number, y: number, z: number, t: number): number, number, number

---What flows around a body.
---@class springtide.WindDefinition
---@field velocity? number[] | springtide.Flow # of the fluid, in m/s; default none
---@field density? number # of the fluid; in kg/m^3; default 1.2, as of air; water has 1000
---@field drag? number # the coefficient of pressure; default 1
---@field friction? number # the coefficient of friction along the surface; default 0.02

---@class springtide.Wind
---@field velocity number[] | springtide.Flow # this and the others may be assigned, from the next blow on
---@field density number
---@field drag number
---@field friction number

---A fluid around a body that has triangles.
---@param scene tide.Scene
---@param body tide.Body
---@param definition? springtide.WindDefinition
---@return springtide.Wind
function wind.new(scene, body, definition)
  definition = definition == nil and {} or definition
  if type(definition) ~= "table" then
    error("wind.new: expected a table { velocity = ..., density = ... }", 2)
  end
  for name in pairs(definition) do
    check_name(name)
  end
  local self = { scene = scene, body = body, masses = false }
  self.velocity = check_velocity(definition.velocity)
  self.density = check_number(definition, "density", 1.2)
  self.drag = check_number(definition, "drag", 1)
  self.friction = check_number(definition, "friction", 0.02)
  if body.triangle_count == 0 then
    error(("wind.new: body %q has no triangles for the wind to push on"):format(body.name), 2)
  end
  local corners, shares, mesh = {}, {}, body.mesh
  for t = 1, mesh.triangle_count do
    for k, i in ipairs { mesh:triangle(t) } do
      corners[3 * t - 3 + k] = i
      shares[i] = (shares[i] or 0) + 1
    end
  end
  self.corners, self.shares = corners, shares
  return setmetatable(self, wind)
end

-- Computes the mass of each triangle: m = 3 min over its corners of (mass / number of triangles of the corner).
local function find_masses(self)
  local first = 0
  for _, body in ipairs(self.scene:bodies()) do
    if body == self.body then
      break
    end
    first = first + body.vertex_count
  end
  local all, masses, corners, shares = self.scene:system():masses(), {}, self.corners, self.shares
  for t = 1, #corners // 3 do
    local least = math.huge
    for k = 3 * t - 2, 3 * t do
      least = math.min(least, all[first + corners[k]] / shares[corners[k]])
    end
    masses[t] = 3 * least
  end
  return masses
end

---Adds the fluid's forces for the next step, of dt seconds.
---@param dt number
function wind:blow(dt)
  local body, corners, time = self.body, self.corners, self.scene.time
  local flow, density = check_velocity(self.velocity), check_number(self, "density", 1.2)
  local drag, shearing = check_number(self, "drag", 1), check_number(self, "friction", 0.02)
  self.masses = self.masses or find_masses(self)
  local masses, count = self.masses, 3 * body.vertex_count
  local from, speeds, p, v, force = body:positions(), body:velocities(), {}, {}, {}
  for i = 1, count do
    p[i], v[i], force[i] = from[i], speeds[i], 0
  end
  local pressure, friction = density * drag / 2, density * shearing / 2
  for t = 1, #corners // 3 do
    local a, b, c = 3 * corners[3 * t - 2], 3 * corners[3 * t - 1], 3 * corners[3 * t]
    local ax, ay, az, bx, by, bz, cx, cy, cz =
      p[a - 2], p[a - 1], p[a], p[b - 2], p[b - 1], p[b], p[c - 2], p[c - 1], p[c]
    local ux, uy, uz = flow((ax + bx + cx) / 3, (ay + by + cy) / 3, (az + bz + cz) / 3, time)
    ux = ux - (v[a - 2] + v[b - 2] + v[c - 2]) / 3
    uy = uy - (v[a - 1] + v[b - 1] + v[c - 1]) / 3
    uz = uz - (v[a] + v[b] + v[c]) / 3
    -- 2 A n
    local nx = (by - ay) * (cz - az) - (bz - az) * (cy - ay)
    local ny = (bz - az) * (cx - ax) - (bx - ax) * (cz - az)
    local nz = (bx - ax) * (cy - ay) - (by - ay) * (cx - ax)
    local twice = math.sqrt(nx * nx + ny * ny + nz * nz)
    if twice > 0 then
      local along = (ux * nx + uy * ny + uz * nz) / twice
      local normal, shear = pressure * math.abs(along) * twice / 2,
        friction * math.sqrt(ux * ux + uy * uy + uz * uz) * twice / 2
      normal = normal / (1 + dt * normal / masses[t]) / 3
      shear = shear / (1 + dt * shear / masses[t]) / 3
      local s = (normal - shear) * along / twice
      local fx, fy, fz = s * nx + shear * ux, s * ny + shear * uy, s * nz + shear * uz
      force[a - 2], force[a - 1], force[a] = force[a - 2] + fx, force[a - 1] + fy, force[a] + fz
      force[b - 2], force[b - 1], force[b] = force[b - 2] + fx, force[b - 1] + fy, force[b] + fz
      force[c - 2], force[c - 1], force[c] = force[c - 2] + fx, force[c - 1] + fy, force[c] + fz
    end
  end
  for i = 1, body.vertex_count do
    body:force(i, force[3 * i - 2], force[3 * i - 1], force[3 * i])
  end
end

return wind
