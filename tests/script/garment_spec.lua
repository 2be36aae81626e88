-- Features for garments: patterns as rest shapes, vertices attached to colliders, scaled meshes and sheets as
-- colliders.
local helper = dofile "tests/script/helper.lua"
local tide, has, message = helper.tide, helper.has, helper.message

local grid = tide.mesh.grid { columns = 5, rows = 5, width = 1, height = 1 }

describe("texture coordinates", function()
  it("are read, and lay a mesh flat", function()
    local u, v = grid:texture(7)
    assert.is_near(0.25, u, 1e-12)
    assert.is_near(0.25, v, 1e-12)
    local flat = grid:unfold(2)
    assert.are.same({ 0.5, 0.5, 0 }, { flat:vertex(7) })
    assert.are.equal(grid.triangle_count, flat.triangle_count)
    local bare = tide.mesh.new { vertices = { { 0, 0, 0 }, { 1, 0, 0 } }, edges = { { 1, 2 } } }
    assert.is_nil((bare:texture(1)))
    has(message(function() bare:unfold() end), "mesh: unfold: the mesh has no texture coordinates")
    has(message(function() grid:unfold(0) end), "mesh: unfold = 0: expected a number greater than 0")
    has(message(function() grid:texture(26) end), "mesh: texture = 26: expected a vertex from 1 to 25")
  end)
  it("give a body its lengths and areas at rest", function()
    local scene = tide.scene { gravity = { 0, 0, 0 }, timestep = 0.01 }
    local small = grid:scale(0.5)
    local body = scene:body("cloth", { mesh = small, rest = grid:unfold(1), density = 3, stiffness = 100 })
    -- 40 sides of 1/4 m and 16 diagonals, each half as long as at rest.
    local expected = 0
    for i = 1, small.edge_count do
      local a, b = small:edge(i)
      local ax, ay, az = small:vertex(a)
      local bx, by, bz = small:vertex(b)
      local length = math.sqrt((ax - bx) ^ 2 + (ay - by) ^ 2 + (az - bz) ^ 2)
      expected = expected + 50 * length ^ 2
    end
    assert.is_near(expected, scene:energy().elastic, 1e-9)
    local sum = 0
    for _, mass in ipairs(scene:system():masses():table()) do sum = sum + mass end
    assert.is_near(3, sum, 1e-12) -- of 1 m^2
    for _ = 1, 400 do assert(scene:step()) end
    local x1, y1, z1 = body:position(1)
    local x2, y2, z2 = body:position(5)
    assert.is_near(1, math.sqrt((x1 - x2) ^ 2 + (y1 - y2) ^ 2 + (z1 - z2) ^ 2), 0.02)
    has(message(scene.body, scene, "bad", { mesh = small, rest = tide.mesh.strand { points = 3 } }),
      'body "bad": rest = a mesh of 3 vertices: expected as many as the mesh has, 25')
    has(message(scene.body, scene, "bad", { mesh = small, rest = 3 }), 'body "bad": rest = 3: expected a mesh')
  end)
end)

