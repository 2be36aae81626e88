-- A string under tension, plucked into its slowest shape with a fast zigzag upon it. What takes the zigzag away, and
-- what the slow swing loses meanwhile: friction of the air, friction in the springs, a filter, or the implicit method.
local tide = require "springtide"
local method = tide.param("method", "nothing", { choices = { "nothing", "mass", "stiffness", "filter", "implicit" } })
local d0 = tide.param("d0", 2, { min = 0, max = 20, unit = "1/s", help = "mass: Rayleigh damping d0 M" })
local alpha = tide.param("alpha", 0.001, { min = 0, max = 0.01, unit = "s", help = "stiffness: alpha K" })
local lambda = tide.param("lambda", 4, { min = 0.5, max = 10, help = "filter: a neighbour weighs exp(-lambda)" })
local zigzag = tide.param("zigzag", 0.02, { min = 0, max = 0.1, unit = "m" })

local damping = { "springs", mass = method == "mass" and d0 or 0, stiffness = method == "stiffness" and alpha or 0 }
local filter = method == "filter" and { "exponential", lambda = lambda } or "none"
local solver = { "symplectic_euler", substep = 1 / 400, damping = damping, filter = filter }
if method == "implicit" then solver = { "newton" } end

local n, stretched = 32, 1.25     -- springs; the string is stretched to 1.25 of its rest length of 1.6 m
local scene = tide.scene { title = "Damping and filters", timestep = 1 / 400, gravity = { 0, 0, 0 }, solver = solver,
  camera = { position = { 0, 0, 3 }, target = { 0, 0, 0 } }, ground = false }
local rest = tide.mesh.strand { points = n + 1, from = { -1 / stretched, 0, 0 }, to = { 1 / stretched, 0, 0 } }
local string = scene:body("string", { mesh = rest:scale(stretched), rest = rest, mass = 0.33, stiffness = 100,
  radius = 0.012, colour = { 0.2, 0.4, 0.65 } })
string:pin { 1, n + 1 }

-- The shape sin(m pi j / n) of the string, where j counts its vertices from 0.
local function mode(m, j)
  return math.sin(m * math.pi * j / n)
end

for i = 2, n do
  local x, _, z = string:position(i)
  string:set_position(i, x, 0.2 * mode(1, i - 1) + zigzag * mode(n - 4, i - 1), z)
end

local function amplitude(m)
  local sum = 0
  for i = 1, n + 1 do
    local _, y = string:position(i)
    sum = sum + 2 / n * y * mode(m, i - 1)
  end
  return sum
end

local function biggest(scene_state, name, value) -- of the last 40 frames or so: what an oscillation reaches
  scene_state[name] = math.max(math.abs(value), (scene_state[name] or 0) * 0.97)
  return scene_state[name]
end

function scene.update()
  scene:plot("slow, mm", 1000 * biggest(scene.state, "slow", amplitude(1)))
  scene:plot("zigzag, mm", 1000 * biggest(scene.state, "fast", amplitude(n - 4)))
end

return scene
