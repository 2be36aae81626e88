-- Ten soft volumes fall in a heap between walls and come to rest: spheres, boxes and rings of tetrahedra, whose edges
-- are springs. The up key throws them into the air again.
local tide = require "springtide"

local stiffness = tide.param("stiffness", 600, { min = 20, max = 1e4, scale = "log", unit = "N/m" })

local scene = tide.scene {
  title = "Soft stack",
  timestep = 1 / 120,
  drag = 1, deformation_drag = 4,
  contact = { continuous = true },
  solver = { "local_global", iterations = 10 },
  camera = { position = { 1.35, 1.75, 2.3 }, target = { 0, 0.8, 0 }, field_of_view = 0.85 },
  ground = 0,
}

local ball = tide.mesh.tetrahedralize { distance = tide.distance.sphere { radius = 0.15 }, cell = 0.065 }
local ring = tide.mesh.tetrahedralize { distance = tide.distance.torus { major = 0.15, minor = 0.06 }, cell = 0.055 }
local cube = tide.mesh.box { size = { 0.24, 0.24, 0.24 }, cells = { 4, 4, 4 } }
local shapes = { cube, ball, ring, ball, cube, ring, ball, cube, ring, ball }

local bodies = {}
for i, mesh in ipairs(shapes) do
  local hue = 2 * math.pi * (i - 1) / #shapes
  local layer, side = (i - 1) // 2, i % 2 * 2 - 1
  local x, z = 0.225 * side * math.cos(layer), 0.225 * side * math.sin(layer)
  bodies[i] = scene:body("volume " .. i, {
    mesh = mesh:rotate({ 1, 0.3 * i, 0.5 }, 0.7 * i)
      :translate(x, 0.25 + 0.4 * layer, z),
    mass = 0.5, stiffness = stiffness, friction = 0.5,
    colour = { 0.58 + 0.32 * math.cos(hue), 0.52 + 0.3 * math.cos(hue - 2.1), 0.55 + 0.32 * math.cos(hue + 2.1) },
  })
end

scene:collider("floor", { shape = "plane", friction = 0.6, visible = false })
for i = 0, 3 do   -- four walls around a square
  local x, z = math.cos(i * math.pi / 2), math.sin(i * math.pi / 2)
  scene:collider("wall " .. i + 1, {
    shape = "box", size = { 0.04 + 0.96 * math.abs(z), 0.4, 0.04 + 0.96 * math.abs(x) },
    position = { 0.48 * x, 0.2, 0.48 * z }, friction = 0.4, colour = { 0.62, 0.58, 0.53 },
  })
end

function scene.keypressed(key)
  for _, body in ipairs(key == "up" and bodies or {}) do
    for i = 1, body.vertex_count do body:set_velocity(i, 0, 3, 0) end
  end
end

return scene
