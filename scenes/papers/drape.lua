-- A drape that falls under gravity, nailed at two corners: what Shinya 2005 (figures 4 to 7) and Ahmad et al. 2007
-- (figures 4 to 8) measure with. Particles keep their mass and springs their stiffness when there are more of them, so
-- that k0, the largest eigenvalue of M^-1 K, stays.
local tide = require "springtide"

local side = tide.param("side", 16, { min = 2, max = 201, help = "particles along an edge" })
local k0 = tide.param("k0", 1e4, { min = 1, max = 1e9, scale = "log", unit = "1/s^2",
  help = "about the largest eigenvalue of M^-1 K" })
local timestep = tide.param("step", 0.01, { min = 1e-5, max = 0.1, unit = "s", help = "the timestep" })

local scene = tide.scene {
  title = "Falling drape",
  timestep = timestep,
  drag = 0.5,
  solver = "semi_implicit",
  camera = { position = { 1.7, 0.25, 2.4 }, target = { 0.5, -0.5, 0.1 } },
  ground = { solid = false }, -- drawn just below the scene
}

-- Of these springs, all of stiffness k but those against bending, k0 = 6.94 k / m on 16 by 16 particles lying flat:
-- 6.75 on 8 by 8, 6.99 on 32 by 32.
local n = math.floor(side + 0.5)
local spacing, mass = 1 / 15, 1e-3
local stiffness = k0 * mass / 6.94
local drape = scene:body("drape", {
  mesh = tide.mesh.grid { columns = n, rows = n, width = spacing * (n - 1), height = spacing * (n - 1) },
  mass = mass * n * n,
  stiffness = stiffness,
  bend = stiffness / 4,
})
drape:pin { 1, n }

return scene
