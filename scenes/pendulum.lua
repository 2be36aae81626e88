-- A pendulum: two particles, one of them pinned, and a stiff spring. Nothing takes energy from it but the solver.
--   springtide scenes/pendulum.lua                                  implicit: the swing dies down
--   springtide scenes/pendulum.lua --timestep 0.02                  a longer step takes more
--   springtide scenes/pendulum.lua --set method=symplectic_euler    the energy stays
local tide = require "springtide"

local method = tide.param("method", "local_global", { choices = { "local_global", "symplectic_euler" } })

local scene = tide.scene {
  title = "Pendulum",
  timestep = 0.01,
  solver = method == "local_global" and { method, iterations = 50 } or method,
  camera = { position = { 1, 0, 3.7 }, target = { 1, -0.5, 0 } },
  ground = -1.2,
}

local length, mass = 1, 1
local pendulum = scene:body("pendulum", {
  mesh = tide.mesh.strand { points = 2, from = { 0, 0, 0 }, to = { length, 0, 0 } },
  masses = { mass, mass }, stiffness = 5000, radius = 0.012, colour = { 0.3, 0.32, 0.38 },
})
pendulum:pin { 1 }

-- Before each step: the share of the energy that is left; 0 is at rest at the lowest point.
local history = {}
function scene.update()
  if scene.frame == 0 then history = {} end
  history[#history + 1] = 1 + scene:energy().total / (mass * 9.81 * length)
end

function scene.draw(canvas)
  local energy = scene:energy()
  canvas:text(24, 20, ("%s, timestep %g s, %.1f s"):format(method, scene.timestep, scene.time), 22)
  canvas:text(24, 52, ("kinetic %.2f J, elastic %.2f J, gravity %.2f J"):format(
    energy.kinetic, energy.elastic, energy.gravity), 22)
  canvas:line(1.4, -1.1, 0, 3, -1.1, 0)
  canvas:line(1.4, -1.1, 0, 1.4, 0, 0)
  canvas:colour(0.8, 0.2, 0.15)
  local x, y, z = pendulum:position(2)
  canvas:point(x, y, z, 28)
  -- the last 10 s of the energy left, as a curve beside the pendulum
  canvas:label(2.2, 0.02, 0, ("energy left: %.0f %%"):format(100 * (history[#history] or 1)), 22)
  local points, first = 10 / scene.timestep, math.max(1, #history - 10 // scene.timestep)
  for i = first + 1, #history do
    local left, step = 1.4 + 1.6 * (i - 1 - first) / points, 1.6 / points
    canvas:line(left, history[i - 1] - 1.1, 0, left + step, history[i] - 1.1, 0, 3)
  end
end

return scene
