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

-- A bar with a surface finer than its mesh, and an outside a little within its own.
local function bar(more)
  local definition = { mesh = tide.mesh.box { size = { 0.8, 0.3, 0.3 }, cells = { 6, 2, 2 } }:translate(0, 0.5, 0),
    surface = tide.mesh.box { size = { 0.78, 0.28, 0.28 }, cells = { 20, 7, 7 } }:translate(0, 0.5, 0), density = 500,
    solid = { model = "neo_hookean", young = 3e4, poisson = 0.3 }, friction = 0.5 }
  for name, value in pairs(more or {}) do
    definition[name] = value
  end
  local scene = tide.scene { timestep = 1 / 120, solver = { "newton", iterations = 10 } }
  return scene, scene:body("bar", definition)
end

-- The number of pieces that triangles or tetrahedra join, and a number of each vertex's piece.
local function pieces_of(mesh)
  local parents, count = {}, 0
  local function find(v)
    while parents[v] ~= v do v = parents[v] end
    return v
  end
  for v = 1, mesh.vertex_count do parents[v] = v end
  local solid = mesh.tetrahedron_count > 0
  for i = 1, solid and mesh.tetrahedron_count or mesh.triangle_count do
    local v = { (solid and mesh.tetrahedron or mesh.triangle)(mesh, i) }
    for c = 2, #v do parents[find(v[c])] = find(v[1]) end
  end
  local piece = {}
  for v = 1, mesh.vertex_count do
    piece[v] = find(v)
    count = count + (piece[v] == v and 1 or 0)
  end
  return count, piece
end

-- The longest edge of a surface, relative to that of the surface at rest.
local function longest_edge(body)
  local rest, now, longest, described = body.surface, body:current_surface(), 0, 0
  for e = 1, rest.edge_count do
    local i, j = rest:edge(e)
    local function length(mesh)
      local x, y, z = mesh:vertex(i)
      local u, v, w = mesh:vertex(j)
      return math.sqrt((x - u) ^ 2 + (y - v) ^ 2 + (z - w) ^ 2)
    end
    longest, described = math.max(longest, length(now)), math.max(described, length(rest))
  end
  return longest / described
end

