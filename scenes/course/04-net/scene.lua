-- A net between two bars that come together. The plot is the error of finite differences against their step; the text
-- below is the smallest eigenvalue of the net's matrix, which can be negative while springs are compressed.
local tide = require "springtide"

local squeeze = tide.param("squeeze", 0.15, { min = 0, max = 0.5, unit = "m", help = "how far the bars come together" })
local stiffness = tide.param("stiffness", 200, { min = 10, max = 1000, scale = "log", unit = "N/m" })
local gravity = tide.param("gravity", 9.81, { min = 0, max = 20, unit = "m/s^2" })

local scene = tide.scene { title = "A net of springs", timestep = 1 / 60, gravity = { 0, -gravity, 0 }, drag = 1,
  solver = { "newton", iterations = 10 },
  camera = { position = { 0.75, 0.25, 2.6 }, target = { 0.75, -0.1, 0.3 } }, ground = { height = -0.6, solid = false } }
local net = scene:body("net", {
  mesh = tide.mesh.grid { columns = 9, rows = 7, width = 0.8, height = 0.6 },
  mass = 0.5, stiffness = stiffness, bend = 0,
})
net:pin(function(_, x) return x < 1e-9 or x > 0.8 - 1e-9 end)

local curves = {}             -- of the last frame: { name, { { log10 of the step, log10 of the error }, ... } }
local smallest = 0
local function measure()
  local system = scene:system()
  local x, size = system:positions(), system.free_count * 3
  local direction = tide.linear.vector(size)
  for i = 1, size do direction[i] = math.sin(7 * i) / math.sqrt(size / 2) end
  local d, slope = system:scatter(direction), system:gather(system:gradient(x)):dot(direction)
  curves = { { "forward", {} }, { "central", {} } }
  for exponent = -12, -1, 0.5 do
    local h = 10 ^ exponent
    local above, below = system:energy(x + h * d), system:energy(x - h * d)
    local forward, central = (above - system:energy(x)) / h, (above - below) / (2 * h)
    table.insert(curves[1][2], { exponent, math.log(math.abs(forward - slope) + 1e-17, 10) })
    table.insert(curves[2][2], { exponent, math.log(math.abs(central - slope) + 1e-17, 10) })
  end
  -- the power method finds the largest eigenvalue; of c I - K, it is c minus the smallest of K
  local K, c = system:hessian(x), 8 * stiffness
  local ones = {}
  for i = 1, size do ones[i] = c end
  local shifted = tide.linear.diagonal(ones) - K
  smallest = c - tide.linear.largest_eigenvalue(shifted, { tolerance = 1e-9, max_iterations = 3000 })
end

function scene.update()
  local way = squeeze * math.min(scene.time / 2, 1)
  for row = 1, 7 do net:move_pin(9 * row, 0.8 - way, 0, (row - 1) * 0.1) end
  measure()
  scene:plot("smallest eigenvalue", smallest)
end

function scene.draw(canvas)
  local function place(point) return 1.65 + point[1] / 15, 0.42 + point[2] / 15, 0 end
  canvas:colour(0.3, 0.3, 0.3)
  canvas:line(0.85, -0.65, 0, 1.6, -0.65, 0, 2)
  canvas:line(0.85, -0.65, 0, 0.85, 0.35, 0, 2)
  for exponent = -12, -2, 5 do canvas:label(1.65 + exponent / 15, -0.67, 0, ("step 1e%d"):format(exponent), 13) end
  for exponent = -15, 0, 5 do canvas:label(0.77, 0.45 + exponent / 15, 0, ("1e%d"):format(exponent), 13) end
  canvas:label(1.2, 0.6, 0, "error of the slope, N", 15)
  canvas:text(20, canvas.height - 60, ("smallest eigenvalue: %.3g N/m"):format(smallest), 20)
  for i, curve in ipairs(curves) do
    canvas:colour(i == 1 and 0.8 or 0.1, 0.3, i == 1 and 0.1 or 0.75)
    canvas:label(0.8 + 0.3 * i, 0.5, 0, curve[1], 15)
    for p, point in ipairs(curve[2]) do
      local x, y, z = place(point)
      canvas:point(x, y, z, 6)
      if p > 1 then
        local u, v, w = place(curve[2][p - 1])
        canvas:line(u, v, w, x, y, z, 2)
      end
    end
  end
end

return scene
