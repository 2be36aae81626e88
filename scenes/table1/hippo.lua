-- The hippopotamus of Liu et al. 2013, Table 1: every edge of a mesh of tetrahedra is a spring. Its feet are pinned.
-- The mesh is hippo.mesh (2,387 vertices, 13,135 springs) where the environment variable SPRINGTIDE_DATA names the
-- folder with table1/hippo.mesh; else one of as many is carved from a hippopotamus of our own. The up key: it jumps.
local tide = require "springtide"
local creatures = require "springtide.creatures"

local stiffness = tide.param("stiffness", 500, { min = 10, max = 1e5, scale = "log", unit = "N/m" })

local scene = tide.scene {
  title = "Hippo",
  timestep = 1 / 30,
  solver = { "local_global", iterations = 20 },
  camera = { position = { 1.08, 0.72, 1.46 }, target = { 0.05, 0.33, 0 } },
  ground = { height = 0, solid = false },
}

local file = tide.data("table1/hippo.mesh")
local mesh
if file then
  -- the file has it on its back; a little turn puts all four feet on the ground
  mesh = assert(tide.mesh.load(file)):rotate({ 1, 0, 0 }, math.pi):rotate({ 0, 0, 1 }, 0.19)
else
  mesh = tide.mesh.tetrahedralize { distance = creatures.hippo(), vertices = 2387 }
end
local least, lowest, _, greatest = mesh:bounds()

local hippo = scene:body("hippo", {
  mesh = mesh:translate(-(least + greatest) / 2, -lowest, 0), mass = 4, stiffness = stiffness,
  colour = { 0.56, 0.52, 0.63 },
})
hippo:pin(function(_, _, y) return y < 0.05 end)

local function push(forward, up, side)    -- m/s at the height of 1 m
  for i = 1, hippo.vertex_count do
    local _, y = hippo:position(i)
    hippo:set_velocity(i, forward * y, up * y, side * y)
  end
end
push(2, -1.5, 2.5)

function scene.keypressed(key)
  if key == "up" then push(0, 5, 0) end
end

return scene
