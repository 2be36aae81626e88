-- Two particles and a spring between them, which swing freely.
local tide = require "springtide"

local scene = tide.scene { title = "A spring", gravity = { 0, 0, 0 }, timestep = 1 / 60,
                           solver = { "newton", iterations = 20 } }
scene:body("spring", {
  mesh = tide.mesh.strand { points = 2, from = { 0, 0, 0 }, to = { 1, 0, 0 } }, mass = 1, stiffness = 50,
}):set_velocity(2, 1, 0, 0)
return scene
