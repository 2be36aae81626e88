-- A curtain under the linearised implicit Euler method, which solves a linear system by conjugate gradients in every
-- step. Meanwhile the power method takes one multiplication a frame: the colours show its vector, the fastest mode.
local tide = require "springtide"
local stiffness = tide.param("stiffness", 100, { min = 1, max = 1e4, scale = "log", unit = "N/m" })
local milliseconds = tide.param("milliseconds", 20, { min = 1, max = 50, unit = "ms", help = "the timestep" })
local side = tide.param("side", 21, { min = 5, max = 41, help = "vertices along each side" })

local n = math.floor(side)
local scene = tide.scene { title = "Conjugate gradients and the power method", timestep = milliseconds / 1000,
  solver = { "semi_implicit", cg_tolerance = 1e-6 }, drag = 0.5,
  camera = { position = { 1.7, 0.2, 2.5 }, target = { 0.5, -0.4, 0.1 } } }
local curtain = scene:body("curtain", {
  mesh = tide.mesh.grid { columns = n, rows = n, width = 1, height = 1 }, mass = 1, stiffness = stiffness,
})
curtain:pin { 1, n }

-- The power method's vector over the free coordinates and over all, the matrix, and its eigenvalue by the engine.
local v, shown, K, k0, mass

local function start()
  local system = scene:system()
  local x = system:positions()
  K, k0, mass = system:hessian(x), system:largest_eigenvalue(x), system:masses()[1]
  v = tide.linear.vector(K:rows())
  for i = 1, #v do v[i] = math.sin(i * i) end
  v = v / v:norm()
end

function scene.update()
  if scene.frame == 0 or not v then start() end
  local w = (K * v) / mass
  scene:plot("power method: v'Av / k0", v:dot(w) / k0)
  v = w / w:norm()
  shown = scene:system():scatter(v)
  if scene.frame > 0 then scene:plot("CG iterations", scene:report().linear_iterations) end
  scene:plot("h sqrt(k0)", scene.timestep * math.sqrt(k0))
end

curtain:colour(function(i)
  return shown and math.sqrt(shown[3 * i - 2] ^ 2 + shown[3 * i - 1] ^ 2 + shown[3 * i] ^ 2) or 0
end, { name = "fastest mode" })

return scene
