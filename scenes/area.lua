-- Two sheets with equally weak edge springs hang from their upper edges. The triangles of the right one also keep their
-- area, by the element "area_spring": where it is stretched one way, it narrows the other way.
local tide = require "springtide"

local stiffness = tide.param("stiffness", 5, { min = 1, max = 1e3, scale = "log", unit = "N/m", help = "of the edges" })
local area = tide.param("area", 5e4, { min = 1, max = 1e7, scale = "log", unit = "N/m^3", help = "stiffness of areas" })

local scene = tide.scene {
  title = "Springs of length and of area",
  timestep = 1 / 120,
  drag = 0.5,
  solver = { "newton", iterations = 10 },
  camera = { position = { 1.15, -0.6, 3.6 }, target = { 1.15, -0.65, 0 } },
}

local columns = 13
local function sheet(name, x, colour, elements)
  local body = scene:body(name, {
    mesh = tide.mesh.grid { columns = columns, rows = columns, width = 1, height = 1 }
      :rotate({ 1, 0, 0 }, math.pi / 2 - 0.05):translate(x, 0, 0),
    mass = 0.3, stiffness = stiffness, elements = elements, colour = colour, pattern = "checker", checkers = 6,
  })
  body:pin(function(i) return i <= columns end)
end
sheet("lengths", 0, { 0.72, 0.30, 0.18 }, {})
sheet("areas", 1.3, { 0.16, 0.38, 0.55 }, { { "area_spring", on = "triangles", stiffness = area } })

return scene
