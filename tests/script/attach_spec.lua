local helper = dofile "tests/script/helper.lua"
local tide, has, message = helper.tide, helper.has, helper.message

local grid = tide.mesh.grid { columns = 3, rows = 3, width = 1, height = 1 }

local function two(settings)
  local scene = tide.scene(settings or { gravity = { 0, 0, 0 } })
  local a = scene:body("a", { mesh = grid, mass = 1, stiffness = 100 })
  local b = scene:body("b", { mesh = grid:translate(0, 1, 0), mass = 1, stiffness = 100 })
  return scene, a, b
end

describe("attachments", function()
  it("join vertices by springs", function()
    local scene, a, b = two()
    assert.are.equal(scene, scene:attach(a, 1, b, 1, { stiffness = 8 }))
    assert.is_near(0.5 * 8, scene:energy().elastic, 1e-14)
    scene:attach(a, 2, b, 2, { stiffness = 8, rest_length = 1 })
    assert.is_near(0.5 * 8, scene:energy().elastic, 1e-14)
    scene:attach(a, { 3, 4, 5 }, b, { 3, 4, 5 }, { stiffness = 2 })
    assert.is_near(4 + 3, scene:energy().elastic, 1e-14)
    scene:attach(a, 1, a, 9, { stiffness = 2, rest_length = math.sqrt(2) })
    assert.is_near(4 + 3, scene:energy().elastic, 1e-14)
  end)
  it("join one vertex to several, at the distance that they have", function()
    local scene, a, b = two()
    scene:attach(a, 5, b, { 1, 3, 7, 9 }, { stiffness = 3, keep_distance = true })
    assert.is_near(0, scene:energy().elastic, 1e-20)
    scene:attach(a, { 1, 2 }, b, 1, { stiffness = 2, keep_distance = true })
    assert.is_near(0, scene:energy().elastic, 1e-20)
    a:set_position(5, 0.5, 0.5, 0.5)
    local rest, now = math.sqrt(1.5), math.sqrt(0.75)
    local edges = 0
    for e = 1, grid.edge_count do
      local i, j = grid:edge(e)
      if i == 5 or j == 5 then
        local xi, _, zi = grid:vertex(i)
        local xj, _, zj = grid:vertex(j)
        local flat = (xi - xj) ^ 2 + (zi - zj) ^ 2
        edges = edges + 0.5 * 100 * (math.sqrt(flat + 0.25) - math.sqrt(flat)) ^ 2
      end
    end
    assert.is_near(edges + 4 * 0.5 * 3 * (rest - now) ^ 2, scene:energy().elastic, 1e-12)
    has(message(scene.attach, scene, a, 1, b, 1, { stiffness = 1, rest_length = 1, keep_distance = true }),
      "give either it or a rest_length")
    has(message(scene.attach, scene, a, 1, b, "nearest", { stiffness = 1, keep_distance = true }),
      "have no rest length")
  end)
  it("join vertices to the nearest points of a body", function()
    local scene, a, b = two()
    scene:attach(a, { 1, 5, 9 }, b, "nearest", { stiffness = 2 })
    assert.is_near(3, scene:energy().elastic, 1e-14)
    -- between vertices: the tie follows the middle of an edge
    local bead = scene:body("bead", { mesh = tide.mesh.new { vertices = { { 0.25, 1.5, 0 } } }, mass = 0.1 })
    local before = scene:energy().elastic
    scene:attach(bead, 1, b, "nearest", { stiffness = 4 })
    assert.is_near(before + 0.5 * 4 * 0.25, scene:energy().elastic, 1e-13)
    bead:set_position(1, 0.25, 1, 0)
    assert.is_near(before, scene:energy().elastic, 1e-13)
  end)
  it("hold a body that hangs by them", function()
    local scene, a, b = two {}
    b:pin(function() return true end)
    scene:attach(a, { 1, 3 }, b, "nearest", { stiffness = 1000 })
    for _ = 1, 200 do
      assert.is_true(scene:step())
    end
    -- half a kilogram on each: a spring of no length is stretched by its weight
    local lowest = math.huge
    for i = 1, 9 do
      local _, y = a:position(i)
      lowest = math.min(lowest, y)
    end
    assert.is_true(lowest > -2)
    local _, y1 = a:position(1)
    local _, y3 = a:position(3)
    assert.is_near(1, y1, 0.05)
    assert.is_near(1, y3, 0.05)
  end)
  it("are described again by a reload, and forked", function()
    local script = [[
      local tide = require "springtide"
      local scene = tide.scene {}
      local grid = tide.mesh.grid { columns = 3, rows = 3, width = 1, height = 1 }
      local a = scene:body("a", { mesh = grid, mass = 1, stiffness = 100, collide = "none" })
      local b = scene:body("b", { mesh = grid:translate(0, 1, 0), mass = 1, stiffness = 100 })
      b:pin { 1, 2, 3 }
      scene:attach(a, { 1, 2, 3 }, b, "nearest", { stiffness = 50 })
      scene:attach(a, 7, b, 7, { stiffness = 5, rest_length = 1 })
      return scene
    ]]
    local path = helper.write("attached.lua", script)
    local scene, other = tide.load(path), tide.load(path)
    scene:step(5)
    other:step(5)
    local fork = scene:fork()
    assert(scene:reload())
    scene:step(5)
    other:step(5)
    fork:step(5)
    assert.are.equal(other:hash(), scene:hash())
    assert.are.equal(other:hash(), fork:hash())
    local free = script:gsub("scene:attach[^\n]*\n", "")
    helper.write("attached.lua", free)
    assert(scene:reload())
    scene:step(20)
    local _, y = scene:body("a"):position(5)
    assert.is_true(y < -1)
  end)
  it("are refused with what is wrong", function()
    local scene, a, b = two()
    local spring = { stiffness = 1 }
    has(message(scene.attach, scene, a, 10, b, 1, spring), 'body "a": attach = 10: expected a vertex from 1 to 9')
    has(message(scene.attach, scene, a, { 1, 2 }, b, { 1, 99 }, spring),
      'body "b": attach = 99: expected a vertex from 1 to 9')
    has(message(scene.attach, scene, a, { 1, 2 }, b, { 1 }, spring),
      '2 vertices of "a" and 1 of "b": expected the same number')
    has(message(scene.attach, scene, a, 1, b, "nearby", spring),
      'scene: attach = "nearby": expected a vertex, a list of vertices or "nearest"')
    has(message(scene.attach, scene, a, 1, a, 1, spring), 'body "a": attach: joins vertex 1 to itself')
    has(message(scene.attach, scene, "a", 1, b, 1, spring), 'scene: attach = "a": expected a body')
    has(message(scene.attach, scene, a, 1, b, 1), "attach: stiffness: missing")
    has(message(scene.attach, scene, a, 1, b, 1, { stiffness = 0 }), "attach: stiffness = 0")
    has(message(scene.attach, scene, a, 1, b, 1, { stifness = 1 }), 'did you mean "stiffness"?')
    has(message(scene.attach, scene, a, 1, b, "nearest", { stiffness = 1, rest_length = 2 }), "have no rest length")
    local _, stranger = two()
    has(message(scene.attach, scene, a, 1, stranger, 1, spring), "is of another scene")
    assert.is_near(0, scene:energy().elastic, 1e-14)
  end)
end)

