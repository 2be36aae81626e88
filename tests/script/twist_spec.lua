-- Rods that twist: torque, Greenhill's and Michell's instabilities, helices, clamped and turned ends, plastic twist.
local helper = dofile "tests/script/helper.lua"
local tide, has, message = helper.tide, helper.has, helper.message

local pi = math.pi
local radius, young, density, poisson = 5e-3, 2e7, 1000, 0.3
local section, bending = pi * radius ^ 2, young * pi * radius ^ 4 / 4
local torsion = bending / (1 + poisson)

-- The ends of the free part are the middles of the first and of the last edge, which are clamped.
local function strand(points)
  local half = 1 / (points - 2) / 2
  return tide.mesh.strand { points = points, from = { -half, 0, 0 }, to = { 1 + half, 0, 0 } }
end

local function rod(options)
  local scene = tide.scene {
    timestep = options.timestep or 0.1, gravity = options.gravity or { 0, 0, 0 }, drag = options.drag,
    solver = options.solver or { "newton", iterations = 200, tolerance = 1e-10 },
  }
  return scene, scene:body("rod", {
    mesh = options.mesh, rest = options.rest, density = density, plastic = options.plastic,
    rod = { young = young, poisson = poisson, radius = radius, twist = true },
  })
end

-- The positions of a straight rod of `points` vertices that is stretched by `stretch` and twisted by `angle`.
local function twisted(base, points, stretch, angle)
  local x = {}
  for i, value in ipairs(base) do x[i] = i % 3 == 1 and value * stretch or value end
  for e = 1, points - 1 do
    local k, turn = 3 * (points + e - 1), angle * (e - 1) / (points - 2)
    local y, z = base[k + 2], base[k + 3]
    x[k + 2], x[k + 3] = y * math.cos(turn) - z * math.sin(turn), y * math.sin(turn) + z * math.cos(turn)
  end
  return x
end

-- The twist at which the straight rod under a tension becomes unstable: its Hessian is no longer positive definite.
local function critical_twist(points, tension)
  local scene, body = rod { mesh = strand(points) }
  body:pin { 1, 2, points - 1, points }
  local system = scene:system()
  local base, low, high = system:positions():table(), 0, 60
  for _ = 1, 16 do
    local angle = (low + high) / 2
    local x = twisted(base, points, 1 + tension / (young * section), angle)
    if tide.linear.cholesky(system:hessian(x)) then low = angle else high = angle end
  end
  return low
end

-- The least moment M L / B at which a rod with clamped ends under the tension t = T L^2 / B buckles. With the wave
-- numbers k1, k2 of the helices, k1 + k2 = M L / B and k1 k2 = t:
-- 2 sin(k1/2) sin(k2/2) (k2 - k1) = k1 k2 sin((k2 - k1)/2).
local function clamped_moment(t)
  local function residual(moment)
    local root = math.sqrt(moment ^ 2 / 4 - t)
    local a, b = moment / 2 - root, moment / 2 + root
    return 2 * math.sin(a / 2) * math.sin(b / 2) * (b - a) - a * b * math.sin((b - a) / 2)
  end
  local low = 2 * math.sqrt(t) + 1e-3
  local step, sign = 1e-3, residual(low) > 0
  while (residual(low + step) > 0) == sign do low = low + step end
  return low + step / 2
end

