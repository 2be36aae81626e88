-- The dress of Liu et al. 2013, figure 6, on a dancing figure, with continuous collision and self-collision.
-- With SPRINGTIDE_DATA: the ARCSim dress, subdivided twice (3,566 vertices, 6,848 triangles), on 16 rigid meshes that
-- follow 716 recorded frames; else one of as many on capsules with a dance of their own. First it settles.
local tide = require "springtide"
local motion = require "springtide.motion"
local dancer = require "springtide.dancer"

local stiffness = tide.param("stiffness", 120, { min = 10, max = 1e4, scale = "log", unit = "N/m" })
local quiet = 1          -- s, before the dance begins
local friction = 0.4
local thickness = 0.002  -- m: the bodice has edges of 3 mm, which must not push one another
local skin = 0.003       -- m: of the body, which fine edges of cloth and coarse ones both span

local dance = tide.data("dress/dance.mot")
local scene = tide.scene {
  title = "Dress",
  timestep = 1 / 120,
  drag = 0.5,
  solver = { "local_global", iterations = 10 },
  contact = { continuous = true },
  camera = dance and { position = { 0.9, 0.15, 2.3 }, target = { -0.15, -0.22, -0.3 } } or
    { position = { 1.2, 1.35, 2.6 }, target = { 0, 0.85, 0 } },
  ground = { height = dance and -1.02 or 0, solid = false },
}

local mesh
if dance then            -- in the files z is up
  local about, upright = { 0, 0, 1, -math.pi / 2 }, { 1, 0, 0 }
  mesh = assert(tide.mesh.load(tide.data "dress/dress.obj")):weld():subdivide(2)
    :rotate({ 0, 0, 1 }, about[4]):translate(0, 0.02, -0.84):rotate(upright, -math.pi / 2)
  local keys = assert(motion.load("dress/dance.mot", { turn = about, offset = { 0, 0, -1 }, delay = quiet }))
  for i, keyframes in ipairs(keys) do
    scene:collider("part " .. i, {
      shape = "mesh", mesh = assert(tide.mesh.load(tide.data(("dress/body/body%04d.obj"):format(i - 1)))),
      keyframes = keyframes, friction = friction, thickness = skin, colour = { 0.78, 0.62, 0.52 },
    })
  end
else
  mesh = dancer.dress()
  for _, part in ipairs(dancer.parts { delay = quiet, friction = friction, thickness = skin }) do
    scene:collider(part[1], part[2])
  end
end
scene:body("dress", {
  mesh = mesh, mass = 0.3, stiffness = stiffness, bend = stiffness / 100, friction = friction, thickness = thickness,
  self_collide = true, colour = { 0.66, 0.1, 0.2 }, back_colour = { 0.4, 0.05, 0.12 },
})

return scene
