-- The swinging curtain of Liu et al. 2013, figures 2 to 4: a square metre of cloth of 1 kg, held by two corners which
-- swing to and fro. The stiffness of its springs grows with the resolution, so that the material stays the same: twice
-- the vertices a side, springs of half the length and twice the stiffness.
local tide = require "springtide"

local side = tide.param("side", 81, { min = 3, max = 401, help = "vertices along an edge" })
local stiffness = tide.param("stiffness", 80, { min = 0.1, max = 1e5, scale = "log", unit = "N/m",
  help = "of every spring along an edge of the cloth with 81 vertices a side" })
local swing = tide.param("swing", 0.15, { min = 0, max = 1, unit = "m", help = "how far the corners swing" })

local scene = tide.scene {
  title = "Swinging curtain",
  timestep = 1 / 30,
  solver = { "local_global", iterations = 10 },
  camera = { position = { 1.75, 0.1, 2.6 }, target = { 0.45, -0.6, 0.2 } },
  ground = { height = -1.25, solid = false },
}

local n = math.floor(side + 0.5)
local k = stiffness * (n - 1) / 80
local curtain = scene:body("curtain", {
  mesh = tide.mesh.grid { columns = n, rows = n, width = 1, height = 1 },
  mass = 1,
  stiffness = k,
  bend = k / 4,
  pattern = "checker", checkers = 10,
})
curtain:pin { 1, n }

function scene.update(dt)
  local z = swing * math.sin(2 * math.pi * (scene.time + dt) / 1.6)
  curtain:move_pin(1, 0, 0, z)
  curtain:move_pin(n, 1, 0, z)
end

return scene