describe("what is attached does not touch:", function()
  local sheet = tide.mesh.grid { columns = 6, rows = 6, width = 0.5, height = 0.5 }
  local function scene_of(settings)
    return tide.scene { timestep = 1 / 60, gravity = { 0, 0, 0 }, contact = settings }
  end
  local function cloth(scene, name, mesh, more)
    local definition = { mesh = mesh, mass = 0.1, stiffness = 100, thickness = 0.02 }
    for key, value in pairs(more or {}) do
      definition[key] = value
    end
    return scene:body(name, definition)
  end
  -- Newtons of all contacts of some steps.
  local function pushes(scene, steps)
    local sum = 0
    for _ = 1, steps do
      assert.is_true(scene:step())
      for _, c in ipairs(scene:contacts()) do
        sum = sum + c.force
      end
    end
    return sum
  end
  for _, continuous in ipairs { false, true } do
    local with = continuous and ", with swept tests" or ""
    it("a seam between two cloths at rest" .. with, function()
      local scene = scene_of { continuous = continuous }
      local left, right = cloth(scene, "left", sheet), cloth(scene, "right", sheet:translate(0.5, 0, 0))
      scene:attach(left, { 6, 12, 18, 24, 30, 36 }, right, { 1, 7, 13, 19, 25, 31 }, { stiffness = 1000 })
      assert.are.equal(0, pushes(scene, 30))
      assert.is_true(math.abs(scene:energy().total) < 1e-27) -- a spring's length is known to a rounding
    end)
    it("a root on a face, at rest" .. with, function()
      local scene = scene_of { continuous = continuous }
      local skin = cloth(scene, "skin", sheet)
      local strand = tide.mesh.strand { points = 5, from = { 0.21, 0, 0.23 }, to = { 0.21, 0.4, 0.23 } }
      local hair = cloth(scene, "hair", strand)
      scene:attach(hair, 1, skin, "nearest", { stiffness = 1000 })
      assert.are.equal(0, pushes(scene, 30))
      assert.is_true(math.abs(scene:energy().total) < 1e-27) -- a spring's length is known to a rounding
    end)
  end
  it("but the rest of both does", function()
    local scene = scene_of()
    local left, right = cloth(scene, "left", sheet), cloth(scene, "right", sheet:translate(0, 0.01, 0))
    scene:attach(left, { 6, 12, 18, 24, 30, 36 }, right, { 6, 12, 18, 24, 30, 36 }, { stiffness = 10 })
    assert.is_true(pushes(scene, 5) > 0)
  end)
  it("and what a long spring joins does", function()
    local function together(rest_length)
      local scene = scene_of()
      local a = cloth(scene, "a", tide.mesh.new { vertices = { { 0, 0, 0 } } }, { radius = 0.01 })
      local b = cloth(scene, "b", tide.mesh.new { vertices = { { 0, 0.015, 0 } } }, { radius = 0.01 })
      scene:attach(a, 1, b, 1, { stiffness = 1e-6, rest_length = rest_length })
      return pushes(scene, 5)
    end
    assert.are.equal(0, together(0))
    assert.is_true(together(0.5) > 0)
  end)
end)
