-- The ends of a rope pull an overhand knot together: it holds by contact and friction with itself. One end turns
-- meanwhile, and the rope, which resists twist, passes the twist into the knot. The curve is the long trefoil knot of
-- Shastri (1992).
local tide = require "springtide"
local turns = tide.param("turns", 1, { min = -4, max = 4, help = "turns of one end" })
local friction = tide.param("friction", 0.4, { min = 0, max = 1 })
local points, size, radius, pull = 110, 0.045, 0.007, 0.27

local function knot(t)                        -- with straight tails from |t| = 2 on
  local s = math.min(math.max(t, -2), 2)
  local tail = (t - s) * 4
  return size * ((s ^ 5 - 10 * s) / 5 + tail), size * (s ^ 4 - 4 * s ^ 2 + 2), size * (s ^ 3 - 3 * s)
end
local vertices, straight, edges, fine = {}, {}, {}, {}
for i = 0, 4000 do fine[i] = { knot(-4 + i / 500) } end
local lengths = { [0] = 0 }
for i = 1, 4000 do
  local a, b = fine[i - 1], fine[i]
  lengths[i] = lengths[i - 1] + math.sqrt((a[1] - b[1]) ^ 2 + (a[2] - b[2]) ^ 2 + (a[3] - b[3]) ^ 2)
end
local at, length = 0, lengths[4000]
for i = 1, points do                          -- at equal distances along the curve
  local along = (i - 1) / (points - 1) * length
  while at < 4000 and lengths[at + 1] <= along do at = at + 1 end
  vertices[i], straight[i] = fine[at], { along, 0, 0 }
  if i > 1 then edges[i - 1] = { i - 1, i } end
end

local scene = tide.scene {
  title = "Rope", timestep = 1 / 240, gravity = { 0, -2, 0 }, drag = 3,
  solver = { "lbfgs", iterations = 40 },
  camera = { position = { 0.05, 0.25, 1.1 }, target = { 0.05, 0.02, 0 }, field_of_view = 0.8 },
}
local rope = scene:body("rope", {
  mesh = tide.mesh.new { vertices = vertices, edges = edges },
  rest = tide.mesh.new { vertices = straight, edges = edges }, density = 1000, self_collide = true, friction = friction,
  rod = { young = 1e6, poisson = 0.4, radius = radius, twist = true }, colour = { 0.85, 0.7, 0.4 },
}):pin { 1, 2, points - 1, points }
local a, b = { rope:position(1) }, { rope:position(points) }

function scene.update(dt)
  local t = math.min(scene.time + dt, 3)
  for i = 0, 1 do
    local step = length / (points - 1) * i
    rope:move_pin(1 + i, a[1] - pull * t / 3 + step, a[2], a[3])
    rope:move_pin(points - i, b[1] + pull * t / 3 - step, b[2], b[3])
  end
  if scene.time < 3 then rope:turn(1, 2, turns * 2 * math.pi * dt / 3) end
end
return scene
