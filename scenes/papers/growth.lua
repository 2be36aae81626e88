-- A cloth or a block of so many vertices. `tests/bench/run.sh growth` measures how time and memory grow from 1,000
-- vertices to 1,000,000. Its springs get stiffer as they get shorter, so that the material stays the same.
local tide = require "springtide"

local shape = tide.param("shape", "cloth", { choices = { "cloth", "volume" } })
local vertices = tide.param("vertices", 1000, { min = 8, max = 1e6, scale = "log", help = "about so many" })
local way = tide.param("way", "fast", { choices = { "fast", "double", "iterative" }, help = "how to solve" })
local stiffness = tide.param("stiffness", 1, { min = 1e-3, max = 1e3, scale = "log", help = "times as much" })

local scene = tide.scene {
  title = "Growth",
  timestep = 1 / 30,
  solver = { "local_global", iterations = 10, solve = way },
  camera = { position = { 1.75, 0.1, 2.6 }, target = { 0.45, -0.6, 0.2 } },
}

if shape == "cloth" then
  local n = math.max(3, math.floor(vertices ^ (1 / 2) + 0.5))
  local k = stiffness * 80 * (n - 1) / 80
  local cloth = scene:body("cloth", {
    mesh = tide.mesh.grid { columns = n, rows = n, width = 1, height = 1 },
    mass = 1, stiffness = k, bend = k / 4, pattern = "checker", checkers = 10,
  })
  cloth:pin { 1, n }
else
  local n = math.max(2, math.floor(vertices ^ (1 / 3) + 0.5))
  local block = scene:body("block", {
    mesh = tide.mesh.box { size = { 1, 1, 1 }, cells = { n - 1, n - 1, n - 1 } },
    mass = 1, stiffness = stiffness * 20 * 20 / (n - 1),
  })
  block:pin(function(_, _, y) return y > 0.499 end)
end
return scene
