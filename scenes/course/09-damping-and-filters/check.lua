local check = require "springtide.check"

local function weight(lambda)
  local w = math.exp(-lambda)
  return w / (1 + 2 * w)
end

-- The string's share of the shape sin(m pi j / 32), in m.
local function amplitude(scene, m)
  local string, sum = scene:body "string", 0
  for i = 1, 33 do
    local _, y = string:position(i)
    sum = sum + 2 / 32 * y * math.sin(m * math.pi * (i - 1) / 32)
  end
  return sum
end

return check.exercise {
  title = "Damping and filters",
  checks = {
    { name = "the loss of implicit Euler", points = 2,
      hint = "Put v' = v - h k x' and x' = x + h v' together; then k x'^2 + v'^2 is (k x^2 + v^2) / (1 + h^2 k).",
      run = function(t)
        local loss = t:answer("implicit_loss", "function")
        for _, case in t:cases(4) do
          local h, k = case:number(0.01, 0.5), case:number(1, 100)
          t:near(loss(h, k), 1 / math.sqrt(1 + h ^ 2 * k), { tolerance = 1e-12, message = "factor of a step",
            mistakes = { { 1 / (1 + h ^ 2 * k), "this is the energy's factor; the vector's is its square root" } } })
        end
      end },
    { name = "Rayleigh damping for two modes", points = 3,
      hint = "d0 + alpha w^2 = 2 z w, for both modes: two linear equations in d0 and alpha.",
      run = function(t)
        local rayleigh = t:answer("rayleigh", "function")
        for _, case in t:cases(4) do
          local w1, w2 = case:number(1, 10), case:number(20, 200)
          local z1, z2 = case:number(0.01, 0.3), case:number(0.01, 0.3)
          local alpha = 2 * (z2 * w2 - z1 * w1) / (w2 ^ 2 - w1 ^ 2)
          local d0 = 2 * z1 * w1 - alpha * w1 ^ 2
          t:near({ rayleigh(w1, z1, w2, z2) }, { d0, alpha }, { tolerance = 1e-9, message = "d0 and alpha",
            mistakes = { { { d0 / 2, alpha / 2 }, "half of what is right: the ratio is (d0 + alpha w^2) / (2 w)" },
              { { alpha, d0 }, "d0 comes first, then alpha" } } })
        end
      end },
    { name = "the filter", points = 4,
      hint = "For each pair: e = beta / 2 (v[i + 1] - v[i]) of the old v; the left one gains e, the right loses it.",
      run = function(t)
        local filter = t:answer("filter", "function")
        for _, case in t:cases(4) do
          local lambda = case:number(0.5, 5)
          local beta, w = weight(lambda), math.exp(-lambda)
          local b = beta / 2
          t:near(filter({ 3, 3, 3, 3 }, lambda), { 3, 3, 3, 3 }, { message = "a chain that moves as a whole" })
          t:near(filter({ 0, 0, 1, 0, 0 }, lambda), { 0, b, 1 - 2 * b, b, 0 }, { message = "one particle that moves",
            mistakes = {
              { { 0, b, (1 - b) ^ 2, b * (1 - b) ^ 2, b ^ 2 * (1 - b) }, "the second exchange of a "
                .. "particle has read what the first one changed: compute with the old v, and change a copy" },
              { { 0, w / 2, 1 - w, w / 2, 0 }, "the weights are not normalised: beta = w / (1 + 2 w)" },
              { { 0, beta, 1 - 2 * beta, beta, 0 }, "a pair exchanges half of beta of its difference" } } })
          local v, sum, after = case:vector(case:integer(2, 20), -1, 1), 0, 0
          local filtered = filter(v, lambda)
          t:expect(#filtered == #v, ("%d particles came out of the filter, %d went in"):format(#filtered, #v))
          for i = 1, #v do sum, after = sum + v[i], after + filtered[i] end
          t:near(after, sum, { message = "sum of the velocities (the ends have one neighbour: what one of a pair "
            .. "gains, the other must lose)" })
          t:near(filtered[1], v[1] + b * (v[2] - v[1]), { message = "the first particle" })
        end
      end },
    { name = "what it does to a wave", points = 2,
      hint = "v[i + 1] + v[i - 1] = 2 cos(theta) v[i] for v[i] = cos(theta i).",
      run = function(t)
        local factor = t:answer("filter_factor", "function")
        for _, case in t:cases(4) do
          local lambda, theta = case:number(0.5, 5), case:number(0.1, 3)
          t:near(factor(lambda, theta), 1 - weight(lambda) * (1 - math.cos(theta)), { message = "factor of the wave",
            mistakes = { { 1 - 2 * weight(lambda) * (1 - math.cos(theta)), "twice the damping: half of beta is "
              .. "exchanged, with each of two neighbours" } } })
        end
      end },
    { name = "the string", points = 2, hint = "The filter of the exercise is called before each step, with lambda = 4.",
      run = function(t)
        t:answer("filter", "function")
        local scene = t:scene()
        scene:step(400)
        t:residual(math.abs(amplitude(scene, 28)), 0.5e-3, "zigzag of the string after a second, in m")
        local swing = 0
        for _ = 1, 400 do
          scene:step()
          swing = math.max(swing, math.abs(amplitude(scene, 1)))
        end
        t:expect(swing > 0.185, ("the slow swing has fallen to %.3f m; a filter leaves 0.19 of 0.2 m"):format(swing))
      end },
  },
}
