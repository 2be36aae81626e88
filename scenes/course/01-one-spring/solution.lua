-- A solution of lesson 1: one spring and its energy.
local tide = require "springtide"

-- The distance of two points a and b, lists { x, y, z }.
local function distance(a, b)
  return math.sqrt((a[1] - b[1]) ^ 2 + (a[2] - b[2]) ^ 2 + (a[3] - b[3]) ^ 2)
end

-- The energy in J of a spring of stiffness k and rest length r between the points a and b.
local function energy(k, r, a, b)
  return k / 2 * (distance(a, b) - r) ^ 2
end

-- The force in N of this spring on the point a: a list { x, y, z }.
local function force(k, r, a, b)
  local l = distance(a, b)
  local pull = -k * (l - r) / l              -- the force is minus the gradient
  return { pull * (a[1] - b[1]), pull * (a[2] - b[2]), pull * (a[3] - b[3]) }
end

-- By how many metres a mass m stretches a spring of stiffness k on which it hangs at rest, under the gravity g.
local function stretch(k, m, g)
  return m * g / k
end

-- The time in s of one swing up and down of a mass m on a spring of stiffness k.
local function period(k, m)
  return 2 * math.pi * math.sqrt(m / k)
end

-- A ball that should hang still on its spring.
local k, m, r, g = 40, 1, 0.5, 9.81
local scene = tide.scene { title = "My spring", timestep = 1 / 240, solver = "verlet", gravity = { 0, -g, 0 },
  camera = { position = { 0.35, -0.75, 2.6 }, target = { 0.35, -0.75, 0 } } }
local ball = scene:body("ball", {
  mesh = tide.mesh.new { vertices = { { 0, 0, 0 }, { 0, -r, 0 } }, edges = { { 1, 2 } } },
  masses = { m, m }, stiffness = k, radius = 0.012,
})
ball:pin { 1 }
ball:set_position(2, 0, -r - stretch(k, m, g), 0)

function scene.update()
  scene:plot("my energy", energy(k, r, { ball:position(1) }, { ball:position(2) }))
  scene:plot("the scene's energy", scene:energy().elastic)
end

return scene, { energy = energy, force = force, stretch = stretch, period = period }
