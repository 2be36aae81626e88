-- Twelve rigid dominoes in an arc. The first one leans, and each pushes the next.
-- Each domino is 40 x 80 x 12 mm of 700 kg/m^3: four particles carry its mass and inertia exactly.
local tide = require "springtide"

local gap = tide.param("gap", 0.036, { min = 0.02, max = 0.06, unit = "m" })
local lean = tide.param("lean", 0.35, { min = 0.2, max = 0.6, unit = "rad" })

local scene = tide.scene {
  title = "Dominoes", timestep = 1 / 240,
  solver = { "newton", iterations = 8 },
  camera = { position = { 0.1, 0.3, 0.62 }, target = { 0, 0.03, 0 } },
}

local width, height, depth = 0.04, 0.08, 0.012
local radius, count = 0.35, 12
local back = math.max(0, height * math.sin(lean) + depth - gap + 0.004) -- so that the first one touches nothing yet
local box = tide.mesh.box { size = { depth, height, width }, cells = { 1, 1, 1 } }

for i = 1, count do
  local angle = (i - (count + 1) / 2) * gap / radius -- along the arc
  local mesh = box
  if i == 1 then -- it stands on an edge and leans towards the next
    angle = angle - back / radius
    mesh = mesh:translate(-depth / 2, height / 2, 0):rotate({ 0, 0, 1 }, -lean):translate(depth / 2, -height / 2, 0)
  end
  scene:body("domino " .. i, {
    mesh = mesh:rotate({ 0, 1, 0 }, -angle)
      :translate(radius * math.sin(angle), height / 2 + 0.0006, radius * (1 - math.cos(angle))),
    density = 700, rigid = true, friction = 0.3, thickness = 0.001,
    colour = { 0.2 + 0.6 * i / count, 0.3, 0.75 - 0.6 * i / count },
  })
end

scene:collider("table", { shape = "plane", normal = { 0, 1, 0 }, friction = 0.5 })

return scene
