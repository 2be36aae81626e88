-- A truss bridge under a growing load. Colours show the tension: orange is pull, blue is push. A member yields, and
-- stays longer or shorter, before it tears; then its neighbours carry more, and fail too.
local tide = require "springtide"
local load = tide.param("load", 200, { min = 0, max = 2000, unit = "N/s", help = "growth of the load on the deck" })
local tear = tide.param("tear", 0.02, { min = 0.002, max = 0.5, help = "strain at which a member tears" })
local scene = tide.scene {
  title = "Bridge", timestep = 1 / 60, drag = 0.5, deformation_drag = 4, ground = -1,
  solver = { "newton", tolerance = 1e-6 }, camera = { position = { 2.2, 1.5, 6.2 }, target = { 0, 0.5, 0 } },
}
-- Two trusses of 8 fields, and members across. Those that would end beyond the bridge are left out.
local vertices, edges, members, deck, top = {}, {}, {}, { [0] = {}, {} }, { [0] = {}, {} }
local function vertex(...) vertices[#vertices + 1], members[#members + 1] = { ... }, {} return #vertices end
local function member(a, b) if a and b then edges[#edges + 1] = { a, b } end end
for i = 0, 8 do
  for side = 0, 1 do
    local d, t, rises = deck[side], top[side], i == 1 or i > 4 and i < 8
    d[i] = vertex(0.75 * (i - 4), 0, side - 0.5)
    t[i] = i % 8 > 0 and vertex(0.75 * (i - 4), 0.75, side - 0.5) or nil
    member(d[i - 1], d[i]) member(d[i], t[i]) member(t[i - 1], t[i])
    member((rises and d or t)[i - 1], (rises and t or d)[i])
  end
  member(deck[0][i], deck[1][i]) member(top[0][i], top[1][i]) member(deck[0][i], top[1][i])
  member(deck[0][i - 1], deck[1][i]) member(top[0][i - 1], top[1][i])
end
local bridge = scene:body("bridge", {
  mesh = tide.mesh.new { vertices = vertices, edges = edges }, mass = 20, modulus = 4e4, radius = 0.02,
  plastic = { yield = 0.01, hardening = 0.5 }, tear = { strain = tear }, friction = 0.5, restitution = 0.1,
})
bridge:pin { deck[0][0], deck[1][0], deck[0][8], deck[1][8] }
for s = 1, bridge.spring_count do
  for k = 1, 2 do table.insert(members[select(k, bridge:spring(s))], s) end
end
bridge:colour(function(v) -- the mean tension of the members at a vertex
  local sum = 0
  for _, s in ipairs(members[v] or {}) do sum = sum + bridge:tension(s) end -- an end that came off has none
  return sum / math.max(#(members[v] or {}), 1)
end, { name = "tension", unit = "N", low = -600, high = 600 })
scene.state = { load = 0, failed = false }
function scene.update(dt)
  local state = scene.state
  state.load = state.load + (state.failed and 0 or load * dt)
  for i = 1, state.failed and 0 or 14 do bridge:force(deck[i % 2][(i + 1) // 2], 0, -state.load / 14, 0) end
end
function scene.torn() scene.state.failed = true end
function scene.draw(canvas)
  local now, failed, _, y = scene.state.load, bridge.split_count + bridge.cut_count, bridge:reaction()
  canvas:text(12, 12, ("load %.0f N, supports carry %.0f N, %d failed"):format(now, y, failed))
end
return scene
