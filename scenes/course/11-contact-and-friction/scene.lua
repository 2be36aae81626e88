-- Five blocks with coefficients of friction from 0.1 to 0.9 on a slope, and a ball that bounces at its foot. Lines show
-- the contact forces: dark the part along the normal, red the friction.
local tide = require "springtide"
local angle = tide.param("angle", 25, { min = 0, max = 60, unit = "degrees", help = "of the slope" })
local mass = tide.param("mass", 1, { min = 0.1, max = 10, scale = "log", unit = "kg", help = "of each block" })
local restitution = tide.param("restitution", 0.7, { min = 0, max = 1, help = "of the ball" })

local scene = tide.scene { title = "Contact and friction", timestep = 1 / 240, solver = { "newton", iterations = 8 },
  ground = false, camera = { position = { 0.3, 1.3, 3.4 }, target = { 0.25, 0.25, 0 } } }
local tilt = -math.rad(angle)
scene:collider("slope", { shape = "box", size = { 2, 0.04, 1.5 }, position = { -0.02 * math.sin(-tilt), -0.02
  * math.cos(tilt), 0 }, rotation = { 0, 0, 1, tilt }, friction = 1, colour = { 0.75, 0.72, 0.66 } })
scene:collider("floor", { shape = "plane", offset = -0.9, friction = 0.5, restitution = 0 })

local blocks = {}
for i = 1, 5 do
  local mu = 0.2 * i - 0.1
  blocks[i] = { mu = mu, body = scene:body(("friction %.1f"):format(mu), {
    mesh = tide.mesh.box { size = { 0.2, 0.1, 0.14 }, cells = { 2, 1, 2 } }:translate(-0.8, 0.051, 0.27 * (i - 3))
      :rotate({ 0, 0, 1 }, tilt),
    mass = mass, rigid = true, friction = mu ^ 2, -- with the slope's 1, the geometric mean is mu
    colour = { 0.25 + 0.12 * i, 0.45, 0.75 - 0.12 * i } }) }
end
scene:body("ball", { mesh = tide.mesh.sphere { radius = 0.1, subdivisions = 3 }:translate(1.5, 0.3, 0), mass = 0.5,
  rigid = true, restitution = restitution, colour = { 0.2, 0.5, 0.3 } })

local function speed(body)
  local v = body:motion().velocity
  return math.sqrt(v[1] ^ 2 + v[2] ^ 2 + v[3] ^ 2)
end

function scene.update()
  for _, block in ipairs(blocks) do scene:plot(block.body.name .. ", m/s", speed(block.body)) end
end

function scene.draw(canvas)
  for _, c in ipairs(scene:contacts()) do
    local p, s = c.point, 0.03
    canvas:colour(0.1, 0.1, 0.15)
    canvas:line(p[1], p[2], p[3], p[1] + s * c.force * c.normal[1], p[2] + s * c.force * c.normal[2],
      p[3] + s * c.force * c.normal[3], 3)
    canvas:colour(0.85, 0.1, 0.1)
    canvas:line(p[1], p[2], p[3], p[1] + s * c.friction[1], p[2] + s * c.friction[2], p[3] + s * c.friction[3], 3)
  end
end

return scene
