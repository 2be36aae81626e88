-- The first three frequencies of solids: a bar along itself, and a beam that bends, against Timoshenko's theory.
local tide = dofile("tests/script/helper.lua").tide
local vibration = dofile "tests/script/vibration.lua"

local pi = math.pi
local young, density = 1e6, 1000
local length, height = 1, 0.1

local function bar_of(model, size, cells)
  return function(scene)
    return scene:body("bar", { mesh = tide.mesh.box { size = size, cells = cells }, density = density,
      solid = { model = model, young = young, poisson = model ~= "arap" and 0.3 or nil } })
  end
end

local function bisect(f, low, high)
  local sign = f(low)
  for _ = 1, 60 do
    local middle = (low + high) / 2
    if sign * f(middle) > 0 then low = middle else high = middle end
  end
  return low
end

-- Returns the n-th frequency of a free beam by Timoshenko's theory, with the shear coefficient of a rectangle (Cowper
-- 1966), and a function of x, from the middle, that returns the deflection w and the angle of the cross-section. With
-- r = rho omega^2 / E, c = rho omega^2 / (kappa G) and q = r area / I, w is a sum of a cosine and a hyperbolic cosine
-- for odd n, or of sines for even n, whose wave numbers solve k^4 - (r + c) k^2 + r c - q = 0. At free ends
-- angle' = 0 and w' = angle.
local function timoshenko(n, poisson)
  local shear = 10 * (1 + poisson) / (12 + 11 * poisson) * young / (2 * (1 + poisson))
  local odd, half = n % 2 == 1, length / 2
  local function waves(omega)
    local r, c = density * omega ^ 2 / young, density * omega ^ 2 / shear
    local root = math.sqrt((r - c) ^ 2 + 48 * r / height ^ 2)
    local a, b = math.sqrt((root + r + c) / 2), math.sqrt((root - r - c) / 2)
    local cosine, sine, grow, shrink = math.cos(a * half), math.sin(a * half), math.exp(b * half), math.exp(-b * half)
    local cosh, sinh = (grow + shrink) / 2, (grow - shrink) / 2
    -- w = A cos(a x) + B cosh(b x), or A sin(a x) + B sinh(b x), with angle' = 0 at the end
    local A, B = (b * b + c) * (odd and cosh or sinh), (a * a - c) * (odd and cosine or sine)
    local unbalanced = odd and A * sine / a + B * sinh / b or A * cosine / a - B * cosh / b -- (w' - angle) / c
    return unbalanced, a, b, c, A, B
  end
  local euler = (vibration.free_beam[n] / length) ^ 2 * math.sqrt(young / density / 12) * height
  local omega = bisect(waves, 0.7 * euler, euler)
  local _, a, b, c, A, B = waves(omega)
  local scale = 1 / (math.abs(A) + math.abs(B))
  return omega, function(x)
    local grow, shrink = math.exp(b * x) / 2 * scale, math.exp(-b * x) / 2 * scale
    local cosine, sine = math.cos(a * x) * scale, math.sin(a * x) * scale
    if odd then
      return A * cosine + B * (grow + shrink), (c / a - a) * A * sine + (c / b + b) * B * (grow - shrink)
    end
    return A * sine + B * (grow - shrink), (a - c / a) * A * cosine + (c / b + b) * B * (grow + shrink)
  end
end

describe("a free bar", function()
  for _, model in ipairs { "corotated", "arap", "stvk", "neo_hookean" } do
    local poisson = model ~= "arap" and 0.3 or 0
    it("vibrates along itself: " .. model, function()
      local side = length / 40
      -- Lateral contraction lowers the frequency by its inertia (Love 1927, sec. 278).
      local function formula(n)
        local wave = n * pi / length
        return wave * math.sqrt(young / density / (1 + (poisson * wave * side) ^ 2 / 6))
      end
      vibration.check(function(cells)
        return bar_of(model, { length, side, side }, { 20 * cells, cells, cells })
      end, { 1, 3 }, 2, formula, function(n, x, y, z)
          local wave = n * pi / length
          local phase = wave * (x + length / 2)
          local contraction = poisson * wave * math.sin(phase)
          return math.cos(phase), contraction * y, contraction * z
        end)
    end)
    it("bends as Timoshenko has it: " .. model, function()
      local omega, bent = {}, {}
      for n = 1, 3 do omega[n], bent[n] = timoshenko(n, poisson) end
      -- A slab, one cell thick. Linear tetrahedra are too stiff: 12 cells over the height leave 0.6 %.
      vibration.check(function(cells)
        return bar_of(model, { length, height, height / cells }, { 12 * cells, cells, 1 })
      end, { 4, 12 }, 2, function(n) return omega[n] end, function(n, x, y)
        local deflection, angle = bent[n](x)
        return -y * angle, deflection, 0
      end)
    end)
  end
end)
