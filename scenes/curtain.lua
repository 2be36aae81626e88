-- The curtain of Liu et al. 2013, "Fast Simulation of Mass-Spring Systems", Table 1: 6,561 vertices, 32,158 springs.
-- It starts level, held by two corners, and swings down.
local tide = require "springtide"

local stiffness = tide.param("stiffness", 80, { min = 1, max = 1e4, scale = "log", unit = "N/m",
  help = "of every spring along an edge" })
local iterations = tide.param("iterations", 10, { min = 1, max = 200, help = "local/global iterations a step" })

local scene = tide.scene {
  title = "Curtain",
  timestep = 1 / 30,
  solver = { "local_global", iterations = iterations },
  camera = { position = { 1.7, 0.25, 2.4 }, target = { 0.36, -0.62, 0.1 } },
  ground = -1.25,
}

local columns, rows = 81, 81
local curtain = scene:body("curtain", {
  -- each cell is split by one diagonal, whose direction alternates like the colours of a checkerboard
  mesh = tide.mesh.grid { columns = columns, rows = rows, width = 1, height = 1 },
  mass = 1,
  stiffness = stiffness,
  bend = stiffness / 4,        -- springs between vertices two apart resist folding
  pattern = "checker", checkers = 10,
})
curtain:pin { 1, columns }     -- the two corners of the first row

return scene
