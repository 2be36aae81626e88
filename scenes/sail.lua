-- A sail in the wind: an orthotropic membrane whose warp runs across, with bending and a limit of 2 % to its stretch.
-- The wind presses on each vertex along z, with gusts.
local tide = require "springtide"
local wind = tide.param("wind", 6, { min = 0, max = 20, unit = "m/s" })
local weft = tide.param("weft", 2e7, { min = 1e6, max = 2e8, scale = "log", unit = "Pa" })

local columns = 31
local scene = tide.scene {
  title = "Sail", timestep = 1 / 60, gravity = { 0, -9.81, 0 },
  solver = { "lbfgs", iterations = 60 },
}
local sail = scene:body("sail", {
  mesh = tide.mesh.grid { columns = columns, rows = columns, width = 1, height = 1.5 }
    :rotate({ 1, 0, 0 }, -math.pi / 2),
  area_density = 0.2, colour = { 0.95, 0.93, 0.86 },
  membrane = { "orthotropic", warp = 1e8, weft = weft, shear = 5e6, poisson = 0.1, thickness = 2e-4 },
  shell = { "quadratic", bending = 1e-4 }, strain_limit = { stretch = 0.02 },
})
sail:pin { 1, columns, columns * (columns - 1) + 1, columns * columns }

function scene.update()
  local gust = wind * (1 + 0.3 * math.sin(3 * scene.time))
  local push = 0.6 * gust * math.abs(gust) * 1.5 / sail.vertex_count -- rho v^2 / 2 times the area of a vertex
  for i = 1, sail.vertex_count do sail:force(i, 0, 0, push) end
end
return scene
