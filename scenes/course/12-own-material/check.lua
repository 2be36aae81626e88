local check = require "springtide.check"
local tide = require "springtide"

-- The energy of a mesh, all of whose edges or triangles have the material, as a function of its positions.
local function energy_of(mesh, body)
  local scene = tide.scene { gravity = { 0, 0, 0 } }
  body.mesh, body.mass = mesh, 1
  scene:body("sample", body)
  local system = scene:system()
  return function(x) return system:energy(x) end, scene
end

local function line(length)
  return tide.mesh.new { vertices = { { 0, 0, 0 }, { length, 0, 0 } }, edges = { { 1, 2 } } }
end

-- A triangle somewhere in space: its positions as a flat list of nine numbers, and its mesh.
local function triangle(case)
  local x = case:vector(9, -0.2, 0.2)
  x[4], x[8] = x[4] + 1, x[8] + 1
  return x, tide.mesh.new { vertices = { { x[1], x[2], x[3] }, { x[4], x[5], x[6] }, { x[7], x[8], x[9] } },
    triangles = { { 1, 2, 3 } } }
end

local right = { 0, 0, 0, 2, 0, 0, 0, 1, 0 }      -- a right triangle of area 1
local function right_mesh()
  return tide.mesh.new { vertices = { { 0, 0, 0 }, { 2, 0, 0 }, { 0, 1, 0 } }, triangles = { { 1, 2, 3 } } }
end

-- The positions of the right triangle under x -> a x + b y, y -> c y.
local function deformed(a, b, c)
  local x = {}
  for i = 1, 9, 3 do
    x[i], x[i + 1], x[i + 2] = a * right[i] + b * right[i + 1], c * right[i + 1], 0
  end
  return x
end

local function stvk(young, poisson, thickness, e11, e12, e22)
  local lambda, mu = young * poisson / (1 - poisson ^ 2), young / (2 * (1 + poisson))
  return thickness * (mu * (e11 ^ 2 + 2 * e12 ^ 2 + e22 ^ 2) + lambda / 2 * (e11 + e22) ^ 2)
end

local function material(case)
  return case:number(1e3, 1e5), case:number(0.1, 0.4), case:number(1e-4, 1e-2)
end

local not_symmetric = "e12 and e21 differ unless the edges at rest are of length 1 and at a right angle: 2 e12 e21"

