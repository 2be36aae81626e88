local tide = require "springtide"

local function energy(k, rest, length)
  return k / 2 * (length - rest) ^ 2
end

local function force(k, x)
  return { -k * x[1], -k * x[2], -k * x[3] }
end

local scene = tide.scene { title = "A spring", gravity = { 0, 0, 0 }, timestep = 1 / 60,
                           solver = { "newton", iterations = 20 } }
scene:body("spring", {
  mesh = tide.mesh.strand { points = 2, from = { 0, 0, 0 }, to = { 1, 0, 0 } }, mass = 1, stiffness = 50,
}):set_velocity(2, 1, 0, 0)
return scene, { energy = energy, force = force }
