-- Jellies of one weight and one stiffness, dropped on a floor: edges as springs, and finite elements of Young's modulus
-- and Poisson's ratio. Springs fold into themselves and stay there. Solids unfold, bulge where they are squeezed, and
-- keep their volume (the numbers) the better the nearer Poisson's ratio is to 1/2. The up key throws them up again.
local tide = require "springtide"
local young = tide.param("young", 8000, { min = 500, max = 1e5, scale = "log", unit = "Pa" })
local poisson = tide.param("poisson", 0.45, { min = 0, max = 0.49 })

local scene = tide.scene { title = "Jelly", timestep = 1 / 120, deformation_drag = 1, ground = 0,
  solver = { "lbfgs", iterations = 12 },
  camera = { position = { 0, 0.5, 1.6 }, target = { 0, 0.14, 0 }, field_of_view = 0.6 } }
scene:collider("floor", { shape = "plane", friction = 0.6, visible = false })
local side = 0.2
local mesh = tide.mesh.box { size = { side, side, side }, cells = { 5, 5, 5 } }
local jellies = {
  { "springs", { 0.75, 0.2, 0.18 }, { stiffness = young * side / 5 } }, -- the modulus of a lattice, about
  { "arap", { 0.85, 0.55, 0.15 }, { solid = { model = "arap", young = young } } },
  { "corotated", { 0.25, 0.6, 0.3 }, { solid = { model = "corotated", young = young, poisson = poisson } } },
  { "neo_hookean", { 0.2, 0.4, 0.75 }, { solid = { model = "neo_hookean", young = young, poisson = poisson } } },
  { "incompressible", { 0.5, 0.3, 0.65 }, { solid = { model = "neo_hookean", young = young, incompressible = true } } },
}
local function place(i) return 0.32 * (i - (#jellies + 1) / 2) end
local bodies = {}
for i, jelly in ipairs(jellies) do
  local definition = jelly[3]
  definition.mesh = mesh:translate(place(i), 0.12 + side / 2, 0)
  definition.density, definition.colour = 1000, jelly[2]
  bodies[i] = scene:body(jelly[1], definition)
end

local function volume(body) -- of the pyramids from the origin to the triangles, over that at rest
  local sum, x = 0, body:positions()
  for t = 1, mesh.triangle_count do
    local a, b, c = mesh:triangle(t)
    a, b, c = 3 * a - 2, 3 * b - 2, 3 * c - 2
    sum = sum + x[a] * (x[b + 1] * x[c + 2] - x[b + 2] * x[c + 1]) + x[a + 1] * (x[b + 2] * x[c] - x[b] * x[c + 2])
      + x[a + 2] * (x[b] * x[c + 1] - x[b + 1] * x[c])
  end
  return sum / (6 * side ^ 3)
end
function scene.draw(canvas)
  for i, body in ipairs(bodies) do
    canvas:label(place(i), 0.29 + 0.06 * (i % 2), 0, ("%s %.0f %%"):format(body.name, 100 * volume(body)))
  end
end
function scene.keypressed(key)
  for _, body in ipairs(key == "up" and bodies or {}) do
    for i = 1, body.vertex_count do body:set_velocity(i, 0, 2, 0) end
  end
end
return scene