describe("a surface of a body that comes apart", function()
  it("separates with the pieces of a cut, with no triangle lost, forth and back", function()
    local scene, body = bar()
    body:pin(function(_, x) return x < -0.39 end)
    local before, whole = scene:snapshot(), body.surface
    assert.are.equal(1, (pieces_of(whole)))
    body:cut { plane = { normal = { 1, 0.3, 0 }, offset = 0.2 } }
    assert.are.equal(2, (pieces_of(body.mesh)))
    assert.are.equal(2, (pieces_of(body.surface)))
    assert.are.equal(whole.triangle_count, body.surface.triangle_count)
    for v = 1, whole.vertex_count do -- described vertices keep their numbers and places
      assert.are.same({ whole:vertex(v) }, { body.surface:vertex(v) })
    end
    local now = body:current_surface() -- and copies begin where they were
    for v = whole.vertex_count + 1, body.surface.vertex_count do
      local x, y, z = body.surface:vertex(v)
      local a, b, c = now:vertex(v)
      assert.is_near(0, math.abs(x - a) + math.abs(y - b) + math.abs(z - c), 1e-12)
    end
    assert(scene:step(30))
    local _, low = body:current_surface():bounds()
    assert.is_true(low < 0.1, tostring(low)) -- one piece has fallen by 0.3 m, and no triangle is between the two
    assert.is_true(longest_edge(body) < 1.5, tostring(longest_edge(body)))
    local hash, split = scene:hash(), scene:snapshot()
    scene:restore(before)
    assert.are.equal(whole.vertex_count, body.surface.vertex_count)
    scene:restore(split)
    assert.are.equal(2, (pieces_of(body.surface)))
    assert.are.equal(hash, scene:hash())
    assert(scene:step(5))
    local fork = scene:fork()
    hash = scene:hash()
    scene:restore(split)
    assert(scene:step(5))
    assert.are.equal(hash, scene:hash())
    assert.are.equal(hash, fork:hash())
  end)
  it("opens with a cut that ends in the body, where it is cut", function()
    local _, body = bar()
    local a, b, c, d = { 0, 0.55, -1 }, { 0, 0.55, 1 }, { 0, 2, 1 }, { 0, 2, -1 }
    body:cut { triangles = { { a, b, c }, { a, c, d } } }
    assert.are.equal(1, (pieces_of(body.mesh)))
    assert.are.equal(1, (pieces_of(body.surface)))
    local copies = body.surface.vertex_count - 660
    assert.is_true(copies > 0)
    for v = 661, 660 + copies do
      local x, y = body.surface:vertex(v)
      assert.is_true(math.abs(x) < 0.2 and y > 0.45, x .. ", " .. y)
    end
  end)
  it("lands with both pieces on the floor and on a ball, and leaves nothing behind", function()
    local scene, body = bar()
    scene:collider("floor", { shape = "plane", friction = 0.5 })
    scene:collider("ball", { shape = "sphere", radius = 0.15, position = { -0.3, 0.15, 0 }, friction = 0.5 })
    body:cut { plane = { normal = { 1, 0, 0 }, offset = 0.05 } }
    local _, piece = pieces_of(body.surface)
    local touched = {}
    function scene.contact(c)
      touched[c.collider.name] = true
    end
    for _ = 1, 80 do
      assert(scene:step())
      local now = body:current_surface()
      for v = 1, now.vertex_count do
        local x, y, z = now:vertex(v)
        assert.is_true(y > 0)
        assert.is_true((x + 0.3) ^ 2 + (y - 0.15) ^ 2 + z ^ 2 > 0.15 ^ 2)
      end
    end
    assert.is_true(touched.floor and touched.ball)
    assert.is_true(longest_edge(body) < 3)
    local now, lowest, highest = body:current_surface(), {}, {}
    for v = 1, now.vertex_count do
      local _, y = now:vertex(v)
      lowest[piece[v]] = math.min(lowest[piece[v]] or y, y)
      highest[piece[v]] = math.max(highest[piece[v]] or y, y)
    end
    local count = 0
    for v, y in pairs(lowest) do -- each has fallen, whole
      count = count + 1
      assert.is_true(y < 0.2 and highest[v] < 0.62, ("from %g to %g m"):format(y, highest[v]))
    end
    assert.are.equal(2, count)
  end)
  it("separates with the pieces of a tear, which then fall on the floor", function()
    local scene, body = bar { tear = { strain = 0.3 } }
    scene:collider("floor", { shape = "plane", friction = 0.5 })
    local ends = {}
    for v = 1, body.vertex_count do
      ends[v] = { body.mesh:vertex(v) }
    end
    local function held(v) return math.abs(ends[v][1]) > 0.39 end
    body:pin(function(v) return held(v) end)
    local step = 0
    while pieces_of(body.mesh) == 1 do
      step = step + 1
      assert.is_true(step < 60)
      for v, p in ipairs(ends) do
        if held(v) then
          body:move_pin(v, p[1] * (1 + 0.03 * step), p[2], p[3])
        end
      end
      assert(scene:step())
    end
    assert.is_true(body.split_count > 0)
    assert.are.equal(pieces_of(body.mesh), (pieces_of(body.surface)))
    assert.are.equal(1316, body.surface.triangle_count)
    for v = 1, body.vertex_count do
      if body:is_pinned(v) then
        body:unpin { v }
      end
    end
    local landed = 0
    function scene.contact(c)
      landed = c.vertex
    end
    assert(scene:step(60))
    assert.is_true(landed > 0)
    local _, low, _, _, high = body:current_surface():bounds()
    assert.is_true(low > 0 and high < 0.5, ("from %g to %g m"):format(low, high))
    assert.is_true(longest_edge(body) < 3, tostring(longest_edge(body)))
  end)
end)
