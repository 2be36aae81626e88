local check = require "springtide.check"

return check.exercise {
  title = "A spring",
  time_limit = 1,
  memory_limit = 128,
  checks = {
    { name = "energy", points = 3, hint = "E = k/2 (l - r)^2; what is E at rest?",
      run = function(t)
        local energy = t:answer("energy", "function")
        for _, case in t:cases(5) do
          local k, rest, length = case:number(1, 100), case:number(1, 2), case:number(0.5, 3)
          t:near(energy(k, rest, length), k / 2 * (length - rest) ^ 2, {
            tolerance = 1e-9, message = "the energy of a spring",
            mistakes = { { k * (length - rest) ^ 2, "it is twice too large: is 1/2 there?" } },
          })
          t:credit(0.1, "some cases are right")
        end
      end },
    { name = "force", points = 2, hint = "the force is -dE/dx",
      run = function(t)
        local force = t:answer("force", "function")
        for _, case in t:cases(5) do
          local k, x = case:number(1, 100), case:vector(3, -1, 1)
          t:near(force(k, x), { -k * x[1], -k * x[2], -k * x[3] }, { message = "the force" })
        end
      end },
    { name = "motion", points = 5, hint = "use the solver of the lesson",
      run = function(t)
        t:agrees_with(t:scene(), t:reference(), 20, 1e-9)
      end },
  },
}
