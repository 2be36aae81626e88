-- The curtain of Liu et al. 2013, "Fast Simulation of Mass-Spring Systems", Table 1: 6,561 vertices, 32,158 springs.
-- It is held by two corners and let go; the draught of an open window comes and goes. The up key is a gust.
local tide = require "springtide"

local stiffness = tide.param("stiffness", 80, { min = 1, max = 1e4, scale = "log", unit = "N/m",
  help = "of every spring along an edge" })
local iterations = tide.param("iterations", 10, { min = 1, max = 200, help = "local/global iterations a step" })
local wind = tide.param("wind", 1.2, { min = 0, max = 10, unit = "N", help = "the draught at its strongest" })

local scene = tide.scene {
  title = "Curtain",
  timestep = 1 / 30, drag = 0.4,
  solver = { "local_global", iterations = iterations },
  camera = { position = { 0.95, -0.35, 1.75 }, target = { 0.57, -0.56, 0 } },
  ground = { height = -1.3, solid = false },
}

local columns, rows = 81, 81
local curtain = scene:body("curtain", {
  -- 19,360 edges: each cell is split by one diagonal, whose direction alternates as a chequerboard's colours
  mesh = tide.mesh.grid { columns = columns, rows = rows, width = 1.15, height = 1 }
    :rotate({ 1, 0, 0 }, 1.35),
  mass = 1,
  stiffness = stiffness,
  bend = stiffness / 4,        -- 12,798 springs between vertices two apart resist folding
  colour = { 0.16, 0.35, 0.62 }, back_colour = { 0.72, 0.62, 0.42 },
})
curtain:pin { 1, columns }     -- the two corners of the first row

local gust = 0
function scene.update(dt)
  -- in the first second the corners come together, so that it hangs in folds
  local apart = 1 - 0.13 * math.min(scene.time, 1)
  curtain:move_pin(1, 0.575 * (1 - apart), 0, 0)
  curtain:move_pin(columns, 0.575 * (1 + apart), 0, 0)
  gust = gust * math.exp(-2 * dt)
  local strength = wind * math.max(0, math.sin(1.7 * scene.time)) + gust
  for i = 1, curtain.vertex_count do
    curtain:force(i, 0, 0, strength / curtain.vertex_count)
  end
end

function scene.keypressed(key)
  if key == "up" then gust = 6 end
end

return scene
