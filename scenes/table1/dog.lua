-- The dog of Liu et al. 2013, Table 1: every edge of a mesh of tetrahedra is a spring. Held by the back, it is rocked.
-- The mesh is dog.mesh (28,390 vertices, 148,047 springs) where the environment variable SPRINGTIDE_DATA names the
-- folder with table1/dog.mesh; else one of as many vertices is carved from a dog of our own. The up key is a jerk.
local tide = require "springtide"
local creatures = require "springtide.creatures"

local stiffness = tide.param("stiffness", 600, { min = 10, max = 1e5, scale = "log", unit = "N/m" })
local rocking = tide.param("rocking", 0.12, { min = 0, max = 0.3, unit = "m", help = "how far it is moved each way" })

local scene = tide.scene {
  title = "Dog", timestep = 1 / 30, drag = 0.3,
  solver = { "local_global", iterations = 20 },
  camera = { position = { 1.08, 0.95, 1.75 }, target = { 0.05, 0.57, 0 } }, ground = 0,
}

local file = tide.data("table1/dog.mesh")      -- in centimetres, of a large dog that looks along z
local mesh = file and assert(tide.mesh.load(file)):scale(0.0075):rotate({ 0, 1, 0 }, math.pi / 2)
  or tide.mesh.tetrahedralize { distance = creatures.dog(), vertices = 28390 }
local dog = scene:body("dog", {
  mesh = mesh:translate(0, 0.12, 0), mass = 5, stiffness = stiffness, colour = { 0.66, 0.45, 0.26 },
})

local held, top = {}, 0
for i = 1, dog.vertex_count do
  local x, y = dog:position(i)
  top = math.abs(x) < 0.12 and math.max(top, y) or top     -- of its back
end
for i = 1, dog.vertex_count do
  local x, y, z = dog:position(i)
  if math.abs(x) < 0.12 and y > top - 0.03 then
    held[#held + 1] = { vertex = i, x = x, y = y, z = z }
    dog:pin { i }
  end
end

local jerk = 0
function scene.update(dt)
  jerk = jerk * math.exp(-3 * dt)
  local side, up = rocking * math.sin(5 * scene.time), rocking * math.sin(4 * scene.time) + jerk
  for _, pin in ipairs(held) do
    dog:move_pin(pin.vertex, pin.x, pin.y + up, pin.z + side)
  end
end

function scene.keypressed(key)
  if key == "up" then jerk = 0.3 end
end

return scene
