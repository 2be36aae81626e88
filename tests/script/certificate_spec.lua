-- scene:certify(): what crosses, by names; what the scene allows; and that the check changes nothing.
local helper = dofile "tests/script/helper.lua"
local tide = helper.tide

local function sheet(scene, name, n, y, more)
  local definition = { mesh = tide.mesh.grid { columns = n, rows = n, width = 1, height = 1 }:translate(0, y, 0),
                       mass = 1, stiffness = 10, thickness = 0.01 }
  for key, value in pairs(more or {}) do
    definition[key] = value
  end
  return scene:body(name, definition)
end

describe("scene:certify", function()
  it("finds nothing in a scene at rest, and changes nothing", function()
    local scene = tide.scene {}
    sheet(scene, "a", 5, 0.1)
    sheet(scene, "b", 4, 0.2)
    scene:collider("floor", { shape = "plane" })
    local hash = scene:hash()
    local found = scene:certify()
    assert.are.same({ clean = true, count = 0, allowed = 0, complete = true, text = "frame 0: no crossing",
                      crossings = {} }, found)
    assert.are.equal(hash, scene:hash())
    scene:step(10)
    assert.is_true(scene:certify().clean)
  end)

  it("names two bodies, their triangles and the place", function()
    local scene = tide.scene {}
    local a, b = sheet(scene, "a", 5, 0), sheet(scene, "b", 4, 0.1)
    b:set_position(1, 0.07, -0.05, 0.02) -- below triangle 1 or 2 of a
    local found = scene:certify()
    assert.is_false(found.clean)
    assert.is_true(found.count > 0)
    assert.are.equal(0, found.allowed)
    for _, crossing in ipairs(found.crossings) do
      assert.are.equal(a, crossing.body)
      assert.are.equal(b, crossing.other)
      assert.is_nil(crossing.collider)
      assert.is_false(crossing.allowed)
      assert.is_near(0, crossing.position[2], 1e-12)
      assert.is_true(crossing.triangle <= 10 and crossing.other_triangle <= 2)
    end
    assert.is_truthy(found.text:find('of body "a" goes through triangle %d+ of body "b" at', 1))
    scene:set_touching(a, b, false)
    assert.are.equal(found.count, scene:certify().allowed)
  end)

  it("finds a body that crosses itself", function()
    local scene = tide.scene {}
    local a = sheet(scene, "a", 6, 0, { self_collide = true })
    a:set_position(1, 0.9, -0.1, 0.9)
    a:set_position(2, 0.9, 0.1, 0.9)
    local found = scene:certify()
    assert.is_true(found.count > 0 and found.allowed == 0)
    assert.are.equal(a, found.crossings[1].other)
    assert.is_truthy(found.text:find("of itself", 1, true))
  end)

  it("finds strands through triangles", function()
    local scene = tide.scene { gravity = { 0, 0, 0 } }
    local cloth = sheet(scene, "cloth", 3, 0)
    local hair = scene:body("hair", { mesh = tide.mesh.strand { points = 4, from = { 0.3, -0.5, 0.2 },
                                                               to = { 0.3, 1, 0.2 } },
                                      mass = 1, stiffness = 10 })
    local found = scene:certify()
    assert.are.equal(1, found.count)
    local crossing = found.crossings[1]
    assert.are.equal(hair, crossing.body)
    assert.are.equal(cloth, crossing.other)
    assert.is_nil(crossing.triangle) -- a vertex of the strand is on the cloth: the edge above it is named
    assert.are.equal(2, crossing.edge)
    for k, value in ipairs { 0.3, 0, 0.2 } do
      assert.is_near(value, crossing.position[k], 1e-12)
    end
  end)

  it("finds vertices inside colliders of all kinds, and what enters between its corners", function()
    local shapes = {
      { shape = "sphere", radius = 0.1, position = { 0.5, 0.05, 0.5 } },
      { shape = "capsule", radius = 0.1, from = { 0.5, 0, 0.5 }, to = { 0.5, 0.5, 0.5 } },
      { shape = "box", size = { 0.2, 0.2, 0.2 }, position = { 0.5, 0.05, 0.5 } },
      { shape = "mesh", mesh = tide.mesh.sphere { radius = 0.1 }, position = { 0.5, 0.02, 0.5 } },
      { shape = "plane", offset = 0.01 },
    }
    for _, shape in ipairs(shapes) do
      local scene = tide.scene {}
      local mesh = tide.mesh.new { vertices = { { 0.5, 0, 0.5 }, { 5, 5, 5 } } }
      local points = scene:body("point", { mesh = mesh, mass = 1, springs = {} })
      local collider = scene:collider("shape", shape)
      local found = scene:certify()
      assert.are.equal(1, found.count)
      assert.are.equal(points, found.crossings[1].body)
      assert.are.equal(1, found.crossings[1].vertex)
      assert.are.equal(collider, found.crossings[1].collider)
      if shape.shape ~= "plane" then
        scene = tide.scene {}
        sheet(scene, "sheet", 2, 0) -- its corners are outside
        scene:collider("shape", shape)
        assert.is_true(scene:certify().count > 0)
        for _, crossing in ipairs(scene:certify().crossings) do
          assert.is_truthy(crossing.triangle)
          assert.is_nil(crossing.vertex)
        end
      end
    end
  end)

  it("leaves out seams and what is attached to a collider, and allows what is pinned", function()
    local scene = tide.scene { gravity = { 0, 0, 0 } }
    local a, b = sheet(scene, "a", 3, 0), sheet(scene, "b", 3, 0.2)
    b:set_position(5, 0.3, -0.1, 0.2)
    assert.is_true(scene:certify().count > 0)
    for i = 1, 9 do
      scene:attach(a, i, b, 5, { stiffness = 10 })
    end
    assert.are.equal(0, scene:certify().count)

    scene = tide.scene {}
    local points = scene:body("points", { mesh = tide.mesh.new { vertices = { { 0, 0, 0 }, { 0.1, 0, 0 } } }, mass = 1,
                                            springs = {} })
    local ball = scene:collider("ball", { shape = "sphere", radius = 0.5 })
    scene:attach(points, 1, ball)
    points:pin { 2 }
    local found = scene:certify()
    assert.are.equal(1, found.count)
    assert.are.equal(1, found.allowed)
    assert.are.equal(2, found.crossings[1].vertex)
  end)

  it("goes on with cuts, snapshots and forks", function()
    local scene = tide.scene { gravity = { 0, 0, 0 } }
    local a, b = sheet(scene, "a", 5, 0), sheet(scene, "b", 4, 0.1)
    b:set_position(1, 0.07, -0.05, 0.02)
    local before = scene:certify()
    local snapshot = scene:snapshot()
    b:set_position(1, 0, 0.1, 0)
    assert.is_true(scene:certify().clean)
    scene:restore(snapshot)
    assert.are.equal(before.text, scene:certify().text)
    assert.are.equal(before.text, scene:fork():certify().text)
    a:cut { plane = { normal = { 1, 0, 0 }, offset = 0.6 } }
    assert.are.equal(before.count, scene:certify().count)
    assert.are.equal(before.crossings[1].triangle, scene:certify().crossings[1].triangle)
  end)
end)
