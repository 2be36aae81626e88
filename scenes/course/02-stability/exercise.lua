-- Lesson 2: explicit, symplectic, implicit. Fill in the six functions. A rope then vibrates with the timestep that your
-- net_step gives: with the slider "fraction" just below 1 it goes on, just above 1 it blows up.
-- luacheck: no unused
local tide = require "springtide"

-- One step of length h of x'' = -k x - d x', from the position x and the velocity v to the next ones.
local function explicit(x, v, h, k, d)
  return x, v -- TODO: both from the old values
end

local function symplectic(x, v, h, k, d)
  return x, v -- TODO: first the new velocity, then the position with it
end

local function implicit(x, v, h, k, d)
  return x, v -- TODO: both from the new values; solve for the new velocity
end

-- The largest |eigenvalue| of a 2 x 2 matrix, from its trace and its determinant.
local function amplification(trace, determinant)
  return 1 -- TODO
end

-- The largest h for which stable(h) is true, to 1e-6 of itself: stable(low) is true, stable(high) is false.
local function limit(stable, low, high)
  return low -- TODO: bisection
end

-- The longest stable timestep of symplectic Euler without damping, where k0 is the largest eigenvalue of M^-1 K.
local function net_step(k0)
  return 0 -- TODO
end

-- From here on nothing is to be changed: a rope between two walls, which vibrates along itself.
local fraction = tide.param("fraction", 0.99, { min = 0.1, max = 1.2, help = "of net_step(k0)" })
local points, k, m = 12, 100, 0.1
local scene = tide.scene { title = "My rope", solver = { "symplectic_euler", substep = 10 }, gravity = { 0, 0, 0 },
  camera = { position = { 0, 0, 3 }, target = { 0, 0, 0 } }, ground = { height = -0.7, solid = false } }
local rope = scene:body("rope", {
  mesh = tide.mesh.strand { points = points, from = { -1, 0, 0 }, to = { 1, 0, 0 } },
  mass = points * m, stiffness = k, bend = 0, radius = 0.008,
})
rope:pin { 1, points }
rope:set_velocity(5, 0.05, 0, 0)
local system = scene:system()
local k0 = system:largest_eigenvalue(system:positions(), { tolerance = 1e-10 })
scene.timestep = math.max(fraction * net_step(k0), 1e-4)

-- The displacements along the rope, drawn across it and two hundred times as large.
function scene.draw(canvas)
  canvas:text(30, 20, ("k0 = %.1f / s^2, timestep %.5f s"):format(k0, scene.timestep), 22)
  for i = 1, points do
    local home = -1 + 2 * (i - 1) / (points - 1)
    local shift = 200 * (rope:position(i) - home)
    canvas:line(home, 0, 0, home, math.max(-2, math.min(shift, 2)), 0, 4)
  end
end

return scene, { explicit = explicit, symplectic = symplectic, implicit = implicit, amplification = amplification,
  limit = limit, net_step = net_step }