describe("a rod that twists", function()
  it("shows the vertices of its mesh, and has the mass of its volume", function()
    local scene, body = rod { mesh = strand(11) }
    local sum = 0
    for _, mass in ipairs(scene:system():masses():table()) do sum = sum + mass end
    assert.is_near(density * section * 10 / 9, sum, 1e-14)
    assert.are.equal(11, body.vertex_count)
    assert.are.equal(33, #body:positions())
    local count = 0
    body:pin(function(i) count = math.max(count, i) return false end)
    assert.are.equal(11, count)
    assert.is_near(0, scene:energy().elastic, 1e-20)
  end)

  it("resists twist with G J / L, by any number of turns", function()
    local scene, body = rod { mesh = strand(31), drag = 2 }
    body:pin { 1, 2, 30, 31 }
    for _ = 1, 5 do
      body:turn(30, 31, 1)
      assert(scene:step(1))
    end
    assert(scene:step(40))
    assert.is_near(1, scene:energy().elastic / (torsion * 25 / 2), 1e-7)
    local _, _, _, torque = body:reaction({ 30, 31 }, { 0, 0, 0 })
    assert.is_near(1, torque / (5 * torsion), 1e-5)
    _, _, _, torque = body:reaction({ 1, 2 }, { 0, 0, 0 })
    assert.is_near(-1, torque / (5 * torsion), 1e-5)
    local x, y, z = body:position(16)
    assert.is_near(0, math.abs(x - 0.5) + math.abs(y) + math.abs(z), 1e-9)
  end)

  it("buckles at Greenhill's moment, clamped, with and without tension", function()
    -- Without tension tan(M L / 2 B) = M L / 2 B.
    local errors = {}
    for i, points in ipairs { 21, 41, 81 } do
      errors[i] = critical_twist(points, 0) * torsion / bending / 8.986818916 - 1
    end
    assert.is_true(math.abs(errors[3]) < 2e-3)
    for i = 1, 2 do assert.is_near(2, math.log(errors[i] / errors[i + 1], 2), 0.2) end
    for _, t in ipairs { 5, 40 } do
      assert.is_near(1, critical_twist(81, t * bending) * torsion / bending / clamped_moment(t), 0.01)
    end
  end)

  it("loops when it is twisted beyond that", function()
    local function sag(turns)
      local scene, body = rod { mesh = strand(31), drag = 1, timestep = 0.2 }
      body:pin { 1, 2, 30, 31 }
      body:set_position(16, 0.5, 1e-4, 0)
      for _ = 1, 20 do
        body:turn(30, 31, turns * 8.987 * bending / torsion / 20)
        assert(scene:step(1))
      end
      body:move_pin(30, 0.9 + 0.5 / 29, 0, 0)
      body:move_pin(31, 0.9 + 1.5 / 29, 0, 0)
      assert(scene:step(60))
      local most = 0
      for i = 1, 31 do
        local _, y, z = body:position(i)
        most = math.max(most, math.sqrt(y ^ 2 + z ^ 2))
      end
      return most
    end
    assert.is_true(sag(1.3) > 0.05)
  end)

  it("takes the helix of its curvature and twist at rest", function()
    -- A helix of radius a and pitch 2 pi b as the shape at rest, described straight.
    local points, a, b, turns = 61, 0.1, 0.04, 2
    local vertices, straight, edges, step = {}, {}, {}, turns * 2 * pi / 60
    local chord = math.sqrt(2 * a ^ 2 * (1 - math.cos(step)) + (b * step) ^ 2)
    for i = 0, points - 1 do
      vertices[i + 1] = { a * math.cos(i * step), b * i * step, a * math.sin(i * step) }
      straight[i + 1] = { i * chord, 0, 0 }
      if i > 0 then edges[i] = { i, i + 1 } end
    end
    local scene, body = rod {
      mesh = tide.mesh.new { vertices = straight, edges = edges },
      rest = tide.mesh.new { vertices = vertices, edges = edges }, timestep = 0.05, drag = 3,
    }
    body:pin { 1, 2 }
    local before = scene:energy().elastic
    -- A straight rod has curvature and torsion of the helix as strain: E = L (B kappa^2 + C tau^2) / 2, but for twist
    -- that Bishop's frame of the helix does not have.
    local kappa = a / (a ^ 2 + b ^ 2)
    assert.is_near(1, before / (60 * chord * bending * kappa ^ 2 / 2), 0.03)
    assert(scene:step(400))
    assert.is_true(scene:energy().elastic < 1e-6 * before)
    for _, pair in ipairs { { 1, 61 }, { 5, 50 }, { 10, 41 }, { 20, 33 } } do
      local p, q = { body:position(pair[1]) }, { body:position(pair[2]) }
      local r, s = vertices[pair[1]], vertices[pair[2]]
      local function distance(u, v) return math.sqrt((u[1] - v[1]) ^ 2 + (u[2] - v[2]) ^ 2 + (u[3] - v[3]) ^ 2) end
      assert.is_near(distance(r, s), distance(p, q), 1e-3)
    end
  end)

  it("keeps its momentum, and its frames follow vertices that a script moves", function()
    local scene, body = rod {
      mesh = strand(9), timestep = 1e-3, solver = { "implicit_midpoint", iterations = 100, tolerance = 1e-13 },
    }
    local masses = scene:system():masses():table()
    for i = 1, 9 do body:set_velocity(i, 0.3 * i, math.sin(i), 0.1) end
    local function momentum()
      local v, sum = scene:system():velocities():table(), { 0, 0, 0 }
      for i, mass in ipairs(masses) do
        for k = 1, 3 do sum[k] = sum[k] + mass * v[3 * (i - 1) + k] end
      end
      return sum
    end
    local before = momentum()
    assert(scene:step(20))
    local after = momentum()
    for k = 1, 3 do assert.is_near(before[k], after[k], 1e-12) end
    local energy = scene:energy().elastic
    for i = 1, 9 do
      local x, y, z = body:position(i)
      body:set_position(i, x + 2, y - 1, z + 3)
    end
    assert.is_true(energy > 1e-6)
    assert.is_near(1, scene:energy().elastic / energy, 1e-9)
  end)

  it("comes to the same place by all methods that minimise", function()
    local places = {}
    for i, name in ipairs { "newton", "lbfgs", "nonlinear_cg", "local_global", "vbd" } do
      local scene, body = rod {
        mesh = strand(7), timestep = 1 / 60, gravity = { 0, -9.81, 0 },
        solver = { name, tolerance = 1e-11, iterations = 40000 },
      }
      body:pin { 1, 2, 6, 7 }
      for _ = 1, 3 do
        body:turn(6, 7, 0.3)
        assert(scene:step(1))
      end
      places[i] = { body:position(4) }
      for k = 1, 3 do assert.is_near(places[1][k], places[i][k], 1e-8) end
    end
  end)

  it("goes back, and on to the same bits, with its frames", function()
    local scene, body = rod { mesh = strand(9), timestep = 1 / 60, gravity = { 0, -9.81, 0 } }
    body:pin { 1, 2, 8, 9 }
    local function go()
      for _ = 1, 5 do
        body:turn(8, 9, 0.2)
        body:move_pin(9, 1.1, 0.01 * scene.frame, 0)
        assert(scene:step(1))
      end
      return scene:hash()
    end
    go()
    local kept = scene:snapshot()
    local fork = scene:fork()
    local first = go()
    scene:restore(kept)
    assert.are.equal(first, go())
    body, scene = fork:body("rod"), fork
    assert.are.equal(first, go())
  end)

  it("keeps its frames when the script runs again, unchanged and with another stiffness", function()
    local function write(young_modulus)
      return helper.write("reload_twist.lua", ([[
        local tide = require "springtide"
        local scene = tide.scene { timestep = 0.02, gravity = { 0, -1, 0 }, solver = { "newton", iterations = 30 } }
        local body = scene:body("rod", {
          mesh = tide.mesh.strand { points = 9, from = { 0, 0, 0 }, to = { 1, 0, 0 } }, density = 1000,
          rod = { young = %g, poisson = 0.3, radius = 0.02, twist = true },
        }):pin { 1, 2, 8, 9 }
        function scene.update()
          body:turn(8, 9, 0.1)
          body:move_pin(9, 1, 0.01 * scene.frame, 0)
        end
        return scene]]):format(young_modulus))
    end
    local scene, other = assert(tide.load(write(1e7))), assert(tide.load(write(1e7)))
    assert(scene:step(4) and other:step(4))
    assert(scene:reload())
    assert.are.equal(other:hash(), scene:hash())
    assert(scene:step(4) and other:step(4))
    assert.are.equal(other:hash(), scene:hash())
    local before = scene:system():positions():table()
    assert(scene:reload(write(2e7)))
    assert.are.same(before, scene:system():positions():table())
    assert(scene:step(1))
  end)

  it("keeps twist beyond its yield strain", function()
    local scene, body = rod { mesh = strand(21), drag = 2, plastic = { yield = 0.01 } }
    body:pin { 1, 2, 20, 21 }
    -- The strain at the surface is r angle / L / sqrt(3) = 0.0087 for 3 rad, and 0.029 for 10 rad.
    for _ = 1, 10 do
      body:turn(20, 21, 0.3)
      assert(scene:step(1))
    end
    assert.is_near(1, scene:energy().elastic / (torsion * 3 ^ 2 / 2), 1e-6)
    for _ = 1, 10 do
      body:turn(20, 21, 0.7)
      assert(scene:step(1))
    end
    assert(scene:step(1))
    local kept = 0.01 * math.sqrt(3) / radius -- the elastic twist
    assert.is_near(1, scene:energy().elastic / (torsion * kept ^ 2 / 2), 1e-3)
    for _ = 1, 10 do
      body:turn(20, 21, -kept / 10)
      assert(scene:step(1))
    end
    assert.is_near(0, scene:energy().elastic, 1e-5 * torsion * kept ^ 2)
  end)

  it("refuses to turn what it cannot, with what to do", function()
    local _, body = rod { mesh = strand(5) }
    has(message(function() body:turn(1, 2, 1) end), 'body "rod": turn = 1, 2', "pin both of its vertices first")
    body:pin { 1, 2 }
    has(message(function() body:turn(1, 3, 1) end), 'body "rod": turn = 1, 3', "no edge joins these vertices")
    has(message(function() body:turn(1, 2, 0 / 0) end), 'body "rod"', "turn")
    local plain = tide.scene {}:body("plain", { mesh = strand(5) })
    has(message(function() plain:turn(1, 2, 1) end), 'body "plain": turn', "rod = { ..., twist = true }")
  end)
end)
