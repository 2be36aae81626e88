local helper = dofile "tests/script/helper.lua"
local tide, has, message = helper.tide, helper.has, helper.message

describe("pins", function()
  it("hold listed vertices exactly", function()
    local scene, cloth = helper.cloth()
    local x, y, z = cloth:position(5)
    scene:step(10)
    assert.are.same({ x, y, z }, { cloth:position(5) })
    local _, fallen = cloth:position(25)
    assert.is_true(fallen < -0.01)
    assert.is_true(cloth:is_pinned(1) and cloth:is_pinned(5))
    assert.is_false(cloth:is_pinned(2))
  end)
  it("are chosen by a function of index and place", function()
    local scene, cloth = helper.cloth()
    cloth:unpin()
    assert.is_false(cloth:is_pinned(1))
    local seen = {}
    assert.are.equal(cloth, cloth:pin(function(i, x, y, z)
      seen[i] = { x, y, z }
      return z == 0
    end))
    assert.are.equal(25, #seen)
    assert.are.same({ cloth:position(7) }, seen[7])
    for i = 1, 25 do
      assert.are.equal(i <= 5, cloth:is_pinned(i))
    end
    cloth:unpin { 1, 2 }
    cloth:unpin(function(i) return i == 3 end)
    cloth:unpin(4)
    for i = 1, 25 do
      assert.are.equal(i == 5, cloth:is_pinned(i))
    end
    assert.is_true(scene:step())
  end)
  it("change nothing when the function fails", function()
    local scene, cloth = helper.cloth()
    local hash = scene:hash()
    has(message(function()
      cloth:pin(function(i)
        if i == 10 then error("no more") end
        return true
      end)
    end), "no more")
    assert.are.equal(hash, scene:hash())
  end)
  it("with a stiffness are springs to where the vertex was", function()
    -- m g = k d: a particle hangs d below its pin
    for _, how in ipairs { 1, 2 } do
      local scene = tide.scene { timestep = 0.5, drag = 1 }
      local ball = scene:body("ball", { mesh = tide.mesh.new { vertices = { { 0, 0, 0 } } }, mass = 2 })
      if how == 1 then ball:pin { 1, stiffness = 50 } else ball:pin({ 1 }, { stiffness = 50 }) end
      assert.is_true(scene:step(200))
      local _, y = ball:position(1)
      assert.is_near(-2 * 9.81 / 50, y, 1e-9)
      ball:move_pin(1, 0, 1, 0)
      assert.is_true(scene:step(200))
      _, y = ball:position(1)
      assert.is_near(1 - 2 * 9.81 / 50, y, 1e-9)
    end
  end)
  it("move", function()
    local scene, cloth = helper.cloth()
    cloth:move_pin(1, 0.5, 0.25, -0.5)
    scene:step()
    assert.are.same({ 0.5, 0.25, -0.5 }, { cloth:position(1) })
    cloth:set_position(1, 0, 1, 0) -- and the pin with it
    scene:step()
    assert.are.same({ 0, 1, 0 }, { cloth:position(1) })
  end)
end)

describe("positions and velocities", function()
  it("are set one by one", function()
    local _, cloth = helper.cloth()
    cloth:set_position(7, 1, 2, 3)
    cloth:set_velocity(7, 4, 5, 6)
    assert.are.same({ 1, 2, 3 }, { cloth:position(7) })
    assert.are.same({ 4, 5, 6 }, { cloth:velocity(7) })
  end)
  it("are buffers over the engine's memory", function()
    local scene, cloth = helper.cloth()
    local positions, velocities = cloth:positions(), cloth:velocities()
    assert.are.equal(75, #positions)
    assert.are.equal(75, #velocities)
    assert.are.same({ cloth:position(1) }, { positions[1], positions[2], positions[3] })
    positions[3 * 6 + 2] = 0.5
    velocities[3 * 6 + 1] = 7
    local _, y = cloth:position(7)
    assert.are.equal(0.5, y)
    assert.are.equal(7, cloth:velocity(7))
    local count, sum = 0, 0
    for i, x in ipairs(positions) do
      count, sum = i, sum + x
    end
    assert.are.equal(75, count)
    scene:step() -- they go on showing what is
    assert.are.same({ cloth:position(25) }, { positions[73], positions[74], positions[75] })
    scene:body("more", { mesh = tide.mesh.strand { points = 2, to = { 1, 0, 0 } }, stiffness = 1 })
    assert.are.same({ cloth:position(25) }, { positions[73], positions[74], positions[75] })
  end)
  it("are refused by text", function()
    local _, cloth = helper.cloth()
    has(message(function() cloth:positions()[1] = "a" end), 'body "cloth": positions = "a": expected a finite number')
    has(message(function() return cloth:positions().x end), "buffer: x: unknown")
    assert.are.equal(0, cloth:positions()[1])
  end)
end)

describe("materials", function()
  local strand = tide.mesh.strand { points = 3, from = { 0, 0, 0 }, to = { 1, 0, 0 } }
  local function masses(definition)
    definition.mesh = strand
    local scene = tide.scene {}
    scene:body("strand", definition)
    return scene:system():masses():table()
  end
  it("share a mass, take a list or a density", function()
    assert.are.same({ 2, 2, 2 }, masses { mass = 6 })
    assert.are.same({ 1, 2, 3 }, masses { masses = { 1, 2, 3 } })
    assert.are.same({ 1, 2, 1 }, masses { density = 4 })
    has(message(masses, { mass = 1, density = 1 }), "give either mass or density, not both")
  end)
  it("have springs of edges, of bending and of a list", function()
    local scene = tide.scene {}
    local function springs(name, definition)
      definition.mesh = strand
      return scene:body(name, definition).spring_count
    end
    assert.are.equal(0, springs("none", {}))
    assert.are.equal(2, springs("edges", { stiffness = 1 }))
    assert.are.equal(2, springs("modulus", { modulus = 1 }))
    assert.are.equal(3, springs("bend", { stiffness = 1, bend = 1 }))
    assert.are.equal(1, springs("list", { springs = { { 1, 3, 10 } } }))
    assert.are.equal(2, springs("rests", { springs = { { 1, 3, 10, 0.5 }, { 2, 3, 10 } } }))
    has(message(springs, "bad", { springs = { { 1, 3 } } }), "springs[1] = a table: expected { i, j, stiffness }")
  end)
  it("have elements of other kinds, on parts of the mesh or on listed vertices", function()
    local scene = tide.scene { gravity = { 0, 0, 0 } }
    local square = tide.mesh.grid { columns = 2, rows = 2, width = 2, height = 2 }
    local function energy(name, elements)
      scene:body(name, { mesh = square, elements = elements })
      local elastic = scene:energy().elastic
      assert.are.equal(0, scene:body(name).spring_count)
      return elastic
    end
    -- Two triangles of 2 m^2 each: k/2 (2 - 1)^2.
    assert.are.equal(0, energy("rest", { { "area_spring", on = "triangles", stiffness = 10 } }))
    assert.near(10, energy("half", { { "area_spring", on = "triangles", stiffness = 10, rest_area = 1 } }), 1e-12)
    local one = { "area_spring", vertices = { { 1, 2, 3 } }, stiffness = 10, rest_area = 1 }
    assert.near(15, energy("one", { one }), 1e-12)
    assert.near(16, energy("edge", { { "spring", vertices = { { 1, 2 } }, stiffness = 2, rest_length = 1 } }), 1e-12)
    local function refused(text, group) has(message(energy, "bad", { group }), text) end
    has(message(energy, "bad", 3), "elements = 3: expected a list such as")
    refused("elements[1]: \"area_spring\": expected a table such as", "area_spring")
    refused("expected the name of a kind of element, which `springtide elements` lists, or a kind that tide.element",
      { on = "edges", stiffness = 1 })
    refused("did you mean the element \"area_spring\"", { "area_sprang", on = "triangles", stiffness = 1 })
    refused("stiffness: missing", { "area_spring", on = "triangles" })
    refused("did you mean \"stiffness\"", { "area_spring", on = "triangles", stifness = 1 })
    refused("stiffness = -1", { "area_spring", on = "triangles", stiffness = -1 })
    refused("give either on", { "area_spring", stiffness = 1 })
    refused("not both", { "area_spring", on = "triangles", vertices = { { 1, 2, 3 } }, stiffness = 1 })
    refused("area_spring joins 3 vertices", { "area_spring", on = "edges", stiffness = 1 })
    local function listed(vertices) return { "area_spring", vertices = { vertices }, stiffness = 1 } end
    refused("vertices[1] = a table: expected a list of 3 vertices", listed { 1, 2 })
    refused("vertices[1] = 5: expected a vertex from 1 to 4", listed { 1, 2, 5 })
    refused("names vertex 2 twice", listed { 1, 2, 2 })
  end)
  it("bend along the paths of a mesh that has edges alone", function()
    local scene = tide.scene {}
    local function springs(name, vertices, edges, model)
      local points = {}
      for i = 1, vertices do points[i] = { math.cos(i), i, math.sin(i) } end
      local mesh = tide.mesh.new { vertices = points, edges = edges }
      local bends = scene:body(name, { mesh = mesh, stiffness = 1, bend = 1, bend_model = model })
      return bends.spring_count - mesh.edge_count
    end
    assert.are.equal(2, springs("line", 4, { { 3, 4 }, { 1, 2 }, { 2, 3 } }))
    assert.are.equal(2, springs("told", 4, { { 3, 4 }, { 1, 2 }, { 2, 3 } }, "skip"))
    assert.are.equal(5, springs("ring", 5, { { 1, 2 }, { 2, 3 }, { 3, 4 }, { 4, 5 }, { 5, 1 } }))
    -- Three arms of two edges each: the vertex where they meet does not bend.
    assert.are.equal(3, springs("star", 7, { { 1, 2 }, { 2, 3 }, { 1, 4 }, { 4, 5 }, { 1, 6 }, { 6, 7 } }))
    has(message(springs, "pair", 2, { { 1, 2 } }), "no vertex of this mesh lies between two others along a path")
    has(message(springs, "triangle", 3, { { 1, 2 }, { 2, 3 }, { 3, 1 } }), "no vertex of this mesh lies between")
    has(message(springs, "hinge", 3, { { 1, 2 }, { 2, 3 } }, "hinge"), "no two triangles that share an edge")
    -- It is the strand's own: the same polyline gives the same springs.
    local line = tide.mesh.new { vertices = { { strand:vertex(1) }, { strand:vertex(2) }, { strand:vertex(3) } },
      edges = { { 1, 2 }, { 2, 3 } } }
    local function energy(mesh)
      local one = tide.scene {}
      local body = one:body("one", { mesh = mesh, stiffness = 3, bend = 2 })
      body:set_position(3, 0.2, 0.3, 0.4)
      return one:energy().elastic
    end
    assert.is_true(energy(strand) > 0)
    assert.is_near(energy(strand), energy(line), 1e-12)
  end)
  it("give a spring its force", function()
    local scene = tide.scene {}
    local mesh = tide.mesh.new { vertices = { { 0, 0, 0 }, { 2, 0, 0 } } }
    scene:body("pair", { mesh = mesh, springs = { { 1, 2, 10, 0.5 } } })
    assert.is_near(10 / 2 * 1.5 ^ 2, scene:energy().elastic, 1e-12)
    local gradient = scene:system():gradient(scene:system():positions())
    assert.is_near(-15, gradient[1], 1e-12)
    assert.is_near(15, gradient[4], 1e-12)
  end)
end)
