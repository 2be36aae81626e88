-- What marks lesson 2: three methods, the amplification of a step, the search for the limit, and the limit of a net.
local check = require "springtide.check"

-- A check of one step of a method against its formula. wrong(x, v, h, k, d) is a list of { x, v, message }.
local function step_of(name, points, hint, right, wrong)
  return { name = name .. " Euler", points = points, hint = hint, run = function(t)
    local step = t:answer(name, "function")
    for _, case in t:cases(5) do
      local x, v, h = case:number(-1, 1), case:number(-1, 1), case:number(0.1, 1)
      local k, d = case:number(0.5, 4), case:number(0.5, 2)
      local mistakes = {}
      for i, one in ipairs(wrong(x, v, h, k, d)) do
        mistakes[i] = { { one[1], one[2] }, one[3] }
      end
      t:near({ step(x, v, h, k, d) }, { right(x, v, h, k, d) }, { message = "position and velocity after a step",
        mistakes = mistakes })
    end
  end }
end

local function explicit(x, v, h, k, d)
  return x + h * v, v - h * (k * x + d * v)
end

local function symplectic(x, v, h, k, d)
  local new = v - h * (k * x + d * v)
  return x + h * new, new
end

local function implicit(x, v, h, k, d)
  local new = (v - h * k * x) / (1 + h * d + h ^ 2 * k)
  return x + h * new, new
end

-- The largest energy of the rope over some frames, or infinity where a step fails.
local function peak(scene, frames)
  local most = 0
  for _ = 1, frames do
    if not scene:step() then return math.huge end
    most = math.max(most, scene:energy().total)
  end
  return most
end

return check.exercise {
  title = "Explicit, symplectic, implicit",
  checks = {
    step_of("explicit", 1, "x + h v and v + h a, with a = -k x - d v at the old position and velocity", explicit,
      function(x, v, h, k, d)
        local new = v - h * (k * x + d * v)
        return { { x + h * new, new, "the position uses the new velocity: this is symplectic Euler" },
          { x + h * v, v - h * k * x, "the damping d is missing" },
          { x + h * v, v + h * (k * x + d * v), "the acceleration is -k x - d v, with minus" } }
      end),
    step_of("symplectic", 1, "first v, with the old x; then x, with the new v", symplectic, function(x, v, h, k, d)
      local old, first = v - h * (k * x + d * v), x + h * v
      return { { x + h * v, old, "the position uses the old velocity: this is explicit Euler" },
        { first, v - h * (k * first + d * v), "this takes the position first; take the velocity first" } }
    end),
    step_of("implicit", 2, "put x + h v' into v' = v - h (k x' + d v'), then solve for v'", implicit,
      function(x, v, h, k, d)
        local half = (v - h * k * x) / (1 + h * d)
        local undamped = (v - h * (k * x + d * v)) / (1 + h ^ 2 * k)
        local plain = (v - h * k * x) / (1 + h ^ 2 * k)
        local old, new = v - h * (k * x + d * v), (v - h * k * x) / (1 + h * d + h ^ 2 * k)
        return { { x + h * old, old, "this is symplectic Euler: the new position must be in the force, too" },
          { x + h * half, half, "h^2 k is missing in the denominator: the spring's force is at the new position" },
          { x + h * undamped, undamped, "the damping uses the old velocity; in implicit Euler it uses the new one" },
          { x + h * plain, plain, "the damping h d is missing in the denominator" },
          { x + h * v, new, "the velocity is right; the position moves with the new velocity, not with the old" } }
      end),
    { name = "amplification", points = 2,
      hint = "the eigenvalues solve l^2 - trace l + determinant = 0; the product of a complex pair is |l|^2",
      run = function(t)
        local amplification = t:answer("amplification", "function")
        for _, case in t:cases(4) do
          local size, angle = case:number(0.2, 2), case:number(0.2, 3)
          t:near(amplification(2 * size * math.cos(angle), size ^ 2), size, { message = "a complex pair", mistakes = {
            { size ^ 2, "the determinant is |l|^2 here: take its square root" },
            { math.abs(size * math.cos(angle)), "this is the real part of the pair: its absolute value is larger" },
          } })
        end
        t:credit(0.5, "complex eigenvalues are right, real ones not yet")
        for _, case in t:cases(4) do
          local small, large, sign = case:number(0.1, 1), case:number(1.2, 3), case:integer(0, 1) * 2 - 1
          t:near(amplification(sign * (small + large), small * large), large, { message = "two real eigenvalues",
            mistakes = {
              { small, "of two real eigenvalues, this is the smaller" },
              { -small, "a negative trace: the largest |eigenvalue| belongs to the minus sign of the root" },
              { math.sqrt(small * large), "the square root of the determinant holds for a complex pair only" },
            } })
        end
      end },
    { name = "the search for the limit", points = 2,
      hint = "halve the interval: test the middle, and keep the half in which stable changes",
      run = function(t)
        local limit = t:answer("limit", "function")
        for _, case in t:cases(4) do
          local secret, calls = 10 ^ case:number(-4, 0), 0
          local found = limit(function(h)
            calls = calls + 1
            t:expect(calls <= 1000, "more than 1000 calls of stable: bisection needs about 40")
            return h < secret
          end, secret / 10, 2)
          t:near(found, secret, { tolerance = 2e-6 * secret, message = ("a limit at %g"):format(secret) })
        end
      end },
    { name = "the limit of a net", points = 2, hint = "h^2 k0 < 4 (Shinya 2005, eq. 27)", run = function(t)
      local net_step = t:answer("net_step", "function")
      for _, case in t:cases(3) do
        local k0 = case:number(10, 1e4)
        t:near(net_step(k0), 2 / math.sqrt(k0), { message = ("net_step(%.4g)"):format(k0), mistakes = {
          { 2 / k0, "k0 is in 1/s^2: the step in s goes with 1 / sqrt(k0)" },
          { 1 / math.sqrt(k0), "h^2 k0 < 4, not 1: the limit is twice as long" },
          { 4 / math.sqrt(k0), "h^2 k0 < 4: the square root of 4 is 2" },
          { math.sqrt(2 / k0), "h^2 k0 < 4, not 2" },
        } })
      end
      t:credit(0.5, "the formula is right; the rope of the scene does not follow it")
      t:expect(peak(t:scene { set = { fraction = 0.99 } }, 500) < 1, "at 0.99 of the limit the rope blows up")
      t:expect(peak(t:scene { set = { fraction = 1.01 } }, 500) > 1, "at 1.01 of the limit the rope does not blow up")
    end },
  },
}
