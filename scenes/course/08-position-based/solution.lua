-- Lesson 8: the four functions, filled in.
local tide = require "springtide"

-- A spring as a constraint C = |a - b| - rest. a and b are positions { x, y, z }, wa and wb the inverse masses; of a
-- pinned vertex it is 0. Here is what all functions below begin with: C, and the direction n from b to a.
local function constraint(a, b, rest)
  local dx, dy, dz = a[1] - b[1], a[2] - b[2], a[3] - b[3]
  local length = math.sqrt(dx * dx + dy * dy + dz * dz)
  return length - rest, { dx / length, dy / length, dz / length }
end

-- The point a moved by s along n.
local function moved(a, n, s)
  return { a[1] + s * n[1], a[2] + s * n[2], a[3] + s * n[3] }
end

-- Position-based dynamics: moves a and b so that the spring loses `fraction` of C. The lighter one moves more, and
-- their common centre of mass stays. Returns the new a and b.
local function project(a, b, wa, wb, rest, fraction)
  local C, n = constraint(a, b, rest)
  local s = fraction * C / (wa + wb)
  return moved(a, n, -wa * s), moved(b, n, wb * s)
end

-- What each of n iterations must take of C, so that together they take `fraction` of it.
local function per_iteration(fraction, n)
  return 1 - (1 - fraction) ^ (1 / n)
end

-- The stiffness in N/m of a single spring that loses `fraction` of its stretch in each step of h, with w = wa + wb.
local function effective_stiffness(fraction, w, h)
  return fraction / ((1 - fraction) * w * h ^ 2)
end

-- XPBD: moves a and b towards C = -compliance lambda / h^2, with compliance = 1 / stiffness. lambda is what earlier
-- iterations of this step have added up, 0 at first. Returns the new a and b and the new lambda.
local function xpbd(a, b, wa, wb, rest, stiffness, h, lambda)
  local C, n = constraint(a, b, rest)
  local compliance = 1 / (stiffness * h ^ 2)
  local change = -(C + compliance * lambda) / (wa + wb + compliance)
  return moved(a, n, wa * change), moved(b, n, -wb * change), lambda + change
end

local rope, points = nil, 11
tide.solver { name = "my_xpbd", help = "position-based dynamics with compliance, by lesson 8",
  options = { iterations = { 50, min = 1, max = 10000, integer = true, help = "sweeps over all springs" } },
  step = function(system, state, h)
    local numbers, masses, x, w, lambda = state.inertial:table(), system:masses(), {}, {}, {}
    for i = 1, points do
      x[i] = { numbers[3 * i - 2], numbers[3 * i - 1], numbers[3 * i] }
      w[i] = rope:is_pinned(i) and 0 or 1 / masses[i]
    end
    for _ = 1, state.options.iterations do
      for s = 1, rope.spring_count do
        local i, j, stiffness, rest = rope:spring(s)
        local a, b, l = xpbd(x[i], x[j], w[i], w[j], rest, stiffness, h, lambda[s] or 0)
        if a then x[i], x[j], lambda[s] = a, b, l end
      end
    end
    for i = 1, points do
      numbers[3 * i - 2], numbers[3 * i - 1], numbers[3 * i] = x[i][1], x[i][2], x[i][3]
    end
    return numbers, { iterations = state.options.iterations }
  end }

local scene = tide.scene { title = "My XPBD", timestep = 1 / 60, drag = 1, solver = "my_xpbd", ground = false,
  camera = { position = { 0, -0.75, 3.4 }, target = { 0, -0.75, 0 } } }
rope = scene:body("rope", {
  mesh = tide.mesh.strand { points = points, from = { 0, 0, 0 }, to = { 0.5, -0.866, 0 } },
  masses = function(i) return i == points and 0.1 or 0.02 end,
  stiffness = 200, radius = 0.01, colour = { 0.75, 0.5, 0.2 } })
rope:pin { 1 }

function scene.update()
  local _, y = rope:position(points)
  scene:plot("height of the weight, m", y)
end

return scene, { project = project, per_iteration = per_iteration, effective_stiffness = effective_stiffness,
  xpbd = xpbd }
