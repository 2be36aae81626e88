local check = require "springtide.check"
local tide = require "springtide"
local vector = tide.linear.vector

-- A linear iteration x -> x + R (solution - x) towards a hidden solution, with the given factors 1 - R_i of its error,
-- and a counter of its calls.
local function iteration(case, factors)
  local solution = vector(case:vector(#factors, -1, 1))
  local rates, calls = vector(#factors), { count = 0 }
  for i, factor in ipairs(factors) do rates[i] = 1 - factor end
  local function step(x)
    calls.count = calls.count + 1
    return x + (solution - x):times(rates)
  end
  return step, solution, calls
end

local function error_of(t, x, solution, name)
  t:expect(x ~= nil, name .. " returned nothing")
  t:expect(type(x) == "userdata" or type(x) == "table", name .. " must return a vector")
  t:expect(#x == #solution, ("%s returned %d numbers in place of %d"):format(name, #x, #solution))
  return (vector(x) - solution):norm()
end

return check.exercise {
  title = "Acceleration: Chebyshev, Anderson, L-BFGS",
  checks = {
    { name = "Chebyshev", points = 3,
      hint = "x_new = omega (step(x) - x_before) + x_before, with omega = 1, 2 / (2 - rho^2), 4 / (4 - rho^2 omega).",
      run = function(t)
        local chebyshev = t:answer("chebyshev", "function")
        for _, case in t:cases(4) do
          local rho, count = case:number(0.5, 0.95), case:integer(5, 15)
          local step, solution, calls = iteration(case, { rho, -rho, rho / 2, 0, -rho / 3 })
          local start = vector(#solution)
          t:near(chebyshev(step, start, rho, 1), step(start), { message = "one iteration, which is a plain one" })
          -- By hand: the error of iteration k is multiplied by T_k(factor / rho) / T_k(1 / rho).
          local function polynomial(k, x)
            local a, b = 1, x
            for _ = 1, k do a, b = b, 2 * x * b - a end
            return a
          end
          local function exact(k)
            local x = vector(#solution)
            for i, factor in ipairs { rho, -rho, rho / 2, 0, -rho / 3 } do
              x[i] = solution[i] * (1 - polynomial(k, factor / rho) / polynomial(k, 1 / rho))
            end
            return x
          end
          calls.count = 0
          local x = chebyshev(step, start, rho, 2)
          t:near(x, exact(2), { message = "the second iteration (omega = 2 / (2 - rho^2), and x_before is "
            .. "the point before x, not x itself)" })
          t:expect(calls.count == 2, ("%d plain iterations were taken for a count of 2"):format(calls.count))
          x = chebyshev(step, start, rho, 3)
          t:near(x, exact(3), { message = "the third iteration (omega = 4 / (4 - rho^2 omega), from the last omega)" })
          t:near(chebyshev(step, start, rho, count), exact(count), { message = ("iteration %d"):format(count) })
        end
      end },
    { name = "Anderson", points = 3,
      hint = "r = step(x) - x; theta = r . (r - r_last) / |r - r_last|^2; x_new = step(x) + theta (last - step(x)).",
      run = function(t)
        local anderson = t:answer("anderson", "function")
        for _, case in t:cases(4) do
          local slow = case:number(0.9, 0.99)
          -- One factor: two plain iterations lie on a line through the solution, which the third point hits.
          local step, solution = iteration(case, { slow, slow, slow })
          local x = anderson(step, vector(3), 2)
          local distance = error_of(t, x, solution, "anderson")
          local opposite = (vector(solution) * (1 - slow ^ 2) - vector(x)):norm()
          t:expect(opposite > 1e-9 or distance < 1e-9, "this is the plain iteration: theta is missing")
          t:residual(distance, 1e-9 / (1 - slow), "distance from the solution after 2 iterations of a map that "
            .. "shrinks all errors equally (is the sign of theta right?)")
          t:residual(error_of(t, anderson(step, vector(3), 10), solution, "anderson"), 1e-9 / (1 - slow),
            "distance after 10 iterations: once two residuals are equal, theta is 0 / 0; stop before it")
          -- Several factors: the combination of two images whose combination of residuals is least.
          local three_step = iteration(case, { slow, case:number(0.3, 0.6), case:number(-0.5, 0) })
          local first = vector(3)
          local second = three_step(first)
          local image, last_image = three_step(second), second
          local r, last_r = image - second, second - first
          local best = r:dot(r - last_r) / (r - last_r):dot(r - last_r)
          local function mixed(theta) return (1 - theta) * image + theta * last_image end
          t:near(anderson(three_step, first, 2), mixed(best), { message = "the second iteration", mistakes = {
            { (1 - best) * second + best * first, "this combines the points; combine their images under step" },
            { mixed(-best), "the sign of theta is the other one" } } })
        end
      end },
    { name = "the direction of L-BFGS", points = 4,
      hint = "First loop, newest pair first: a = s.q / y.s, q = q - a y. Then z = solve(q). Second loop, oldest first: "
        .. "z = z + (a - y.z / y.s) s. The direction is -z.",
      run = function(t)
        local direction = t:answer("lbfgs_direction", "function")
        for _, case in t:cases(4) do
          local n = case:integer(4, 8)
          local diagonal, guess = vector(case:vector(n, 1, 10)), vector(case:vector(n, 1, 10))
          local function solve(r) return vector(r):over(guess) end
          local gradient = vector(case:vector(n, -1, 1))
          local first = direction(gradient, {}, solve)
          t:expect(first ~= nil, "lbfgs_direction returned nothing")
          t:near(first, -solve(gradient), { message = "direction without pairs",
            mistakes = { { solve(gradient), "the direction goes uphill: it is -H gradient" } } })
          local past = {}
          for k = 1, 3 do
            local s = vector(case:vector(n, -1, 1))
            past[k] = { s = s, y = s:times(diagonal) }
          end
          local newest = past[3]
          t:near(direction(newest.y, past, solve), -newest.s, { message = "direction for a gradient equal to the "
            .. "newest y, which must be -s of that pair (the secant equation; does the first loop begin with the "
            .. "newest pair, and the second with the oldest?)" })
          -- With s along the axes all directions are exact.
          local axes = {}
          for k = 1, n do
            local s = vector(n)
            s[k] = case:number(0.5, 2)
            axes[k] = { s = s, y = s:times(diagonal) }
          end
          t:near(direction(gradient, axes, solve), -gradient:over(diagonal), { message = "direction with a pair along "
            .. "each axis, which is Newton's" })
        end
      end },
    { name = "the curtain", points = 2, hint = "Set method = anderson and look at how the curtain falls.",
      run = function(t)
        local anderson = t:answer("anderson", "function")
        t:expect(anderson(function(x) return x end, vector(3), 2) ~= nil, "anderson returned nothing")
        local exact = t:scene { solver = "newton" }
        local plain, mine = t:scene { set = { method = "plain" } }, t:scene { set = { method = "anderson" } }
        for _, scene in ipairs { exact, plain, mine } do scene:step(10) end
        local function distance(scene)
          return (scene:system():positions() - exact:system():positions()):norm()
        end
        t:expect(distance(mine) < 0.7 * distance(plain), ("after 10 steps of 10 iterations it is %.3g m away from "
          .. "Newton's method, the plain iteration %.3g m"):format(distance(mine), distance(plain)))
      end },
  },
}
