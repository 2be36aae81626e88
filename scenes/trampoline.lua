-- A rigid ball of 5 kg on a trampoline: a net under tension in a fixed frame.
-- The ball is four particles with its mass and inertia; the sphere is their embedded surface.
local tide = require "springtide"

local drop = tide.param("drop", 0.9, { min = 0.3, max = 3, unit = "m" })
local away = tide.param("away", 0.15, { min = 0, max = 0.6, unit = "m" })
local stiffness = tide.param("stiffness", 6000, { min = 1000, max = 50000, scale = "log", unit = "N/m" })

local scene = tide.scene {
  title = "Trampoline", timestep = 1 / 120,
  solver = { "newton", iterations = 8 },
  camera = { position = { 2.2, 1.5, 3.2 }, target = { 0, 0.25, 0 } },
}

local n, side = 25, 2
local mat = scene:body("mat", {
  mesh = tide.mesh.grid { columns = n, rows = n, width = side, height = side }:translate(-side / 2, 0, -side / 2),
  rest = tide.mesh.grid { columns = n, rows = n, width = 0.96 * side, height = 0.96 * side },
  mass = 3, stiffness = stiffness, thickness = 0.02, colour = { 0.12, 0.2, 0.45 },
})
mat:pin(function(_, x, _, z) return math.max(math.abs(x), math.abs(z)) > 0.99 * side / 2 end)

scene:body("ball", {
  mesh = tide.mesh.sphere { radius = 0.22 }:translate(away, drop, 0.5 * away),
  mass = 5, rigid = true, friction = 0.6, thickness = 0.01, colour = { 0.85, 0.45, 0.1 }, pattern = "checker",
})

return scene
