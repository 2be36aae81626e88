-- A ball hangs on a spring and swings up and down: how its energy changes its form, and the total stays.
local tide = require "springtide"

local stiffness = tide.param("stiffness", 40, { min = 5, max = 500, scale = "log", unit = "N/m" })
local mass = tide.param("mass", 1, { min = 0.1, max = 4, unit = "kg" })
local drop = tide.param("drop", 0.15, { min = -0.3, max = 0.3, unit = "m", help = "how far below rest it is let go" })
local drag = tide.param("drag", 0, { min = 0, max = 2, unit = "1/s" })

local length, g = 0.5, 9.81
local stretch = mass * g / stiffness          -- where the spring carries the ball
local scene = tide.scene { title = "One spring", timestep = 1 / 240, solver = "verlet", drag = drag,
  camera = { position = { 0.55, -0.75, 2.6 }, target = { 0.55, -0.75, 0 } }, ground = { height = -1.7, solid = false } }
local ball = scene:body("ball", {
  mesh = tide.mesh.new { vertices = { { 0, 0, 0 }, { 0, -length, 0 } }, edges = { { 1, 2 } } },
  masses = { mass, mass }, stiffness = stiffness, radius = 0.012,
})
ball:pin { 1 }
ball:set_position(2, 0, -length - stretch - drop, 0)

-- The energies, in J; gravity's is 0 where the ball hangs at rest. Their sum is constant without drag.
local function energies()
  local x, y, z = ball:position(2)
  local u, v, w = ball:velocity(2)
  local l = math.sqrt(x ^ 2 + y ^ 2 + z ^ 2)
  return mass / 2 * (u ^ 2 + v ^ 2 + w ^ 2), stiffness / 2 * (l - length) ^ 2, mass * g * (y + length + stretch)
end

function scene.update()
  local kinetic, elastic, gravity = energies()
  scene:plot("kinetic", kinetic):plot("elastic", elastic):plot("gravity", gravity)
  scene:plot("total", kinetic + elastic + gravity)
end

function scene.draw(canvas)
  local kinetic, elastic, gravity = energies()
  local bars = { { "kinetic", kinetic, 0.8, 0.2, 0.15 }, { "elastic", elastic, 0.15, 0.4, 0.75 },
    { "gravity", gravity, 0.2, 0.55, 0.25 }, { "total", kinetic + elastic + gravity, 0.2, 0.2, 0.2 } }
  local x, y, z = ball:position(2)
  canvas:point(x, y, z, 40)
  canvas:line(-0.15, -length - stretch, 0, 0.15, -length - stretch, 0, 2)
  for i, bar in ipairs(bars) do
    local left, low, name, energy = 0.1 + 0.34 * i, -1, bar[1], bar[2]
    canvas:colour(bar[3], bar[4], bar[5])
    canvas:line(left, low, 0, left, low + 0.2 * energy, 0, 24)
    canvas:label(left, low - 0.42, 0, ("%s\n%.2f J"):format(name, energy), 15)
  end
end

return scene
