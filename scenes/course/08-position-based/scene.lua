-- A rope with a weight at its end, under position-based dynamics, under XPBD or under Newton's method. How long it
-- hangs depends on the stiffness, and under position-based dynamics on the iterations and the timestep, too.
local tide = require "springtide"
local method = tide.param("method", "pbd", { choices = { "pbd", "xpbd", "newton" } })
local iterations = tide.param("iterations", 10, { min = 1, max = 1000, scale = "log", help = "of pbd and xpbd" })
local fraction = tide.param("fraction", 0.9, { min = 0, max = 1, help = "pbd: of its stretch that a spring loses in a "
  .. "timestep if it is alone" })
local stiffness = tide.param("stiffness", 200, { min = 50, max = 1e5, scale = "log", unit = "N/m",
  help = "of each spring, for xpbd and newton" })
local rate = tide.param("rate", 60, { min = 30, max = 480, unit = "1/s", help = "timesteps in a second" })

local solvers = {
  pbd = { "pbd", iterations = math.floor(iterations), stiffness = fraction },
  xpbd = { "xpbd", iterations = math.floor(iterations) },
  newton = { "newton" },
}
local points, length, weight = 11, 1, 0.1     -- vertices, m, kg
local scene = tide.scene { title = "Position-based methods", timestep = 1 / rate, solver = solvers[method], drag = 2,
  camera = { position = { 0, -0.75, 3.4 }, target = { 0, -0.75, 0 } }, ground = false }
local rope = scene:body("rope", {
  mesh = tide.mesh.strand { points = points, from = { 0, 0, 0 }, to = { 0, -length, 0 } },
  masses = function(i) return i == points and weight or 0.02 end,
  stiffness = stiffness, radius = 0.01, colour = { 0.75, 0.5, 0.2 },
})
rope:pin { 1 }

local function stretch()
  local _, y = rope:position(points)
  return -y - length
end

function scene.update()
  scene:plot("stretch, mm", 1000 * stretch())
end

function scene.draw(canvas)
  local x, y, z = rope:position(points)
  canvas:colour(0.2, 0.2, 0.24)
  canvas:point(x, y, z, 34)
  canvas:label(0, 0.12, 0, ("%s: %.1f mm longer than at rest"):format(method, 1000 * stretch()))
end

return scene
