-- Lesson 11: fill in the three functions marked TODO. Until impulse returns something, all falls through the valley.
-- luacheck: no unused (the gaps)
local tide = require "springtide"

local function dot(a, b)
  return a[1] * b[1] + a[2] * b[2] + a[3] * b[3]
end

-- The impulse { x, y, z } in N s that a contact gives to a particle of the mass m and the velocity v. The normal n has
-- length 1 and points to the particle; mu is the coefficient of friction, e that of restitution.
local function impulse(m, v, n, mu, e)
  -- TODO: none where the particle moves away; else the part along n of eq. 2, and against the sliding that of eq. 5
  return nil
end

-- How far a block of the speed v slides down a slope of the angle (rad) until friction stops it; math.huge if it never
-- stops. g is 9.81 m/s^2.
local function sliding_distance(v, mu, angle)
  -- TODO: the deceleration on the slope; what if gravity is the stronger one?
  return nil
end

-- Contacts that push one another: the impulses x[i] >= 0 with W x + b >= 0, of which in each row one is 0. W is a list
-- of rows, b a list. So many sweeps of projected Gauss-Seidel from x = 0; returns the list x.
local function solve_contacts(W, b, sweeps)
  -- TODO: for each row, the x[i] that makes it 0, but at least 0, with the newest x of the others: eq. 8
  return nil
end

-- Particles in a valley of two planes. The engine moves them freely, and the impulses come from above.
local mu = tide.param("mu", 0.3, { min = 0, max = 1 })
local e = tide.param("e", 0.5, { min = 0, max = 1 })
local radius, m = 0.04, 0.1
local scene = tide.scene { title = "My contacts", timestep = 1 / 240, ground = { height = 0, solid = false },
  solver = { "symplectic_euler", substep = 1 / 240 }, camera = { position = { 0, 1, 4 }, target = { 0, 0.3, 0 } } }
local planes = { { math.sin(0.5), math.cos(0.5), 0 }, { -math.sin(0.3), math.cos(0.3), 0 } } -- through the origin
local vertices = {}
for i = 1, 24 do vertices[i] = { math.sin(5 * i), 0.8 + 0.05 * i, 0.5 * math.cos(3 * i) } end
local peas = scene:body("peas", { mesh = tide.mesh.new { vertices = vertices }, springs = {}, mass = #vertices * m,
  radius = radius, collide = "none", colour = { 0.35, 0.6, 0.2 } })

function scene.update(h)
  local fall = scene.gravity[2] * h          -- what the step will add to the velocity
  for i = 1, #vertices do
    local x, v = { peas:position(i) }, { peas:velocity(i) }
    v[2] = v[2] + fall
    for _, n in ipairs(planes) do
      local p = dot(x, n) < radius and impulse(m, v, n, mu, e)
      if p then v = { v[1] + p[1] / m, v[2] + p[2] / m, v[3] + p[3] / m } end
    end
    peas:set_velocity(i, v[1], v[2] - fall, v[3])
  end
  scene:plot("kinetic energy, J", scene:energy().kinetic)
end

function scene.draw(canvas)
  canvas:colour(0.5, 0.45, 0.4)
  for _, n in ipairs(planes) do
    local s = n[1] > 0 and -1.5 or 1.5
    for z = -1, 1, 0.25 do canvas:line(0, 0, z, s * n[2], -s * n[1], z, 2) end
  end
end

return scene, { impulse = impulse, sliding_distance = sliding_distance, solve_contacts = solve_contacts }
