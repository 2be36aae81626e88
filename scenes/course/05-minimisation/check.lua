-- What marks lesson 5: the objective, its gradient, Newton's direction, the line search, and the steps that they make.
local check = require "springtide.check"
local tide = require "springtide"

-- A cloth of 16 particles, two of them pinned, after some steps of length h; its next step as a problem; and a
-- random x. With size 1 the matrix of a short step is positive definite; with 0.3, most springs are compressed.
local function state_of(case, h, size)
  local scene = tide.scene { timestep = h, solver = "newton" }
  local cloth = scene:body("cloth", { mesh = tide.mesh.grid { columns = 4, rows = 4, width = 0.5, height = 0.5 },
    masses = case:vector(16, 0.05, 0.1), stiffness = case:number(50, 150), bend = 5 })
  cloth:pin { 1, 4 }
  scene:step(3)
  local problem, system = scene:problem(), scene:system()
  local y = problem.inertial
  local free = system:gather(y)
  for i = 1, #free do free[i] = free[i] * size + case:number(-0.02, 0.02) end
  return system, problem, system:scatter(free, y), y
end

return check.exercise {
  title = "Implicit Euler as minimisation",
  checks = {
    { name = "the objective", points = 2, hint = "with d = system:gather(x - y): 0.5 * d:dot(M * d) + h^2 * E(x)",
      run = function(t)
        local objective = t:answer("objective", "function")
        for _, case in t:cases(3) do
          local h = case:number(0.02, 0.1)
          local system, problem, x, y = state_of(case, h, 1)
          local d, E = system:gather(x - y), system:energy(x)
          local inertia = 0.5 * d:dot(system:mass_matrix() * d)
          t:near(objective(system, x, y, h), problem:g(x), { relative = 1e-9, message = "g(x) of a cloth", mistakes = {
            { 2 * inertia + h ^ 2 * E, "the factor 1/2 of the inertia is missing" },
            { inertia + h * E, "the energy has the factor h^2, not h" },
            { inertia + E, "the energy has no factor; it has h^2" },
            { inertia, "the energy is missing" },
            { h ^ 2 * E, "the inertia 1/2 (x - y)' M (x - y) is missing" },
            { 0.5 * d:dot(d) + h ^ 2 * E, "the masses are missing in the inertia" },
          } })
        end
      end },
    { name = "its gradient", points = 2, hint = "M (x - y) + h^2 grad E(x), over the free particles", run = function(t)
      local gradient = t:answer("gradient", "function")
      for _, case in t:cases(3) do
        local h = case:number(0.02, 0.1)
        local system, problem, x, y = state_of(case, h, 1)
        local inertia = system:mass_matrix() * system:gather(x - y)
        local elastic = system:gather(system:gradient(x))
        local found = gradient(system, x, y, h)
        t:near(found, system:gather(problem:gradient(x)), { tolerance = 1e-9, message = "the gradient of a cloth",
          mistakes = {
            { inertia - h ^ 2 * elastic, "the elastic part has the wrong sign: it is + h^2 times the gradient of E" },
            { inertia + h * elastic, "the gradient of E has the factor h^2, not h" },
            { inertia + elastic, "the gradient of E has no factor; it has h^2" },
            { system:gather(x - y) + h ^ 2 * elastic, "the masses are missing: M (x - y)" },
            { 0.5 * inertia + h ^ 2 * elastic, "the derivative of 1/2 d' M d is M d, without 1/2" },
            { inertia, "the gradient of the energy is missing" },
          } })
      end
    end },
    { name = "Newton's direction", points = 3,
      hint = "solve (M + h^2 K) d = -r by a Cholesky factor; with a projected Hessian where there is none",
      run = function(t)
        local direction = t:answer("direction", "function")
        for _, case in t:cases(3) do
          local h = case:number(0.005, 0.01)
          local system, problem, x = state_of(case, h, 1)
          local r, M = system:gather(problem:gradient(x)), system:mass_matrix()
          local d = -tide.linear.cholesky(M + h ^ 2 * system:hessian(x)):solve(r)
          local projected = tide.linear.cholesky(M + h ^ 2 * system:hessian(x, { project = true }))
          local factor_h = tide.linear.cholesky(M + h * system:hessian(x, { project = true }))
          t:near(direction(system, x, h, r), d, { tolerance = 1e-9, relative = 1e-6, message = "a short step",
            mistakes = {
            { -1 * d, "the sign is opposite: this goes up; d = -(M + h^2 K)^-1 r" },
            { -projected:solve(r), "the Hessian is projected although the matrix is positive definite as it is: "
              .. "convergence is then not quadratic" },
            { -1 * r, "this is minus the gradient: steepest descent, not Newton's method" },
            { -factor_h:solve(r), "the Hessian has the factor h^2, not h" },
          } })
        end
        t:credit(0.6, "right where the matrix is positive definite")
        for _, case in t:cases(3) do
          local system, problem, x = state_of(case, 0.1, 0.3)
          local r = system:gather(problem:gradient(x))
          local d = direction(system, x, 0.1, r)
          t:near(d and #d, #r, { message = "the size of the direction in a crumpled cloth" })
          t:expect(r:dot(d) < 0, "in a crumpled cloth, whose matrix is not positive definite, the direction goes up")
        end
      end },
    { name = "the line search", points = 2, hint = "while g(t) > g(0) + 1e-4 t slope: halve t", run = function(t)
      local search = t:answer("line_search", "function")
      for _, case in t:cases(8) do
        local a, b = case:number(0.1, 40), case:number(0.5, 2)
        local function g(s) return 3 - b * s + a * s ^ 2 end        -- falls until s = b / (2 a)
        local right = 1
        while g(right) > 3 - 1e-4 * right * b do right = right / 2 end
        local plus = 1
        while plus > 1e-6 and g(plus) > g(plus / 2) do plus = plus / 2 end
        local name = ("a parabola with the minimum at %.3g"):format(b / (2 * a))
        t:near(search(g, -b), right, { message = name, mistakes = {
          { right / 2, "one halving too many: stop at the first t that fulfils the condition" },
          { plus, "this goes on while g falls; take the first t that fulfils the condition" },
          { right == 1 and 0 or 1, "t is not halved" },
        } })
      end
      t:credit(0.5, "right for parabolas; g may fall by too little, then t must be halved, too")
      local function step(s) return s == 0 and 1 or s >= 0.25 and 1 - 1e-6 or 1 - s end
      t:near(search(step, -1), 0.125, { message = "a g that falls by only 1e-6", mistakes = {
        { 1, "any decrease is accepted; it must be at least 1e-4 t |slope|" } } })
    end },
    { name = "the curtain", points = 1, hint = "the scene is right when the four functions are", run = function(t)
      local scene, reference = t:scene(), t:scene { solver = "newton,tolerance=1e-10" }
      t:agrees_with(scene, reference, 10, 1e-5, "beside the engine's newton")
    end },
  },
}
