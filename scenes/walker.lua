-- A soft walker of springs. Muscles on both sides of a leg swing and lift it. `gait` goes from a first try (0) to the
-- gait that scenes/learning/walker/learn.lua has found (1).
local tide = require "springtide"
local gait = tide.param("gait", 1, { min = 0, max = 1 })
local function learned(name, first, found, low, high, help)
  return tide.param(name, first + gait * (found - first), { min = low, max = high, help = help })
end
local pace = learned("pace", 1.5, 2.2548, 0.5, 3, "steps of a leg in a second")
local swing = learned("swing", 0.3, 0.4821, 0, 0.8, "how much a muscle shortens to swing a leg")
local lift = learned("lift", 0.2, 0.4028, 0, 0.6, "how much both shorten to lift it")
local lag = learned("lag", 0.2, 0.2499, -0.5, 0.5, "of the lift behind the swing, in steps")
local hind = learned("hind", -0.1, -0.2622, -0.5, 0.5, "of the hind legs behind the front legs, in steps")
local side = learned("side", 0.3, 0.4905, -0.5, 0.5, "of the left legs behind the right ones, in steps")
local lean = learned("lean", 0, 0.0013, -0.3, 0.3, "how much all legs lean forwards")
local scene = tide.scene {
  title = "Walker", timestep = 1 / 60, solver = { "local_global", iterations = 20 }, drag = 0.2,
  camera = { position = { 1.6, 0.9, 2.6 }, target = { 0.5, 0.15, 0 } },
}
scene:collider("floor", { shape = "plane", normal = { 0, 1, 0 }, offset = 0, friction = 0.9 })
local block = tide.mesh.box { size = { 12, 6, 8 }, cells = { 12, 6, 8 } }:translate(0, 3, 0)     -- cells of 1
local vertices, tetrahedra, index, muscles = {}, {}, {}, {}
for t = 1, block.tetrahedron_count do            -- keep the trunk above, and a leg of 2 x 2 cells at each corner
  local corners, x, y, z = { block:tetrahedron(t) }, 0, 0, 0
  for _, v in ipairs(corners) do
    local a, b, c = block:vertex(v)
    x, y, z = x + a / 4, y + b / 4, z + c / 4
  end
  for i, v in ipairs((y > 3 or (math.abs(x) > 4 and math.abs(z) > 2)) and corners or {}) do
    if not index[v] then vertices[#vertices + 1], index[v] = { block:vertex(v) }, #vertices + 1 end
    corners[i] = index[v]
    if i == 4 then tetrahedra[#tetrahedra + 1] = corners end
  end
end
local walker = scene:body("walker", { density = 1000, stiffness = 4000, colour = { 0.35, 0.6, 0.85 },
  mesh = tide.mesh.new { vertices = vertices, tetrahedra = tetrahedra }:scale(0.05):translate(0, 0.002, 0) })
for s = 1, walker.spring_count do                -- muscles: the upright springs of the legs
  local i, j = walker:spring(s)
  local a, b = vertices[i], vertices[j]
  if a[1] == b[1] and a[3] == b[3] and a[2] + b[2] < 7 then
    muscles[s] = { hind = a[1] < 0 and 1 or 0, left = a[3] < 0 and 1 or 0, forward = a[1] < 0 and a[1] + 5 or a[1] - 5 }
  end
end
function scene.update()
  for s, m in pairs(muscles) do
    local phase = 2 * math.pi * (pace * scene.time - hind * m.hind - side * m.left)
    local up = math.max(0, math.sin(phase - 2 * math.pi * lag))
    walker:contract(s, math.max(0.2, 1 - m.forward * (swing * math.sin(phase) + lean) - lift * up))
  end
end
return scene
