-- A cart on four driven wheels pulls a trailer over bumps: hinges with motors, and a ball joint as the coupling.
-- The motors hold a speed as long as their torque suffices: a heavy load slows the cart down at each bump.
local tide = require "springtide"

local speed = tide.param("speed", 6, { min = -15, max = 15, unit = "rad/s" })
local torque = tide.param("torque", 8, { min = 0.5, max = 20, unit = "N m" })
local load = tide.param("load", 400, { min = 50, max = 2000, scale = "log", unit = "kg/m^3" })

local scene = tide.scene {
  title = "Cart", timestep = 1 / 120, solver = { "newton", iterations = 8 },
  camera = { position = { 1.6, 1.5, 3 }, target = { 0.5, 0.1, 0 } },
}

local radius = 0.14
local tyre = tide.mesh.cylinder { radius = radius, height = 0.07, segments = 28, rows = 2 }

local function wagon(name, x, length, colour, density)
  return scene:body(name, {
    mesh = tide.mesh.box { size = { length, 0.1, 0.44 }, cells = { 4, 1, 3 } }:translate(x, radius + 0.06, 0),
    density = density, rigid = true, thickness = 0.002, colour = colour,
  })
end

local function wheel(on, x, z, motor) -- positive speeds drive towards +x
  local made = scene:body(("%s wheel %g %g"):format(on.name, x, z), {
    mesh = tyre:rotate({ 1, 0, 0 }, math.pi / 2):translate(x, radius + 0.002, z), density = 600,
    rigid = true, friction = 0.9, thickness = 0.002, colour = { 0.3, 0.3, 0.33 },
  })
  scene:attach(made, on, { joint = "hinge", point = { x, radius, z }, axis = { 0, 0, -1 }, motor = motor })
end

local cart = wagon("cart", 0, 0.8, { 0.8, 0.25, 0.15 }, 400)
local trailer = wagon("trailer", -0.86, 0.76, { 0.2, 0.45, 0.75 }, load)
for _, z in ipairs { -0.29, 0.29 } do
  wheel(cart, 0.26, z, { speed = speed, max_torque = torque })
  wheel(cart, -0.26, z, { speed = speed, max_torque = torque })
  wheel(trailer, -0.95, z)
end
scene:attach(cart, trailer, { joint = "ball", point = { -0.44, radius + 0.06, 0 } })

scene:collider("road", { shape = "plane", friction = 0.9 })
for i = 1, 6 do
  local x, side = 0.2 + 0.4 * i, i % 2 * 2 - 1
  scene:collider("bump " .. i, {
    shape = "capsule", radius = 0.06, friction = 0.9,
    from = { x, -0.02, side * 0.1 }, to = { x + 0.1, -0.02, side * 0.6 },
  })
end

return scene
