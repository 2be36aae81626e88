-- Lesson 12: the three places, filled in.
local tide = require "springtide"

-- The two moduli of a thin sheet in plane stress: lambda and mu, in Pa, of Young's modulus and Poisson's ratio.
local function moduli(young, poisson)
  return young * poisson / (1 - poisson ^ 2), young / (2 * (1 + poisson))
end

-- An elastic band between two vertices. It pulls when it is longer than rest, stiffer the farther it is stretched, and
-- never pushes: E = k/2 s^2 (1 + (s / rest)^2) with s = length - rest, and E = 0 where s < 0.
local band = tide.element { name = "band", vertices = 2,
  parameters = { k = { 50, min = 0, unit = "N/m" }, rest = function(A, B) return (A - B):length() end },
  energy = function(p, a, b)
    local s = tide.max((a - b):length() - p.rest, 0)
    return p.k / 2 * s ^ 2 * (1 + (s / p.rest) ^ 2)
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
    local lambda, mu = moduli(p.young, p.poisson)
    local trace, trace_of_square = e[1] + e[4], e[1] * e[1] + 2 * e[2] * e[3] + e[4] * e[4]
    return p.thickness * area * (mu * trace_of_square + lambda / 2 * trace ^ 2)
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
