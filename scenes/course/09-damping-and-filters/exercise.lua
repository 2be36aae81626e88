-- Lesson 9: fill in the four functions marked TODO. Until filter returns a list, the zigzag stays.
-- luacheck: no unused (the gaps)
local tide = require "springtide"

-- A particle of 1 kg on a spring of k N/m under implicit Euler: by what factor a step of h s shortens the vector
-- (sqrt(k) x, v), whose length is the root of twice the energy.
local function implicit_loss(h, k)
  -- TODO: lesson 9, eq. 2 and 3
  return nil
end

-- Rayleigh damping D = d0 M + alpha K. Returns d0 and alpha that give a mode of the angular frequency w1 (rad/s) the
-- damping ratio z1, and one of w2 the ratio z2.
local function rayleigh(w1, z1, w2, z2)
  -- TODO: two equations like eq. 5, for w1 and for w2
  return nil, nil
end

-- A filter of one coordinate of the velocities along a chain of equal particles, v[1] to v[#v]: each pair of
-- neighbours exchanges the fraction beta / 2 of its difference, beta = w / (1 + 2 w), w = exp(-lambda). Returns a new
-- list.
local function filter(v, lambda)
  -- TODO: start with a copy of v; the exchange of a pair must not read what the filter has already changed
  return nil
end

-- The factor by which the filter multiplies a wave cos(theta i) in the inside of a long chain.
local function filter_factor(lambda, theta)
  -- TODO: put v[i] = cos(theta i) into the filter, and use cos(a + b) + cos(a - b) = 2 cos(a) cos(b)
  return nil
end

local n, stretched = 32, 1.25     -- springs; the string is stretched to 1.25 of its rest length of 1.6 m
local lambda = tide.param("lambda", 4, { min = 0.5, max = 10, help = "a neighbour weighs exp(-lambda)" })
local scene = tide.scene { title = "My filter", timestep = 1 / 400, gravity = { 0, 0, 0 }, ground = false,
  solver = { "symplectic_euler", substep = 1 / 400 }, camera = { position = { 0, 0, 3 }, target = { 0, 0, 0 } } }
local rest = tide.mesh.strand { points = n + 1, from = { -1 / stretched, 0, 0 }, to = { 1 / stretched, 0, 0 } }
local string = scene:body("string", { mesh = rest:scale(stretched), rest = rest, mass = 0.33, stiffness = 100,
  radius = 0.012, colour = { 0.2, 0.4, 0.65 } })
string:pin { 1, n + 1 }
for i = 2, n do
  local x, _, z = string:position(i)
  local turns = math.pi * (i - 1) / n
  string:set_position(i, x, 0.2 * math.sin(turns) + 0.02 * math.sin((n - 4) * turns), z)
end

function scene.update()
  local velocities = string:velocities()
  local numbers = velocities:table()
  for coordinate = 1, 3 do
    local one = {}
    for i = 1, n + 1 do one[i] = numbers[3 * (i - 1) + coordinate] end
    local filtered = filter(one, lambda) or one
    for i = 2, n do numbers[3 * (i - 1) + coordinate] = filtered[i] end
  end
  velocities:assign(numbers)
end

return scene, { implicit_loss = implicit_loss, rayleigh = rayleigh, filter = filter, filter_factor = filter_factor }