return check.exercise {
  title = "A material of one's own",
  checks = {
    { name = "the band", points = 3,
      hint = "s = tide.max((a - b):length() - p.rest, 0) is 0 wherever the band is slack, and so is all "
        .. "that has s as a factor.",
      run = function(t)
        local band = t:answer "band"
        for _, case in t:cases(4) do
          local k, rest = case:number(10, 100), case:number(0.5, 2)
          local energy = energy_of(line(rest), { elements = { { band, vertices = { { 1, 2 } }, k = k } } })
          local s = case:number(0.1, 1) * rest
          local expected = k / 2 * s ^ 2 * (1 + (s / rest) ^ 2)
          t:near(energy { 0, 0, 0, 0, rest + s, 0 }, expected, { relative = 1e-9, message = "energy of a long band",
            mistakes = { { 2 * expected, "twice as much: k / 2" },
              { k / 2 * s ^ 2, "this is a spring with constant stiffness: the factor 1 + (s / rest)^2 is missing" } } })
          t:near(energy { 0, 0, 0, 0.7 * rest, 0, 0 }, 0, { tolerance = 1e-12, message = "energy of a slack band, "
            .. "which must not push (s is negative there: tide.max(s, 0))" })
        end
      end },
    { name = "the moduli of a sheet", points = 2,
      hint = "mu = Y / (2 (1 + nu)). A sheet is free to get thinner, so lambda is Y nu / (1 - nu^2).",
      run = function(t)
        local moduli = t:answer("moduli", "function")
        for _, case in t:cases(4) do
          local young, nu = material(case)
          local lambda, mu = young * nu / (1 - nu ^ 2), young / (2 * (1 + nu))
          t:near({ moduli(young, nu) }, { lambda, mu }, { relative = 1e-9, message = "lambda and mu", mistakes = {
            { { mu, lambda }, "lambda comes first, then mu" },
            { { young * nu / ((1 + nu) * (1 - 2 * nu)), mu }, "this lambda is that of a solid, which gets no thinner; "
              .. "of a sheet it is young poisson / (1 - poisson^2)" } } })
        end
      end },
    { name = "no energy without strain", points = 1,
      hint = "Start from strain(...): it is 0 for every position that only turns and moves the triangle.",
      run = function(t)
        local cloth = t:answer "cloth"
        for _, case in t:cases(3) do
          local young, poisson, thickness = material(case)
          local x, mesh = triangle(case)
          local energy = energy_of(mesh, { elements = { { cloth, on = "triangles", young = young, poisson = poisson,
            thickness = thickness } } })
          local stretched = {}
          for i = 1, 9 do stretched[i] = 1.5 * x[i] end
          t:expect(energy(stretched) > 1e-3 * young * thickness * 0.2, "a triangle that is stretched by a half has no "
            .. "energy to speak of")
          t:near(energy(x), 0, { tolerance = 1e-9 * young * thickness, message = "energy at rest" })
          local c, s, turned = math.cos(1), math.sin(1), {}
          for i = 1, 9, 3 do
            turned[i], turned[i + 1], turned[i + 2] = c * x[i] - s * x[i + 2] + 3, x[i + 1], s * x[i] + c * x[i + 2]
          end
          t:near(energy(turned), 0, { tolerance = 1e-9 * young * thickness, message = "energy of a triangle that was "
            .. "turned and moved" })
        end
      end },
    { name = "stretch and shear", points = 4,
      hint = "tr(e) = e11 + e22 and tr(e e) = e11^2 + 2 e12 e21 + e22^2, times thickness and area.",
      run = function(t)
        local cloth = t:answer "cloth"
        for _, case in t:cases(4) do
          local young, poisson, thickness = material(case)
          local energy = energy_of(right_mesh(), { elements = { { cloth, on = "triangles", young = young,
            poisson = poisson, thickness = thickness } } })
          local a, c, b = case:number(1.1, 1.5), case:number(0.8, 1.2), case:number(0.2, 0.6)
          local e11, e22 = (a ^ 2 - 1) / 2, (c ^ 2 - 1) / 2
          local expected = stvk(young, poisson, thickness, e11, 0, e22)
          local solid = young * poisson / ((1 + poisson) * (1 - 2 * poisson)) - young * poisson / (1 - poisson ^ 2)
          t:near(energy(deformed(a, 0, c)), expected, { relative = 1e-6,
            message = ("energy of a triangle of 1 m^2 stretched by %.3g and %.3g"):format(a, c), mistakes = {
              { expected / thickness, "the thickness is missing" }, { 2 * expected, "twice as much" },
              { expected / 2, "half as much" },
              { expected + thickness * solid / 2 * (e11 + e22) ^ 2, "lambda is that of a solid, not of a sheet" } } })
          t:credit(0.5, "stretch is right, shear is not yet")
          local e12, sheared = b / 2, b ^ 2 / 2
          t:near(energy(deformed(1, b, 1)), stvk(young, poisson, thickness, 0, e12, sheared), { relative = 1e-6,
            message = ("energy of a triangle sheared by %.3g"):format(b), mistakes = {
              { stvk(young, poisson, thickness, 0, 0, sheared), "the shear e12 e21 does not count: tr(e e) has the "
                .. "term 2 e12 e21" },
              { stvk(young, poisson, thickness, 0, e12 / math.sqrt(2), sheared), "tr(e e) has e12 e21 twice" },
              { stvk(young, poisson, thickness, 0, b / 4, sheared), not_symmetric },
              { stvk(young, poisson, thickness, 0, b, sheared), not_symmetric },
              { stvk(young, poisson, thickness, 0, b * math.sqrt(17 / 32), sheared), not_symmetric } } })
        end
      end },
    { name = "as the engine's own membrane", points = 2,
      hint = "body:stress and membrane = { \"stvk\", ... } are the same material.",
      run = function(t)
        local cloth = t:answer "cloth"
        for _, case in t:cases(3) do
          local young, poisson, thickness = material(case)
          local mesh = tide.mesh.grid { columns = 3, rows = 3, width = 1, height = 1 }
          local mine = energy_of(mesh, { elements = { { cloth, on = "triangles", young = young, poisson = poisson,
            thickness = thickness } } })
          local engine, scene = energy_of(mesh, { membrane = { "stvk", young = young, poisson = poisson,
            thickness = thickness } })
          local x = scene:system():positions()
          for i = 1, #x do x[i] = 1.2 * x[i] + case:number(-0.05, 0.05) end
          t:near(mine(x), engine(x), { relative = 1e-6, message = "energy of 8 triangles at random positions" })
        end
      end },
  },
}
