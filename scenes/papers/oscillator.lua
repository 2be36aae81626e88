-- One particle of 1 kg on a spring: x'' = -k x - d x'. With a timestep of 1 s, k is h^2 k and d is h d, the plane in
-- which Shinya 2005 draws where a method is stable (figures 1 to 3).
local tide = require "springtide"

local stiffness = tide.param("stiffness", 1, { min = 1e-9, max = 100, unit = "N/m",
  help = "h^2 k, with the timestep of 1 s and the mass of 1 kg" })

local scene = tide.scene {
  title = "Oscillator",
  timestep = 1,
  gravity = { 0, 0, 0 },
  solver = "symplectic_euler",
  camera = { position = { 0, 0.6, 4 }, target = { 0, 0, 0 } },
  ground = { height = -0.6, solid = false },
}
local particle = scene:body("particle", {
  mesh = tide.mesh.new { vertices = { { 0, 0, 0 } } },
  mass = 1,
  radius = 0.08,
})
particle:pin({ 1 }, { stiffness = stiffness })
particle:set_velocity(1, 1, 0, 0)

return scene
