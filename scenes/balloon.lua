-- A balloon of rubber: a neo-Hookean membrane around a gas at constant temperature. "gas" is the pressure that the gas
-- has over the air's at the volume at rest. As the balloon grows, its pressure rises to a maximum at 1.38 times the
-- radius at rest, and falls again.
local tide = require "springtide"
local gas = tide.param("gas", 60000, { min = 0, max = 300000, unit = "Pa" })

local scene = tide.scene {
  title = "Balloon", timestep = 1 / 60, gravity = { 0, -9.81, 0 },
  solver = { "lbfgs", iterations = 30 },
}
scene:body("balloon", {
  mesh = tide.mesh.sphere { radius = 0.3, subdivisions = 3 }:translate(0, 0.8, 0),
  area_density = 0.2, colour = { 0.85, 0.2, 0.25 },
  membrane = { "neo_hookean", young = 1e6, poisson = 0.49, thickness = 3e-4 },
  gas = { pressure = gas, isothermal = true },
})
scene:collider("floor", { shape = "plane", normal = { 0, 1, 0 }, friction = 0.5 })
scene:collider("post", { shape = "capsule", from = { 0, -0.1, 0 }, to = { 0, 0.25, 0 }, radius = 0.08, friction = 0.5 })
return scene
