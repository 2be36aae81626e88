local check = require "springtide.check"

local function distance(a, b)
  return math.sqrt((a[1] - b[1]) ^ 2 + (a[2] - b[2]) ^ 2 + (a[3] - b[3]) ^ 2)
end

-- Two ends of a spring, its length at rest and the inverse masses: the spring is stretched or compressed.
local function spring(case)
  return case:vector(3, -1, 1), case:vector(3, 2, 3), case:number(0.5, 2), case:number(0.2, 5), case:number(0.2, 5)
end

-- What each end has moved by, times its mass, summed: 0 for forces between the two.
local function momentum(a, b, a2, b2, wa, wb)
  local sum = {}
  for i = 1, 3 do sum[i] = (a2[i] - a[i]) / wa + (b2[i] - b[i]) / wb end
  return sum
end

local function expect_ends(t, a, b, name)
  t:expect(type(a) == "table" and #a == 3 and type(b) == "table" and #b == 3,
    name .. " must return the new a and b, each a list of three numbers")
  for i = 1, 3 do
    t:expect(a[i] == a[i] and b[i] == b[i], name .. " returned a position that is no number (0 / 0?)")
  end
end

return check.exercise {
  title = "Position-based methods",
  checks = {
    { name = "one projection", points = 3,
      hint = "a moves by -wa s n and b by wb s n. C then changes by -(wa + wb) s: which s removes the fraction of C?",
      run = function(t)
        local project = t:answer("project", "function")
        for _, case in t:cases(5) do
          local a, b, rest, wa, wb = spring(case)
          local C = distance(a, b) - rest
          local a2, b2 = project(a, b, wa, wb, rest, 1)
          expect_ends(t, a2, b2, "project")
          t:near(momentum(a, b, a2, b2, wa, wb), { 0, 0, 0 }, { tolerance = 1e-9, message = "sum of mass times "
            .. "displacement (each end moves in proportion to its inverse mass, in opposite directions)" })
          t:near(distance(a2, b2), rest, { tolerance = 1e-9, message = "length after a projection with fraction 1" })
          local fraction = case:number(0.1, 0.9)
          a2, b2 = project(a, b, wa, wb, rest, fraction)
          t:near(distance(a2, b2) - rest, (1 - fraction) * C, { tolerance = 1e-9,
            message = ("stretch left with fraction %.3g"):format(fraction) })
        end
        local a, b = project({ 0, 0, 0 }, { 0, -1.5, 0 }, 0, 10, 1, 1)
        t:near(a, { 0, 0, 0 }, { tolerance = 0, message = "a pinned end, of inverse mass 0" })
        t:near(b, { 0, -1, 0 }, { tolerance = 1e-12, message = "the free end of a spring whose other end is pinned" })
      end },
    { name = "stiffness and iterations", points = 2,
      hint = "n iterations leave (1 - s)^n of C, and 1 - fraction is to be left.",
      run = function(t)
        local share = t:answer("per_iteration", "function")
        for _, case in t:cases(4) do
          local fraction, n, left = case:number(0.05, 0.95), case:integer(2, 40), 1
          local s = share(fraction, n)
          t:expect(type(s) ~= "number" or math.abs(s - fraction / n) > 1e-9, "fraction / n takes too little: an "
            .. "iteration takes its share of what the others have left, not of the whole")
          t:expect(s ~= nil, "per_iteration returned nothing")
          for _ = 1, n do left = left * (1 - s) end
          t:near(left, 1 - fraction, { tolerance = 1e-9, message = ("left after %d iterations"):format(n) })
        end
      end },
    { name = "the stiffness of position-based dynamics", points = 2,
      hint = "In equilibrium a step pulls the spring longer by h^2 w T, with the tension T, and the projection takes "
        .. "the fraction of all of C: C = (1 - s) (C + h^2 w T). The stiffness is T / C.",
      run = function(t)
        local stiffness = t:answer("effective_stiffness", "function")
        for _, case in t:cases(4) do
          local fraction, w, h = case:number(0.1, 0.95), case:number(1, 50), 1 / case:number(30, 200)
          local k = stiffness(fraction, w, h)
          t:near(k, fraction / ((1 - fraction) * w * h ^ 2), { relative = 1e-9,
            message = ("effective stiffness for fraction %.3g, w = %.3g / kg, h = %.3g s"):format(fraction, w, h) })
        end
      end },
    { name = "one projection with compliance", points = 3,
      hint = "compliance / h^2 = 1 / (stiffness h^2), here a; the change is -(C + a lambda) / (wa + wb + a).",
      run = function(t)
        local xpbd = t:answer("xpbd", "function")
        for _, case in t:cases(5) do
          local a, b, rest, wa, wb = spring(case)
          local C, k, h = distance(a, b) - rest, case:number(1, 100), 1 / case:number(5, 60)
          local a2, b2, lambda = xpbd(a, b, wa, wb, rest, k, h, 0)
          expect_ends(t, a2, b2, "xpbd")
          t:expect(lambda ~= nil, "xpbd must return the new lambda third")
          t:near(momentum(a, b, a2, b2, wa, wb), { 0, 0, 0 }, { tolerance = 1e-9,
            message = "sum of mass times displacement" })
          local left, w = distance(a2, b2) - rest, wa + wb
          t:expect(math.abs(left - C * (1 / k) / (w + 1 / k)) > 1e-9 or math.abs(h - 1) < 1e-9,
            "the stretch that is left does not depend on h: the compliance is divided by h^2")
          t:near(left, C / (1 + w * k * h ^ 2), { tolerance = 1e-9, message = "stretch left by the implicit step" })
          t:near(lambda, -k * h ^ 2 * left, { tolerance = 1e-9, message = "lambda = -stiffness h^2 C" })
          -- A spring alone is solved by one projection: a second one must change nothing.
          local a3, b3, again = xpbd(a2, b2, wa, wb, rest, k, h, lambda)
          t:near(distance(a3, b3), distance(a2, b2), { tolerance = 1e-9, message = "length after a second projection "
            .. "(nothing is left to do: C + compliance lambda / h^2 is 0; is lambda in your formula?)" })
          t:near(again, lambda, { tolerance = 1e-9, message = "lambda after a second projection" })
        end
      end },
    { name = "the rope", points = 2,
      hint = "With one correct projection the rope of the exercise follows Newton's method within 2 mm in two seconds.",
      run = function(t)
        t:answer("xpbd", "function")
        t:agrees_with(t:scene(), t:scene { solver = "newton" }, 60, 3e-3)
      end },
  },
}
