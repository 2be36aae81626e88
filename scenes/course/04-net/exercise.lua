-- Lesson 4: a net of springs. Fill in the four functions. Without a gradient the net falls; with the gradient alone it
-- flies apart, as its step is too long for an explicit method; with both it swings.
-- luacheck: no unused
local tide = require "springtide"

-- The positions of all particles are one list x: particle i has x[3i-2], x[3i-1], x[3i].
local function point(x, i)
  return { x[3 * i - 2], x[3 * i - 1], x[3 * i] }
end

-- The gradient in N of the net's energy: a list as long as x. springs is a list of { i, j, stiffness, rest length }.
local function gradient(springs, x)
  local g = {}
  for n = 1, #x do g[n] = 0 end
  -- TODO: every spring adds to the numbers of its particle i, and the opposite to those of j
  return g
end

-- The second derivative of one spring's energy by its end a: a list of three rows of three numbers, in N/m.
local function block(k, r, a, b)
  return { { 0, 0, 0 }, { 0, 0, 0 }, { 0, 0, 0 } } -- TODO
end

-- The Hessian of the net's energy as triplets { row, column, value }. Values in the same place are added.
local function hessian(springs, x)
  local triplets = {}
  -- TODO: every spring adds its block at (i, i) and (j, j), and minus its block at (i, j) and (j, i)
  return triplets
end

-- The gradient of any function f of a list x, by central differences with the step h.
local function differences(f, x, h)
  return {} -- TODO
end

-- From here on nothing is to be changed: a step of linearised implicit Euler (Kauppila, section 2.1),
-- (M + h^2 K) dv = h (f - h K v), with your gradient and Hessian. Pinned particles count as very heavy.
local net, springs
tide.solver { name = "mine", help = "linearised implicit Euler of the exercise", step = function(system, state, h)
  local x, v, n = state.positions:table(), state.velocities, 3 * system.particle_count
  if not springs then
    springs = {}
    for s = 1, net.spring_count do springs[s] = { net:spring(s) } end
  end
  local masses, diagonal = system:masses(), {}
  for i = 1, system.particle_count do
    local m = net:is_pinned(i) and 1e9 or masses[i]
    diagonal[3 * i - 2], diagonal[3 * i - 1], diagonal[3 * i] = m, m, m
  end
  local M, K = tide.linear.diagonal(diagonal), tide.linear.sparse(n, n, hessian(springs, x), { symmetric = true })
  local force = state.forces - tide.linear.vector(gradient(springs, x))
  local factor = tide.linear.cholesky(M + h ^ 2 * K) or tide.linear.cholesky(M)
  local new = v + factor:solve(h * (force - h * (K * v)))
  return state.positions + h * new, new
end }

local scene = tide.scene { title = "My net", timestep = 1 / 60, solver = "mine",
  camera = { position = { 1.4, 0.1, 2.2 }, target = { 0.3, -0.25, 0.2 } }, ground = { height = -1.2, solid = false } }
net = scene:body("net", {
  mesh = tide.mesh.grid { columns = 6, rows = 6, width = 0.8, height = 0.8 }, mass = 0.5, stiffness = 200, bend = 0,
})
net:pin { 1, 6 }

return scene, { gradient = gradient, block = block, hessian = hessian, differences = differences }
