-- A fish of springs that swims (after Ahmad et al. 2007, Figure 9): those along it are muscles, which shorten in turn
-- from head to tail, and the water pushes back on its skin. The left and right keys turn it, any other key stops that.
local tide = require "springtide"
local wind = require "springtide.wind"
local beat = tide.param("beat", 1.7, { min = 0, max = 4, unit = "1/s", help = "strokes of the tail in a second" })
local bend = tide.param("bend", 10, { min = 0, max = 15, unit = "1/m", help = "how much the muscles bend it" })
local scene = tide.scene {
  title = "Fish", timestep = 1 / 60, gravity = { 0, 0, 0 },    -- as heavy as the water that it is in
  solver = { "local_global", iterations = 20 }, background = { 0.5, 0.72, 0.82 }, ground = -0.3,
  camera = { position = { -0.3, 0.5, 0.85 }, target = { 0.05, -0.03, 0 } },
}

local function bump(x, width) return math.exp(-(x / width) ^ 2) end
local function nose(s) return math.min(1, 0.45 + 2 * math.sqrt(s)) end
local block = tide.mesh.box { size = { 1, 2, 2 }, cells = { 26, 6, 4 } }:translate(0.5, 0, 0)
local vertices, tetrahedra, muscles, eyes = {}, {}, {}, {}
for i = 1, block.vertex_count do
  local s, y, z = block:vertex(i)      -- s is 0 at the mouth and 1 at the end of the tail
  local height = nose(s) * (0.02 + 0.075 * bump(s - 0.33, 0.24) + 0.08 * math.max(0, s / 0.22 - 3.545) ^ 1.5)
  local width = nose(s) * (0.011 + 0.012 * (1 - s) + 0.03 * bump(s - 0.28, 0.22))
  local fin = math.abs(y) > 0.9 and 0.03 * y * bump(s - 0.5, 0.1) or 0
  vertices[i] = { 0.6 * s, y * height * math.sqrt(1 - z * z / 2) + fin, z * width * math.sqrt(1 - y * y / 2) }
  if math.abs(z) > 0.9 and math.abs(y - 1 / 3) < 0.1 and math.abs(s - 3 / 26) < 0.01 then eyes[#eyes + 1] = i end
end
for t = 1, block.tetrahedron_count do tetrahedra[t] = { block:tetrahedron(t) } end
local fish = scene:body("fish", { mesh = tide.mesh.new { vertices = vertices, tetrahedra = tetrahedra },
  density = 1000, stiffness = 3000, colour = { 0.95, 0.45, 0.12 } })
for s = 1, fish.spring_count do        -- those along it: where, and how far from the middle
  local i, j = fish:spring(s)
  local ax, ay, az = block:vertex(i)
  local bx, by, bz = block:vertex(j)
  if ax ~= bx and ay == by and az == bz then muscles[s] = { x = ax, z = vertices[i][3] / 2 + vertices[j][3] / 2 } end
end
local water = wind.new(scene, fish, { density = 1000, drag = 1.2, friction = 0.01 })
local steer, turning = tide.param("steer", 0, { min = -0.5, max = 0.5, help = "to the left, to the right" }), 0
function scene.update(dt)
  for s, muscle in pairs(muscles) do
    local wave = math.sin(2 * math.pi * (beat * scene.time - 0.9 * muscle.x))
    fish:contract(s, 1 + bend * muscle.z * ((0.25 + muscle.x) * wave + steer + turning))
  end
  water:blow(dt)
end
function scene.draw(canvas)
  local function dot(x, y, z) canvas:point(x, y, z, 20) end
  canvas:colour(0.06, 0.06, 0.08)
  for _, i in ipairs(eyes) do dot(fish:position(i)) end
end
function scene.keypressed(key) turning = ({ left = 0.3, right = -0.3 })[key] or 0 end
return scene
