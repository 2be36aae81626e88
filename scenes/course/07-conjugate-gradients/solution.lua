-- Lesson 7: the three functions, filled in.
local tide = require "springtide"
local linear = tide.linear

-- The largest eigenvalue of the symmetric matrix A by the power method, and its eigenvector of length 1. v is the
-- vector to start from; A * v multiplies, v:dot(w), v:norm(), v + w and 2 * v are what they say.
local function power(A, v, multiplications)
  for _ = 1, multiplications do
    local w = A * v
    v = w / w:norm()
  end
  return v:dot(A * v), v
end

-- Solves A x = b for a symmetric positive definite A, from x = 0, until |b - A x| <= tolerance * |b|. Returns x and
-- the number of products A * p that it took.
local function conjugate_gradients(A, b, tolerance)
  local x, r = linear.vector(#b), linear.vector(b)
  local p, rr, products = r:copy(), r:dot(r), 0
  local enough = (tolerance * r:norm()) ^ 2
  while rr > enough do
    local Ap = A * p
    local alpha = rr / p:dot(Ap)
    x:add(p, alpha)
    r:add(Ap, -alpha)
    local before = rr
    rr, products = r:dot(r), products + 1
    p = r + rr / before * p
  end
  return x, products
end

-- The longest stable timestep of symplectic Euler, 2 / sqrt(k0). k0 is the largest eigenvalue of M^-1 K; K is a matrix
-- and masses[i] the mass of row i. M^-1 K is not symmetric, but M^(-1/2) K M^(-1/2) is, and has the same eigenvalues.
local function longest_timestep(K, masses)
  local s, start = {}, linear.vector(#masses)
  for i, mass in ipairs(masses) do
    s[i], start[i] = 1 / math.sqrt(mass), math.sin(i * i)
  end
  local S = linear.diagonal(s)
  return 2 / math.sqrt((power(S * K * S, start, 1000)))
end

-- A step of linearised implicit Euler: (M + h^2 K) d = -grad g(q), and x = q + d.
-- CG solves it.
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
