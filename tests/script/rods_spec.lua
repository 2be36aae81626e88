-- Rods: masses, Euler-Bernoulli deflection, buckling, curved rest shapes, wrong definitions. `vibration_spec.lua` has
-- their frequencies.
local helper = dofile "tests/script/helper.lua"
local tide, has, message = helper.tide, helper.has, helper.message

local pi = math.pi
local radius, young, density = 5e-3, 2e7, 1000
local section, inertia = pi * radius ^ 2, pi * radius ^ 4 / 4

local function strand(points, length, from)
  return tide.mesh.strand { points = points, from = { from or 0, 0, 0 }, to = { length, 0, 0 } }
end

local function wire(options)
  local scene = tide.scene {
    timestep = options.timestep or 0.1, gravity = options.gravity or { 0, 0, 0 }, drag = options.drag,
    solver = options.solver or { "newton", iterations = 200, tolerance = 1e-9 },
  }
  return scene, scene:body("wire", {
    mesh = options.mesh, rest = options.rest, density = density,
    rod = { young = young, poisson = 0.3, radius = radius, twist = options.twist },
  })
end

describe("a rod", function()
  it("has the mass of its volume", function()
    local scene = wire { mesh = strand(11, 2) }
    local sum = 0
    for _, mass in ipairs(scene:system():masses()) do sum = sum + mass end
    assert.is_near(density * section * 2, sum, 1e-12)
  end)

  it("lies on the ground by its own radius", function()
    local scene, body = wire { mesh = strand(5, 0.2), timestep = 1 / 60, gravity = { 0, -9.81, 0 } }
    scene:collider("ground", { shape = "plane", offset = -0.01 })
    assert(scene:step(60))
    local _, y = body:position(3)
    assert.is_near(radius - 0.01, y, 1e-5)
  end)

  for _, twist in ipairs { false, true } do
    local kind = twist and "with twist" or "without twist"
    it("bends under its weight as Euler and Bernoulli have it, with second order: " .. kind, function()
      -- The wall is in the middle of the first edge, whose vertices are pinned.
      local function deflection(points)
        local half = 1 / (points - 1) / 2
        local scene, body = wire { mesh = strand(points + 1, 1, -half), gravity = { 0, -1e-4, 0 }, drag = 3,
          twist = twist }
        body:pin { 1, 2 }
        assert(scene:step(200))
        local _, y = body:position(points + 1)
        return -y
      end
      local exact, errors = density * section * 1e-4 / (8 * young * inertia), {}
      for i, points in ipairs { 10, 20, 40 } do errors[i] = math.abs(deflection(points) / exact - 1) end
      assert.is_true(errors[3] < 1e-3)
      for i = 1, 2 do assert.is_near(2, math.log(errors[i] / errors[i + 1], 2), 0.15) end
    end)
  end

  it("buckles at Euler's load", function()
    local length, points = 1, 41
    local scene, body = wire { mesh = strand(points, length), drag = 2 }
    body:pin { 1, points }
    body:set_position(21, 0.5, 1e-4, 0)
    body:move_pin(points, length * (1 - 2e-3), 0, 0)
    assert(scene:step(300))
    local load = body:reaction { 1 }
    local _, sag = body:position(21)
    assert.is_true(math.abs(sag) > 0.01)
    assert.is_near(1, load / (pi ^ 2 * young * inertia / length ^ 2), 0.01)
  end)

  it("keeps a curved shape at rest, and springs back to it", function()
    local vertices, edges = {}, {}
    for i = 0, 30 do
      local angle = i / 30 * 6 * pi
      vertices[i + 1] = { 0.1 * math.cos(angle), 0.02 * angle, 0.1 * math.sin(angle) }
      if i > 0 then edges[i] = { i, i + 1 } end
    end
    local helix = tide.mesh.new { vertices = vertices, edges = edges }
    local scene, body = wire { mesh = helix, timestep = 1 / 60 }
    assert.is_near(0, scene:energy().elastic, 1e-15)
    assert(scene:step(20))
    for i, p in ipairs(vertices) do
      local x, y, z = body:position(i)
      assert.is_near(0, math.abs(x - p[1]) + math.abs(y - p[2]) + math.abs(z - p[3]), 1e-9)
    end
    -- Drawn out to three times its height, it has no energy left in the end.
    scene = wire { mesh = helix:scale(1, 3, 1), rest = helix, timestep = 1 / 30, drag = 2 }
    local before = scene:energy().elastic
    assert(scene:step(300))
    assert.is_true(scene:energy().elastic < 1e-3 * before)
  end)

  it("comes to the same place by all methods that minimise", function()
    local places = {}
    for i, name in ipairs { "newton", "lbfgs", "nonlinear_cg", "local_global", "vbd" } do
      local scene, body = wire {
        mesh = strand(9, 0.4), timestep = 1 / 60, gravity = { 0, -9.81, 0 },
        solver = { name, tolerance = 1e-10, iterations = 20000 },
      }
      body:pin { 1, 2 }
      assert(scene:step(3))
      places[i] = { body:position(9) }
      for k = 1, 3 do assert.is_near(places[1][k], places[i][k], 1e-8) end
    end
  end)
end)

describe("wrong rods are refused with the body, the field and what to do:", function()
  local folded = tide.mesh.new {
    vertices = { { 0, 0, 0 }, { 1, 0, 0 }, { 0, 0, 1e-4 } }, edges = { { 1, 2 }, { 2, 3 } },
  }
  local points = tide.mesh.new { vertices = { { 0, 0, 0 }, { 1, 0, 0 } } }
  local good = { young = 1e6, radius = 1e-3 }
  for _, case in ipairs {
    { { density = 1, rod = { young = -1, radius = 1 } }, 'body "wire": rod.young = -1:' },
    { { density = 1, rod = { young = 1, radius = 0 } }, 'body "wire": rod.radius = 0:' },
    { { density = 1, rod = { young = 1 } }, 'body "wire": rod.radius: missing; radius of the round cross-section' },
    { { density = 1, rod = { young = 1, radius = 1, poisson = 0.5 } }, 'body "wire": rod.poisson' },
    { { rod = good }, 'body "wire": density: is missing' },
    { { density = 1, rod = good, mesh = folded },
      'body "wire": rod: the rod through vertices 1, 2 and 3 is folded back' },
    { { density = 1, rod = good, mesh = points }, 'body "wire": rod: the body\'s mesh has no edges' },
  } do
    it(case[2], function()
      case[1].mesh = case[1].mesh or strand(5, 1)
      local function make()
        local scene = tide.scene { timestep = 1 / 60, solver = { "newton" } }
        scene:body("other", { mesh = strand(5, 1), density = 1000, rod = { young = 1e6, radius = 0.02 } }):pin(1)
        assert(scene:step(1))
        return scene
      end
      local scene, untouched = make(), make()
      local text = message(function() scene:body("wire", case[1]) end)
      has(text, case[2])
      has(text, "rods_spec.lua:")
      assert.are.equal(1, #scene:bodies())
      assert(scene:step(2) and untouched:step(2)) -- the world goes on
      assert.are.equal(untouched:hash(), scene:hash())
    end)
  end
end)
