-- A solution of lesson 3: order of accuracy.
local tide = require "springtide"

-- The list a + s b.
local function plus(a, s, b)
  local sum = {}
  for i = 1, #a do sum[i] = a[i] + s * b[i] end
  return sum
end

-- One step of length h of y' = f(y), from the list of numbers y to the next one. This one is given.
local function euler(f, y, h)
  return plus(y, h, f(y))
end

local function midpoint(f, y, h)
  local middle = plus(y, h / 2, f(y))
  return plus(y, h, f(middle))
end

local function rk4(f, y, h)
  local k1 = f(y)
  local k2 = f(plus(y, h / 2, k1))
  local k3 = f(plus(y, h / 2, k2))
  local k4 = f(plus(y, h, k3))
  return plus(plus(plus(plus(y, h / 6, k1), h / 3, k2), h / 3, k3), h / 6, k4)
end

-- The order p that errors show: errors[i] is about C steps[i]^p. A line through the logarithms, by least squares.
local function order(steps, errors)
  local n, x, y, above, below = #steps, 0, 0, 0, 0
  for i = 1, n do
    x, y = x + math.log(steps[i]) / n, y + math.log(errors[i]) / n
  end
  for i = 1, n do
    local from_mean = math.log(steps[i]) - x
    above, below = above + from_mean * (math.log(errors[i]) - y), below + from_mean ^ 2
  end
  return above / below
end

-- A better result from two: coarse with the step h and fine with h / 2, of a method of order p.
local function extrapolate(coarse, fine, p)
  return (2 ^ p * fine - coarse) / (2 ^ p - 1)
end

-- A solver that takes the chosen method, and a ball on a circle.
local methods = { euler = euler, midpoint = midpoint, rk4 = rk4 }
local method = tide.param("method", "rk4", { choices = { "euler", "midpoint", "rk4" } })
local steps = tide.param("steps", 64, { min = 8, max = 256, scale = "log", help = "steps in a turn" })

tide.solver { name = "mine", help = "the method of the exercise", step = function(system, state, h)
  local masses, y = system:masses(), state.positions:table()
  local n = #y
  for i, v in ipairs(state.velocities:table()) do y[n + i] = v end
  local function f(at)                        -- the slopes: the velocities, then the accelerations
    local slopes = table.move(at, n + 1, 2 * n, 1, {})
    local force = state.forces - system:gradient(table.move(at, 1, n, 1, {}))
    return table.move(force:over(masses):table(), 1, n, n + 1, slopes)
  end
  local result = methods[method](f, y, h)
  local positions, velocities = table.move(result, 1, n, 1, {}), table.move(result, n + 1, 2 * n, 1, {})
  return tide.linear.vector(positions), tide.linear.vector(velocities)
end }

local radius, w = 0.5, math.pi
local scene = tide.scene { title = "My methods", timestep = 2 / math.floor(steps + 0.5), gravity = { 0, 0, 0 },
  solver = "mine", camera = { position = { 0, 0, 2.3 }, target = { 0, 0, 0 } }, ground = false }
local ball = scene:body("ball", {
  mesh = tide.mesh.new { vertices = { { 0, 0, 0 }, { radius, 0, 0 } } },
  masses = { 1, 1 }, springs = { { 1, 2, w ^ 2, 0 } }, radius = 0.02,
})
ball:pin { 1 }
ball:set_velocity(2, 0, radius * w, 0)

function scene.draw(canvas)
  for a = 1, 64 do
    local from, to = math.pi * (a - 1) / 32, math.pi * a / 32
    canvas:line(radius * math.cos(from), radius * math.sin(from), 0, radius * math.cos(to), radius * math.sin(to), 0, 1)
  end
  canvas:colour(0.8, 0.2, 0.15)
  local x, y, z = ball:position(2)
  canvas:point(x, y, z, 24)
end

return scene, { midpoint = midpoint, rk4 = rk4, order = order, extrapolate = extrapolate }
