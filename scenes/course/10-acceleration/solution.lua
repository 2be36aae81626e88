-- Lesson 10: the three functions, filled in.
local tide = require "springtide"

-- All three take vectors of tide.linear: x:dot(y), x:norm(), x + y, 2 * x. step(x) is one plain iteration.

-- Chebyshev: `count` iterations from x, where plain ones shrink the error by rho. Returns the last x.
local function chebyshev(step, x, rho, count)
  local before, omega = x, 1
  for k = 1, count do
    local plain = step(x)
    if k == 1 then omega = 1
    elseif k == 2 then omega = 2 / (2 - rho ^ 2)
    else omega = 4 / (4 - rho ^ 2 * omega) end
    x, before = omega * (plain - before) + before, x
  end
  return x
end

-- Anderson acceleration with one past iteration: `count` iterations from x. Returns the last x.
local function anderson(step, x, count)
  local last_image, last_residual
  for _ = 1, count do
    local image = step(x)
    local residual = image - x
    if last_image then
      local change = residual - last_residual
      local square = change:dot(change)
      if square == 0 then return image end
      local theta = residual:dot(change) / square
      x = image + theta * (last_image - image)
    else
      x = image
    end
    last_image, last_residual = image, residual
  end
  return x
end

-- The direction of L-BFGS, -H gradient. pairs_of is a list of { s =, y = }, changes of x and of the gradient, the
-- oldest first; solve(r) is A^-1 r, the guess of H to start from.
local function lbfgs_direction(gradient, pairs_of, solve)
  local q, weights = gradient:copy(), {}
  for i = #pairs_of, 1, -1 do
    local s, y = pairs_of[i].s, pairs_of[i].y
    weights[i] = s:dot(q) / y:dot(s)
    q = q - weights[i] * y
  end
  local z = solve(q)
  for i = 1, #pairs_of do
    local s, y = pairs_of[i].s, pairs_of[i].y
    z = z + (weights[i] - y:dot(z) / y:dot(s)) * s
  end
  return -z
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
