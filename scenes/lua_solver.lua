-- A solver in Lua: implicit Euler by Newton's method. A step of length h goes from q with velocities v to the x where
--     g(x) = 1/2 (x - y)' M (x - y) + h^2 E(x),  y = q + h v + h^2 M^-1 f,  is least (Liu et al. 2013, eq. 8).
-- gather takes the free particles out of a list of all, scatter puts them back. Contacts are resolved after the step.
-- Compare with the engine's own: springtide scenes/lua_solver.lua --solver newton
local tide = require "springtide"

tide.solver {
  name = "teaching_newton", source = "Liu et al. 2013: eq. 8; Martin et al. 2011: sec. 5", order = 1,
  help = "implicit Euler by Newton's method with a line search, written in Lua",
  options = {
    iterations = { 20, min = 1, max = 1000, integer = true, help = "Newton steps, at most" },
    tolerance = { 1e-8, min = 0, help = "stop when |grad g(x)| <= tolerance * |grad g(y)|" },
  },
  step = function(system, state, h)
    local y, M = state.inertial, system:mass_matrix()
    local function g(x)
      local d = system:gather(x - y)
      return 0.5 * d:dot(M * d) + h ^ 2 * system:energy(x)
    end
    local function gradient(x)
      return M * system:gather(x - y) + h ^ 2 * system:gather(system:gradient(x))
    end
    local x, iterations, r = y:copy(), 0, gradient(y)
    local enough = state.options.tolerance * r:norm()
    while r:norm() > enough and iterations < state.options.iterations do
      -- Compressed springs can make the Hessian indefinite: their negative part is then left out.
      local factor = tide.linear.cholesky(M + h ^ 2 * system:hessian(x))
        or assert(tide.linear.cholesky(M + h ^ 2 * system:hessian(x, { project = true })))
      local d = -factor:solve(r)
      -- Halve the way until g falls by enough of what its slope promises (Armijo).
      local length, before, slope, move = 1, g(x), r:dot(d), system:scatter(d)
      while g(x + length * move) > before + 1e-4 * length * slope and length > 1e-10 do
        length = length / 2
      end
      x:add(move, length)
      r, iterations = gradient(x), iterations + 1
    end
    return x, { iterations = iterations, converged = r:norm() <= enough }
  end,
}

local scene = tide.scene { title = "A solver in Lua", timestep = 1 / 30, solver = "teaching_newton", ground = -1.25,
  camera = { position = { 1.7, 0.25, 2.4 }, target = { 0.45, -0.5, 0.1 } } }
local curtain = scene:body("curtain", {
  mesh = tide.mesh.grid { columns = 15, rows = 15, width = 1, height = 1 },
  mass = 1, stiffness = 80, bend = 20, pattern = "checker", checkers = 7,
})
curtain:pin { 1, 15 }

return scene
