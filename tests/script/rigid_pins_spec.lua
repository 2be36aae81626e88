-- Rigid bodies that are pinned or linked exactly: no method gains energy, and pins hold.
local helper = dofile "tests/script/helper.lua"
local tide = helper.tide

local methods = { "newton", "local_global", "lbfgs", "nonlinear_cg", "vbd", "semi_implicit", "implicit_midpoint",
  "pbd", "xpbd" }

local function new_box(scene, name, size, place)
  local mesh = tide.mesh.box { size = size, cells = { 1, 1, 1 } }:translate(table.unpack(place))
  return scene:body(name, { mesh = mesh, density = 1000, rigid = true, friction = 0.3, collide = "colliders" })
end

-- The implicit midpoint rule holds links in the middle of a step. At its end they are apart, with stretched
-- springs.
local function energy_of(scene, method)
  local energy = scene:energy()
  return method == "implicit_midpoint" and energy.kinetic + energy.gravity or energy.total
end
local function play_of(method) return method == "implicit_midpoint" and 0.01 or 1e-9 end

-- Steps a box of 4 kg with default options. Returns the largest gain of energy and the largest distance from its pins.
local function swing(method, case)
  local scene = tide.scene { timestep = 1 / 60, solver = { method } }
  local body = new_box(scene, "box", case.size or { 0.2, 0.1, 0.2 }, { 0, 0.3, 0 })
  local pins, places, gain, away = case.pins or { 1 }, {}, -math.huge, 0
  body:pin(pins)
  for _, pin in ipairs(pins) do places[pin] = { body:position(pin) } end
  if case.spin then body:set_motion { spin = case.spin } end
  if case.floor then scene:collider("floor", { shape = "plane", offset = case.floor, friction = 0.3 }) end
  local start = energy_of(scene, method)
  for _ = 1, case.steps or 60 do
    assert(scene:step())
    gain = math.max(gain, energy_of(scene, method) - start)
    for pin, place in pairs(places) do
      local x, y, z = body:position(pin)
      away = math.max(away, math.abs(x - place[1]) + math.abs(y - place[2]) + math.abs(z - place[3]))
    end
  end
  return gain, away, scene, body
end

describe("a pinned rigid body", function()
  for name, case in pairs {
    ["that swings"] = {}, ["that falls on a floor"] = { floor = 0.1 },
    ["that is long and falls on a floor"] = { size = { 0.6, 0.1, 0.1 }, floor = 0 },
    ["that spins"] = { spin = { 5, 3, 20 } }, ["on two pins"] = { pins = { 1, 2 } },
    ["that all its pins hold"] = { pins = { 1, 2, 3, 4, 5, 6, 7, 8 } },
  } do
    it(name .. " gains no energy under any method", function()
      for _, method in ipairs(methods) do
        local gain, away = swing(method, case)
        local most = method == "implicit_midpoint" and 0.01 or 1e-3 -- J, of 3 to 10
        assert.is_true(gain < most, ("%s: %g J"):format(method, gain))
        assert.is_near(0, away, play_of(method), method)
      end
    end)
  end

  it("comes to lie on its edge or on its face under every method", function()
    for _, method in ipairs(methods) do
      local _, _, scene, body = swing(method, { floor = 0.1, steps = 240 })
      local height = body:motion().centre[2]
      assert.is_true(height > 0.207 and height < 0.219, ("%s: %g m"):format(method, height))
      assert.is_true(scene:energy().kinetic < 0.2, method) -- it may be about to tip from the edge
    end
  end)

  it("is drawn by its pins, with the force that this takes", function()
    for _, method in ipairs(methods) do
      local scene = tide.scene { timestep = 1 / 60, solver = { method }, gravity = { 0, 0, 0 } }
      local body = new_box(scene, "box", { 0.2, 0.1, 0.2 }, { 0, 0, 0 })
      local places = {}
      for i = 1, 8 do places[i] = { body:position(i) } end
      body:pin { 1, 2, 3, 4, 5, 6, 7, 8 }
      for step = 1, 20 do
        for i, p in ipairs(places) do body:move_pin(i, p[1] + 0.5 * (step / 60) ^ 2, p[2], p[3]) end
        assert(scene:step())
      end
      assert.is_near(0.5 * (20 / 60) ^ 2, body:motion().centre[1], 1e-9, method)
      assert.is_near(4, (body:reaction()), method == "implicit_midpoint" and 5 or 0.2, method) -- 4 kg at 1 m/s^2
    end
  end)

  it("rests between pins that are too far apart", function()
    for _, method in ipairs(methods) do
      local scene = tide.scene { timestep = 1 / 60, solver = { method } }
      local body = new_box(scene, "box", { 0.2, 0.1, 0.2 }, { 0, 0, 0 })
      body:pin { 1, 2 }
      local x, y, z = body:position(1)
      body:move_pin(1, x - 0.02, y, z)
      assert(scene:step(60))
      assert.is_near(x - 0.01, (body:position(1)), 1e-4, method)
      assert.is_true(scene:energy().kinetic < 3, method)
    end
  end)
end)

describe("rigid bodies that are linked", function()
  it("keep together, gain no energy, and keep their momentum", function()
    for _, method in ipairs(methods) do
      local scene = tide.scene { timestep = 1 / 60, gravity = { 0, 0, 0 }, solver = { method } }
      local a = new_box(scene, "a", { 0.2, 0.1, 0.2 }, { 0, 0, 0 })
      local b = new_box(scene, "b", { 0.2, 0.1, 0.2 }, { 0.2, 0.1, 0 })
      local i, j
      for v = 1, 8 do
        for w = 1, 8 do
          local x, y, z = a:position(v)
          local p, q, r = b:position(w)
          if math.abs(x - p) + math.abs(y - q) + math.abs(z - r) < 1e-9 then i, j = v, w end
        end
      end
      scene:attach(a, i, b, j, { stiffness = 1e9 })
      a:set_motion { velocity = { 0, 1, 0 }, spin = { 1, 2, 5 } }
      local energy = energy_of(scene, method)
      for _ = 1, 60 do
        assert(scene:step())
        assert.is_true(energy_of(scene, method) < energy, method)
        local x, y, z = a:position(i)
        local p, q, r = b:position(j)
        assert.is_near(0, math.abs(x - p) + math.abs(y - q) + math.abs(z - r), play_of(method), method)
      end
      local sum = a:motion().velocity[2] + b:motion().velocity[2]
      if method ~= "semi_implicit" then -- it conserves no momentum of what springs join
        assert.is_near(1, sum, 1e-6, method)
      end
    end
  end)
end)
