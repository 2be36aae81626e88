-- A flag on a pole in a gusty wind, which pushes on each of its triangles. The up key is a squall.
local tide = require "springtide"
local wind = require "springtide.wind"

local stiffness = tide.param("stiffness", 400, { min = 10, max = 1e4, scale = "log", unit = "N/m" })
local speed = tide.param("speed", 6, { min = 0, max = 20, unit = "m/s", help = "of the wind, without its gusts" })

local scene = tide.scene {
  title = "Flag", timestep = 1 / 60,
  solver = { "lbfgs", iterations = 20 },
  camera = { position = { 0.2, 1.45, 2.6 }, target = { 0.6, 1.6, 0 }, field_of_view = 0.6 }, ground = 0,
}

local columns, rows = 37, 25
local flag = scene:body("flag", {
  mesh = tide.mesh.grid { columns = columns, rows = rows, width = 1.2, height = 0.8 }
    :rotate({ 1, 0, 0 }, math.pi / 2):translate(0.03, 2.05, 0),
  density = 0.12, stiffness = stiffness, bend = stiffness / 2, self_collide = true, friction = 0.2, thickness = 0.006,
  colour = { 0.78, 0.13, 0.16 }, back_colour = { 0.62, 0.1, 0.14 }, pattern = "checker", checkers = 6,
})
flag:pin(function(i) return i % columns == 1 and (i // columns) % 6 == 0 end)
scene:collider("pole", { shape = "cylinder", from = { 0, 0, 0 }, to = { 0, 2.15, 0 }, radius = 0.02,
  colour = { 0.8, 0.8, 0.82 } })
scene:collider("knob", { shape = "sphere", position = { 0, 2.16, 0 }, radius = 0.035, colour = { 0.85, 0.68, 0.25 } })

local squall = 0
local air = wind.new(scene, flag, { friction = 0.25, velocity = function(x, y, _, t)
  -- eddies that the wind carries along
  local u = speed * (1 + 0.35 * math.sin(0.9 * t) * math.sin(2.3 * t)) + squall
  local phase = 4 * (x - 0.7 * speed * t)
  return u, 0.4 * math.sin(phase + 3 * y), 0.3 * u * math.sin(0.8 * phase + y) + 0.1 * u * math.sin(1.1 * t)
end })

function scene.update(dt)
  squall = squall * math.exp(-1.5 * dt)
  air:blow(dt)
end

function scene.keypressed(key)
  if key == "up" then squall = 8 end
end

return scene
