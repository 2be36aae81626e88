-- A curtain by local and global steps, plain or accelerated. The plot shows by how many powers of ten the iterations of
-- a step reduce the gradient of g: -3 means to a thousandth.
local tide = require "springtide"
local method = tide.param("method", "plain", { choices = { "plain", "chebyshev", "anderson", "lbfgs" } })
local iterations = tide.param("iterations", 10, { min = 1, max = 200, scale = "log" })
local memory = tide.param("memory", 5, { min = 1, max = 20, help = "past iterations that anderson and lbfgs use" })
local rho = tide.param("rho", 0.95, { min = 0.5, max = 0.999, help = "chebyshev: factor of the error" })
local stiffness = tide.param("stiffness", 80, { min = 1, max = 1e4, scale = "log", unit = "N/m" })

local n, m = math.floor(iterations), math.floor(memory)
local solvers = {
  plain = { "local_global", iterations = n },
  chebyshev = { "local_global", iterations = n, acceleration = "chebyshev", rho = rho, delay = 3 },
  anderson = { "local_global", iterations = n, acceleration = "anderson", window = m },
  lbfgs = { "lbfgs", iterations = n, history = m },
}
local scene = tide.scene { title = "Acceleration", timestep = 1 / 30, solver = solvers[method], ground = false,
  camera = { position = { 1.75, 0.1, 2.6 }, target = { 0.45, -0.45, 0.2 } } }
local curtain = scene:body("curtain", {
  mesh = tide.mesh.grid { columns = 31, rows = 31, width = 1, height = 1 },
  mass = 1, stiffness = stiffness, bend = stiffness / 4, pattern = "checker", checkers = 10,
})
curtain:pin { 1, 31 }

function scene.update()
  local report = scene:report()
  if scene.frame > 0 and report.gradient_norm > 0 then
    scene:plot("log10 of the gradient left", math.log(report.gradient_norm / report.initial_gradient_norm, 10))
  end
  for i, x in ipairs { 0, 1 } do                 -- the corners swing
    curtain:move_pin(i == 1 and 1 or 31, x, 0, 0.15 * math.sin(2 * math.pi * scene.time))
  end
end

return scene
