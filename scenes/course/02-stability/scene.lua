-- A ball on a spring under three methods: explicit, symplectic and implicit Euler. Each draws its path in the plane of
-- position and velocity, where the exact motion without damping is the circle. X = h d, Y = h^2 k (Shinya 2005).
local tide = require "springtide"

local Y = tide.param("Y", 0.05, { min = 1e-3, max = 6, scale = "log", help = "h^2 k / m" })
local X = tide.param("X", 0, { min = 0, max = 6, help = "h d / m" })

local h, start = 0.1, 0.35
local k, d, w = Y / h ^ 2, X / h, math.sqrt(Y) / h
local methods = {          -- from position and velocity to the next; trace and determinant of the step's matrix
  { "explicit", function(x, v) return x + h * v, v - h * (k * x + d * v) end, 2 - X, 1 - X + Y },
  { "symplectic", function(x, v) v = v - h * (k * x + d * v) return x + h * v, v end, 2 - X - Y, 1 - X },
  { "implicit", function(x, v) v = (v - h * k * x) / (1 + X + Y) return x + h * v, v end,
    (2 + X) / (1 + X + Y), 1 / (1 + X + Y) },
}

local function amplification(trace, determinant)
  local D = trace ^ 2 - 4 * determinant
  return D < 0 and math.sqrt(determinant) or (math.abs(trace) + math.sqrt(D)) / 2
end

tide.solver { name = "three_methods", help = "a method for each particle", step = function(_, state)
  local x, v = state.positions, state.velocities
  for i, method in ipairs(methods) do
    local place, home = 3 * i - 2, 1.1 * (i - 2)
    local s, u = method[2](x[place] - home, v[place])
    if math.sqrt(s ^ 2 + (u / w) ^ 2) > 2 * start then s, u = 0, w * start end  -- out of the picture: start again
    x[place], v[place] = home + s, u
  end
  return x, v
end }

local scene = tide.scene { title = "Three methods", timestep = h, solver = "three_methods", gravity = { 0, 0, 0 },
  camera = { position = { 0, 0, 3.7 }, target = { 0, 0, 0 } }, ground = { height = -1, solid = false } }
local balls = scene:body("balls", {
  mesh = tide.mesh.new { vertices = { { -1.1, 0, 0 }, { 0, 0, 0 }, { 1.1, 0, 0 } } },
  masses = { 1, 1, 1 }, radius = 0.06, springs = {},
})
balls:pin({ 1, 2, 3 }, { stiffness = k })
for i = 1, 3 do balls:set_velocity(i, w * start, 0, 0) end

local paths = { {}, {}, {} }
function scene.update()
  if scene.frame == 0 then paths = { {}, {}, {} } end
  for i, path in ipairs(paths) do
    local s, u = balls:position(i) - 1.1 * (i - 2), balls:velocity(i)
    table.insert(path, { s, u / w })
    if #path > 40 then table.remove(path, 1) end
    scene:plot(methods[i][1], math.sqrt(s ^ 2 + (u / w) ^ 2) / start)
  end
end

function scene.draw(canvas)
  for i, path in ipairs(paths) do
    local home, growth = 1.1 * (i - 2), amplification(methods[i][3], methods[i][4])
    canvas:colour(0.5, 0.5, 0.5)
    for a = 1, 48 do
      local from, to = math.pi * (a - 1) / 24, math.pi * a / 24
      canvas:line(home + start * math.cos(from), start * math.sin(from), 0,
        home + start * math.cos(to), start * math.sin(to), 0, 1)
    end
    canvas:label(home, 0.8, 0, methods[i][1], 18)
    if growth > 1 + 1e-9 then canvas:colour(0.8, 0.15, 0.1) else canvas:colour(0.1, 0.4, 0.7) end
    canvas:label(home, -0.72, 0, ("times %.3f a step"):format(growth), 16)
    for p = 1, #path do canvas:point(home + path[p][1], path[p][2], 0, 3 + 5 * p / #path) end
  end
end

return scene
