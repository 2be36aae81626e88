-- A ball on a circle, held by a spring of rest length 0: how far at most it is off the exact place in a turn, under a
-- method and with a number of steps. Every turn starts anew. The table keeps what was measured while sliders move.
local tide = require "springtide"

local method = tide.param("method", "midpoint", { choices = {
  "explicit_euler", "symplectic_euler", "newton", "midpoint", "verlet", "implicit_midpoint", "rk4" } })
local wanted = tide.param("steps", 16, { min = 8, max = 256, scale = "log", help = "steps in a turn" })

local steps, radius, turn = math.floor(wanted + 0.5), 0.5, 2               -- m, s
local w, h = 2 * math.pi / turn, turn / steps
local implicit = method == "newton" or method == "implicit_midpoint"
local scene = tide.scene { title = "A turn in steps", timestep = h, gravity = { 0, 0, 0 },
  solver = implicit and { method, tolerance = 1e-12 } or { method, substep = 10 },
  camera = { position = { 0.45, 0, 2.3 }, target = { 0.45, 0, 0 } }, ground = false }
local ball = scene:body("ball", {
  mesh = tide.mesh.new { vertices = { { 0, 0, 0 }, { radius, 0, 0 } } },
  masses = { 1, 1 }, springs = { { 1, 2, w ^ 2, 0 } }, radius = 0.02,
})
ball:pin { 1 }
ball:set_velocity(2, 0, radius * w, 0)

scene.state.done, scene.state.of, scene.state.worst, scene.state.errors = 0, "", 0, {}
local path = {}
function scene.update()
  local state, name = scene.state, method .. " " .. steps
  local x, y, z = ball:position(2)
  if state.of == name then
    local angle = w * h * state.done
    local off = math.sqrt((x - radius * math.cos(angle)) ^ 2 + (y - radius * math.sin(angle)) ^ 2 + z ^ 2)
    state.worst = math.max(state.worst, off)
  end
  if state.of ~= name or state.done >= steps then
    if state.of == name then state.errors[name] = state.worst end
    ball:set_position(2, radius, 0, 0)
    ball:set_velocity(2, 0, radius * w, 0)
    state.of, state.done, state.worst, path = name, 0, 0, { { radius, 0 } }
  end
  state.done = state.done + 1
end

function scene.draw(canvas)
  local x, y = ball:position(2)
  canvas:colour(0.5, 0.5, 0.5)
  for a = 1, 64 do
    local from, to = math.pi * (a - 1) / 32, math.pi * a / 32
    canvas:line(radius * math.cos(from), radius * math.sin(from), 0, radius * math.cos(to), radius * math.sin(to), 0, 1)
  end
  path[#path + 1] = scene.state.done > #path - 1 and { x, y } or nil
  canvas:colour(0.8, 0.2, 0.15)
  for i = 2, #path do canvas:line(path[i - 1][1], path[i - 1][2], 0, path[i][1], path[i][2], 0, 3) end
  canvas:point(x, y, 0, 24)
  local names, text = {}, "largest error in a turn, m"
  for name in pairs(scene.state.errors) do names[#names + 1] = name end
  table.sort(names, function(a, b) return scene.state.errors[a] > scene.state.errors[b] end)
  for i = 1, math.min(#names, 14) do text = ("%s\n%s: %.3g"):format(text, names[i], scene.state.errors[names[i]]) end
  canvas:colour(0.15, 0.15, 0.15)
  canvas:text(0.67 * canvas.width, 0.08 * canvas.height, text, 16)
end

return scene
