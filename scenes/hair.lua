-- Curly hair on a head that nods and shakes: its locks rest on the head and on each other.
local tide = require "springtide"
local bristles = require "springtide.bristles"

local stiffness = tide.param("stiffness", 12, { min = 1, max = 1000, scale = "log", unit = "N/m" })
local shake = tide.param("shake", 0.6, { min = 0, max = 1.5, unit = "rad", help = "how far the head turns each way" })
local count, points, distance = 140, 24, tide.distance

local scene = tide.scene {
  title = "Hair", timestep = 1 / 60, drag = 0.6, solver = { "local_global", iterations = 15 },
  camera = { position = { -0.69, 0.13, 0.33 }, target = { 0, -0.04, 0 }, field_of_view = 0.62 }, ground = -0.45,
}
local radii = { 0.085, 0.12, 0.1 }
local scalp = tide.mesh.sphere { radius = 1, subdivisions = 4 }:scale(table.unpack(radii))
local vertices, triangles = {}, {}
for i = 1, scalp.vertex_count do vertices[i] = { scalp:vertex(i) } end
for t = 1, scalp.triangle_count do     -- without the face
  local corners = { scalp:triangle(t) }
  local _, y, z = table.unpack(vertices[corners[1]])
  if y > 0.02 + 0.7 * z then triangles[#triangles + 1] = corners end
end
local grown = tide.mesh.strands { on = tide.mesh.new { vertices = vertices, triangles = triangles }, count = count,
  points = points, length = 0.3, curl = 0.011, turns = 4, jitter = 0.3 }
local hair = scene:body("hair", {
  mesh = grown, mass = 0.2, stiffness = stiffness, bend = stiffness, radius = 0.0022, friction = 0.2,
  springs = bristles.springs { strands = count, points = points, stiffness = stiffness, root_stiffness = 0.3 },
  colour = { 0.42, 0.2, 0.09 }, self_collide = true,
}):pin(function(i) return i % points == 1 end)

local function turn(t)                 -- the head's rotation at time t
  local nod, side = 0.3 * math.sin(2.1 * t), shake * math.sin(4 * t) * math.sin(0.9 * t)
  return { nod, side, 1e-9 }, math.sqrt(nod ^ 2 + side ^ 2)
end
scene:collider("head", { shape = "distance", cell = 0.012, colour = { 0.87, 0.66, 0.54 },
  fn = distance.union { blend = 0.02, distance.ellipsoid { radii = radii },
    distance.ellipsoid { position = { 0, -0.02, 0.1 }, radii = { 0.012, 0.02, 0.02 } },
    distance.capsule { from = { 0, -0.08, -0.02 }, to = { 0, -0.2, -0.03 }, radius = 0.04 } },
  move = function(t)
    local axis, angle = turn(t)
    return { rotation = { axis[1], axis[2], axis[3], angle } }
  end })

function scene.update(dt)
  local axis, angle = turn(scene.time + dt)
  local now = grown:rotate(axis, angle)
  for i = 1, count * points, points do hair:move_pin(i, now:vertex(i)) end
end

return scene
