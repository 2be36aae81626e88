-- Lesson 12: fill in the three places marked TODO.
-- luacheck: no unused (the gaps)
local tide = require "springtide"

-- The two moduli of a thin sheet in plane stress: lambda and mu, in Pa, of Young's modulus and Poisson's ratio.
local function moduli(young, poisson)
  -- TODO: lesson 12, eq. 6
  return nil, nil
end

-- An elastic band between two vertices. It pulls when it is longer than rest, stiffer the farther it is stretched, and
-- never pushes: E = k/2 s^2 (1 + (s / rest)^2) with s = length - rest, and E = 0 where s < 0.
local band = tide.element { name = "band", vertices = 2,
  parameters = { k = { 50, min = 0, unit = "N/m" }, rest = function(A, B) return (A - B):length() end },
  energy = function(p, a, b)
    -- TODO: replace this line. a and b are symbols: (a - b):length(), tide.max(s, 0); no `if` can ask them.
    return 1e-9 * p.k * (a - b):length() ^ 2
  end }

-- The Green strain of a triangle, { e11, e12, e21, e22 } of half of (inverse of G times g) - 1, where
-- g = (u.u, u.v; u.v, v.v) of the edges u and v now, and G the same of the edges U and V at rest. The second
-- result is the area at rest.
local function strain(u, v, U, V)
  local uu, uv, vv = u:dot(u), u:dot(v), v:dot(v)
  local UU, UV, VV = U:dot(U), U:dot(V), V:dot(V)
  local square = UU * VV - UV * UV
  local e = { ((VV * uu - UV * uv) / square - 1) / 2, (VV * uv - UV * vv) / square / 2,
    (UU * uv - UV * uu) / square / 2, ((UU * vv - UV * uv) / square - 1) / 2 }
  return e, tide.sqrt(square) / 2
end

-- A woven sheet after St. Venant and Kirchhoff.
local cloth = tide.element { name = "cloth", vertices = 3,
  parameters = { young = { 2e5, min = 0, unit = "Pa" }, poisson = { 0.3, min = 0, max = 0.45 },
    thickness = { 5e-4, min = 0, unit = "m" } },
  energy = function(p, a, b, c, A, B, C)
    local e, area = strain(b - a, c - a, B - A, C - A)
    -- TODO: replace this line by lesson 12, eq. 5. moduli takes symbols, too: moduli(p.young, p.poisson)
    return 1e-12 * p.young * e[1] ^ 2 * area
  end }

-- A cloth held at two corners, with a band in its hem that gathers it. A weak net of springs holds it meanwhile. With
-- wear = true the dress of scene.lua, of your cloth.
local wear = tide.param("wear", false)
local young = tide.param("young", 2e4, { min = 1e3, max = 1e6, scale = "log", unit = "Pa" })
local scene = tide.scene { title = "My material", timestep = wear and 1 / 120 or 1 / 60, drag = 0.5, ground = false,
  solver = { "local_global", iterations = 10 }, contact = { continuous = wear } }
if wear then
  local dancer = require "springtide.dancer"
  for _, part in ipairs(dancer.parts { delay = 1, friction = 0.4, thickness = 0.003 }) do
    scene:collider(part[1], part[2])
  end
  scene:body("dress", { mesh = dancer.dress(), mass = 0.3, friction = 0.4, thickness = 0.002, self_collide = true,
    elements = { { cloth, on = "triangles", young = 10 * young } }, shell = { "quadratic", bending = 1e-5 } })
else
  local n, cell, hem = 13, 0.5 / 12, {}
  for i = 1, n - 1 do hem[i] = { n * (n - 1) + i, n * (n - 1) + i + 1 } end
  local sheet = scene:body("sheet", { mesh = tide.mesh.grid { columns = n, rows = n, width = 0.5, height = 0.5 },
    mass = 0.05, stiffness = 1, pattern = "checker", checkers = 6, shell = { "quadratic", bending = 1e-5 },
    elements = { { cloth, on = "triangles", young = young }, { band, vertices = hem, rest = 0.5 * cell } } })
  sheet:pin { 1, n }
end

return scene, { moduli = moduli, band = band, cloth = cloth }