describe("vertices attached to a collider", function()
  local function held(options, to)
    local scene = tide.scene { timestep = 0.02, solver = { "local_global", iterations = 20 } }
    local cloth = scene:body("cloth", { mesh = grid:translate(0, 1, 0), mass = 1, stiffness = 200 })
    local ball = scene:collider("ball", { shape = "sphere", radius = 0.2, position = { 0, 1, 0 }, keyframes = {
      { time = 0, position = { 0, 1, 0 } }, { time = 1, position = { 0, 1, 1 }, rotation = { 0, 1, 0, math.pi / 2 } },
    } })
    if to then scene:attach(cloth, { 1, 2 }, ball, to, options) else scene:attach(cloth, { 1, 2 }, ball, options) end
    return scene, cloth, ball
  end
  it("go with it, exactly", function()
    local scene, cloth = held()
    for _ = 1, 50 do assert(scene:step()) end
    local x, y, z = cloth:position(1)
    assert.is_near(0, x, 1e-9)
    assert.is_near(1, y, 1e-9)
    assert.is_near(1, z, 1e-9)
    x, y, z = cloth:position(2) -- 1/4 m along x turns to -z
    assert.is_near(0, x, 1e-9)
    assert.is_near(1, y, 1e-9)
    assert.is_near(0.75, z, 1e-9)
  end)
  it("or by springs, from where they are or from its surface", function()
    local scene, cloth = held { stiffness = 1e5 }
    for _ = 1, 50 do assert(scene:step()) end
    local _, _, z = cloth:position(2)
    assert.is_near(0.75, z, 0.05)
    scene, cloth = held({ stiffness = 1e5 }, "nearest")
    for _ = 1, 50 do assert(scene:step()) end
    _, _, z = cloth:position(2)
    assert.is_near(0.8, z, 0.05)
  end)
  it("in forks, after a restore and after a reset", function()
    local scene = held()
    for _ = 1, 10 do assert(scene:step()) end
    local fork, now = scene:fork(), scene:snapshot()
    for _ = 1, 10 do assert(scene:step()) assert(fork:step()) end
    local hash = scene:hash()
    assert.are.equal(hash, fork:hash())
    scene:restore(now)
    for _ = 1, 10 do assert(scene:step()) end
    assert.are.equal(hash, scene:hash())
    scene:reset()
    for _ = 1, 20 do assert(scene:step()) end
    assert.are.equal(hash, scene:hash())
  end)
  it("until they are unpinned", function()
    local scene, cloth = held()
    cloth:unpin { 1, 2 }
    for _ = 1, 30 do assert(scene:step()) end
    local _, y = cloth:position(1)
    assert.is_true(y < 0.9)
  end)
  it("or until a reload leaves the attachment out", function()
    local script = [[
      local tide = require "springtide"
      local scene = tide.scene {}
      local cloth = scene:body("cloth", { mesh = tide.mesh.grid { columns = 5, rows = 5 }, mass = 1, stiffness = 100 })
      local ball = scene:collider("ball", { shape = "sphere", radius = 0.2, position = { 0, 3, 0 } })
      scene:attach(cloth, { 1, 2 }, ball)
      scene:attach(cloth, 5, ball, { stiffness = 50 })
      function scene.update() ball:move_to(math.sin(scene.time), 3, 0) end
      return scene
    ]]
    local path = helper.write("held.lua", script)
    local scene, other = tide.load(path), tide.load(path)
    scene:step(5)
    other:step(5)
    assert(scene:reload())
    scene:step(5)
    other:step(5)
    assert.are.equal(other:hash(), scene:hash())
    helper.write("held.lua", (script:gsub("scene:attach[^\n]*\n", "")))
    assert(scene:reload())
    scene:step(30)
    local _, y = scene:body("cloth"):position(1)
    assert.is_true(y < -0.5) -- it falls
  end)
  it("are refused where that makes no sense", function()
    local scene, cloth, ball = held()
    has(message(scene.attach, scene, cloth, 26, ball), 'body "cloth": attach = 26: expected a vertex from 1 to 25')
    has(message(scene.attach, scene, cloth, 1, ball, "nearest"),
      "attach: stiffness: missing; a vertex is attached to the nearest point")
    has(message(scene.attach, scene, cloth, 1, ball, "close"), 'expected a vertex, a list of vertices or "nearest"')
    has(message(scene.attach, scene, cloth, 1, ball, 3), 'to a collider, expected "nearest", a table of options')
    has(message(scene.attach, scene, cloth, 1, ball, { stifness = 3 }), 'did you mean "stiffness"?')
    has(message(scene.attach, scene, cloth, 1, ball, { stiffness = -1 }), "attach: stiffness = -1")
    local _, _, other = held()
    has(message(scene.attach, scene, cloth, 1, other), "this collider is of another scene")
  end)
end)

describe("a mesh collider", function()
  it("is scaled", function()
    local scene = tide.scene {}
    scene:body("grain", { mesh = tide.mesh.new { vertices = { { 0, 100, 0 } } }, mass = 1 })
    local box = scene:collider("box", { shape = "mesh", mesh = tide.mesh.box {}, scale = 3, position = { 0, 1, 0 } })
    assert.is_near(0.5, (box:distance(2, 1, 0)), 1e-12)
    has(message(scene.collider, scene, "bad", { shape = "mesh", mesh = tide.mesh.box {}, scale = 0 }), "scale = 0")
  end)
  it("may be an open sheet, which holds from both sides", function()
    for side = -1, 1, 2 do
      local scene = tide.scene { timestep = 1 / 60, gravity = { 0, -9.81 * side, 0 } }
      local cloth = scene:body("cloth", { mesh = grid:translate(-0.5, 0.2 * side, -0.5), mass = 0.2, stiffness = 50,
        bend = 10 })
      local sheet = tide.mesh.grid { columns = 9, rows = 9, width = 2, height = 2 }:translate(-1, 0, -1)
      local floor = scene:collider("floor", { shape = "mesh", mesh = sheet, sheet = true, friction = 0.5 })
      assert.is_near(0.3, (floor:distance(0.1, -0.3, 0)), 1e-12)
      assert.is_near(0.3, (floor:distance(0.1, 0.3, 0)), 1e-12)
      for _ = 1, 120 do assert(scene:step()) end
      for i = 1, cloth.vertex_count do
        local _, y = cloth:position(i)
        assert.is_true(side * y > 0.001 and side * y < 0.02, ("vertex %d at %g"):format(i, y))
      end
    end
    local scene = tide.scene {}
    has(message(scene.collider, scene, "bad", { shape = "mesh", mesh = grid }), "the surface is open")
    has(message(scene.collider, scene, "bad", { shape = "mesh", mesh = grid }), "sheet = true")
  end)
end)
