-- A caterpillar of elements of one's own: tissue, a stable neo-Hookean solid (Smith et al. 2018), and muscle fibres,
-- which pull and never push. Both are their energies. Waves run through its fibres, on its back and its belly in turn.
local tide = require "springtide"
local pace = tide.param("pace", 1, { min = 0, max = 2, unit = "1/s", help = "waves in a second" })
local squeeze = tide.param("squeeze", 0.6, { min = 0, max = 0.7, help = "how much a fibre shortens" })
local young = tide.param("young", 3e4, { min = 5e3, max = 2e5, scale = "log", unit = "Pa", help = "of the tissue" })
local scene = tide.scene {
  title = "Creature", timestep = 1 / 60, drag = 0.3, solver = { "newton", iterations = 8, tolerance = 1e-4 },
  camera = { position = { 0.5, 0.42, 0.95 }, target = { 0.12, 0.03, 0 } }, background = { 0.8, 0.88, 0.78 },
}
scene:collider("floor", { shape = "plane", normal = { 0, 1, 0 }, offset = 0, friction = 0.8 })
local fibre = tide.element { name = "fibre", vertices = 2, muscle = "rest",
  parameters = { pull = { 150, min = 0, unit = "N" }, rest = function(a, b) return (a - b):length() end },
  energy = function(p, a, b) return p.pull / p.rest / 2 * tide.max((a - b):length() - p.rest, 0) ^ 2 end }
local tissue = tide.element { name = "tissue", vertices = 4,
  parameters = { mu = { 1e4, min = 0, unit = "Pa" }, lambda = { 1e5, min = 0, unit = "Pa" } },
  energy = function(p, a, b, c, d, A, B, C, D)       -- positions now and at rest
    local e, E, square = { b - a, c - a, d - a }, { B - A, C - A, D - A }, 0
    local rest = tide.det(E[1], E[2], E[3])          -- F = sum of e_i R_i' with the vectors R_i dual to E_i
    local R = { E[2]:cross(E[3]) / rest, E[3]:cross(E[1]) / rest, E[1]:cross(E[2]) / rest }
    for i = 1, 3 do for j = 1, 3 do square = square + e[i]:dot(e[j]) * R[i]:dot(R[j]) end end
    local J, alpha = tide.det(e[1], e[2], e[3]) / rest, 1 + p.mu / p.lambda
    return rest / 6 * (p.mu / 2 * (square - 3) + p.lambda / 2 * ((J - alpha) ^ 2 - (1 - alpha) ^ 2))
  end }
local block = tide.mesh.box { size = { 1, 2, 2 }, cells = { 36, 3, 3 } }:translate(0.5, 0, 0)
local vertices, tetrahedra, fibres, waves, eyes = {}, {}, {}, {}, {}
for i = 1, block.vertex_count do
  local s, y, z = block:vertex(i)                    -- s is 0 at the tail and 1 at the head
  local r = 0.05 * math.min(1, math.sqrt(4 * math.min(s, 1 - s) + 0.25)) * (1 + 0.07 * math.cos(24 * math.pi * s))
  vertices[i] = { s - 0.5, r * (1 + y * math.sqrt(1 - z * z / 2)), r * z * math.sqrt(1 - y * y / 2) }
  if math.abs(y) > 0.9 and s < 0.99 then             -- the edges along it, on its back and its belly
    fibres[#fibres + 1], waves[#waves + 1] = { i, i + 1 }, { s = s, y = y }
  end
  if y > 0.3 and y < 0.4 and math.abs(z) > 0.9 and math.abs(s - 35 / 36) < 0.01 then eyes[#eyes + 1] = i end
end
for t = 1, block.tetrahedron_count do tetrahedra[t] = { block:tetrahedron(t) } end
local worm = scene:body("caterpillar", { density = 1000, colour = { 0.45, 0.68, 0.2 },
  mesh = tide.mesh.new { vertices = vertices, tetrahedra = tetrahedra },
  elements = { { fibre, vertices = fibres }, { tissue, on = "tetrahedra", mu = young / 2.8, lambda = young } } })
function scene.update()
  for i, w in ipairs(waves) do
    local phase = w.y * math.sin(2 * math.pi * (pace * scene.time - 1.2 * w.s))
    worm:contract(i, 1 - squeeze * math.sqrt(math.sin(math.pi * (w.s + 1 / 72))) * math.max(0, phase))
  end
end
function scene.draw(canvas)
  canvas:colour(0.06, 0.06, 0.08)
  for _, i in ipairs(eyes) do local x, y, z = worm:position(i) canvas:point(x, y, z, 12) end
end
return scene
