-- A dress of a material of one's own on a dancing figure. The cloth is an energy in ten lines, that of St. Venant and
-- Kirchhoff, from the edges of a triangle now and at rest. A second of the dance takes about half a minute to compute.
local tide = require "springtide"
local dancer = require "springtide.dancer"
local bending = tide.param("bending", 1e-5, { min = 1e-7, max = 1e-3, scale = "log", unit = "N m" })
local quiet = 1          -- s, before the dance begins

local cloth = tide.element {
  name = "cloth", vertices = 3,
  parameters = { young = { 2e5, min = 2e4, max = 2e6, unit = "Pa" }, poisson = { 0.3, min = 0, max = 0.45 },
    thickness = { 5e-4, min = 0, unit = "m" } },
  energy = function(p, a, b, c, A, B, C)
    local u, v, U, V = b - a, c - a, B - A, C - A                -- two edges, now and at rest
    local uu, uv, vv = u:dot(u), u:dot(v), v:dot(v)
    local UU, UV, VV = U:dot(U), U:dot(V), V:dot(V)
    local square = UU * VV - UV * UV                             -- four times the squared area at rest
    local e11, e12 = ((VV * uu - UV * uv) / square - 1) / 2, (VV * uv - UV * vv) / square / 2
    local e21, e22 = (UU * uv - UV * uu) / square / 2, ((UU * vv - UV * uv) / square - 1) / 2
    local mu, lambda = p.young / (2 * (1 + p.poisson)), p.young * p.poisson / (1 - p.poisson ^ 2)
    local trace, trace_of_square = e11 + e22, e11 * e11 + 2 * e12 * e21 + e22 * e22
    return p.thickness * tide.sqrt(square) / 2 * (mu * trace_of_square + lambda / 2 * trace ^ 2)
  end,
}

local scene = tide.scene { title = "A material of one's own", timestep = 1 / 120, drag = 0.5,
  solver = { "local_global", iterations = 10 }, contact = { continuous = true },
  camera = { position = { 1.2, 1.35, 2.6 }, target = { 0, 0.85, 0 } }, ground = { height = 0, solid = false } }
for _, part in ipairs(dancer.parts { delay = quiet, friction = 0.4, thickness = 0.003 }) do
  scene:collider(part[1], part[2])
end
local dress = scene:body("dress", {
  mesh = dancer.dress(), mass = 0.3, friction = 0.4, thickness = 0.002, self_collide = true,
  elements = { { cloth, on = "triangles" } }, shell = { "quadratic", bending = bending },
  colour = { 0.15, 0.25, 0.55 }, back_colour = { 0.1, 0.12, 0.3 },
})

function scene.update()
  local lowest = 0
  for i = 1, dress.vertex_count, 7 do
    local x, y, z = dress:position(i)
    if y < 0.75 then lowest = math.max(lowest, math.sqrt(x * x + z * z)) end
  end
  scene:plot("radius of the hem, m", lowest)
end

return scene
