-- Lesson 3: order of accuracy. Fill in the four functions. A ball then flies round on your method: a circle with rk4, a
-- spiral with euler.
-- luacheck: no unused
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
  return y -- TODO: half a step of Euler, then a whole step with the slope that is found there
end

local function rk4(f, y, h)
  return y -- TODO: four slopes: at y, twice in the middle, at the end; with the weights 1, 2, 2, 1, over 6
end

-- The order p that errors show: errors[i] is about C steps[i]^p. A line through the logarithms, by least squares.
local function order(steps, errors)
  return 0 -- TODO
end

-- A better result from two: coarse with the step h and fine with h / 2, of a method of order p.
local function extrapolate(coarse, fine, p)
  return fine -- TODO: remove the error that is proportional to h^p
end

-- From here on nothing is to be changed: a solver that takes the chosen method, and a ball on a circle.
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
