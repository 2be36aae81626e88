-- The time of a loop over a buffer against that of a plain loop over numbers in a table, ns a number.
local tide = require "springtide"

local side = 200
local scene = tide.scene {}
local cloth = scene:body("cloth", { mesh = tide.mesh.grid { columns = side, rows = side }, stiffness = 80 })
local buffer, count = cloth:velocities(), 3 * side * side
local plain = {}
for i = 1, count do
  plain[i] = 0.5
end

-- The best of some rounds, so that what others do on the machine falls out.
local function time(what)
  local best = math.huge
  for _ = 1, 30 do
    local start = os.clock()
    what()
    best = math.min(best, os.clock() - start)
  end
  return 1e9 * best / count
end

local function half(_, x, y, z)
  return 0.5 * x, 0.5 * y, 0.5 * z
end

local loop = time(function()
  for i = 1, #plain do
    plain[i] = 0.5 * plain[i]
  end
end)
local calls = time(function()
  for i = 1, count // 3 do
    local k = 3 * i
    plain[k - 2], plain[k - 1], plain[k] = half(i, plain[k - 2], plain[k - 1], plain[k])
  end
end)
local each = time(function() buffer:each(half) end)
local add = time(function() buffer:add(buffer, -0.5) end) -- what the loop does
local fill = time(function() buffer:fill(0.5, 0.5, 0.5) end)
print(("a loop over a table %.1f ns a number, with a call for each vertex %.1f; buffer:each %.1f (%.2f of it), "
  .. "buffer:add %.2f, buffer:fill %.2f"):format(loop, calls, each, each / calls, add, fill))
