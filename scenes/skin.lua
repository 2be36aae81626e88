-- Two hippopotamuses of 300 vertices each that fall on a beam: the left one as it is computed, a coarse mesh of
-- tetrahedra whose edges are springs; the right one carries a fine skin, which is what one sees and what touches.
-- The up key makes them jump.
local tide = require "springtide"
local creatures = require "springtide.creatures"

local stiffness = tide.param("stiffness", 1500, { min = 100, max = 1e4, scale = "log", unit = "N/m" })

local scene = tide.scene {
  title = "Skin",
  timestep = 1 / 60, deformation_drag = 2,
  solver = { "local_global", iterations = 10, substeps = 4 },
  camera = { position = { 2.15, 1.05, 0.75 }, target = { 0, 0.24, -0.05 } },
  ground = 0,
}

local shape = creatures.hippo()
local coarse = tide.mesh.tetrahedralize { distance = shape, vertices = 300 }
local fine = tide.mesh.tetrahedralize { distance = shape, vertices = 9000 }

local function add(name, surface, z)
  local function place(mesh)
    return mesh:rotate({ 1, 0, 0 }, 0.15):translate(0, 0.5, z)
  end
  return scene:body(name, {
    mesh = place(coarse), surface = surface and place(surface), mass = 4, stiffness = stiffness,
    friction = 0.6, colour = { 0.56, 0.52, 0.63 },
  })
end
add("coarse", nil, 0.4)
add("fine", fine, -0.4)

scene:collider("floor", { shape = "plane", friction = 0.6 })
scene:collider("beam", {
  shape = "capsule", from = { -0.05, 0.1, -0.85 }, to = { -0.05, 0.1, 0.85 }, radius = 0.1, friction = 0.6,
  colour = { 0.5, 0.42, 0.3 },
})

function scene.keypressed(key)
  if key ~= "up" then return end
  for _, body in ipairs(scene:bodies()) do
    for i = 1, body.vertex_count do
      local x, y, z = body:velocity(i)
      body:set_velocity(i, x, y + 3, z)
    end
  end
end

return scene
