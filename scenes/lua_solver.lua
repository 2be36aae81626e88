-- A solver written in Lua: implicit Euler, each step solved by Newton's method, on a small curtain.
--   springtide scenes/lua_solver.lua                        the solver below
--   springtide scenes/lua_solver.lua --solver newton        the engine's own: the same motion, faster
--   springtide scenes/lua_solver.lua --solver teaching_newton,iterations=1
--
-- A step of length h goes from positions q with velocities v to the x that minimises
--     g(x) = 1/2 (x - y)' M (x - y) + h^2 E(x),    y = q + h v + h^2 M^-1 f
-- (Liu et al. 2013, eq. 8). x, y, q and v list x, y, z of every particle. Pinned particles are given, so gradients and
-- matrices are over the free ones alone: system:gather takes those out of a list, system:scatter puts them back.
local tide = require "springtide"

tide.solver {
  name = "teaching_newton", source = "Liu et al. 2013: eq. 8; Martin et al. 2011: sec. 5", order = 1,
  help = "implicit Euler by Newton's method with a line search, written in Lua",
  options = {
    iterations = { 20, min = 1, max = 1000, integer = true, help = "Newton steps, at most" },
    tolerance = { 1e-8, min = 0, help = "stop when |grad g(x)| <= tolerance * |grad g(y)|" },
  },
  step = function(system, state, h)
    local y, options = state.inertial, state.options
    local M = system:mass_matrix()                     -- diagonal: the mass of each free coordinate
    local function g(x)
      local d = system:gather(x - y)
      return 0.5 * d:dot(M * d) + h ^ 2 * system:energy(x)
    end
    local function gradient(x)
      return M * system:gather(x - y) + h ^ 2 * system:gather(system:gradient(x))
    end

    local x, iterations = y:copy(), 0                  -- begin where inertia alone would go
    local r = gradient(x)
    local enough = options.tolerance * r:norm()
    while r:norm() > enough and iterations < options.iterations do
      -- To the minimum of g's second-order model around x. That has none where springs are compressed so much that the
      -- matrix is not positive definite: then, with "project", the part of each spring that is negative is left out.
      local factor = tide.linear.cholesky(M + h ^ 2 * system:hessian(x))
        or assert(tide.linear.cholesky(M + h ^ 2 * system:hessian(x, { project = true })))
      local d = -factor:solve(r)
      -- Line search: halve the step until g falls by enough of what its slope promises (Armijo).
      local length, before, slope = 1, g(x), r:dot(d)
      local move = system:scatter(d)                   -- zero for pinned particles
      while g(x + length * move) > before + 1e-4 * length * slope and length > 1e-10 do
        length = length / 2
      end
      x:add(move, length)
      r, iterations = gradient(x), iterations + 1
    end
    return x, { iterations = iterations, converged = r:norm() <= enough }
  end,
}

local stiffness = tide.param("stiffness", 80, { min = 1, max = 1e4, scale = "log", unit = "N/m" })

local scene = tide.scene {
  title = "A solver in Lua", timestep = 1 / 30, solver = "teaching_newton",
  camera = { position = { 1.7, 0.25, 2.4 }, target = { 0.45, -0.5, 0.1 } }, ground = -1.25,
}
local curtain = scene:body("curtain", {
  mesh = tide.mesh.grid { columns = 15, rows = 15, width = 1, height = 1 },
  mass = 1, stiffness = stiffness, bend = stiffness / 4, pattern = "checker", checkers = 7,
})
curtain:pin { 1, 15 }

function scene.draw(canvas)
  local report = scene:report()
  canvas:text(30, 24, ("%s: %d iterations, |grad g| = %.1e"):format(report.solver or "-", report.iterations or 0,
    report.gradient_norm or 0), 30)
end

return scene
