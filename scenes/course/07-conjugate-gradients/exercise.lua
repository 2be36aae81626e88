-- Lesson 7: fill in the three functions marked TODO.
-- luacheck: no unused (the gaps)
local tide = require "springtide"
local linear = tide.linear

-- The largest eigenvalue of the symmetric matrix A by the power method, and its eigenvector of length 1. v is the
-- vector to start from; A * v multiplies, v:dot(w), v:norm(), v + w and 2 * v are what they say.
local function power(A, v, multiplications)
  -- TODO: multiply v by A, and divide it by its length, so many times. Return v'A v and v.
  return nil, v
end

-- Solves A x = b for a symmetric positive definite A, from x = 0, until |b - A x| <= tolerance * |b|. Returns x and
-- the number of products A * p that it took.
local function conjugate_gradients(A, b, tolerance)
  -- TODO: r = b and p = r; then alpha, x, r, beta, p in turn. Mind a b of zeros.
  return nil, 0
end

-- The longest stable timestep of symplectic Euler, 2 / sqrt(k0). k0 is the largest eigenvalue of M^-1 K; K is a matrix
-- and masses[i] the mass of row i. M^-1 K is not symmetric, but M^(-1/2) K M^(-1/2) is, and has the same eigenvalues.
local function longest_timestep(K, masses)
  -- TODO: linear.diagonal(list) makes a diagonal matrix, and matrices multiply by *. Use power.
  return nil
end

-- A step of linearised implicit Euler: (M + h^2 K) d = -grad g(q), and x = q + d.
-- Until CG is there, a factorisation solves it.
tide.solver { name = "my_implicit", help = "linearised implicit Euler by the conjugate gradients of lesson 7",
  step = function(system, state, h)
    local q, M = state.positions, system:mass_matrix()
    local A = M + h ^ 2 * system:hessian(q, { project = true })
    local b = M * system:gather(state.inertial - q) - h ^ 2 * system:gather(system:gradient(q))
    local d, products = conjugate_gradients(A, b, 1e-6)
    d = d or linear.cholesky(A):solve(b)
    return q + system:scatter(d), { iterations = 1, linear_iterations = products or 0 }
  end }

local scene = tide.scene { title = "My conjugate gradients", timestep = 1 / 50, drag = 0.5, solver = "my_implicit",
  camera = { position = { 1.7, 0.2, 2.5 }, target = { 0.5, -0.4, 0.1 } } }
local curtain = scene:body("curtain", {
  mesh = tide.mesh.grid { columns = 15, rows = 15, width = 1, height = 1 }, mass = 1, stiffness = 100 })
curtain:pin { 1, 15 }

function scene.update()
  if scene.frame > 0 then scene:plot("CG iterations", scene:report().linear_iterations) end
end

return scene, { power = power, conjugate_gradients = conjugate_gradients, longest_timestep = longest_timestep }
