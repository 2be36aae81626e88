-- A bar hangs by its upper face. Its elongation by its weight, for each model of solids and meshes of about 1,000,
-- 4,000, 16,000 and 64,000 vertices, and the order at which it converges: `lua5.4 tests/bench/hanging_bar.lua [SIZES]`
-- prints the table of the first SIZES meshes, by default all. Needs LUA_PATH and LUA_CPATH as for the specs.
local tide = require "springtide"

local sizes = { 6, 10, 16, 27 } -- cells across
local models = { "corotated", "arap", "stvk", "neo_hookean" }

-- Returns the mean displacement of the lower face.
local function lower_face(bar)
  local sum, count = 0, 0
  for v = 1, bar.vertex_count do
    local _, y = bar.mesh:vertex(v)
    if y < -0.6 + 1e-9 then
      sum, count = sum - 0.6 - select(2, bar:position(v)), count + 1
    end
  end
  return sum / count
end

-- Returns that displacement in mm, and the number of vertices. Each step begins at rest, and leaves a twentieth of the
-- way to the equilibrium, until the reaction at the upper face is the weight up to 1e-6.
local function elongation(model, cells)
  local scene = tide.scene { timestep = 0.1, solver = { "lbfgs", iterations = 400, tolerance = 1e-12 } }
  local bar = scene:body("bar", {
    mesh = tide.mesh.box { size = { 0.4, 1.2, 0.4 }, cells = { cells, 3 * cells, cells } }, density = 1000,
    solid = { model = model, young = 1e6, poisson = model ~= "arap" and 0.3 or nil } })
  bar:pin(function(_, _, y) return y > 0.6 - 1e-9 end)
  local velocities, weight = bar:velocities(), 0.4 * 1.2 * 0.4 * 1000 * 9.81
  local held
  repeat
    assert(scene:step())
    for i = 1, #velocities do
      velocities[i] = 0
    end
    held = select(2, bar:reaction())
  until math.abs(held / weight - 1) < 1e-6 or scene.frame == 40
  return 1e3 * lower_face(bar), bar.vertex_count, scene.frame, held / weight - 1
end

-- Returns p and u of u_i = u + c n_i^-p through three results, by bisection.
local function extrapolate(n, u)
  local ratio, low, high = (u[2] - u[1]) / (u[3] - u[2]), 0.05, 8
  for _ = 1, 100 do
    local p = (low + high) / 2
    local found = (n[2] ^ -p - n[1] ^ -p) / (n[3] ^ -p - n[2] ^ -p)
    if found < ratio then low = p else high = p end
  end
  return low, u[3] - (u[3] - u[2]) * n[3] ^ -low / (n[3] ^ -low - n[2] ^ -low)
end

local function print_table(count)
  print "| model | vertices | elongation, mm | order | extrapolated, mm |"
  print "|---|---|---|---|---|"
  for _, model in ipairs(models) do
    local results = {}
    for i = 1, count do
      local vertices
      results[i], vertices = elongation(model, sizes[i])
      local order, limit = "", ""
      if i > 2 then
        local p, u = extrapolate({ sizes[i - 2], sizes[i - 1], sizes[i] },
          { results[i - 2], results[i - 1], results[i] })
        order, limit = ("%.2f"):format(p), ("%.5f"):format(u)
      end
      print(("| %s | %d | %.5f | %s | %s |"):format(model, vertices, results[i], order, limit))
    end
  end
end

if arg and arg[0] and arg[0]:find "hanging_bar%.lua$" then
  print_table(math.tointeger(arg[1]) or #sizes)
end
return { elongation = elongation, extrapolate = extrapolate, models = models }
