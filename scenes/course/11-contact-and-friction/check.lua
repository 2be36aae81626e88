local check = require "springtide.check"

local function dot(a, b)
  return a[1] * b[1] + a[2] * b[2] + a[3] * b[3]
end

local function length(a)
  return math.sqrt(dot(a, a))
end

-- A normal, a direction across it, both of length 1, and a mass.
local function contact(case)
  local n, a = case:vector(3, 0.2, 1), case:vector(3, -1, 1)
  local l = length(n)
  for i = 1, 3 do n[i] = n[i] / l end
  local along = dot(a, n)
  for i = 1, 3 do a[i] = a[i] - along * n[i] end
  l = length(a)
  for i = 1, 3 do a[i] = a[i] / l end
  return n, a, case:number(0.2, 5)
end

local function sum(s, a, r, b)
  return { s * a[1] + r * b[1], s * a[2] + r * b[2], s * a[3] + r * b[3] }
end

return check.exercise {
  title = "Contact and friction",
  checks = {
    { name = "the normal impulse", points = 3,
      hint = "v.n is the speed away from the plane. Where it is not negative, the impulse is zero; else"
        .. " (1 + e) m |v.n| n.",
      run = function(t)
        local impulse = t:answer("impulse", "function")
        for _, case in t:cases(4) do
          local n, _, m = contact(case)
          local speed, e = case:number(0.1, 5), case:number(0, 1)
          t:near(impulse(m, sum(speed, n, 0, n), n, 0.5, e), { 0, 0, 0 }, { message = "a particle that moves away (a "
            .. "contact never pulls)" })
          t:near(impulse(m, sum(-speed, n, 0, n), n, 0.5, e), sum((1 + e) * m * speed, n, 0, n), {
            message = "a particle that comes straight on", mistakes = {
              { sum(m * speed, n, 0, n), "it stops, but with restitution it is to leave with e times its speed" },
              { sum((1 + e) * speed, n, 0, n), "this is a change of velocity; an impulse is that times the mass" } } })
        end
      end },
    { name = "friction", points = 4,
      hint = "The slip is v - (v.n) n. Against it act mu times the normal impulse, or m |slip| where that is less.",
      run = function(t)
        local impulse = t:answer("impulse", "function")
        for _, case in t:cases(4) do
          local n, a, m = contact(case)
          local down, e, mu = case:number(0.5, 2), case:number(0, 0.9), case:number(0.1, 0.6)
          local normal = (1 + e) * m * down
          local slow, fast = 0.5 * mu * normal / m, 3 * mu * normal / m
          t:near(impulse(m, sum(-down, n, fast, a), n, mu, e), sum(normal, n, -mu * normal, a), {
            message = "a particle that goes on sliding", mistakes = {
              { sum(normal, n, mu * normal, a), "friction pushes it on; it must act against the slip" },
              { sum(normal, n, -m * fast, a), "friction stops all slip here; it is at most mu times the normal one" },
              { sum(normal, n, -mu * m * down, a), "mu times what stops the particle; the normal impulse has the "
                .. "bounce, (1 + e), in it" },
              { sum(normal, n, 0, a), "there is no friction" } } })
          t:near(impulse(m, sum(-down, n, slow, a), n, mu, e), sum(normal, n, -m * slow, a), {
            message = "a particle that sticks", mistakes = { { sum(normal, n, -mu * normal, a),
              "friction reverses the slip: it stops the particle at most, m |slip|" } } })
          t:near(impulse(m, sum(-down, n, 0, a), n, mu, e), sum(normal, n, 0, a), { message = "no slip (0 / 0?)" })
        end
      end },
    { name = "sliding down a slope", points = 2,
      hint = "Along the slope gravity is g sin(angle), friction mu g cos(angle); v^2 / 2 is deceleration times way.",
      run = function(t)
        local distance = t:answer("sliding_distance", "function")
        for _, case in t:cases(4) do
          local v, mu = case:number(0.5, 4), case:number(0.3, 1)
          local angle = case:number(0, 0.9) * math.atan(mu)
          t:near(distance(v, mu, 0), v ^ 2 / (2 * 9.81 * mu), { message = "way on the level" })
          t:near(distance(v, mu, angle), v ^ 2 / (2 * 9.81 * (mu * math.cos(angle) - math.sin(angle))), {
            relative = 1e-9, message = ("way at %.3g degrees with mu = %.3g"):format(math.deg(angle), mu) })
          t:expect(distance(v, mu, math.atan(mu) + 0.1) == math.huge, "beyond the angle of friction, tan(angle) > mu, "
            .. "the block never stops: return math.huge")
        end
      end },
    { name = "many contacts", points = 3,
      hint = "x[i] = max(0, -(b[i] + sum of W[i][j] x[j] over j ~= i) / W[i][i]), row after row, with the newest x.",
      run = function(t)
        local solve = t:answer("solve_contacts", "function")
        t:near(solve({ { 4 } }, { 2 }, 1), { 0 }, { message = "one contact that opens by itself", mistakes = {
          { { -0.5 }, "the contact pulls: no x[i] may be below 0" } } })
        t:near(solve({ { 4 } }, { -2 }, 1), { 0.5 }, { message = "one contact that closes" })
        t:near(solve({ { 2, 1 }, { 1, 2 } }, { -1, -1 }, 1), { 0.5, 0.25 }, { message = "two contacts after one sweep",
          mistakes = { { { 0.5, 0.5 }, "the second row must take the new x[1]; this is Jacobi's method, which "
            .. "may diverge" } } })
        for _, case in t:cases(4) do
          local n, W, b = case:integer(3, 8), {}, case:vector(8, -1, 1)
          local rows = {}
          for i = 1, n do rows[i] = case:vector(n, -1, 1) end
          for i = 1, n do
            W[i] = {}
            for j = 1, n do
              W[i][j] = i == j and 0.5 or 0
              for k = 1, n do W[i][j] = W[i][j] + rows[i][k] * rows[j][k] end
            end
            b[i] = i == 1 and -1 or b[i]
          end
          for i = n + 1, 8 do b[i] = nil end
          local x = solve(W, b, 2000)
          t:expect(type(x) == "table" and #x == n, ("expected a list of %d impulses"):format(n))
          for i = 1, n do
            t:expect(type(x[i]) == "number" and x[i] >= 0, ("x[%d] is negative: a contact would pull; clamp each x[i] "
              .. "within the sweeps"):format(i))
            local speed = b[i]
            for j = 1, n do speed = speed + W[i][j] * x[j] end
            t:residual(math.min(x[i], speed), 1e-6, ("row %d: impulse %.3g and speed after it %.3g, of which one must "
              .. "be 0 and none negative (clamp within the sweeps, not at the end)"):format(i, x[i], speed))
          end
        end
      end },
    { name = "the valley", points = 2,
      hint = "With impulse in place all peas lie still at the bottom after three seconds.",
      run = function(t)
        t:answer("impulse", "function")
        local scene = t:scene()
        scene:step(240)
        local early = scene:energy()
        scene:step(720)
        local late = scene:energy()
        t:expect(late.gravity > 0, "the peas have fallen through the valley")
        t:expect(late.total < early.total, "the energy has risen")
        t:residual(late.kinetic, 0.2, "kinetic energy after four seconds, in J")
      end },
  },
}
