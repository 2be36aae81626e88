-- One mesh of several materials, for the ratios of tests/bench/materials.lua:
--     springtide bench tests/bench/material_scene.lua --set material=corotated
local tide = require "springtide"
local material = tide.param("material", "springs",
  { choices = { "springs", "corotated", "curtain", "membrane", "own_element" } })
local cells = tide.param("cells", 18, { min = 1, max = 100, help = "of a solid's side: 6 tetrahedra each" })
local side = tide.param("side", 81, { min = 3, max = 1000, help = "vertices of a sheet's side" })

local scene = tide.scene { timestep = 1 / 30, solver = { "local_global", iterations = 10 } }
if material == "springs" or material == "corotated" then
  local definition = { mesh = tide.mesh.box { size = { 1, 1, 1 }, cells = { cells, cells, cells } }, density = 1000 }
  if material == "springs" then
    definition.stiffness = 1e5 / cells
  else
    definition.solid = { model = material, young = 1e5, poisson = 0.3 }
  end
  scene:body("block", definition):pin(function(_, x) return x < -0.499 end)
  return scene
end

-- The curtain, the same with its spring written as an element of one's own, or a membrane that bends.
local definition = { mesh = tide.mesh.grid { columns = side, rows = side, width = 1, height = 1 }, mass = 1 }
if material == "membrane" then
  definition.membrane = { model = "stvk", young = 2e5, poisson = 0.3, thickness = 5e-4 }
  definition.shell = { model = "quadratic", bending = 1e-4 }
elseif material == "curtain" then
  definition.stiffness, definition.bend = 80, 20
else
  local pull = tide.element {
    name = "pull", vertices = 2,
    parameters = { k = { 10, min = 0, unit = "N/m" },
      rest = { function(a, b) return (a - b):length() end, unit = "m" } },
    energy = function(p, a, b) return p.k / 2 * ((a - b):length() - p.rest) ^ 2 end,
  }
  local skips = {}
  for row = 1, side do
    for column = 1, side do
      local v = (row - 1) * side + column
      if column + 2 <= side then skips[#skips + 1] = { v, v + 2 } end
      if row + 2 <= side then skips[#skips + 1] = { v, v + 2 * side } end
    end
  end
  definition.elements = { { pull, on = "edges", k = 80 }, { pull, vertices = skips, k = 20 } }
end
scene:body("curtain", definition):pin { 1, side }
return scene
