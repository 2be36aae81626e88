-- The ground of a scene: drawn, and solid unless the scene says otherwise.
local tide = require "springtide"

local function strip(options)
  options.timestep = options.timestep or 1 / 60
  local scene = tide.scene(options)
  local body = scene:body("strip", {
    mesh = tide.mesh.grid { columns = 5, rows = 3, width = 0.4, height = 0.2 }:translate(0, 0.5, 0),
    mass = 0.1, stiffness = 50, bend = 5,
  })
  return scene, body
end

local function lowest(body)
  local low = math.huge
  for i = 1, body.vertex_count do
    local _, y = body:position(i)
    low = math.min(low, y)
  end
  return low
end

local function falls_to(ground, options)
  options = options or {}
  options.ground = ground
  local scene, body = strip(options)
  assert(scene:step(90))
  return lowest(body), scene
end

describe("the ground", function()
  it("is solid where a height is given", function()
    assert.is_true(falls_to(0) > -1e-3)
    assert.is_true(math.abs(falls_to(-0.25) + 0.25) < 4e-3)
    local low, scene = falls_to({ height = 0, friction = 0.8 })
    assert.is_true(low > -1e-3)
    assert.are.equal(0.8, scene:collider("ground").friction)
  end)

  it("is just below the scene where it is true, and solid there", function()
    local low, scene = falls_to(true)
    assert.is_true(low > 0.4 and low < 0.5)
    assert.is_true(math.abs(scene.ground - low) < 4e-3)
  end)

  it("is drawn only where the scene says so", function()
    for _, ground in ipairs { { height = 0, solid = false }, { solid = false }, false } do
      local low = falls_to(ground)
      assert.is_true(low < -5)
    end
    assert.is_true(falls_to(nil) < -5)
  end)

  it("is read as it was assigned", function()
    local scene = tide.scene {}
    assert.is_nil(scene.ground)
    for _, ground in ipairs { 1, true, false, { height = 1, solid = false }, { solid = false } } do
      scene.ground = ground
      assert.are.same(ground, scene.ground)
    end
    scene.ground = nil
    assert.is_nil(scene.ground)
  end)

  it("is no second floor", function()
    local scene = strip { ground = 0 }
    scene:collider("floor", { shape = "plane", visible = false })
    assert(scene:step())
    assert.is_false((pcall(scene.collider, scene, "ground")))
  end)

  it("leaves its name to a collider of the scene", function()
    local scene, body = strip { ground = 0 }
    scene:collider("ground", { shape = "sphere", radius = 0.05, position = { 5, 0, 0 } })
    assert(scene:step(90))
    assert.is_true(lowest(body) > -1e-3)
    assert.is_truthy(scene:collider("drawn ground"))
  end)

  it("changes nothing of what does not get to it", function()
    local low, scene = falls_to(-60)
    assert.is_true(low < -5)
    local _, without = falls_to(false)
    assert.are.equal(without:hash(), scene:hash())
  end)

  it("is the same after going back, in a fork, and with a friction that was changed since", function()
    local scene = strip { ground = 0 }
    assert(scene:step(25))
    local landed = scene:snapshot()
    local fork = scene:fork()
    assert(scene:step(20))
    local hash = scene:hash()
    assert(fork:step(20))
    assert.are.equal(hash, fork:hash())
    scene:collider("ground").friction = 0.9
    assert(scene:step())
    local changed = scene:snapshot()
    scene:restore(landed)
    assert.are.equal(0.3, scene:collider("ground").friction)
    assert(scene:step(20))
    assert.are.equal(hash, scene:hash())
    scene:restore(changed)
    assert.are.equal(0.9, scene:collider("ground").friction)
    scene:reset()
    assert(scene:step(45))
    assert.are.equal(hash, scene:hash())
  end)

  -- A box of 0.2 m with its bottom at a height, turned so that it stands on an edge if `edge` is given.
  local function rigid_box(options, height, edge)
    options.timestep = 1 / 60
    local scene = tide.scene(options)
    local mesh = tide.mesh.box { size = { 0.2, 0.2, 0.2 }, cells = { 1, 1, 1 } }
    if edge then mesh = mesh:rotate({ 0, 0, 1 }, math.pi / 4) end
    return scene, scene:body("box", {
      mesh = mesh:translate(0, height + (edge and 0.1 * math.sqrt(2) or 0.1), 0), density = 1000, rigid = true,
    })
  end

  it("is below the surface of a rigid body where it is true", function()
    for _, edge in ipairs { false, true } do
      local scene, box = rigid_box({ ground = true }, 0.5, edge)
      local size = edge and math.sqrt(0.04 + 2 * 0.08) or math.sqrt(3 * 0.04)
      assert(scene:step(60))
      assert.is_near(0.5 - 0.02 * size, scene.ground, 1e-6)
      assert.is_true(lowest(box) > scene.ground - 1e-3)
    end
  end)

  it("is below how far a rigid body can hang from a pin", function()
    local scene, box = rigid_box({ ground = true }, 0.5)
    local top
    for i = 1, 8 do
      local _, y = box:position(i)
      if y > 0.6 then top = i end
    end
    box:pin { top }
    assert(scene:step())
    assert.is_near(0.7 - 0.2 * math.sqrt(3) - 0.02 * 0.2 * math.sqrt(3), scene.ground, 1e-6)
  end)

  it("carries a rigid body that begins just above it", function()
    local scene, box = rigid_box({ ground = 0 }, 0.002)
    for _ = 1, 30 do
      assert(scene:step())
      assert.is_true(lowest(box) > -1e-3)
    end
  end)

  it("names what is wrong with its table", function()
    local ok, message = pcall(tide.scene, { ground = { hight = 0 } })
    assert.is_false(ok)
    assert.is_truthy(tostring(message):find('did you mean "height"', 1, true))
    ok, message = pcall(tide.scene, { ground = "low" })
    assert.is_false(ok)
    assert.is_truthy(tostring(message):find("expected a height in m, true, false or a table", 1, true))
  end)
end)
