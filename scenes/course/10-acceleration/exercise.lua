-- Lesson 10: fill in the three functions marked TODO. Until one returns something, the plain iteration takes its place.
-- luacheck: no unused (the gaps)
local tide = require "springtide"

-- All three take vectors of tide.linear: x:dot(y), x:norm(), x + y, 2 * x. step(x) is one plain iteration.

-- Chebyshev: `count` iterations from x, where plain ones shrink the error by rho. Returns the last x.
local function chebyshev(step, x, rho, count)
  -- TODO: lesson 10, eq. 5; the first iteration is a plain one, and each needs the two points before it
  return nil
end

-- Anderson acceleration with one past iteration: `count` iterations from x. Returns the last x.
local function anderson(step, x, count)
  -- TODO: lesson 10, eq. 8 and 9; when two residuals are equal, the point is exact: stop
  return nil
end

-- The direction of L-BFGS, -H gradient. pairs_of is a list of { s =, y = }, changes of x and of the gradient, the
-- oldest first; solve(r) is A^-1 r, the guess of H to start from.
local function lbfgs_direction(gradient, pairs_of, solve)
  -- TODO: the two loops of lesson 10, the newest pair first, then the oldest first
  return nil
end

local method = tide.param("method", "anderson", { choices = { "plain", "chebyshev", "anderson", "lbfgs" } })
local rho = tide.param("rho", 0.8, { min = 0.1, max = 0.99, help = "chebyshev: factor of the error" })
local iterations = tide.param("iterations", 10, { min = 1, max = 200, scale = "log" })

-- L-BFGS steps of full length; a step that does not decrease g is replaced by a plain one.
local function minimise(x, count, g, gradient, solve)
  local past, r = {}, gradient(x)
  for _ = 1, count do
    local direction = lbfgs_direction(r, past, solve)
    local next_x = direction and x + direction
    if not next_x or g(next_x) > g(x) then next_x = x - solve(r) end
    local next_r = gradient(next_x)
    local s, y = next_x - x, next_r - r
    if s:dot(y) > 0 then past[#past + 1] = { s = s, y = y } end
    if #past > 5 then table.remove(past, 1) end
    x, r = next_x, next_r
  end
  return x
end

tide.solver { name = "accelerated", help = "local_global, accelerated by lesson 10",
  step = function(system, state, h)
    local y, M, factor = state.inertial, system:mass_matrix(), assert(tide.linear.cholesky(system:matrix(h)))
    local function full(x) return system:scatter(x, y) end
    local function gradient(x) return M * (x - system:gather(y)) + h ^ 2 * system:gather(system:gradient(full(x))) end
    local function g(x)
      local d = x - system:gather(y)
      return d:dot(M * d) / 2 + h ^ 2 * system:energy(full(x))
    end
    local function solve(r) return factor:solve(r) end
    local function plain(x) return x - solve(gradient(x)) end
    local start, n, x = system:gather(y), math.floor(iterations), nil
    if method == "chebyshev" then x = chebyshev(plain, start, rho, n)
    elseif method == "anderson" then x = anderson(plain, start, n)
    elseif method == "lbfgs" then x = minimise(start, n, g, gradient, solve) end
    if not x then
      x = start
      for _ = 1, n do x = plain(x) end
    end
    return full(x), { iterations = n }
  end }

local scene = tide.scene { title = "My acceleration", timestep = 1 / 30, solver = "accelerated", ground = false,
  camera = { position = { 1.75, 0.1, 2.6 }, target = { 0.45, -0.45, 0.2 } } }
local curtain = scene:body("curtain", { mesh = tide.mesh.grid { columns = 15, rows = 15, width = 1, height = 1 },
  mass = 1, stiffness = 40, bend = 10, pattern = "checker", checkers = 7 })
curtain:pin { 1, 15 }

return scene, { chebyshev = chebyshev, anderson = anderson, lbfgs_direction = lbfgs_direction }
