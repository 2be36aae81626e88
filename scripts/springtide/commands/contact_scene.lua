-- Scenes of any size in which much touches, for `springtide bench --contact`:
--     springtide run scripts/springtide/commands/contact_scene.lua --set kind=heap --set count=100
-- Larger scenes have more of the same: edges are as long, hairs as dense. Only the cloth on a sphere becomes finer,
-- with a thickness in proportion, so that it folds in the same frames.
local tide = require "springtide"

local kind = tide.param("kind", "layers", { choices = { "layers", "heap", "hair", "sphere" } })
local n = tide.param("n", 20, { min = 3, max = 2000, help = "vertices of a cloth's side" })
local count = tide.param("count", 5, { min = 1, max = 100000, help = "of layers, bodies or hairs" })
local pull = tide.param("pull", 0, { min = 0, max = 5, unit = "m/s", help = "of every second layer, by two corners" })

n, count = math.floor(n), math.floor(count)

local scene = tide.scene {
  title = "Contact", timestep = 1 / 120, drag = 1, deformation_drag = 2,
  contact = { continuous = kind == "layers" or kind == "sphere" },
  solver = { "local_global", iterations = 10 },
}

-- A square cloth of this side (m) and thickness, whose middle is above the origin.
local function cloth(name, side, height, thickness, angle)
  local stiffness = 120
  return scene:body(name, {
    mesh = tide.mesh.grid { columns = n, rows = n, width = side, height = side }
      :translate(-side / 2, 0, -side / 2):rotate({ 0, 1, 0 }, angle):translate(0, height, 0),
    mass = 0.2 * side ^ 2, stiffness = stiffness, bend = stiffness / 40,
    friction = 0.3, thickness = thickness, self_collide = true,
  })
end

local function add_floor()
  scene:collider("floor", { shape = "plane", friction = 0.5, visible = false })
end

-- --- kinds -----------------------------------------------------------------------------------------------------------

local build = {}

-- Cloths that lie one on another, each turned against the one below.
function build.layers()
  local edge, thickness, pulled = 0.02, 0.006, {}
  add_floor()
  for i = 1, count do
    local layer = cloth("cloth " .. i, edge * (n - 1), 1.05 * thickness * i, thickness, 0.35 * i)
    if pull > 0 and i % 2 == 0 then
      layer:pin { 1, n }
      pulled[#pulled + 1] = layer
    end
  end
  function scene.update(dt)
    for _, layer in ipairs(pulled) do
      local ax, ay, az = layer:position(1)
      local bx, by, bz = layer:position(n)
      local x, z = ax + bx, az + bz -- away from the middle
      local part = pull * dt / math.sqrt(x * x + z * z)
      layer:move_pin(1, ax + part * x, ay, az + part * z)
      layer:move_pin(n, bx + part * x, by, bz + part * z)
    end
  end
end

-- Soft balls between four walls, dropped in layers from just above one another.
function build.heap()
  local radius = 0.15
  local ball = tide.mesh.tetrahedralize { distance = tide.distance.sphere { radius = radius }, cell = 0.065 }
  local across, apart = math.ceil((count / 2) ^ (1 / 3)), 2.06 * radius
  local inner = across * apart + radius
  add_floor()
  for i = 0, count - 1 do
    local layer, row, column = i // across ^ 2, i // across % across, i % across
    local shift = (layer % 2 - 0.5) * radius / 2
    local function place(at) return (at - (across - 1) / 2) * apart + shift end
    scene:body("ball " .. i + 1, {
      mesh = ball:rotate({ 1, 0.3 * i, 0.5 }, 0.7 * i)
        :translate(place(column), 1.1 * radius + apart * layer, place(row)),
      mass = 0.5, stiffness = 200, friction = 0.5,
    })
  end
  for i = 0, 3 do
    local x, z = math.cos(i * math.pi / 2), math.sin(i * math.pi / 2)
    local wide, high, away = inner + 0.3, 2.5 * apart * across, inner / 2 + 0.1
    scene:collider("wall " .. i + 1, { shape = "box", position = { away * x, high / 2, away * z }, friction = 0.4,
      size = { 0.2 + wide * math.abs(z), high, 0.2 + wide * math.abs(x) }, visible = false })
  end
end

-- Hairs of 20 points on the upper half of a head, which fall on it and on one another.
function build.hair()
  local points, radius = 20, 0.0085 * math.sqrt(count)
  local scalp = tide.mesh.sphere { radius = radius, subdivisions = 4 }
  local vertices, triangles = {}, {}
  for i = 1, scalp.vertex_count do vertices[i] = { scalp:vertex(i) } end
  for t = 1, scalp.triangle_count do
    local corners = { scalp:triangle(t) }
    if vertices[corners[1]][2] > 0 then triangles[#triangles + 1] = corners end
  end
  local upper = tide.mesh.new { vertices = vertices, triangles = triangles }
  scene:body("hair", {
    mesh = tide.mesh.strands { on = upper, count = count, points = points, length = 0.25, jitter = 0.3 },
    mass = 0.0015 * count, stiffness = 12, bend = 2, radius = 0.0022, friction = 0.2, self_collide = true,
  }):pin(function(i) return i % points == 1 end)
  scene:collider("head", { shape = "sphere", radius = 0.99 * radius, friction = 0.2 })
end

-- A cloth of 1 m that falls over a sphere and makes folds.
function build.sphere()
  cloth("cloth", 1, 0.71, 0.3 / (n - 1), 0.35)
  add_floor()
  scene:collider("ball", { shape = "sphere", radius = 0.3, position = { 0, 0.4, 0 }, friction = 0.3,
    thickness = 0.004 })
end

build[kind]()
return scene
