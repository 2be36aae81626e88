-- Friction on a slope of 20 degrees. From the back: steel on wool holds (tan 20 = 0.36 < 0.5) and steel on ice slides,
-- by the table of pairs; a sledge that slides easily along its runners only turns aside; of two balls, the black
-- one stays, since the arm of its rolling friction, 30 mm, is more than r tan 20 = 25 mm.
local tide = require "springtide"

local angle = tide.param("angle", 20, { min = 0, max = 45, unit = "degrees" })
local runners = tide.param("runners", 40, { min = -90, max = 90, unit = "degrees" })
local rolling = tide.param("rolling", 0.03, { min = 0, max = 0.1, unit = "m" })

local scene = tide.scene {
  title = "Friction", timestep = 1 / 240, solver = { "newton", iterations = 8 }, ground = false,
  friction_pairs = { { "steel", "wool", 0.5 }, { "steel", "ice", 0.03 } },
  camera = { position = { 1.0, 1.25, 1.75 }, target = { 0.05, -0.05, 0.05 } },
}

local tilt = -math.rad(angle)
local function on_slope(mesh, x, height, z) -- places a mesh on the slope, which falls towards x
  return mesh:translate(x, height, z):rotate({ 0, 0, 1 }, tilt)
end
local function strip(name, z, width, colour, friction)
  friction.shape, friction.size, friction.colour = "box", { 1.9, 0.04, width }, colour
  friction.position = { -0.02 * math.sin(-tilt), -0.02 * math.cos(tilt), z }
  friction.rotation = { 0, 0, 1, tilt }
  scene:collider(name, friction)
end
strip("wool", -0.55, 0.28, { 0.62, 0.5, 0.38 }, { contact_material = "wool" })
strip("ice", -0.25, 0.28, { 0.72, 0.84, 0.92 }, { contact_material = "ice" })
strip("snow", 0.2, 0.58, { 0.9, 0.9, 0.92 }, { friction = 0.3 })
strip("road", 0.7, 0.38, { 0.45, 0.45, 0.48 }, { friction = 0.8 })

local brick = tide.mesh.box { size = { 0.2, 0.08, 0.11 }, cells = { 2, 1, 2 } }
local function block(name, z, colour, more)
  more.mesh, more.density, more.rigid, more.colour = on_slope(more.mesh or brick, -0.7, 0.041, z), 2000, true, colour
  return scene:body(name, more)
end
block("steel on wool", -0.55, { 0.3, 0.42, 0.62 }, { contact_material = "steel" })
block("steel on ice", -0.25, { 0.3, 0.42, 0.62 }, { contact_material = "steel" })
local turn = math.rad(runners)
local way = { math.cos(turn) * math.cos(tilt), math.cos(turn) * math.sin(tilt), math.sin(turn) }
block("sledge", 0.05, { 0.75, 0.3, 0.15 }, { mesh = brick:rotate({ 0, 1, 0 }, -turn),
  friction = { along = 0.02, across = 2, direction = way } })
local ball = tide.mesh.sphere { radius = 0.07, subdivisions = 4 }
for i, arm in ipairs { 0, rolling } do
  scene:body(i == 1 and "ball" or "slow ball", { mesh = on_slope(ball, -0.7, 0.071, 0.43 + 0.18 * i), density = 900,
    rigid = true, rolling = arm, pattern = "checker", checkers = 8, colour = { 0.2, 0.55 - 0.3 * (i - 1), 0.3 } })
end

return scene
