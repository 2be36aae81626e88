-- Cuts: body:cut, body:is_cut, body.cut_count, body:set_stiffness.
local helper = dofile "tests/script/helper.lua"
local tide, has, message = helper.tide, helper.has, helper.message

-- A cloth of 5 x 5 vertices that hangs from its first row; column c, row r is vertex (r - 1) * 5 + c.
local function cloth(more)
  local scene = tide.scene { timestep = 1 / 60 }
  local definition = { mesh = tide.mesh.grid { columns = 5, rows = 5 }, mass = 1, stiffness = 100, bend = 20 }
  for name, value in pairs(more or {}) do
    definition[name] = value
  end
  return scene, scene:body("cloth", definition):pin { 1, 2, 3, 4, 5 }
end

local function assert_falls(scene, body)
  local _, before = body:position(20)
  local mass = 0
  for _, m in ipairs(scene:system():masses()) do
    mass = mass + m
  end
  assert.is_near(1, mass, 1e-12)
  assert.are.equal(32, body.triangle_count)
  assert(scene:step(30))
  local _, y = body:position(20)
  assert.is_near(-9.81 * 30 * 31 / 2 / 3600, y - before, 1e-3)
  _, y = body:position(8)
  assert.is_true(y > -0.3)
end

describe("a cut", function()
  it("takes listed springs, each once", function()
    local _, body = cloth()
    assert.are.equal(2, body:cut { springs = { 3, 4 } })
    assert.are.equal(1, body:cut { springs = { 4, 5 } })
    assert.are.equal(0, body:cut { springs = { 3 } })
    assert.are.equal(3, body.cut_count)
    assert.is_true(body:is_cut(5))
    assert.is_false(body:is_cut(6))
    local _, _, stiffness = body:spring(4)
    assert.are.equal(0, stiffness)
    assert.are.equal(0, body:tension(4))
  end)
  it("separates a body by a plane, with no triangle lost", function()
    local scene, body = cloth()
    local count = body:cut { plane = { normal = { 0, 0, 2 }, offset = 0.4 } }
    assert.are.equal(25 + 5, body.vertex_count)
    assert.are.equal(5, body.split_count)
    assert.are.equal(count, body.split_count + body.cut_count)
    assert_falls(scene, body)
  end)
  it("separates by a function, also as `predicate`", function()
    for form = 1, 2 do
      local scene, body = cloth()
      local side = function(i, _, _, z)
        assert(math.type(i) == "integer")
        return z > 0.4
      end
      assert.is_true(body:cut(form == 1 and side or { predicate = side }) > 0)
      assert.are.equal(5, body.split_count)
      assert_falls(scene, body)
    end
  end)
  it("separates by triangles and by a mesh, only where they are", function()
    local a, b, c, d = { -1, -1, 0.4 }, { 2, -1, 0.4 }, { 2, 1, 0.4 }, { -1, 1, 0.4 }
    local scene, body = cloth()
    body:cut { triangles = { { a, b, c }, { a, c, d } } }
    assert.are.equal(5, body.split_count)
    assert_falls(scene, body)
    local _, other = cloth()
    local mesh = tide.mesh.new { vertices = { a, b, c, d }, triangles = { { 1, 2, 3 }, { 1, 3, 4 } } }
    other:cut { triangles = mesh }
    assert.are.equal(5, other.split_count)
    local _, third = cloth()
    third:cut { triangles = { { { -1, -1, 0.4 }, { 0.5, -1, 0.4 }, { 0.5, 1, 0.4 } } } }
    assert.is_true(third.split_count > 0 and third.split_count < 5)
  end)
  it("goes on where another cut ended: an edge stays open until a vertex at it can be split", function()
    local function run(cuts)
      local scene, body = cloth()
      for i = 1, cuts do
        local from, to = 1.2 * (i - 1) / cuts - 0.1, 1.2 * i / cuts - 0.1
        body:cut { triangles = { { { from, -1, 0.4 }, { to, -1, 0.4 }, { to, 1, 0.4 } },
                                 { { from, -1, 0.4 }, { to, 1, 0.4 }, { from, 1, 0.4 } } } }
      end
      assert.are.equal(5, body.split_count)
      assert_falls(scene, body)
    end
    for _, cuts in ipairs { 1, 2, 5, 9 } do
      run(cuts)
    end
  end)
  it("takes off what hangs by a vertex", function()
    local scene, body = cloth()
    local function cut(x, z) -- from the middle of the cloth outwards
      local u, w = 0.5 + x, 0.5 + z
      return body:cut { triangles = { { { 0.5, -1, 0.5 }, { u, -1, w }, { u, 1, w } },
                                      { { 0.5, -1, 0.5 }, { u, 1, w }, { 0.5, 1, 0.5 } } } }
    end
    cut(1, 0) -- below the middle the two quarters hang together, at an edge and more
    assert.are.equal(2, body.split_count)
    cut(0, 1) -- the last quarter hangs by the vertex in the middle alone
    assert.are.equal(5, body.split_count)
    local off = { [25] = true } -- vertices that triangles join to the last one
    for _ = 1, 4 do
      for t = 1, body.triangle_count do
        local i, j, k = body.mesh:triangle(t)
        if off[i] or off[j] or off[k] then
          off[i], off[j], off[k] = true, true, true
        end
      end
    end
    local masses, count = scene:system():masses(), 0
    for _ in pairs(off) do count = count + 1 end
    assert.are.equal(9, count)
    assert.is_nil(off[13])
    local function centre()
      local sum, mass = 0, 0
      for i in pairs(off) do
        sum, mass = sum + masses[i] * select(2, body:position(i)), mass + masses[i]
      end
      return sum / mass
    end
    local before = centre()
    assert(scene:step(20))
    assert.is_near(-9.81 * 20 * 21 / 2 / 3600, centre() - before, 1e-6) -- nothing holds it
  end)
  it("counts elements of other kinds on", function()
    local _, body = cloth { elements = { { "area_spring", on = "triangles", stiffness = 10 } } }
    assert.are.equal(1, body:cut { elements = { body.spring_count + 3 } })
    assert.is_true(body:is_cut(body.spring_count + 3))
    body:cut { plane = { normal = { 0, 0, 1 }, offset = 0.4 } }
    assert.are.equal(5, body.split_count)
    assert.is_true(body:is_cut(body.spring_count + 3))
  end)
  it("is state: hash, snapshots, reset, forks; and the callbacks may cut", function()
    local scene, body = cloth()
    local cut = 0
    function scene.update()
      if scene.frame == 5 then
        cut = body:cut { plane = { normal = { 0, 0, 1 }, offset = 0.4 } }
      end
    end
    assert(scene:step(5))
    local whole = scene:snapshot()
    assert(scene:step(20))
    assert.is_true(cut > 0)
    local hash = scene:hash()
    scene:restore(whole)
    assert.are.equal(0, body.cut_count + body.split_count)
    assert(scene:step(20))
    assert.are.equal(hash, scene:hash())
    local fork = scene:fork()
    local copy = fork:body("cloth")
    assert.are.equal(cut, copy.cut_count + copy.split_count)
    scene:reset()
    assert.are.equal(0, body.cut_count + body.split_count)
    assert(scene:step(25))
    assert.are.equal(hash, scene:hash())
  end)
  it("is made in scene.contact, scene.torn and scene.keypressed as in scene.update: now, and for good", function()
    local function cut(body)
      return body:cut { plane = { normal = { 0, 0, 1 }, offset = 0.4 } }
    end
    -- A cloth, and a strand that tears in the seventh step and touches the floor in a later one.
    local function make(callback)
      local scene, body = cloth()
      scene:body("strand", { mesh = tide.mesh.strand { points = 3, from = { 3, 0, 0 }, to = { 3, -1, 0 } }, mass = 1,
        stiffness = 20, tear = { strain = 0.2 } }):pin(1)
      scene:collider("floor", { shape = "plane", offset = -1.2 })
      local frame, count
      scene[callback] = function()
        if not count and (callback ~= "update" or scene.frame == frame) then
          frame, count = scene.frame, cut(body)
        end
      end
      return scene, body, function(at)
        frame = at or frame
        return frame, count
      end
    end
    for _, callback in ipairs { "contact", "torn", "keypressed" } do
      local scene, body, cut_at = make(callback)
      for _ = 1, 25 do
        if callback == "keypressed" and scene.frame == 4 then
          scene.keypressed("c")
        end
        assert(scene:step())
      end
      local frame, count = cut_at()
      assert.is_true(frame > 3 and frame < 24, callback)
      assert.are.equal(count, body.split_count + body.cut_count)
      assert.are.equal(30, body.vertex_count)
      -- The same state as by a cut in the update of the next step.
      local other, same, set = make("update")
      set(frame)
      assert(other:step(25))
      assert.are.equal(30, same.vertex_count)
      assert.are.equal(scene:hash(), other:hash())
    end
  end)
  it("in scene.contact and scene.torn sees the state after the step, as often as it is told", function()
    local scene, body = cloth { tear = { strain = 0.4 } }
    scene:collider("ball", { shape = "sphere", radius = 0.2, position = { 0.5, -0.35, 0.6 } })
    local contacts, tears, cuts = 0, 0, 0
    function scene.contact(c)
      contacts = contacts + 1
      local springs = {}
      for s = 1, body.spring_count do
        local i, j = body:spring(s)
        if (i == c.vertex or j == c.vertex) and not body:is_cut(s) then
          springs[#springs + 1] = s
        end
      end
      cuts = cuts + (#springs > 0 and body:cut { springs = springs } or 0)
    end
    function scene.torn(t)
      tears = tears + 1
      if not body:is_cut(t.element) then
        cuts = cuts + body:cut { elements = { t.element } }
      end
    end
    assert(scene:step(2))
    body:set_velocity(13, 0, -10, 0)
    body:set_velocity(21, 0, -30, 0)
    assert(scene:step(40))
    assert.is_true(contacts > 0 and tears > 0 and cuts > 0, contacts .. " contacts, " .. tears .. " tears")
    for i = 1, body.vertex_count do
      local _, y = body:position(i)
      assert.are.equal(y, y)
    end
  end)
  it("at run time leaves the same as one in the description", function()
    local function run(described)
      local scene, body = cloth()
      if described then
        body:cut { springs = { 40, 41, 42, 43 } }
      else
        function scene.update()
          body:cut { springs = { 40, 41, 42, 43 } }
        end
      end
      assert(scene:step(30))
      return scene:hash()
    end
    assert.are.equal(run(true), run(false))
  end)
  it("leaves vertices without springs as particles that fall, and land", function()
    local scene, body = cloth()
    scene:collider("floor", { shape = "plane", offset = -1 })
    local springs = {}
    for s = 1, body.spring_count do
      local i, j = body:spring(s)
      if i == 25 or j == 25 then
        springs[#springs + 1] = s
      end
    end
    assert.are.equal(#springs, body:cut { springs = springs })
    assert(scene:step(20))
    local _, y = body:position(25)
    assert.is_near(-9.81 * 20 * 21 / 2 / 3600, y, 1e-6)
    assert(scene:step(60))
    _, y = body:position(25)
    assert.is_near(-1, y, 0.01)
  end)
  it("goes through solids", function()
    local scene = tide.scene { timestep = 1 / 60 }
    local body = scene:body("bar", { mesh = tide.mesh.box { size = { 2, 0.5, 0.5 }, cells = { 8, 2, 2 } }, mass = 1,
      stiffness = 200 }):pin(function(_, x) return x < -0.9 end)
    local tetrahedra = body.mesh.tetrahedron_count
    assert.is_true(body:cut { plane = { normal = { 1, 0, 0 }, offset = 0.1 } } > 0)
    assert.are.equal(tetrahedra, body.mesh.tetrahedron_count)
    assert(scene:step(30))
    for i = 1, body.vertex_count do
      local x, y = body.mesh:vertex(i)
      local _, now = body:position(i)
      if x > 0.3 then
        assert.is_near(-9.81 * 30 * 31 / 2 / 3600, now - y, 0.05)
      end
    end
  end)
  it("makes two rods of one that twists: each bends as a cantilever, and no twist passes", function()
    -- The halves are clamped in the middles of the outer edges, half an edge longer and shorter than 1/2 m.
    local points, radius, young, density = 42, 5e-3, 2e8, 1000
    local edge = 1 / (points - 2)
    local scene = tide.scene { timestep = 0.1, drag = 5, gravity = { 0, -0.1, 0 },
      solver = { "newton", iterations = 100, tolerance = 1e-11 } }
    local body = scene:body("rod", { density = density,
      mesh = tide.mesh.strand { points = points, from = { -edge / 2, 0, 0 }, to = { 1 + edge / 2, 0, 0 } },
      rod = { young = young, poisson = 0.3, radius = radius, twist = true } }):pin { 1, 2, points - 1, points }
    for _ = 1, 10 do
      body:turn(points - 1, points, 0.1)
      assert(scene:step(1))
    end
    local _, _, _, torque = body:reaction({ 1, 2 }, { 0, 0, 0 })
    assert.is_true(math.abs(torque) > 0.05)
    -- A vertex and its bend are split; no edge is lost.
    assert.are.equal(2, body:cut { plane = { normal = { 1, 0, 0 }, offset = 0.5 } })
    assert.are.equal(points + 1, body.vertex_count)
    assert(scene:step(300))
    _, _, _, torque = body:reaction({ 1, 2 }, { 0, 0, 0 })
    assert.is_near(0, torque, 1e-6)
    local load, stiffness = density * math.pi * radius ^ 2 * 0.1, young * math.pi * radius ^ 4 / 4
    local _, one = body:position(points // 2 + 1)
    local _, two = body:position(points + 1) -- its copy
    local function deflection(length) return load * length ^ 4 / 8 / stiffness end
    assert.is_near(1, -math.min(one, two) / deflection(0.5 + edge / 2), 0.01)
    assert.is_near(1, -math.max(one, two) / deflection(0.5 - edge / 2), 0.01)
  end)
  it("refuses wrong arguments and changes nothing", function()
    local scene, body = cloth()
    local hash = scene:hash()
    has(message(body.cut, body), 'body "cloth": cut = nil: expected { springs = { ... } }')
    has(message(body.cut, body, {}), "expected springs, elements, plane, triangles or predicate")
    has(message(body.cut, body, { spring = { 1 } }), "springs")
    has(message(body.cut, body, { springs = { 1, 999 } }), "cut.springs = 999: expected a spring from 1 to")
    has(message(body.cut, body, { springs = "all" }), "expected a list of numbers")
    has(message(body.cut, body, { plane = { offset = 1 } }), "normal")
    has(message(body.cut, body, { plane = 4 }), "expected { normal = { x, y, z }, offset = m }")
    has(message(body.cut, body, { plane = { normal = { 0, 0, 0 } } }), "expected a vector that is not 0")
    has(message(body.cut, body, { plane = { normal = { 0, 0 / 0, 0 } } }), "normal")
    has(message(body.cut, body, { triangles = { { { 0, 0, 0 }, { 1, 0, 0 } } } }), "each of three points")
    has(message(body.cut, body, { triangles = { { { 0, 0 }, { 1, 0, 0 }, { 0, 1, 0 } } } }), "cut.triangles")
    has(message(body.cut, body, { predicate = 3 }), "tells the side of vertex i")
    has(message(body.is_cut, body, 999), "expected an element from 1 to")
    assert.are.equal(hash, scene:hash())
  end)
end)

describe("set_stiffness", function()
  it("scales stiffnesses, as state", function()
    local scene, body = cloth()
    local hash = scene:hash()
    assert.are.equal(body, body:set_stiffness({ 1, 2 }, 50))
    local _, _, stiffness = body:spring(2)
    assert.are.equal(50, stiffness)
    assert.are_not.equal(hash, scene:hash())
    body:set_stiffness({ 1, 2 }, 100)
    assert.are.equal(hash, scene:hash())
    body:set_stiffness(30)
    _, _, stiffness = body:spring(body.spring_count)
    assert.is_near(30, stiffness, 1e-12)
    body:set_stiffness(1, 0)
    assert(scene:step(1))
    scene:reset()
    _, _, stiffness = body:spring(1)
    assert.are.equal(0, stiffness)
  end)
  it("sags more when softer: twice the extension at half the stiffness", function()
    local scene = tide.scene { timestep = 1, drag = 1, solver = { "newton", tolerance = 1e-13 } }
    local body = scene:body("load", { mesh = tide.mesh.strand { points = 2, to = { 0, -1, 0 } }, mass = 2,
      stiffness = 100 }):pin(1)
    assert(scene:step(100))
    local _, y = body:position(2)
    assert.is_near(-1 - 9.81 / 100, y, 1e-9)
    body:set_stiffness(1, 50)
    assert(scene:step(100))
    _, y = body:position(2)
    assert.is_near(-1 - 9.81 / 50, y, 1e-9)
  end)
  it("stays when bodies are added, and refuses wrong arguments", function()
    local scene, body = cloth()
    body:set_stiffness({ 3 }, 25)
    body:contract(2, 0.5)
    scene:body("second", { mesh = tide.mesh.strand { points = 3 }, stiffness = 7 })
    local _, _, stiffness = body:spring(3)
    assert.are.equal(25, stiffness)
    _, _, stiffness = scene:body("second"):spring(1)
    assert.are.equal(7, stiffness)
    local _, _, _, rest = body:spring(2)
    assert.is_near(0.125, rest, 1e-15)
    has(message(body.set_stiffness, body, { 1 }, -1), "expected a number from 0 to 1e15")
    has(message(body.set_stiffness, body, { 1 }), "set_stiffness")
    has(message(body.set_stiffness, body, "a", 1), "expected a list of numbers")
  end)

  it("of springs is refused where there are none, as their stiffness is", function()
    local scene = tide.scene {}
    local box = tide.mesh.box { size = { 1, 1, 1 }, cells = { 2, 2, 2 } }
    local bodies = {
      jelly = scene:body("jelly", { mesh = box, density = 1000, solid = { young = 1e4, poisson = 0.3 } }),
      brick = scene:body("brick", { mesh = box, density = 1000, rigid = true }),
      bead = scene:body("bead", { mesh = tide.mesh.new { vertices = { { 0, 0, 0 } } }, mass = 1 }),
    }
    local reasons = {
      jelly = "has no springs, but 40 other elements", brick = "a rigid body has no springs or other elements",
      bead = "has no springs or other elements; give it",
    }
    for name, body in pairs(bodies) do
      local hash = scene:hash()
      has(message(function() body:set_stiffness(50) end), ('body "%s"'):format(name), "set_stiffness", reasons[name])
      local reason = name == "brick" and "does not come apart" or reasons[name]
      has(message(function() body:cut { springs = { 1 } } end), ('body "%s"'):format(name), "cut", reason)
      assert.are.equal(hash, scene:hash())
    end
    has(message(function() bodies.jelly:set_stiffness(50) end), "set_stiffness({ 1, 2 }, k)")
    has(message(function() bodies.jelly:cut { springs = { 1 } } end), "cut { elements = { 1, 2 } }")
    has(message(function() bodies.brick:set_stiffness({ 1 }, 50) end), "a rigid body has no springs")
    assert.are.equal(40, bodies.jelly.element_count)
    bodies.jelly:set_stiffness({ 1, 40 }, 50)
    assert.are.equal(1, bodies.jelly:cut { elements = { 3 } })
  end)
end)
