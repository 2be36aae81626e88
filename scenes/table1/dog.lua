-- The dog of Liu et al. 2013, Table 1: every edge of a mesh of tetrahedra is a spring. It is dropped on the floor.
-- The mesh is dog.mesh (28,390 vertices, 148,047 springs) where the environment variable SPRINGTIDE_DATA names the
-- folder with table1/dog.mesh; else one of as many vertices is carved from a dog of our own. The up key: it jumps.
local tide = require "springtide"
local creatures = require "springtide.creatures"

local stiffness = tide.param("stiffness", 1500, { min = 10, max = 1e5, scale = "log", unit = "N/m" })
local height = tide.param("height", 0.3, { min = 0, max = 2, unit = "m", help = "that it falls from" })

local scene = tide.scene {
  title = "Dog", timestep = 1 / 30, drag = 0.3,
  solver = { "local_global", iterations = 20 },
  camera = { position = { 1.08, 0.85, 1.75 }, target = { 0.05, 0.42, 0 } }, ground = 0,
}

local file = tide.data("table1/dog.mesh")      -- in centimetres, of a large dog that looks along z
local mesh = file and assert(tide.mesh.load(file)):scale(0.0075):rotate({ 0, 1, 0 }, math.pi / 2)
  or tide.mesh.tetrahedralize { distance = creatures.dog(), vertices = 28390 }
local _, lowest = mesh:bounds()
local dog = scene:body("dog", {
  mesh = mesh:translate(0, height - lowest, 0), mass = 5, stiffness = stiffness, colour = { 0.66, 0.45, 0.26 },
})
scene:collider("floor", { shape = "plane", friction = 0.5 })

function scene.keypressed(key)
  for i = 1, key == "up" and dog.vertex_count or 0 do
    local x, y, z = dog:velocity(i)
    dog:set_velocity(i, x, y + 2.5, z)
  end
end

return scene
