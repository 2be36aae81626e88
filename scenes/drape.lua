-- A cloth falls over a box and stays there, held by friction: Shinya 2005, figures 4 and 8.
-- The box's thickness keeps its edges from showing between the cloth's vertices. On the floor the hem makes folds.
local tide = require "springtide"

local friction = tide.param("friction", 0.5, { min = 0, max = 2, help = "between the cloth and the box" })
local stiffness = tide.param("stiffness", 120, { min = 10, max = 1e4, scale = "log", unit = "N/m" })

local scene = tide.scene {
  title = "Drape",
  timestep = 1 / 120,
  drag = 1,
  deformation_drag = 1,
  contact = { continuous = true },
  solver = { "local_global", iterations = 12 },
  camera = { position = { 0.95, 0.9, 1.35 }, target = { 0.02, 0.24, 0 } },
  ground = 0,
}

local size = 1.3
scene:body("cloth", {
  mesh = tide.mesh.grid { columns = 49, rows = 49, width = size, height = size }
    :translate(-size / 2, 0, -size / 2):rotate({ 0, 1, 0 }, 0.35):translate(0.03, 0.54, -0.02),
  mass = 0.4, stiffness = stiffness, bend = stiffness / 40,
  friction = friction, thickness = 0.006, self_collide = true,
  colour = { 0.16, 0.33, 0.55 }, back_colour = { 0.85, 0.72, 0.42 }, pattern = "checker", checkers = 12,
})

scene:collider("box", {
  shape = "box", size = { 0.5, 0.5, 0.5 }, position = { 0, 0.25, 0 }, thickness = 0.006,
  friction = friction, colour = { 0.78, 0.74, 0.68 },
})
scene:collider("floor", { shape = "plane", friction = friction, thickness = 0.004, visible = false })

return scene
