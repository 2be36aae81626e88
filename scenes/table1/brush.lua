-- The brush of Liu et al. 2013, Figure 5 and Table 1: 105 bristles of 19 vertices, 1,995 vertices and 6,405 springs.
-- It is drawn to and fro over a ball and pressed on the table; bristles touch the ball, the table and each other.
local tide = require "springtide"
local bristles = require "springtide.bristles"

local stiffness = tide.param("stiffness", 300, { min = 10, max = 1e4, scale = "log", unit = "N/m",
  help = "of the springs along a bristle" })
local depth = tide.param("depth", 0.02, { min = 0, max = 0.05, unit = "m", help = "how far it is pressed down" })

local scene = tide.scene {
  title = "Brush", timestep = 1 / 30, drag = 0.5,
  solver = { "local_global", iterations = 20 },
  camera = { position = { -0.16, 0.11, 0.32 }, target = { 0.02, 0.055, 0 }, field_of_view = 0.6 }, ground = 0,
}

local top, roots = 0.117, {}         -- 21 rows of 5, every other one shifted by half the distance
for row = 1, 21 do
  for k = 1, 5 do
    roots[#roots + 1] = { 0.008 * (k - 3 + (row % 2 - 0.5) / 2), 0, 0.008 * (row - 11) }
  end
end
-- where the handle is: it comes down, then goes to and fro
local function path(t)
  return -0.15 * math.cos(1.3 * t), -depth * (1 - math.exp(-t)), 0
end
local brush = scene:body("bristles", {
  mesh = tide.mesh.strands { roots = roots, normals = { { 0, -1, 0 } }, points = 19, length = 0.1, jitter = 0.04 }
    :translate(path(0)):translate(0, top, 0),
  mass = 0.5, stiffness = stiffness, bend = stiffness / 2, radius = 0.001,
  springs = bristles.springs { strands = #roots, points = 19, stiffness = stiffness / 2 },
  self_collide = true, friction = 0.2, colour = { 0.86, 0.66, 0.32 },
})
brush:pin(function(i) return i % 19 == 1 end)

scene:collider("wood", { shape = "box", size = { 0.06, 0.02, 0.18 }, colour = { 0.45, 0.2, 0.1 },
  move = function(t)
    local x, y, z = path(t)
    return x, top + 0.0115 + y, z
  end })
scene:collider("ball", { shape = "sphere", radius = 0.035, position = { 0, -0.01, 0 }, colour = { 0.2, 0.45, 0.62 } })
scene:collider("table", { shape = "plane", friction = 0.3 })

function scene.update(dt)
  local x, y, z = path(scene.time + dt)
  for k, root in ipairs(roots) do
    brush:move_pin(19 * k - 18, root[1] + x, top + y, root[3] + z)
  end
end

return scene
