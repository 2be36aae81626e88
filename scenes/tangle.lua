-- Three cloths begin through one another, and the last with a ball in its middle. What crosses is told and pulled
-- apart over the first steps, with bounded speed; then the cloths fall on the balls as they would have from apart.
local tide = require "springtide"

local depth = tide.param("depth", 0.12, { min = 0, max = 0.25, unit = "m",
  help = "by which each cloth begins in the next" })

local scene = tide.scene {
  title = "Tangle",
  timestep = 1 / 120,
  deformation_drag = 4,
  solver = { "local_global", iterations = 12 },
  contact = { continuous = true },
  camera = { position = { 1.1, 1.25, 2 }, target = { 0, 0.45, 0 } },
  ground = 0,
}

scene:collider("floor", { shape = "plane", visible = false, friction = 0.6 })
scene:collider("ball", { shape = "sphere", radius = 0.18, position = { 0, 0.36, 0 }, friction = 0.3,
  colour = { 0.85, 0.8, 0.7 } })
local colours = { { 0.78, 0.2, 0.2 }, { 0.9, 0.68, 0.2 }, { 0.25, 0.5, 0.6 } }
for i = 1, 3 do
  local mesh = tide.mesh.grid { columns = 29, rows = 29, width = 0.7, height = 0.7 }:translate(-0.35, 0, -0.35)
  mesh = i == 1 and mesh:translate(0.01, 0.4, 0.02) -- the ball is in its middle
    or mesh:rotate({ 1, 0, 0.05 * i }, i == 2 and 0.7 or -0.7)
      :translate(0, 0.4 + 0.35 * math.sin(0.7) - depth, i == 2 and -0.47 or 0.47)
  scene:body("cloth " .. i, { mesh = mesh, mass = 0.15, stiffness = 60, bend = 2, thickness = 0.01, friction = 0.3,
    self_collide = true, colour = colours[i], pattern = "checker", checkers = 10 })
end

return scene
