-- The frog of Liu et al. 2013, Table 1: every edge of a mesh of tetrahedra is a spring. It is held by a foot and swung.
-- The mesh is frog.mesh (6,834 vertices, 35,261 springs) where the environment variable SPRINGTIDE_DATA names the
-- folder with table1/frog.mesh; else one of as many is carved from a frog of our own. The up key lets go of it.
local tide = require "springtide"
local creatures = require "springtide.creatures"

local stiffness = tide.param("stiffness", 400, { min = 10, max = 1e5, scale = "log", unit = "N/m" })
local swing = tide.param("swing", 0.16, { min = 0, max = 0.5, unit = "m", help = "how far the hand goes to each side" })

local scene = tide.scene {
  title = "Frog",
  timestep = 1 / 30, drag = 0.3,
  solver = { "local_global", iterations = 20 },
  camera = { position = { 0.9, 0.98, 2.05 }, target = { 0.03, 0.84, 0 } },
  ground = 0,
}

local file = tide.data("table1/frog.mesh")
local mesh = file and assert(tide.mesh.load(file))      -- it has its feet up already
  or tide.mesh.tetrahedralize { distance = creatures.frog(true), vertices = 6834 }
    :scale(0.75):rotate({ 0, 0, 1 }, -math.pi / 2):rotate({ 0, 1, 0 }, -math.pi / 2)
local _, _, _, _, top = mesh:bounds()
mesh = mesh:translate(0, 1.5 - top, 0)
local frog = scene:body("frog", { mesh = mesh, mass = 1, stiffness = stiffness, colour = { 0.34, 0.56, 0.24 } })
local held = {}
for i = 1, frog.vertex_count do
  local x, y, z = frog:position(i)
  if x > 0 and y > 1.4 then
    held[#held + 1] = { vertex = i, x = x, y = y, z = z }
    frog:pin { i }
  end
end
scene:collider("floor", { shape = "plane" })

function scene.update()
  local side, back = swing * math.sin(4.5 * scene.time), swing * math.sin(3.1 * scene.time)
  for _, pin in ipairs(held) do
    frog:move_pin(pin.vertex, pin.x + side, pin.y, pin.z + back)
  end
end

function scene.keypressed(key)
  for _, pin in ipairs(key == "up" and held or {}) do
    frog:unpin { pin.vertex }
  end
  held = key == "up" and {} or held
end

return scene
