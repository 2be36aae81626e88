-- What marks lesson 3: one step of two methods, their orders, an order measured from errors, and extrapolation.
local check = require "springtide.check"

-- y' = A y of a damped oscillator, and the series y + c1 h A y + c2 h^2 A^2 y + ... that a step of a method is for it.
local function oscillator(k, d)
  return function(y) return { y[2], -k * y[1] - d * y[2] } end
end

local function series(f, y, h, coefficients)
  local sum, term = { y[1], y[2] }, { y[1], y[2] }
  for _, c in ipairs(coefficients) do
    local slope = f(term)
    term = { h * slope[1], h * slope[2] }
    sum = { sum[1] + c * term[1], sum[2] + c * term[2] }
  end
  return sum
end

-- The error of y' = y^2 - y at time 1 from y = 0.5 on; the exact value is 1 / (1 + e).
local function error_of(method)
  return function(h)
    local y = { 0.5 }
    for _ = 1, math.floor(1 / h + 0.5) do
      y = method(function(at) return { at[1] ^ 2 - at[1] } end, y, h)
    end
    return math.abs(y[1] - 1 / (1 + math.exp(1)))
  end
end

local function method_check(name, points, hint, order, right, mistakes)
  return { name = name, points = points, hint = hint, run = function(t)
    local method = t:answer(name, "function")
    for _, case in t:cases(3) do
      local f, h = oscillator(case:number(1, 4), case:number(0.5, 1)), case:number(0.1, 0.5)
      local y, wrong = case:vector(2, -1, 1), {}
      for i, mistake in ipairs(mistakes) do
        wrong[i] = { series(f, y, h, mistake[1]), mistake[2] }
      end
      t:near(method(f, y, h), series(f, y, h, right), { message = "one step of an oscillator", mistakes = wrong })
    end
    t:credit(0.5, "one step of a linear equation is right, a nonlinear one shows another order")
    t:has_order(error_of(method), order, { steps = { 0.25, 0.125, 0.0625, 0.03125 } }, "on y' = y^2 - y")
  end }
end

return check.exercise {
  title = "Order of accuracy",
  checks = {
    method_check("midpoint", 3, "k1 = f(y), k2 = f(y + h/2 k1), and the result is y + h k2", 2, { 1, 1 / 2 }, {
      { { 1 }, "this is a step of Euler: the slope of the middle is not used" },
      { { 1, 1 }, "the slope is taken after a whole step; the middle is h / 2 away" },
      { { 1 / 2, 1 / 4 }, "the last step is only h / 2 long; it is a whole step h with the slope of the middle" },
      { { 1, 1 / 4 }, "the middle is h / 2 away from y, not h / 4" },
    }),
    method_check("rk4", 3, "k2 and k3 are at h/2, k4 at h; y + h/6 (k1 + 2 k2 + 2 k3 + k4)", 4,
      { 1, 1 / 2, 1 / 6, 1 / 24 }, {
        { { 1, 1 / 2, 3 / 16, 1 / 16 }, "the four slopes have equal weights; they are 1/6, 2/6, 2/6, 1/6" },
        { { 1, 5 / 12, 1 / 8, 1 / 48 }, "k4 is taken at h / 2; it belongs at the end, a whole step h away" },
        { { 1, 1 / 2, 1 / 6 }, "k4 is taken with k2; it uses k3" },
        { { 1, 1 / 2, 1 / 12 }, "k3 is taken with k1; it uses k2" },
        { { 1, 1 / 2 }, "k3 and k4 are taken with k1; each uses the slope before it" },
        { { 1, 5 / 6, 1 / 2, 1 / 6 }, "k2 and k3 are taken a whole step away; they belong at h / 2" },
        { { 6, 3, 1, 1 / 4 }, "divide the sum of the slopes by 6" },
      }),
    { name = "order", points = 2, hint = "log e = log C + p log h: the slope of log e over log h", run = function(t)
      local order = t:answer("order", "function")
      for _, case in t:cases(4) do
        local p, c, h, ratio = case:number(0.5, 5), case:number(0.1, 10), case:number(0.01, 0.5), case:number(1.5, 3)
        local steps, errors = {}, {}
        for i = 1, 4 do
          steps[i] = h / ratio ^ (i - 1)
          errors[i] = c * steps[i] ^ p
        end
        t:near(order(steps, errors), p, { tolerance = 1e-8, message = "errors C h^p", mistakes = {
          { -p, "the sign is opposite: errors fall when the steps get shorter, and p is positive" },
          { 1 / p, "this is the slope of log h over log e: the other way round" },
          { ratio ^ p, "this is how much an error falls from one step to the next: take logarithms" },
          { p * math.log(ratio), "divide by the logarithm of the ratio of the steps" },
          { p * math.log(ratio, 2), "the steps are not always halved: divide by the logarithm of their ratio" },
        } })
      end
      t:credit(0.5, "right for errors that are exactly C h^p; others need least squares over all of them")
      t:near(order({ 1, 0.5, 0.25 }, { 8, 2, 0.25 }), 2.5, { tolerance = 1e-8, message = "errors 8, 2, 0.25",
        mistakes = { { 2, "only the first two errors are used" }, { 3, "only the last two errors are used" } } })
      t:near(order({ 1, 0.5, 0.25, 0.125 }, { 8, 4, 2, 0.0625 }), 2.2, { tolerance = 1e-8,
        message = "errors 8, 4, 2, 0.0625", mistakes = { { 7 / 3, "only the first and the last error are used" } } })
    end },
    { name = "extrapolate", points = 2,
      hint = "coarse = u + C h^p and fine = u + C h^p / 2^p: eliminate C h^p", run = function(t)
        local extrapolate = t:answer("extrapolate", "function")
        for _, case in t:cases(4) do
          local u, e, p = case:number(-1, 1), case:number(0.1, 1), case:integer(2, 5)
          local coarse, fine = u + e, u + e / 2 ^ p
          t:near(extrapolate(coarse, fine, p), u, { message = "two results of order " .. p, mistakes = {
            { 2 * fine - coarse, "this is right for p = 1 only" },
            { (2 ^ p * coarse - fine) / (2 ^ p - 1), "coarse and fine are exchanged: fine has the larger weight" },
            { 2 ^ p * fine - coarse, "divide by 2^p - 1, so that the weights have the sum 1" },
            { (coarse + fine) / 2, "a mean has an error between the two: the weights must remove C h^p" },
          } })
        end
      end },
  },
}
