-- What marks lesson 1: energy, force, the stretch at rest and the period of a spring, and whether the ball hangs still.
local check = require "springtide.check"

local function length(a, b)
  return math.sqrt((a[1] - b[1]) ^ 2 + (a[2] - b[2]) ^ 2 + (a[3] - b[3]) ^ 2)
end

-- A spring of the case: stiffness, rest length and two points at least 0.2 m apart.
local function spring(case)
  local k, r, a = case:number(1, 100), case:number(0.2, 2), case:vector(3, -1, 1)
  local step = case:vector(3, 0.2, 1)
  return k, r, a, { a[1] + step[1], a[2] + step[2], a[3] + step[3] }
end

-- The list s (a - b).
local function along(s, a, b)
  return { s * (a[1] - b[1]), s * (a[2] - b[2]), s * (a[3] - b[3]) }
end

return check.exercise {
  title = "One spring and its energy",
  checks = {
    { name = "the energy of a spring", points = 3, hint = "E = k/2 (|a - b| - r)^2; it is 0 where the distance is r",
      run = function(t)
        local energy = t:answer("energy", "function")
        t:near(energy(10, 1, { 0, 0, 0 }, { 0, -1.5, 0 }), 1.25, { message = "energy(10, 1, {0,0,0}, {0,-1.5,0})",
          mistakes = {
            { 2.5, "this is k s^2 with s = |a - b| - r: the factor 1/2 is missing" },
            { 11.25, "this is k/2 |a - b|^2: the rest length is missing" },
          } })
        for _, case in t:cases(5) do
          local k, r, a, b = spring(case)
          t:near(energy(k, r, a, b), k / 2 * (length(a, b) - r) ^ 2, { message = "the energy of a random spring" })
        end
      end },
    { name = "the force on the point a", points = 3,
      hint = "the force is minus the gradient of E at a; the gradient of |a - b| is (a - b) / |a - b|",
      run = function(t)
        local force = t:answer("force", "function")
        for _, case in t:cases(5) do
          local k, r, a, b = spring(case)
          local l = length(a, b)
          local s = -k * (l - r)
          t:near(force(k, r, a, b), along(s / l, a, b), { message = "the force of a random spring", mistakes = {
            { along(-s / l, a, b), "the direction is opposite: the force is minus the gradient, a long spring pulls" },
            { along(s, a, b), "a - b is not a unit vector: divide it by its length |a - b|" },
            { along(-s, a, b), "the direction is opposite, and a - b is not divided by its length |a - b|" },
            { along(s / l / k, a, b), "the stiffness k is missing" },
          } })
        end
      end },
    { name = "where the ball hangs", points = 2, hint = "at rest the spring's pull k s is as large as the weight m g",
      run = function(t)
        local stretch = t:answer("stretch", "function")
        for _, case in t:cases(3) do
          local k, m, g = case:number(1, 100), case:number(0.1, 5), case:number(1, 20)
          t:near(stretch(k, m, g), m * g / k, { message = "the stretch at rest", mistakes = {
            { 2 * m * g / k, "this is where a ball let go at the rest length turns back: it hangs still half as deep, "
              .. "where the forces cancel" },
            { math.sqrt(2 * m * g / k), "compare forces, not energies: k s = m g" },
          } })
        end
        t:credit(0.5, "the stretch is right; the ball of the scene does not hang still with it")
        local scene = t:scene()
        local ball = scene:body "ball"
        local _, before = ball:position(2)
        scene:step(120)
        local _, after = ball:position(2)
        t:near(after, before, { tolerance = 1e-6, message = "the height of the ball after half a second" })
      end },
    { name = "the period", points = 2,
      hint = "m s'' = -k s has the solution cos(w t) with w^2 = k / m; a period is 2 pi / w",
      run = function(t)
        local period = t:answer("period", "function")
        for _, case in t:cases(3) do
          local k, m = case:number(1, 100), case:number(0.1, 5)
          local T = 2 * math.pi * math.sqrt(m / k)
          t:near(period(k, m), T, { message = "the period", mistakes = {
            { T / (2 * math.pi), "this is 1 / w: a swing takes 2 pi / w" },
            { 4 * math.pi ^ 2 / T, "this is 2 pi w: a stiffer spring swings faster, so its period is shorter" },
            { T / 2, "this is half a swing, from the top to the bottom" },
          } })
        end
      end },
  },
}
