-- Attachments of rigid bodies: to any vertex, to the nearest point, and without contact there.
local helper = dofile "tests/script/helper.lua"
local tide, has, message = helper.tide, helper.has, helper.message

local function new_scene(gravity)
  return tide.scene { timestep = 1 / 60, gravity = { 0, gravity or 0, 0 }, solver = { "newton" } }
end

local function box(scene, name, options)
  local mesh = tide.mesh.box { size = options.size or { 0.2, 0.2, 0.2 }, cells = options.cells or { 1, 1, 1 } }
  if options.turn then mesh = mesh:rotate({ 1, 2, 3 }, options.turn) end
  return scene:body(name, {
    mesh = mesh:translate(table.unpack(options.at or { 0, 0, 0 })), density = 1000, rigid = true,
    collide = options.collide, friction = 0,
  })
end

local function distance(a, i, b, j)
  local x, y, z = a:position(i)
  local u, v, w = b:position(j)
  return math.sqrt((x - u) ^ 2 + (y - v) ^ 2 + (z - w) ^ 2)
end

describe("a rigid body", function()
  it("is attached by any of its vertices", function()
    local scene = new_scene(-9.81)
    local bead = scene:body("bead", { mesh = tide.mesh.new { vertices = { { 0, 0.5, 0 } } }, mass = 0.1 })
    bead:pin { 1 }
    local body = box(scene, "box", { cells = { 2, 2, 2 }, collide = "none" })
    assert.are.equal(27, body.vertex_count)
    scene:attach(bead, 1, body, 27, { stiffness = 4000 })
    assert.is_near(0.5 * 4000 * distance(bead, 1, body, 27) ^ 2, scene:energy().elastic, 1e-9)
    assert(scene:step(60))
    assert.is_true(body:motion().centre[2] > -0.6)
    has(message(scene.attach, scene, bead, 1, body, 28, { stiffness = 1 }), 'body "box"', "expected", "27")
  end)

  it("is pinned at any of its vertices", function()
    for vertex = 1, 27, 13 do
      local scene = tide.scene { timestep = 1 / 240, solver = { "newton" } }
      local body = box(scene, "box", { cells = { 2, 2, 2 } })
      local x, y, z = body:position(vertex)
      body:pin { vertex }
      assert(scene:step(60))
      local a, b, c = body:position(vertex)
      assert.is_near(0, (a - x) ^ 2 + (b - y) ^ 2 + (c - z) ^ 2, 1e-8)
    end
  end)

  it("is attached at its nearest point", function()
    local scene = new_scene()
    local body = box(scene, "box", { turn = 0.4 })
    local above = { body:position(1) }
    local centre = body:motion().centre
    for k = 1, 3 do above[k] = centre[k] + 2 * (above[k] - centre[k]) end
    -- beyond a corner: the nearest point is the corner
    local bead = scene:body("bead", { mesh = tide.mesh.new { vertices = { above } }, mass = 0.1 })
    scene:attach(bead, 1, body, "nearest", { stiffness = 4 })
    local energy = 0.5 * 4 * distance(bead, 1, body, 1) ^ 2
    assert.is_near(energy, scene:energy().elastic, 1e-12)
    -- above a face: the point below
    local flat = tide.scene { gravity = { 0, 0, 0 }, solver = { "newton" } }
    local brick = box(flat, "brick", {})
    local ball = flat:body("ball", { mesh = tide.mesh.new { vertices = { { 0.03, 0.5, 0.02 } } }, mass = 0.1 })
    flat:attach(ball, 1, brick, "nearest", { stiffness = 2 })
    assert.is_near(0.16, flat:energy().elastic, 1e-12)
    ball:set_position(1, 0.03, 0.1, 0.02)
    assert.is_near(0, flat:energy().elastic, 1e-12)
  end)

  it("is attached to the nearest points of cloth, of a strand and of another rigid body", function()
    local scene = new_scene()
    local body = box(scene, "box", { size = { 0.2, 0.2, 0.2 }, at = { 0.5, 0.3, 0.5 } })
    local cloth = scene:body("cloth", {
      mesh = tide.mesh.grid { columns = 3, rows = 3, width = 1, height = 1 }, mass = 1, stiffness = 10,
    })
    local rope = scene:body("rope", {
      mesh = tide.mesh.strand { points = 3, from = { 0.4, 0.6, 0.4 }, to = { 0.4, 1, 0.4 } }, mass = 1, stiffness = 10,
    })
    local other = box(scene, "other", { size = { 2, 0.2, 2 }, at = { 0.5, 1, 0.5 } })
    local lowest, highest
    for i = 1, 8 do
      local x, y, z = body:position(i)
      if x < 0.5 and z < 0.5 then
        if y < 0.3 then lowest = i else highest = i end
      end
    end
    local function adds(expected, ...)
      local before = scene:energy().elastic
      scene:attach(...)
      assert.is_near(expected, scene:energy().elastic - before, 1e-12)
    end
    adds(0.5 * 3 * 0.2 ^ 2, body, lowest, cloth, "nearest", { stiffness = 3 })
    adds(0.5 * 3 * 0.2 ^ 2, body, highest, rope, "nearest", { stiffness = 3 })
    adds(2 * 0.5 * 3 * 0.5 ^ 2 + 2 * 0.5 * 3 * 0.5 ^ 2, body, { highest, highest, highest, highest }, other, "nearest",
      { stiffness = 3 })
    assert(scene:step(5))
    has(message(scene.attach, scene, body, 1, body, "nearest", { stiffness = 3 }), 'body "box"', "holds its shape")
    has(message(scene.attach, scene, body, 9, cloth, "nearest", { stiffness = 3 }), 'body "box"', "9")
  end)

  it("goes on attached after a fork and a reload", function()
    local path = helper.write("scene.lua", [[
      local tide = require "springtide"
      local scene = tide.scene { timestep = 1 / 60, solver = { "newton" } }
      local cloth = scene:body("cloth", { mesh = tide.mesh.grid { columns = 5, rows = 5 }, mass = 1, stiffness = 100 })
      cloth:pin { 1, 5 }
      local box = scene:body("box", { rigid = true, mass = 1,
        mesh = tide.mesh.box { size = { 0.2, 0.2, 0.2 }, cells = { 1, 1, 1 } }:translate(0.5, -0.2, 0.8) })
      scene:attach(box, { 3, 4, 7, 8 }, cloth, "nearest", { stiffness = 500 })
      return scene
    ]])
    local scene = assert(tide.load(path))
    assert(scene:step(20))
    local fork = scene:fork()
    local ok, what = scene:reload(path)
    assert.is_true(ok)
    assert.are.equal("nothing changed", what.changes)
    assert(scene:step(20))
    assert(fork:step(20))
    assert.are.equal(scene:hash(), fork:hash())
  end)

  it("does not touch another one where it is attached to it", function()
    local function run(attach)
      local scene = new_scene()
      local a = box(scene, "a", { at = { 0, 0, 0 } })
      local b = box(scene, "b", { at = { 0.2, 0.2, 0 } }) -- they share an edge
      attach(scene, a, b)
      assert(scene:step(60))
      return scene, a, b
    end
    local pairs_of = {}
    local function by_vertices(scene, a, b)
      pairs_of = {}
      for i = 1, 8 do
        for j = 1, 8 do
          if distance(a, i, b, j) < 1e-9 then pairs_of[#pairs_of + 1] = { i, j } end
        end
      end
      assert.are.equal(2, #pairs_of)
      for _, pair in ipairs(pairs_of) do scene:attach(a, pair[1], b, pair[2], { stiffness = 50 }) end
    end
    local scene, a, b = run(by_vertices)
    for _, pair in ipairs(pairs_of) do assert.is_near(0, distance(a, pair[1], b, pair[2]), 1e-9) end
    assert.is_near(0, scene:energy().kinetic, 1e-12)
    assert.are.equal(0, #scene:contacts())
    -- without them they push each other away
    a, b = select(2, run(function() end))
    assert.is_true(distance(a, pairs_of[1][1], b, pairs_of[1][2]) > 1e-4)
  end)

  it("does not touch another one where its vertex is attached to the nearest point", function()
    local scene = new_scene()
    local a, b = box(scene, "a", { size = { 1, 0.2, 1 } }), box(scene, "b", { at = { 0, 0.2, 0 } })
    local corners = {}
    for i = 1, 8 do
      local _, y = b:position(i)
      if y < 0.15 then corners[#corners + 1] = i end
    end
    scene:attach(b, corners, a, "nearest", { stiffness = 50 })
    assert(scene:step(60))
    assert.is_near(0.2, b:motion().centre[2], 1e-9)
    assert.are.equal(0, #scene:contacts())
  end)
end)

describe("a rigid body attached to a collider", function()
  local function hook(solver, vertices, options)
    local scene = tide.scene { timestep = 1 / 60, solver = solver }
    local brick = scene:body("brick", { mesh = tide.mesh.box { size = { 0.2, 0.1, 0.3 }, cells = { 1, 1, 1 } }
      :translate(0, -0.5, 0), density = 1000, rigid = true })
    local ball = scene:collider("hook", { shape = "sphere", radius = 0.1, move = function(t)
      return 0.3 * t, 0, 0, { 0, 1, 0, t }
    end })
    scene:attach(brick, vertices, ball, options)
    return scene, brick
  end

  it("moves and turns with it, and falls when it is unpinned", function()
    for _, solver in ipairs { "newton", "local_global", "lbfgs", "vbd", "semi_implicit", "pbd", "xpbd" } do
      local scene, brick = hook(solver, { 1, 2, 8 })
      local x, y, z = brick:position(7)
      assert(scene:step(60))
      local a, b, c = brick:position(7)
      assert.is_near(0.3 + math.cos(1) * x + math.sin(1) * z, a, 1e-9, solver)
      assert.is_near(y, b, 1e-9, solver)
      assert.is_near(-math.sin(1) * x + math.cos(1) * z, c, 1e-9, solver)
      local fork = scene:fork()
      assert(fork:step(5) and scene:step(5))
      assert.are.equal(scene:hash(), fork:hash())
      brick:unpin { 1, 2, 8 }
      assert(scene:step(10))
      assert.is_near(-9.81 * 10 / 60, brick:motion().velocity[2], 0.02, solver)
    end
  end)

  it("swings from it by one vertex", function()
    local scene, brick = hook("newton", 8)
    local x, y, z = brick:position(8)
    assert(scene:step(60))
    local a, b, c = brick:position(8)
    assert.is_near(0, math.abs(0.3 + math.cos(1) * x + math.sin(1) * z - a) + math.abs(y - b), 1e-9)
    assert.is_near(-math.sin(1) * x + math.cos(1) * z, c, 1e-9)
    assert.is_true(brick:motion().centre[2] < y)
  end)

  it("hangs from it by a spring", function()
    local scene, brick = hook("newton", 8, { stiffness = 2000 })
    assert(scene:step(30))
    local _, y = brick:position(8)
    assert.is_true(y < -0.45 - 0.01 and y > -0.55) -- 6 kg stretch it by 3 cm
  end)
end)
