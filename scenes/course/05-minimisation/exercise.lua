-- Lesson 5: implicit Euler as minimisation. Fill in the four functions. Until then the curtain falls without springs.
-- luacheck: no unused
local tide = require "springtide"

-- system is scene:system(). x and y hold all particles. What the functions below return is over the free ones, and
-- system:gather(x) takes the free out of all. At hand are system:mass_matrix(), system:energy(x), system:gradient(x),
-- over all particles, and system:hessian(x), over the free ones; with { project = true } it is positive semidefinite.
-- M * v and v:dot(w) multiply, M + h ^ 2 * K adds matrices, and tide.linear.cholesky(A):solve(b) solves A x = b.

-- g(x) = 1/2 (x - y)' M (x - y) + h^2 E(x), a number.
local function objective(system, x, y, h)
  return 0 -- TODO
end

-- The gradient of g at x, a vector over the free particles.
local function gradient(system, x, y, h)
  return system:gather(x) * 0 -- TODO
end

-- Newton's direction at x, where r is the gradient of g: a vector d over the free particles along which g falls.
local function direction(system, x, h, r)
  return r * 0 -- TODO: cholesky(A) is nil where A is not positive definite; then project
end

-- How far to go: g(t) is the objective after t times the direction, slope = g'(0) < 0. Start with t = 1, and halve t
-- until g(t) <= g(0) + 1e-4 t slope.
local function line_search(g, slope)
  return 1 -- TODO
end

-- From here on nothing is to be changed: Newton's method of these parts.
tide.solver { name = "mine", help = "Newton's method of the exercise", order = 1, step = function(system, state, h)
  local y, x, iterations = state.inertial, state.inertial:copy(), 0
  local r = gradient(system, x, y, h)
  local enough = 1e-8 * r:norm() + 1e-13
  while r:norm() > enough and iterations < 30 do
    local d = direction(system, x, h, r)
    local move, slope = system:scatter(d), r:dot(d)
    local rounding = 1e-13 * math.abs(objective(system, x, y, h))  -- by less than that no decrease of g can be seen
    local function g(t) return objective(system, x + t * move, y, h) - (t > 0 and rounding or 0) end
    x:add(move, line_search(g, slope))
    r, iterations = gradient(system, x, y, h), iterations + 1
  end
  return x, { iterations = iterations, converged = r:norm() <= enough }
end }

local scene = tide.scene { title = "My Newton", timestep = 1 / 10, solver = "mine",
  camera = { position = { 1.2, 0, 2.6 }, target = { 0.5, -0.45, 0.2 } }, ground = { height = -1.25, solid = false } }
local curtain = scene:body("curtain", {
  mesh = tide.mesh.grid { columns = 9, rows = 9, width = 1, height = 1 }, mass = 1, stiffness = 200, bend = 20,
})
curtain:pin { 1, 9 }

return scene, { objective = objective, gradient = gradient, direction = direction, line_search = line_search }
