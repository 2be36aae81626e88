-- A pendulum: two particles, one of them pinned, and a stiff spring. Nothing takes energy from it but the solver.
--   springtide scenes/pendulum.lua                                  implicit: the swing dies down
--   springtide scenes/pendulum.lua --timestep 0.02                  a longer step takes more
--   springtide scenes/pendulum.lua --set method=symplectic_euler    the energy stays
local tide = require "springtide"

local method = tide.param("method", "local_global", { choices = { "local_global", "symplectic_euler" } })

local scene = tide.scene {
  title = "Pendulum", timestep = 0.01,
  solver = method == "local_global" and { method, iterations = 50 } or method,
  camera = { position = { 1, 0, 4 }, target = { 1, -0.5, 0 } }, ground = -1.2,
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
  local name = method == "local_global" and "implicit Euler (local_global)" or "symplectic Euler"
  canvas:text(30, 24, ("%s, timestep %g s, %.1f s"):format(name, scene.timestep, scene.time), 34)
  local left, low, wide = 1.5, -1.05, 1.5    -- of the plot, m: a height of 1 is all of the energy
  canvas:line(left, low, 0, left + wide, low, 0, 3)
  canvas:line(left, low, 0, left, low + 1.15, 0, 3)
  canvas:line(left, low + 1, 0, left + wide, low + 1, 0, 1)
  canvas:label(left - 0.17, low + 0.95, 0, "100 %", 28)
  canvas:label(left - 0.1, low - 0.06, 0, "0", 28)
  canvas:label(left + wide / 2, low - 0.21, 0, "the last 10 s", 28)
  canvas:colour(0.8, 0.2, 0.15)
  local x, y, z = pendulum:position(2)
  canvas:point(x, y, z, 36)
  canvas:label(left + wide / 2, low + 1.16, 0, ("energy left: %.0f %%"):format(100 * (history[#history] or 1)), 38)
  local points, first = 10 / scene.timestep, math.max(1, #history - 10 // scene.timestep)
  for i = first + 1, #history do
    local from, step = left + wide * (i - 1 - first) / points, wide / points
    canvas:line(from, low + history[i - 1], 0, from + step, low + history[i], 0, 5)
  end
end

return scene
