-- Colliders: every field, how they move, and every message for bad input.
local helper = dofile "tests/script/helper.lua"
local tide, has, message = helper.tide, helper.has, helper.message

local function near(expected, actual, tolerance)
  assert.are.equal(#expected, #actual)
  for k, value in ipairs(expected) do
    assert.is_near(value, actual[k], tolerance or 1e-12)
  end
end

-- A scene with one small body far from everything.
local function new_scene(settings)
  local scene = tide.scene(settings or { timestep = 0.1, gravity = { 0, 0, 0 } })
  scene:body("grain", { mesh = tide.mesh.new { vertices = { { 0, 100, 0 } } }, mass = 1 })
  return scene
end

local open_mesh = tide.mesh.grid { columns = 3, rows = 3, width = 1, height = 1 }

describe("a collider", function()
  it("has a distance of each shape", function()
    local scene = new_scene()
    local function gap(definition, x, y, z)
      local name = definition.shape .. #scene:colliders()
      return (scene:collider(name, definition):distance(x, y, z))
    end
    assert.is_near(2, gap({ shape = "plane", normal = { 0, 3, 0 }, offset = -1 }, 5, 1, 5), 1e-12)
    assert.is_near(0.75, gap({ shape = "sphere", position = { 1, 0, 0 }, radius = 0.25 }, 2, 0, 0), 1e-12)
    assert.is_near(0.3, gap({ shape = "capsule", from = { 0, 0, 0 }, to = { 0, 2, 0 }, radius = 0.2 }, 0.5, 1, 0),
      1e-12)
    assert.is_near(0.5, gap({ shape = "cylinder", from = { 0, 0, 0 }, to = { 0, 2, 0 }, radius = 0.2 }, 0, 2.5, 0),
      1e-12)
    assert.is_near(0.5, gap({ shape = "box", position = { 0, 1, 0 }, size = { 2, 4, 6 } }, 0, 3.5, 0), 1e-12)
    assert.is_near(-1, gap({ shape = "box", rotation = { 0, 0, 5, math.pi / 2 }, size = { 8, 2, 6 } }, 0, 3, 0), 1e-12)
    assert.is_near(0.9, gap({ shape = "torus", axis = { 0, 0, 1 }, major = 1, minor = 0.1 }, 0, 2, 0), 1e-12)
    local mesh = tide.mesh.box { size = { 2, 2, 2 } }
    assert.is_near(1, gap({ shape = "mesh", mesh = mesh, position = { 0, 5, 0 } }, 0, 7, 0), 1e-12)
    assert.is_near(2 - math.sqrt(2), gap({ shape = "mesh", mesh = mesh, rotation = { 0, 0, 1, math.pi / 4 } }, 0, 2, 0),
      1e-6)
    assert.is_near(-0.5, gap({ shape = "distance", fn = tide.distance.sphere { radius = 0.5 } }, 0, 0, 0), 1e-12)
    assert.is_near(0.5,
      gap({ shape = "distance", fn = tide.distance.plane(), bounds = { { -1, -1, -1 }, { 1, 1, 1 } } }, 0, 0.5, 0),
      1e-12)
    assert.is_near(0.4, gap({
      shape = "distance", cell = 0.1, position = { 0, 2, 0 }, bounds = { { -1, -1, -1 }, { 1, 1, 1 } },
      fn = function(x, y, z) return math.sqrt(x * x + y * y + z * z) - 0.5 end,
    }, 0, 2.9, 0), 0.02)
  end)
  it("is ground of heights: a function, a list of rows, a flat list", function()
    local scene = new_scene()
    local function f(x, z)
      return 0.5 * x - 0.25 * z
    end
    local rows, flat = {}, {}
    for r = 1, 4 do
      rows[r] = {}
      for c = 1, 6 do
        rows[r][c] = f(-2 + 4 * (c - 1) / 5, -3 + 6 * (r - 1) / 3)
        flat[#flat + 1] = rows[r][c]
      end
    end
    local all = {
      scene:collider("function", { shape = "heightfield", heights = f, width = 4, depth = 6, columns = 6, rows = 4 }),
      scene:collider("rows", { shape = "heightfield", heights = rows, width = 4, depth = 6 }),
      scene:collider("flat", { shape = "heightfield", heights = flat, width = 4, depth = 6, columns = 6, rows = 4 }),
    }
    local cosine = 1 / math.sqrt(1 + 0.25 + 0.0625)
    for _, ground in ipairs(all) do
      local gap, nx, ny, nz = ground:distance(0.3, f(0.3, 0.7) + 0.1, 0.7)
      assert.is_near(0.1 * cosine, gap, 1e-9)
      near({ -0.5 * cosine, cosine, 0.25 * cosine }, { nx, ny, nz }, 1e-9)
    end
    local raised = scene:collider("raised", { shape = "heightfield", heights = rows, width = 4, depth = 6,
      position = { 1, 2, 3 } })
    assert.is_near(0.1 * cosine, (raised:distance(1.3, f(0.3, 0.7) + 2.1, 3.7)), 1e-9)
  end)
  it("tells what it is", function()
    local scene = new_scene()
    local ball = scene:collider("ball", { shape = "sphere", position = { 1, 2, 3 }, friction = 0.7, restitution = 0.5,
      thickness = 0.01, colour = { 1, 0, 0 }, visible = false })
    assert.are.equal("ball", ball.name)
    assert.are.equal("sphere", ball.shape)
    assert.are.equal(0.7, ball.friction)
    assert.are.equal(0.5, ball.restitution)
    assert.are.equal(0.01, ball.thickness)
    assert.is_false(ball.visible)
    near({ 1, 2, 3 }, ball.position)
    near({ 0, 1, 0, 0 }, ball.rotation)
    local gap, nx, ny, nz = ball:distance(1, 2, 4)
    near({ 0.49, 0, 0, 1 }, { gap, nx, ny, nz })
    local plain = scene:collider("plain", { shape = "box" })
    near({ 0.3, 0, 0 }, { plain.friction, plain.restitution, plain.thickness })
    assert.is_true(plain.visible)
    assert.are.equal(ball, scene:collider "ball")
    assert.are_not.equal(ball, plain)
    assert.are.same({ "ball", "plain" }, { scene:colliders()[1].name, scene:colliders()[2].name })
    local _, length = ball.position, #scene:colliders()
    assert.are.equal(2, length)
  end)
  it("is put somewhere at once, and moved by steps", function()
    local scene = new_scene()
    local ball = scene:collider("ball", { shape = "sphere" })
    ball.position = { 1, 0, 0 }
    near({ 1, 0, 0 }, ball.position)
    ball.rotation = { 0, 2, 0, 0.5 }
    near({ 0, 1, 0, 0.5 }, ball.rotation)
    assert.are.equal(ball, ball:move_to(2, 0, 0))
    near({ 1, 0, 0 }, ball.position) -- until the step
    near({ 0.5 }, { (ball:distance(2, 0, 0)) })
    assert.is_true(scene:step())
    near({ 2, 0, 0 }, ball.position)
    near({ 0, 1, 0, 0.5 }, ball.rotation)
    assert.is_true(scene:step())
    near({ 2, 0, 0 }, ball.position)
    ball:move_to { position = { 0, 1, 0 }, rotation = { 1, 0, 0, -1 } }
    scene:step()
    near({ 0, 1, 0 }, ball.position)
    near({ -1, 0, 0, 1 }, ball.rotation)
    ball:move_to({ 3, 1, 0 }, { 0, 0, 1, 0.25 })
    scene:step()
    near({ 3, 1, 0 }, ball.position)
    near({ 0, 0, 1, 0.25 }, ball.rotation)
    ball:move_to(1, 1, 1, { 0, 0, 1, 0 })
    scene:step()
    near({ 1, 1, 1 }, ball.position)
    near({ 0 }, { ball.rotation[4] })
    ball:move_to { rotation = { 0, 0, 1, 1 } }
    scene:step()
    near({ 1, 1, 1 }, ball.position)
    near({ 1 }, { ball.rotation[4] })
  end)
  it("follows keyframes", function()
    local scene = new_scene()
    local lift = scene:collider("lift", { shape = "box", position = { 5, 0, 0 }, keyframes = {
      { time = 0, position = { 0, 0, 0 } },
      { time = 1, position = { 0, 2, 0 }, rotation = { 0, 1, 0, 1 } },
      { time = 2 },
    } })
    near({ 0, 0, 0 }, lift.position)
    scene:step(5)
    near({ 0, 1, 0 }, lift.position, 1e-9)
    near({ 0, 1, 0, 0.5 }, lift.rotation, 1e-9)
    scene:step(15)
    near({ 5, 0, 0 }, lift.position, 1e-9) -- as the shape's definition has it
    local fan = scene:collider("fan", { shape = "box", loop = true, interpolation = "linear", keyframes = {
      { time = 0, rotation = { 0, 1, 0, 0 } },
      { time = 1, rotation = { 0, 1, 0, 1 } },
      { time = 2, rotation = { 0, 1, 0, 0 } },
    } })
    near({ 0 }, { fan.rotation[4] }, 1e-9) -- two seconds have gone by
    scene:step(5)
    near({ 0.5 }, { fan.rotation[4] }, 1e-9)
  end)
end)

describe("a collider's friction, restitution and thickness", function()
  -- A grain of 1 kg on a floor, pulled along by half its weight.
  local function pulled(settings)
    settings.timestep, settings.gravity = 1 / 60, { 5, -10, 0 }
    local scene = tide.scene(settings)
    local grain = scene:body("grain", { mesh = tide.mesh.new { vertices = { { 0, 0.01, 0 } } }, mass = 1,
      radius = 0.01 })
    return scene, grain, scene:collider("floor", { shape = "plane", friction = 1 })
  end
  it("may be set in update, for the step that it comes before", function()
    local scene, grain, floor = pulled {}
    function scene.update()
      if scene.frame == 60 then
        floor.friction = 0.25
      elseif scene.frame == 90 then
        floor.friction = 0
      end
    end
    scene:step(60)
    assert.is_near(0, (grain:position(1)), 1e-9)
    scene:step(30)
    assert.is_near(0.5 * (5 - 2.5), (grain:velocity(1)), 0.01)
    scene:step(30)
    assert.is_near(0.5 * 2.5 + 0.5 * 5, (grain:velocity(1)), 0.01)
    assert.are.equal(0, floor.friction)
  end)
  it("change a bounce and the distance that is kept", function()
    local scene, grain, floor = pulled {}
    grain:set_velocity(1, 0, -2, 0)
    floor.friction, floor.restitution = 0, 0.5
    local up = 0
    for _ = 1, 5 do
      assert.is_true(scene:step())
      up = math.max(up, select(2, grain:velocity(1)))
    end
    assert.is_true(up > 0.7 and up < 1.05, "bounced with " .. up)
    floor.restitution = 0
    scene:step(120)
    assert.is_near(0.01, select(2, grain:position(1)), 1e-4)
    floor.thickness = 0.02
    near({ -0.01 }, { (floor:distance(grain:position(1))) }, 1e-4)
    scene:step(60)
    assert.is_near(0.03, select(2, grain:position(1)), 1e-4)
    floor.thickness = 0
    scene:step(60)
    assert.is_near(0.01, select(2, grain:position(1)), 1e-4)
  end)
  it("reach the triangles of a mesh that is swept against", function()
    local scene = tide.scene { timestep = 1 / 60, gravity = { 0, -10, 0 }, contact = { continuous = true } }
    local cloth = scene:body("cloth", { stiffness = 100, mass = 0.1, thickness = 0.004,
      mesh = tide.mesh.grid { columns = 3, rows = 3, width = 0.2, height = 0.2 }:translate(-0.1, 0.02, -0.1) })
    local floor = scene:collider("floor", { shape = "box", size = { 2, 0.2, 2 }, position = { 0, -0.1, 0 } })
    scene:step(60)
    assert.is_near(0.002, select(2, cloth:position(5)), 5e-4)
    floor.thickness = 0.01
    scene:step(60)
    assert.is_near(0.012, select(2, cloth:position(5)), 5e-4)
  end)
  it("are state: of snapshots, forks, reset, and a step that was not taken", function()
    local scene, _, floor = pulled {}
    scene:step(3)
    local before, hash = scene:snapshot(), scene:hash()
    floor.friction, floor.restitution, floor.thickness = 0.5, 0.25, 0.125
    assert.are_not.equal(hash, scene:hash())
    local fork = scene:fork():collider "floor"
    near({ 0.5, 0.25, 0.125 }, { fork.friction, fork.restitution, fork.thickness })
    fork.friction = 0.75
    assert.are.equal(0.5, floor.friction)
    scene:restore(before)
    assert.are.equal(hash, scene:hash())
    near({ 1, 0, 0 }, { floor.friction, floor.restitution, floor.thickness })
    function scene.update()
      floor.friction, floor.thickness = 0, 1
      error "no"
    end
    assert.is_nil(scene:step())
    near({ 1, 0, 0 }, { floor.friction, floor.restitution, floor.thickness })
    assert.are.equal(hash, scene:hash())
    scene.update = nil
    floor.friction = 0.5
    scene:step()
    scene:reset()
    assert.are.equal(1, floor.friction)
  end)
  it("refuse other values, and what is gone", function()
    local scene, _, floor = pulled {}
    local function fails(field, value, text)
      has(message(function() floor[field] = value end), 'collider "floor": ' .. field .. text)
    end
    fails("friction", -0.1, " = -0.1: expected a number of at least 0")
    fails("friction", 0 / 0, " = nan: expected a finite number, not NaN")
    fails("friction", "smooth", ' = "smooth": expected a number')
    fails("restitution", 1.5, " = 1.5: expected a number from 0 to 1")
    fails("restitution", nil, " = nil: expected a number")
    fails("thickness", -1, " = -1: expected a number from 0")
    fails("thickness", {}, " = a table: expected a number")
    near({ 1, 0, 0 }, { floor.friction, floor.restitution, floor.thickness })
    assert.is_true(scene:step())
    has(message(function() floor.visible = false end), "visible: cannot be assigned")
  end)
end)

describe("a collider's function", function()
  it("is asked for the end of each step, before update", function()
    local scene, log = new_scene(), {}
    scene:collider("ball", { shape = "sphere", move = function(t)
      log[#log + 1] = ("move %.1f"):format(t)
      return t, 0, 0
    end })
    function scene.update()
      log[#log + 1] = ("update %.1f"):format(scene.time)
    end
    scene:step(2)
    assert.are.same({ "move 0.0", "move 0.1", "update 0.0", "move 0.2", "update 0.1" }, log)
    near({ 0.2, 0, 0 }, scene:collider("ball").position)
  end)
  it("may return numbers, lists or a table, with a rotation or without", function()
    local turn = { 0, 0, 1, 0.5 }
    local cases = {
      { function() return 1, 2, 3 end, { 1, 2, 3 }, 0.25 },
      { function() return 1, 2, 3, turn end, { 1, 2, 3 }, 0.5 },
      { function() return { 1, 2, 3 } end, { 1, 2, 3 }, 0.25 },
      { function() return { 1, 2, 3 }, turn end, { 1, 2, 3 }, 0.5 },
      { function() return { position = { 1, 2, 3 } } end, { 1, 2, 3 }, 0.25 },
      { function() return { rotation = turn } end, { 7, 8, 9 }, 0.5 },
      { function() return { position = { 1, 2, 3 }, rotation = turn } end, { 1, 2, 3 }, 0.5 },
    }
    for i, case in ipairs(cases) do
      local scene = new_scene()
      local box = scene:collider("box" .. i, { shape = "box", position = { 7, 8, 9 }, rotation = { 0, 0, 1, 0.25 },
        move = case[1] })
      near(case[2], box.position)
      near({ 0, 0, 1, case[3] }, box.rotation)
      assert.is_true(scene:step())
      near(case[2], box.position)
      near({ 0, 0, 1, case[3] }, box.rotation)
    end
  end)
  it("moves the middle of a capsule and the foot of a plane", function()
    local scene = new_scene()
    local rod = scene:collider("rod", { shape = "capsule", from = { 0, 0, 0 }, to = { 2, 0, 0 }, radius = 0.5,
      move = function() return 0, 5, 0 end })
    near({ -0.5 }, { (rod:distance(-1, 5, 0)) })
    near({ 0.5 }, { (rod:distance(2, 5, 0)) })
    local floor = scene:collider("floor", { shape = "plane", offset = 1, move = function(t) return 0, 1 + t, 0 end })
    near({ 0 }, { (floor:distance(3, 1, 3)) })
    scene:step()
    near({ 0 }, { (floor:distance(3, 1.1, 3)) })
  end)
  it("that fails leaves the world at its last good frame", function()
    local scene = new_scene()
    scene.state.count = 0
    local after, line
    scene:collider("first", { shape = "sphere", move = function(t)
      scene.state.count = scene.state.count + 1
      return t, 0, 0
    end })
    line = debug.getinfo(1, "l").currentline + 1
    scene:collider("ball", { shape = "sphere", move = function(t)
      if t > 0.25 then
        return after()
      end
      return 0, t, 0
    end })
    scene:step(2)
    local hash, count = scene:hash(), scene.state.count
    local function fails(with, text)
      after = with
      local ok, why = scene:step()
      assert.is_nil(ok)
      has(why, text)
      assert.are.equal(hash, scene:hash())
      assert.are.equal(count, scene.state.count)
      assert.are.equal(2, scene.frame)
      near({ 0, 0.2, 0 }, scene:collider("ball").position)
      near({ 0.2, 0, 0 }, scene:collider("first").position)
    end
    local here = 'collider_spec.lua:' .. line .. ': collider "ball": move'
    fails(function() return "up" end, here .. ' = "up": expected x, y, z or { x, y, z }')
    fails(function() end, here .. " = nil: expected x, y, z")
    fails(function() return 1, 2 end, here .. " = nil: expected three numbers, x, y, z")
    fails(function() return 1, 2, "3" end, here .. ' = "3": expected three numbers')
    fails(function() return 0, 0 / 0, 0 end, here .. " = nan: expected a position of numbers from -1e9 to 1e9 m")
    fails(function() return 0, 1 / 0, 0 end, here .. " = inf: expected a position")
    fails(function() return 0, 2e9, 0 end, here .. " = 2000000000: expected a position")
    fails(function() return { 1, 2 } end, here .. " = a table: expected three numbers")
    fails(function() return 0, 0, 0, 3 end, here .. " = 3: expected four finite numbers")
    fails(function() return 0, 0, 0, { 0, 0, 0, 1 } end, here .. ": expected an axis of any length but 0")
    fails(function() return {} end, here .. ": expected { position =")
    fails(function() return { positon = { 0, 0, 0 } } end, 'positon: unknown field; did you mean "position"?')
    fails(function() return { position = 3 } end, ".position = 3: expected three numbers")
    fails(function() return { rotation = { 0, 1 } } end, ".rotation = a table: expected four finite numbers")
    fails(function() return { rotation = { 0, 1, 0, 1 } }, { 0, 1, 0, 1 } end, "the rotation is given twice")
    local at = debug.getinfo(1, "l").currentline + 1
    fails(function() error "stuck" end, 'collider_spec.lua:' .. at .. ': collider "ball": move: stuck')
    fails(function() return nil + 1 end, 'collider "ball": move: attempt to perform arithmetic on a nil value')
    fails(function() assert(scene:step()) end, "the scene is in a step already")
    after = function() return 0, 0.3, 0 end
    assert.is_true(scene:step())
    assert.are.equal(3, scene.frame)
  end)
  it("is undone when update fails after it", function()
    local scene = new_scene()
    local ball = scene:collider("ball", { shape = "sphere", move = function(t) return t, 0, 0 end })
    function scene.update()
      error "no"
    end
    local hash = scene:hash()
    assert.is_nil((scene:step()))
    near({ 0, 0, 0 }, ball.position)
    assert.are.equal(hash, scene:hash())
    scene.update = nil
    assert.is_true(scene:step())
    near({ 0.1, 0, 0 }, ball.position)
  end)
end)

describe("bad input to colliders", function()
  local scene
  before_each(function()
    scene = new_scene()
  end)
  local function try(definition)
    local text = message(function() scene:collider("x", definition) end)
    assert.are.equal(0, #scene:colliders())
    return text
  end

  it("names this file and line, the collider, the field and the nearest name", function()
    local line = debug.getinfo(1, "l").currentline + 1
    local text = message(function() scene:collider("x", { shape = "sphere", radus = 1 }) end)
    has(text, "collider_spec.lua:" .. line .. ': collider "x": radus: unknown field; did you mean "radius"?')
    has(try { shape = "spher" }, 'collider "x": shape = "spher": there is no such shape; did you mean "sphere"?')
    has(try { shape = "qqqqqqqq" }, 'shape = "qqqqqqqq": expected the name of a shape; `springtide shapes` lists them')
    has(try { shape = 3 }, 'collider "x": shape = 3: expected the name of a shape')
    has(try { radius = 1 }, 'collider "x": shape: missing; give the name of one')
    has(try { shape = "box", radius = 1 }, 'collider "x": radius: unknown field')
    has(try(3), 'collider "x": expected a table of fields, not 3')
    has(try { shape = "sphere", frction = 1 }, 'did you mean "friction"?')
  end)
  it("numbers out of range", function()
    has(try { shape = "sphere", radius = -1 }, 'collider "x": radius = -1: expected a number greater than 0')
    has(try { shape = "sphere", radius = 0 / 0 }, 'collider "x": radius = nan')
    has(try { shape = "sphere", friction = -1 }, 'collider "x": friction = -1: expected a number of at least 0')
    has(try { shape = "sphere", restitution = 2 }, 'collider "x": restitution = 2: expected a number from 0 to 1')
    has(try { shape = "sphere", thickness = -1 }, 'collider "x": thickness = -1')
    has(try { shape = "sphere", colour = { 2, 0, 0 } }, 'collider "x": colour = {2, 0, 0}')
    has(try { shape = "sphere", visible = 1 }, 'collider "x": visible = 1: expected true or false')
    has(try { shape = "sphere", position = { 0, 1 / 0, 0 } }, 'collider "x": position')
    has(try { shape = "sphere", position = { 2e9, 0, 0 } }, 'collider "x": position')
    has(try { shape = "plane", normal = { 0, 0, 0 } }, 'collider "x": normal')
    has(try { shape = "torus", major = 1, minor = 2 }, 'collider "x": minor = 2')
    has(try { shape = "cylinder", from = { 0, 0, 0 }, to = { 0, 0, 0 } }, 'collider "x": to')
    has(try { shape = "box", size = { 1, 0, 1 } }, 'collider "x": size = {1, 0, 1}')
  end)
  it("rotations", function()
    has(try { shape = "box", rotation = 3 }, 'collider "x": rotation = 3: expected four finite numbers')
    has(try { shape = "box", rotation = { 0, 1, 0 } }, 'collider "x": rotation = a table: expected four finite numbers')
    has(try { shape = "box", rotation = { 0, 1, 0, 0 / 0 } }, 'collider "x": rotation = a table: expected four finite')
    has(try { shape = "box", rotation = { 0, 0, 0, 1 } }, 'collider "x": rotation: expected an axis of any length')
    has(try { shape = "sphere", rotation = { 0, 1, 0, 1 } }, 'collider "x": rotation: unknown field')
  end)
  it("meshes, heights and distances", function()
    has(try { shape = "mesh" }, 'collider "x": mesh: missing')
    local bounds = { { -1, -1, -1 }, { 1, 1, 1 } }
    local function fail() error "no" end
    has(try { shape = "heightfield", heights = fail }, 'collider "x": heights: no')
    has(try { shape = "distance", fn = fail, bounds = bounds }, 'collider "x": fn: no')
    has(try { shape = "distance", fn = math.max, bounds = bounds, cell = 1e-9 },
      'collider "x": cell = 1e-09: the bounds')
    has(try { shape = "mesh", mesh = 3 }, 'collider "x": mesh = 3: expected a mesh')
    has(try { shape = "mesh", mesh = open_mesh }, "the surface is open")
    has(try { shape = "heightfield" }, 'collider "x": heights: missing')
    has(try { shape = "heightfield", heights = 3 }, 'collider "x": heights = 3: expected a list of rows')
    has(try { shape = "heightfield", heights = { 1, 2 } }, 'collider "x": heights = 2 numbers: expected 1089 numbers')
    has(try { shape = "heightfield", heights = { { 1, 2 }, { 3 } } }, 'heights[2] = a table: expected a list of 2')
    has(try { shape = "heightfield", heights = { { 1, 2 }, { 3, "a" } } }, 'heights[2] = "a": expected a finite number')
    has(try { shape = "heightfield", heights = { { 1, 2 }, { 3, 4 } }, rows = 3 }, 'heights = 2 rows: expected 3 rows')
    has(try { shape = "heightfield", heights = function() return "a" end },
      'heights = "a": expected it to return a finite number at x = -5, z = -5')
    has(try { shape = "heightfield", heights = function() error "flat" end }, ": flat")
    has(try { shape = "heightfield", heights = math.max, columns = 1 }, 'collider "x": columns = 1')
    has(try { shape = "distance" }, 'collider "x": fn: missing')
    has(try { shape = "distance", fn = 3 }, 'collider "x": fn = 3: expected a function(x, y, z) or a distance')
    has(try { shape = "distance", fn = math.max }, 'collider "x": bounds: missing; give the box')
    has(try { shape = "distance", fn = tide.distance.plane() }, 'bounds: missing; this distance is unbounded')
    has(try { shape = "distance", fn = math.max, bounds = { 1, 2 } }, 'collider "x": bounds[1] = 1: expected three')
    has(try { shape = "distance", fn = function() return 1 end, bounds = { { 0, 0, 0 }, { 1, 1, 1 } } },
      "nothing is inside")
    has(try { shape = "distance", fn = function() return {} end, bounds = { { 0, 0, 0 }, { 1, 1, 1 } } },
      'collider "x": fn = a table: expected it to return a finite number at {0, 0, 0}')
    has(try { shape = "distance", fn = tide.distance.sphere(), cell = 0 }, 'collider "x": cell = 0')
  end)
  it("motions", function()
    has(try { shape = "sphere", move = 3 }, 'collider "x": move = 3: expected a function(t)')
    has(try { shape = "sphere", move = function() return "x" end }, 'collider "x": move = "x": expected x, y, z')
    has(try { shape = "sphere", move = function() error "no" end }, 'collider "x": move: no')
    has(try { shape = "sphere", keyframes = 3 }, 'collider "x": keyframes = 3: expected a list')
    has(try { shape = "sphere", keyframes = {} }, 'collider "x": keyframes: expected a list of 1')
    has(try { shape = "sphere", keyframes = { 3 } }, 'collider "x": keyframes[1] = 3: expected { time')
    has(try { shape = "sphere", keyframes = { { time = 0 }, { tim = 1 } } },
      'collider "x": keyframes[2]: tim: unknown field; did you mean "time"?')
    has(try { shape = "sphere", keyframes = { { time = 0, rotation = 3 } } }, 'keyframes[1]: rotation = 3: expected')
    has(try { shape = "sphere", keyframes = { { time = 1 }, { time = 1 } } }, 'collider "x": keyframes')
    has(try { shape = "sphere", loop = true, keyframes = { { time = 0, position = { 0, 0, 0 } },
      { time = 1, position = { 1, 0, 0 } } } }, 'collider "x"')
    has(try { shape = "sphere", interpolation = "smoth" }, 'did you mean "smooth"?')
    has(try { shape = "sphere", move = math.abs, keyframes = { { time = 0 } } },
      'collider "x": move: given together with keyframes')
  end)
  it("methods", function()
    local ball = scene:collider("ball", { shape = "sphere" })
    has(message(function() scene:collider("ball", { shape = "sphere" }) end),
      'collider "ball": the scene has a collider of this name already')
    has(message(function() scene:collider "bal" end),
      'scene: collider = "bal": there is no such collider; did you mean "ball"?')
    has(message(function() scene:collider "zzzzzz" end), "to make one give its definition, { shape = ... }")
    has(message(function() scene:collider(3, {}) end), "scene: collider = 3: expected a string")
    has(message(function() scene:collider("", { shape = "sphere" }) end), "expected a text that is not empty")
    has(message(function() ball:move_to() end), 'collider "ball": move_to = nil: expected x, y, z')
    has(message(function() ball:move_to(1, 2) end), 'collider "ball": move_to = nil: expected three numbers')
    has(message(function() ball:move_to(0, 1 / 0, 0) end), 'collider "ball": move_to = inf: expected a position')
    has(message(function() ball.position = 3 end), 'collider "ball": position = 3: expected three numbers')
    has(message(function() ball.position = { 0, 2e9, 0 } end), 'collider "ball": position = {0, 2000000000, 0}')
    has(message(function() ball.rotation = { 0, 1 } end), 'collider "ball": rotation = a table: expected four')
    has(message(function() ball.shape = "box" end), "collider: shape: cannot be assigned")
    has(message(function() return ball.radius end), "collider: radius: unknown")
    has(message(function() ball:distance(1, 2) end), 'collider "ball": distance = nil: expected a finite number')
    has(message(ball.distance, 3, 1), "call it with a colon: collider:method(...)")
    local fixed = scene:collider("fixed", { shape = "sphere", move = function() return 0, 0, 0 end })
    local keyed = scene:collider("keyed", { shape = "sphere", keyframes = { { time = 0 } } })
    has(message(function() fixed:move_to(0, 0, 0) end), 'collider "fixed": move_to: its `move` says where it is')
    has(message(function() fixed.position = { 0, 0, 0 } end), 'collider "fixed": position: its `move` says where it is')
    has(message(function() keyed:move_to(0, 0, 0) end), 'collider "keyed": move_to: its `keyframes` says where it is')
    function scene.update()
      scene:collider("late", { shape = "sphere" })
    end
    local _, why = scene:step()
    has(why, 'collider "late": a collider cannot be added while the scene is in a step')
  end)
end)
