-- A plastic wire keeps its bends. Pliers hold its middle while its end is led down and then aside, which bends and
-- twists it beyond its yield strain. Then it is let go: it springs back a little, and keeps the form of a crank.
local tide = require "springtide"
local yield = tide.param("yield", 0.004, { min = 0.001, max = 0.2, scale = "log", help = "strain at the surface" })
local aside = tide.param("aside", 0.9, { min = 0, max = 2, unit = "rad" })

local points, length, middle = 49, 0.6, 25
local scene = tide.scene {
  title = "Wire", timestep = 1 / 60, drag = 1, solver = { "newton", iterations = 20, tolerance = 1e-6 },
  camera = { position = { 0.55, 0.2, 0.8 }, target = { 0.27, -0.1, 0.03 }, field_of_view = 0.6 },
}
local wire = scene:body("wire", {
  mesh = tide.mesh.strand { points = points, from = { 0, 0, 0 }, to = { length, 0, 0 } }, density = 8000,
  rod = { young = 2e10, poisson = 0.35, radius = 0.004, twist = true }, plastic = { yield = yield },
  colour = { 0.8, 0.45, 0.2 },
})
wire:pin { 1, 2, middle - 1, middle, points } -- both ends of an edge hold its direction, too

local function smooth(from, to)               -- 0 to 1
  local t = math.min(math.max((scene.time - from) / (to - from), 0), 1)
  return t * t * (3 - 2 * t)
end

function scene.update()
  if scene.time > 3.5 then
    if wire:is_pinned(middle) then wire:unpin { middle - 1, middle, points } end
    return
  end
  local down, across = 1.5 * smooth(0.1, 1.7), aside * smooth(1.8, 3.3)
  local arm = length / 2 * (1 - 0.07 * smooth(0.1, 1.7))   -- the bent wire reaches less far
  local x, y = math.cos(down), -math.sin(down)
  wire:move_pin(points, length / 2 + arm * x, arm * y * math.cos(across), -arm * y * math.sin(across))
end
return scene
