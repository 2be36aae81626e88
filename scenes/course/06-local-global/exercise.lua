-- Lesson 6: local and global steps. Fill in the three functions and the table. Until then the net falls; it should then
-- swing, and with more iterations come to the same place as under Newton's method.
-- luacheck: no unused
local tide = require "springtide"

-- The positions of all particles are one list x: particle i has x[3i-2], x[3i-1], x[3i].
local function point(x, i)
  return { x[3 * i - 2], x[3 * i - 1], x[3 * i] }
end

-- The local step for a spring of rest length r between a and b: the vector d of length r that is nearest to a - b.
local function projection(r, a, b)
  return { 0, 0, 0 } -- TODO
end

-- The matrix L as triplets { row, column, value }, one row per particle; values in the same place are added. springs is
-- a list of { i, j, stiffness, rest length }.
local function laplacian(springs)
  local triplets = {}
  -- TODO: every spring adds to (i, i), (j, j), (i, j) and (j, i)
  return triplets
end

-- The right side of the global step, M y + h^2 J d: a list as long as y. The directions d are those of the springs at
-- x; masses has a number per particle.
local function right_side(springs, masses, y, h, x)
  local b = {}
  for n = 1, #y do b[n] = masses[(n + 2) // 3] * y[n] end
  -- TODO: every spring adds h^2 k d to the numbers of i, and subtracts it from those of j
  return b
end

-- Must A = M + h^2 L be factored again when this changes? Write true or false in place of "?".
local factor_again = {
  positions = "?", velocities = "?", gravity = "?", masses = "?", stiffness = "?", rest_length = "?", timestep = "?",
  a_new_spring = "?",
}

-- From here on nothing is to be changed: a solver of these parts. Pinned particles count as very heavy.
local iterations = tide.param("iterations", 10, { min = 1, max = 500, scale = "log" })
local net, springs, masses, factor, factored
tide.solver { name = "mine", help = "local and global steps of the exercise", order = 1, options = { iterations = 10 },
  step = function(system, state, h)
    local n = system.particle_count
    if factored ~= h then
      springs, masses = {}, system:masses():table()
      for s = 1, net.spring_count do springs[s] = { net:spring(s) } end
      for i = 1, n do masses[i] = net:is_pinned(i) and 1e8 or masses[i] end
      local L = tide.linear.sparse(n, n, laplacian(springs), { symmetric = true })
      factor, factored = assert(tide.linear.cholesky(tide.linear.diagonal(masses) + h ^ 2 * L)), h
    end
    local y, x = state.inertial:table(), state.inertial
    for _ = 1, math.floor(iterations + 0.5) do
      x = factor:solve(right_side(springs, masses, y, h, x:table()))
    end
    return x, { iterations = math.floor(iterations + 0.5) }
  end,
}

local scene = tide.scene { title = "My local and global steps", timestep = 1 / 30, solver = "mine",
  camera = { position = { 1.2, 0, 2.6 }, target = { 0.5, -0.4, 0.2 } }, ground = { height = -1.25, solid = false } }
net = scene:body("net", {
  mesh = tide.mesh.grid { columns = 7, rows = 7, width = 1, height = 1 }, mass = 1, stiffness = 80, bend = 20,
})
net:pin { 1, 7 }

return scene, { projection = projection, laplacian = laplacian, right_side = right_side, factor_again = factor_again }
