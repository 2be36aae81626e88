-- The cloth is pulled away from under things: fast enough, friction has no time to take them along, and they stay.
-- Pull slower (the parameter `speed`) and they come with it.
local tide = require "springtide"

local speed = tide.param("speed", 3, { min = 0.1, max = 6, unit = "m/s", help = "of the pull" })
local friction = tide.param("friction", 0.2, { min = 0, max = 1, help = "of the cloth on everything" })

local scene = tide.scene {
  title = "Tablecloth",
  timestep = 1 / 240,
  deformation_drag = 6,
  solver = { "local_global", iterations = 15 },
  camera = { position = { 1.3, 1.5, 2 }, target = { 0.15, 0.7, 0 } },
  ground = 0,
}

scene:collider("floor", { shape = "plane", visible = false })
scene:collider("table", { shape = "box", size = { 1.2, 0.05, 0.9 }, position = { 0, 0.675, 0 }, friction = 0.8,
  thickness = 0.002, colour = { 0.5, 0.33, 0.2 } })
for i = 0, 3 do
  local x, z = i % 2 * 1.08 - 0.54, i // 2 * 0.78 - 0.39
  scene:collider("leg " .. i + 1, { shape = "box", size = { 0.06, 0.65, 0.06 }, position = { x, 0.325, z },
    colour = { 0.45, 0.29, 0.17 } })
end
local columns, rows, top = 56, 33, 0.705
local cloth = scene:body("cloth", {
  mesh = tide.mesh.grid { columns = columns, rows = rows, width = 1.25, height = 0.7 }:translate(-0.5, top, -0.35),
  mass = 0.4, stiffness = 200, bend = 5, friction = friction, thickness = 0.004,
  colour = { 0.78, 0.2, 0.2 }, back_colour = { 0.6, 0.15, 0.15 }, pattern = "checker", checkers = 14,
})
local function thing(name, mesh, x, z, colour)
  local _, lowest = mesh:bounds()
  scene:body(name, { mesh = mesh:translate(x, top + 0.012 - lowest, z), mass = 0.1, stiffness = 300,
    friction = friction, colour = colour })
end
local fill, ball, torus = tide.mesh.tetrahedralize, tide.distance.sphere, tide.distance.torus
thing("cube", tide.mesh.box { size = { 0.13, 0.13, 0.13 }, cells = { 4, 4, 4 } }, -0.22, 0.15, { 0.9, 0.68, 0.2 })
thing("tower", tide.mesh.box { size = { 0.12, 0.21, 0.12 }, cells = { 3, 5, 3 } }, 0.05, -0.14, { 0.25, 0.5, 0.6 })
thing("orange", fill { distance = ball { radius = 0.07 }, cell = 0.035 }, -0.28, -0.17, { 0.93, 0.5, 0.1 })
thing("ring", fill { distance = torus { major = 0.09, minor = 0.04 }, cell = 0.035 }, 0.2, 0.17, { 0.5, 0.62, 0.3 })

cloth:pin(function(i) return i % columns == 0 end)
function scene.update()
  for i = columns, columns * rows, columns do
    local x, y, z = cloth:position(i)
    if scene.time > 0.5 and x < 2.3 then cloth:move_pin(i, x + speed * scene.timestep, y, z) end
  end
end

return scene
