-- Lesson 9: the four functions, filled in.
local tide = require "springtide"

-- A particle of 1 kg on a spring of k N/m under implicit Euler: by what factor a step of h s shortens the vector
-- (sqrt(k) x, v), whose length is the root of twice the energy.
local function implicit_loss(h, k)
  return 1 / math.sqrt(1 + h ^ 2 * k)
end

-- Rayleigh damping D = d0 M + alpha K. Returns d0 and alpha that give a mode of the angular frequency w1 (rad/s) the
-- damping ratio z1, and one of w2 the ratio z2.
local function rayleigh(w1, z1, w2, z2)
  local alpha = 2 * (z2 * w2 - z1 * w1) / (w2 ^ 2 - w1 ^ 2)
  return 2 * z1 * w1 - alpha * w1 ^ 2, alpha
end

-- A filter of one coordinate of the velocities along a chain of equal particles, v[1] to v[#v]: each pair of
-- neighbours exchanges the fraction beta / 2 of its difference, beta = w / (1 + 2 w), w = exp(-lambda). Returns a new
-- list.
local function filter(v, lambda)
  local w = math.exp(-lambda)
  local beta = w / (1 + 2 * w)
  local filtered = {}
  for i = 1, #v do filtered[i] = v[i] end
  for i = 1, #v - 1 do
    local exchange = beta / 2 * (v[i + 1] - v[i])
    filtered[i], filtered[i + 1] = filtered[i] + exchange, filtered[i + 1] - exchange
  end
  return filtered
end

-- The factor by which the filter multiplies a wave cos(theta i) in the inside of a long chain.
local function filter_factor(lambda, theta)
  local w = math.exp(-lambda)
  return 1 - w / (1 + 2 * w) * (1 - math.cos(theta))
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
