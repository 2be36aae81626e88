-- A sheet is pushed together until it folds, and pulled apart again: beyond the yield strain of its faces the hinges of
-- its shell flow, and it keeps the crease. Raise `yield` and it is smooth again.
local tide = require "springtide"

local yield = tide.param("yield", 0.0008, { min = 1e-4, max = 1, scale = "log", help = "of the sheet's faces" })
local bending = tide.param("bending", 2e-3, { min = 1e-6, max = 1, scale = "log", unit = "N m" })
local turn = tide.param("turn", 0.15, { min = -1, max = 1, unit = "rad", help = "of the pushed edge" })

local scene = tide.scene {
  title = "Crease", timestep = 1 / 60, drag = 0.5, deformation_drag = 4, gravity = { 0, 0, 0 }, ground = -0.05,
  solver = { "lbfgs", iterations = 40, tolerance = 1e-3 },
  camera = { position = { 0.16, 0.24, 0.58 }, target = { -0.03, 0.05, 0 } },
}

local columns, rows, width, depth = 33, 13, 0.4, 0.15
local sheet = scene:body("sheet", {
  mesh = tide.mesh.grid { columns = columns, rows = rows, width = width, height = depth }
    :translate(-width / 2, 0.003, -depth / 2),
  area_density = 0.2, membrane = { model = "arap", young = 2e6, thickness = 3e-4 },
  shell = { model = "discrete", bending = bending }, plastic = { yield = yield },
  thickness = 0.004, friction = 0.6, colour = { 0.86, 0.8, 0.62 }, back_colour = { 0.35, 0.5, 0.62 },
})
sheet:pin(function(i) return i % columns <= 1 end)
for i = 1, sheet.vertex_count do -- a little arch, so that it folds upwards
  local x, y, z = sheet.mesh:vertex(i)
  sheet:set_position(i, x, y + 0.02 * math.cos(math.pi * x / width) ^ 2, z)
end

function scene.update(dt)
  local t = scene.time + dt
  local part = math.min(t / 1.5, 1) - 0.8 * math.min(math.max(t - 1.8, 0) / 1.2, 1)
  for i = columns, rows * columns, columns do
    local _, y, z = sheet.mesh:vertex(i)
    sheet:move_pin(i, 0.2 - 0.36 * part + z * math.sin(turn * part), y, z * math.cos(turn * part))
  end
end

return scene
