-- A fine surface on a coarse body, as scripts see it.
local helper = dofile "tests/script/helper.lua"
local tide, has, message = helper.tide, helper.has, helper.message

local function block(y)
  return tide.mesh.box { size = { 0.4, 0.4, 0.4 }, cells = { 3, 3, 3 } }:translate(0, y or 0, 0)
end

local function ball(y, radius)
  return tide.mesh.sphere { radius = radius or 0.15, subdivisions = 2 }:translate(0, y or 0, 0)
end

local function falling(y, more)
  local scene = tide.scene { timestep = 1 / 120 }
  scene:collider("floor", { shape = "plane" })
  local definition = { mesh = block(y), surface = ball(y), mass = 1, stiffness = 4000 }
  for name, value in pairs(more or {}) do
    definition[name] = value
  end
  return scene, scene:body("ball", definition)
end

describe("a surface", function()
  it("is the body's, at rest and as it is now", function()
    local scene, body = falling(1)
    assert.are.equal(64, body.vertex_count)
    assert.are.equal(162, body.surface.vertex_count)
    assert.are.equal(0, body.surface.tetrahedron_count)
    assert.is_true(body.mesh.tetrahedron_count > 0)
    for i = 1, 64 do
      local x, y, z = body:position(i)
      body:set_position(i, z + 3, 2 * y, -x)
    end
    local now = body:current_surface()
    assert.are.equal(320, now.triangle_count)
    for i = 1, 162 do
      local x, y, z = body.surface:vertex(i)
      local u, v, w = now:vertex(i)
      assert.is_near(z + 3, u, 1e-12)
      assert.is_near(2 * y, v, 1e-12)
      assert.is_near(-x, w, 1e-12)
    end
    assert.is_true(scene:step())
    assert.are.equal(body.vertex_count, body:current_mesh().vertex_count)
  end)
  it("of a solid is its outside", function()
    local cube = tide.mesh.box { size = { 0.3, 0.3, 0.3 }, cells = { 4, 4, 4 } }
    local _, body = falling(1, { surface = cube:translate(0, 1, 0) })
    assert.are.equal(125 - 27, body.surface.vertex_count)
    assert.are.equal(192, body.surface.triangle_count)
    assert.are.equal(0, body.surface.tetrahedron_count)
    for i = 1, body.surface.vertex_count do
      local x, y, z = body.surface:vertex(i)
      assert.is_near(0.15, math.max(math.abs(x), math.abs(y - 1), math.abs(z)), 1e-12)
    end
    assert.are.same({}, (body.surface:check()))
  end)
  it("is nil without one", function()
    local scene, body = falling(1)
    assert.is_nil(scene:body("plain", { mesh = block(2), mass = 1 }).surface)
    assert.is_nil(scene:body("plain"):current_surface())
    assert.is_not_nil(body.surface)
  end)
  it("is saved as it is now", function()
    local scene, body = falling(0.3)
    assert.is_true(scene:step(20))
    local path = helper.write("surface/ball.ply", "")
    assert(body:current_surface():save(path))
    local read = assert(tide.mesh.load(path))
    assert.are.equal(162, read.vertex_count)
    local x, y, z = body:current_surface():vertex(7)
    local u, v, w = read:vertex(7)
    assert.is_near(x, u, 1e-6)
    assert.is_near(y, v, 1e-6)
    assert.is_near(z, w, 1e-6)
  end)
  it("is what touches", function()
    local scene, body = falling(0.3, { friction = 0.5 })
    local lowest, told = math.huge, 0
    function scene.contact(c)
      assert.are.equal(body, c.body)
      assert.is_true(c.vertex >= 1 and c.vertex <= 64)
      told = told + 1
    end
    for _ = 1, 60 do
      assert.is_true(scene:step())
      local _, y = body:current_surface():bounds()
      lowest = math.min(lowest, y)
    end
    assert.is_true(told > 0)
    assert.is_near(0.001, lowest, 1e-6)
    local _, coarse = body:current_mesh():bounds()
    assert.is_true(coarse < -0.03)
  end)
  it("touches nothing where the body does not", function()
    local scene, body = falling(0.3, { collide = "none" })
    assert.is_true(scene:step(120))
    local _, y = body:current_surface():bounds()
    assert.is_near(0.15 - 9.81 / 2 * (1 + 1 / 120), y, 1e-6)
    assert.are.same({}, scene:contacts())
  end)
  it("must be a mesh of triangles on tetrahedra, and near them", function()
    local scene = tide.scene {}
    local function add(mesh, surface)
      return message(scene.body, scene, "thing", { mesh = mesh, surface = surface, mass = 1 })
    end
    has(add(block(), 3), 'body "thing": surface = 3: expected a mesh of triangles, as tide.mesh.load(file) gives one')
    has(add(block(), {}), 'body "thing": surface = a table: expected a mesh of triangles')
    has(add(ball(), ball()), 'body "thing": surface: the body\'s mesh has no tetrahedra that could carry it')
    has(add(block(), tide.mesh.strand { points = 3, to = { 0, 0.1, 0 } }),
      'body "thing": surface: has no triangles; expected a mesh of a surface')
    local far = add(block(), ball(0.5))
    has(far, 'body "thing": surface = vertex ')
    has(far, "m outside of the mesh's tetrahedra, over a quarter of the mesh's size")
    assert.are.same({}, scene:bodies())
    -- in millimetres, as files are
    has(add(block(), tide.mesh.sphere { radius = 150 }), "expected the surface in the coordinates of the mesh")
  end)
  it("goes on over a reload, and takes the new one", function()
    local text = [[
      local tide = require "springtide"
      local scene = tide.scene { timestep = 1 / 120 }
      scene:body("ball", {
        mesh = tide.mesh.box { size = { 0.4, 0.4, 0.4 }, cells = { 3, 3, 3 } },
        surface = tide.mesh.sphere { radius = 0.15, subdivisions = %d }, mass = 1, stiffness = 4000,
      })
      return scene
    ]]
    local path = helper.write("surface/scene.lua", text:format(2))
    local scene = assert(tide.load(path))
    assert.is_true(scene:step(30))
    local before = { scene:body("ball"):current_mesh():bounds() }
    helper.write("surface/scene.lua", text:format(3))
    local ok, what = scene:reload()
    assert(ok, what)
    assert.are.equal(1, what.kept)
    assert.are.equal(642, scene:body("ball").surface.vertex_count)
    assert.are.same(before, { scene:body("ball"):current_mesh():bounds() })
    assert.is_true(scene:step(10))
  end)
end)
