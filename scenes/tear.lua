-- A ball goes through a sheet that is held at two sides: where it stretches a spring too far, a vertex is split, and
-- the tear runs on between the triangles until a flap comes off. `toughness` makes the sheet hold for longer.
local tide = require "springtide"

local strain = tide.param("strain", 0.35, { min = 0.05, max = 2, help = "at which a spring tears" })
local toughness = tide.param("toughness", 0, { min = 0, max = 1, unit = "J/m", help = "energy per length of a tear" })
local speed = tide.param("speed", 2, { min = 0.1, max = 10, unit = "m/s", help = "of the ball" })

local scene = tide.scene {
  title = "Tear",
  timestep = 1 / 120,
  drag = 0.5,
  deformation_drag = 2,
  solver = { "local_global", iterations = 15 },
  camera = { position = { 0.9, 0.75, 1.9 }, target = { 0, 0.5, 0 } },
  ground = 0,
}

local size, columns = 1, 51
local sheet = scene:body("sheet", {
  mesh = tide.mesh.grid { columns = columns, rows = columns, width = size, height = size }
    :rotate({ 1, 0, 0 }, math.pi / 2):translate(-size / 2, 1.05, 0),
  mass = 0.2, stiffness = 150, bend = 2, thickness = 0.006, friction = 0.3, radius = 0.003,
  tear = { strain = strain, toughness = toughness },
  colour = { 0.72, 0.16, 0.18 }, back_colour = { 0.9, 0.85, 0.75 }, pattern = "checker", checkers = 10,
})
sheet:pin(function(i)
  local column = (i - 1) % columns
  return column == 0 or column == columns - 1
end)

scene:collider("ball", {
  shape = "sphere", radius = 0.16, position = { 0, 0.55, -0.6 }, friction = 0.3, colour = { 0.25, 0.3, 0.38 },
  move = function(t)
    return { 0, 0.55, math.min(-0.6 + speed * t, 0.9) }
  end,
})

function scene.draw(canvas)
  canvas:text(12, 12, ("%d vertices split"):format(sheet.split_count))
end

return scene
