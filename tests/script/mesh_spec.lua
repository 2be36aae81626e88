local helper = dofile "tests/script/helper.lua"
local tide, has, message = helper.tide, helper.has, helper.message

local function vertices(mesh)
  local list = {}
  for i = 1, mesh.vertex_count do
    list[i] = { mesh:vertex(i) }
  end
  return list
end

describe("a mesh", function()
  it("is a grid in the x-z plane, columns along x, rows along z", function()
    local mesh = tide.mesh.grid { columns = 4, rows = 3, width = 3, height = 4 }
    assert.are.equal(12, mesh.vertex_count)
    assert.are.equal(12, mesh.triangle_count)
    assert.are.equal(0, mesh.tetrahedron_count)
    assert.are.equal(3 * 3 + 4 * 2 + 3 * 2, mesh.edge_count)
    for row = 1, 3 do
      for column = 1, 4 do
        assert.are.same({ column - 1.0, 0.0, 2.0 * (row - 1) }, { mesh:vertex((row - 1) * 4 + column) })
      end
    end
    local edges = { alternating = 23, forward = 23, backward = 23, both = 29, none = 17 }
    for diagonals, count in pairs(edges) do
      assert.are.equal(count,
        tide.mesh.grid { columns = 4, rows = 3, width = 3, height = 4, diagonals = diagonals }.edge_count)
    end
    has(message(tide.mesh.grid, { columns = 4, rows = 3, diagonals = "foward" }), 'did you mean "forward"?')
    has(message(tide.mesh.grid, { columns = 1, rows = 3 }), "mesh grid: columns = 1: expected an integer of at least 2")
    has(message(tide.mesh.grid, { columns = 2.5, rows = 3 }), "mesh grid: columns = 2.5: expected an integer")
  end)
  it("is a strand", function()
    local mesh = tide.mesh.strand { points = 3, from = { 0, 0, 0 }, to = { 2, 0, 0 } }
    assert.are.same({ { 0, 0, 0 }, { 1, 0, 0 }, { 2, 0, 0 } }, vertices(mesh))
    assert.are.equal(2, mesh.edge_count)
    assert.are.same({ 1, 2 }, { mesh:edge(1) })
  end)
  it("is a box centred at the origin", function()
    local mesh = tide.mesh.box { size = { 2, 4, 6 }, cells = { 1, 2, 3 } }
    assert.are.equal(2 * 3 * 4, mesh.vertex_count)
    assert.are.equal(6 * 5, mesh.tetrahedron_count)
    assert.are.same({ -1, -2, -3, 1, 2, 3 }, { mesh:bounds() })
    assert.are.equal(2 * 2 * (2 + 3 + 6), mesh.triangle_count)
    assert.are.equal(4, select("#", mesh:tetrahedron(1)))
  end)
  it("is strands on a list of roots, on a mesh, or spread over it", function()
    local one = tide.mesh.strands { points = 3, length = 2 }
    assert.are.same({ { 0, 0, 0 }, { 0, 1, 0 }, { 0, 2, 0 } }, vertices(one))
    local two = tide.mesh.strands {
      points = 2, length = 1, roots = { { 1, 2, 3 }, { 0, 0, 0 } }, normals = { { 0, 0, 5 }, { -1, 0, 0 } } }
    assert.are.same({ { 1, 2, 3 }, { 1, 2, 4 }, { 0, 0, 0 }, { -1, 0, 0 } }, vertices(two))
    assert.are.equal(two,
      tide.mesh.strands { points = 2, length = 1, roots = { 1, 2, 3, 0, 0, 0 }, normals = { 0, 0, 5, -1, 0, 0 } })
    local skin = tide.mesh.box { size = { 1, 1, 1 }, cells = { 2, 2, 2 } }
    assert.are.equal(26 * 19, tide.mesh.strands { on = skin }.vertex_count) -- none from the one within
    assert.are.equal(105 * 19, tide.mesh.strands { on = skin, count = 105 }.vertex_count)
    assert.are.equal(105 * 18, tide.mesh.strands { on = skin, count = 105, curl = 0.002 }.edge_count)
  end)
  it("is other strands for another seed, mesh, list of roots or of normals", function()
    local function grow(changes)
      local definition = { points = 4, on = tide.mesh.sphere {}, count = 20, jitter = 0.2 }
      for name, value in pairs(changes) do
        definition[name] = value or nil
      end
      return tide.mesh.strands(definition)
    end
    assert.are.equal(grow {}, grow {})
    local function freely(roots, normals)
      return grow { on = false, count = false, roots = roots, normals = normals }
    end
    local all = {
      grow {}, grow { seed = 1 }, grow { count = 21 }, grow { on = tide.mesh.sphere { radius = 2 } },
      grow { count = false }, freely(),
      freely({ { 1, 0, 0 } }), freely({ { 2, 0, 0 } }), freely({ { 1, 0, 0 } }, { { 2, 0, 0 } }),
      freely({ { 1, 0, 0 }, { 2, 0, 0 } }),
    }
    for i = 1, #all do
      for j = 1, i - 1 do
        assert.are_not.equal(all[i], all[j])
      end
    end
    assert.are.equal(all[9], freely({ { 1, 0, 0 } }, { { 2, 0, 0 } }))
  end)
  it("refuses strands that cannot be", function()
    local grid = tide.mesh.grid { columns = 2, rows = 2 }
    for text, definition in pairs {
      ["mesh strands: on = 3: expected a mesh, as tide.mesh.grid { ... } makes"] = { on = 3 },
      ["mesh strands: roots: give either on or roots, not both"] = { on = grid, roots = { { 0, 0, 0 } } },
      ["mesh strands: roots = 3: expected a list"] = { roots = 3 },
      ["mesh strands: roots: the list is empty"] = { roots = {} },
      ["mesh strands: roots = 2 numbers: expected a multiple of 3 numbers"] = { roots = { 1, 2 } },
      ["mesh strands: roots[2] = a table: expected a list of 3 numbers"] = { roots = { { 0, 0, 0 }, { 0, 0 } } },
      ["mesh strands: normals[1] = "] = { roots = { { 0, 0, 0 } }, normals = { { 0, "up", 0 } } },
      ["mesh strands: normals[1] = {0, 0, 0}: expected finite numbers that are not all 0"] =
        { roots = { { 0, 0, 0 } }, normals = { { 0, 0, 0 } } },
      ["mesh strands: count = 5: is how many to spread over a mesh"] = { count = 5 },
      ["mesh strands: on: the mesh has no triangles"] = { on = tide.mesh.strand { points = 2 } },
      ["mesh strands: length = 0.1: with this curl, 19 points and 3 turns it must be more than"] = { curl = 0.1 },
      ['mesh strands: lenght: unknown field; did you mean "length"?'] = { lenght = 1 },
    } do
      has(message(tide.mesh.strands, definition), text)
    end
  end)
  it("is a sphere, a cylinder, a cone, a skirt or a torus", function()
    local function shape(mesh)
      local problems, notes = mesh:check()
      assert.are.same({}, problems)
      return { mesh.vertex_count, mesh.edge_count, mesh.triangle_count, #notes }
    end
    assert.are.same({ 642, 1920, 1280, 0 }, shape(tide.mesh.sphere {}))
    assert.are.same({ 12, 30, 20, 0 }, shape(tide.mesh.sphere { radius = 2, subdivisions = 0 }))
    assert.are.same({ 8, 18, 12, 0 }, shape(tide.mesh.cylinder { segments = 3, rows = 2 }))
    assert.are.same({ 7, 15, 10, 0 }, shape(tide.mesh.cylinder { segments = 5, rows = 2, top_radius = 0 }))
    local skirt = tide.mesh.cylinder { segments = 6, rows = 4, top_radius = 0.2, caps = false }
    assert.are.same({ 24, 60, 36, 1 }, shape(skirt))
    assert.are.same({ 12, 36, 24, 0 }, shape(tide.mesh.torus { segments = 4, sides = 3 }))
    local bounds = { tide.mesh.cylinder { height = 1.5, segments = 8 }:bounds() }
    assert.are.same({ -0.5, -0.75, -0.5, 0.5, 0.75, 0.5 }, bounds)
    has(message(tide.mesh.sphere, { radius = 0 }), "mesh sphere: radius = 0: expected a number greater than 0 m")
    has(message(tide.mesh.sphere, { rows = 3 }), "mesh sphere: rows: unknown field")
    has(message(tide.mesh.cylinder, { radius = 0 }), "mesh cylinder: radius = 0: expected more than 0 m at the bottom")
    has(message(tide.mesh.torus, { minor = 0.5 }), "mesh torus: minor = 0.5: the tube would run through itself")
  end)
  it("bends by the skips of a skirt, but by the hinges of what is closed", function()
    local function springs(mesh)
      return tide.scene {}:body("shape", { mesh = mesh, bend = 1 }).spring_count
    end
    assert.are.equal(6 * 4 + 6 * 2, springs(tide.mesh.cylinder { segments = 6, rows = 4, caps = false }))
    assert.are.equal(2 * 8 * 6, springs(tide.mesh.torus { segments = 8, sides = 6 }))
    assert.are.equal(1920, springs(tide.mesh.sphere {}))
  end)
  it("is made of lists, nested or flat", function()
    local nested = tide.mesh.new {
      vertices = { { 0, 0, 0 }, { 1, 0, 0 }, { 0, 1, 0 } },
      triangles = { { 1, 2, 3 } },
      texture = { { 0, 0 }, { 1, 0 }, { 0, 1 } },
    }
    local flat = tide.mesh.new {
      vertices = { 0, 0, 0, 1, 0, 0, 0, 1, 0 },
      triangles = { 1, 2, 3 },
      texture = { 0, 0, 1, 0, 0, 1 },
    }
    assert.are.equal(nested, flat)
    assert.are.equal(3, nested.edge_count)
    assert.are.same({ 1, 2, 3 }, { nested:triangle(1) })
    local tetrahedron = tide.mesh.new {
      vertices = { { 0, 0, 0 }, { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } }, tetrahedra = { { 1, 2, 3, 4 } } }
    assert.are.equal(6, tetrahedron.edge_count)
    assert.are.equal(4, tetrahedron.triangle_count)
    has(message(tide.mesh.new, { vertices = { 0, 0 } }), "mesh new: vertices = 2 numbers: expected a multiple of 3")
    has(message(tide.mesh.new, { vertices = { { 0, 0 } } }), "vertices[1] = a table: expected a list of 3 numbers")
    has(message(tide.mesh.new, { vertices = { { 0, 0, 0 } }, texture = { { 0, 0 }, { 1, 1 } } }),
      "mesh new: texture: expected one entry")
    has(message(tide.mesh.new, { vertices = 3 }), "mesh new: vertices = 3: expected a list")
    has(message(tide.mesh.new, { vertices = { { 0, 0, 0 }, { 1, 0, 0 } }, edges = { { 1, 1 } } }), "1")
  end)
  it("is moved, turned and scaled into a new one", function()
    local mesh = tide.mesh.strand { points = 2, from = { 0, 0, 0 }, to = { 1, 0, 0 } }
    assert.are.same({ { 1, 2, 3 }, { 2, 2, 3 } }, vertices(mesh:translate(1, 2, 3)))
    assert.are.same({ { 0, 0, 0 }, { 2, 0, 0 } }, vertices(mesh:scale(2)))
    assert.are.same({ { 1, 4, 9 }, { 2, 4, 9 } }, vertices(mesh:translate(1, 2, 3):scale(1, 2, 3)))
    local x, y, z = mesh:rotate({ 0, 0, 1 }, math.pi / 2):vertex(2)
    assert.is_near(0, x, 1e-15)
    assert.is_near(1, y, 1e-15)
    assert.is_near(0, z, 1e-15)
    assert.are.same({ { 0, 0, 0 }, { 1, 0, 0 } }, vertices(mesh))
    has(message(function() mesh:rotate({ 0, 0, 0 }, 1) end), "axis")
    has(message(function() mesh:rotate(1, 1) end), "mesh: rotate = 1: expected three numbers")
    has(message(function() mesh:scale(0) end), "0")
    has(message(function() mesh:translate(1, 2) end), "mesh: translate = nil: expected a finite number")
  end)
  it("is subdivided and welded", function()
    local mesh = tide.mesh.grid { columns = 2, rows = 2, width = 1, height = 1 }
    local finer = mesh:subdivide()
    assert.are.equal(9, finer.vertex_count)
    assert.are.equal(8, finer.triangle_count)
    assert.are.equal(finer:subdivide(), mesh:subdivide(2))
    local seam = tide.mesh.new {
      vertices = { { 0, 0, 0 }, { 1, 0, 0 }, { 0, 1, 0 }, { 1, 0, 0 }, { 1, 1, 0 }, { 0, 1, 0 } },
      triangles = { { 1, 2, 3 }, { 4, 5, 6 } } }
    assert.are.equal(4, seam:weld().vertex_count)
    assert.are.equal("seam", seam:check()[1].kind)
    assert.are.same({}, (seam:weld():check()))
    local _, notes = seam:weld():check()
    assert.are.equal("open surface", notes[1].kind)
    assert.are.equal(4, notes[1].count)
    has(message(function() seam:weld(-1) end), "-1")
  end)
  it("is written and read again", function()
    for _, case in ipairs {
      { "written.obj", tide.mesh.grid { columns = 3, rows = 4, width = 1, height = 1 } },
      { "written.mesh", tide.mesh.box { size = { 1, 1, 1 }, cells = { 2, 2, 2 } } },
    } do
      local path = helper.write(case[1], "")
      assert.is_true(case[2]:save(path))
      local mesh = assert(tide.mesh.load(path))
      assert.are.same(vertices(case[2]), vertices(mesh))
      assert.are.equal(case[2].triangle_count, mesh.triangle_count)
      assert.are.equal(case[2].tetrahedron_count, mesh.tetrahedron_count)
      assert.are.equal(mesh, tide.mesh.load(path))
    end
    local ok, why = tide.mesh.strand { points = 2, to = { 1, 0, 0 } }:save("nowhere/at/all.obj")
    assert.is_nil(ok)
    has(why, "nowhere/at/all.obj")
  end)
  it("is mended as it is read", function()
    -- Two squares of a strip, in millimetres: a seam, a triangle turned over, one of no area, a lone vertex.
    local path = helper.write("broken.obj", [[
v 0 0 0
v 1000 0 0
v 0 0 1000
v 1000 0 1000
v 1000 0 0
v 1000 0 1000
v 2000 0 0
v 2000 0 1000
v 9 9 9
v 0 0 500
f 1 3 2
f 2 3 4
f 5 7 6
f 7 6 8
f 3 1 10
]])
    local plain = assert(tide.mesh.load(path))
    assert.are.equal(10, plain.vertex_count)
    local kinds = {}
    for _, problem in ipairs(plain:check()) do kinds[problem.kind] = problem.count end
    assert.are.same({ ["isolated vertex"] = 1, seam = 2, ["massless vertex"] = 1, ["degenerate triangle"] = 1,
      ["mixed orientation"] = 1, ["suspicious size"] = 1 }, kinds)
    local mended = assert(tide.mesh.load(path, { scale = 0.001, fix = true }))
    assert.are.same({}, (mended:check()))
    -- The flat triangle is gone: its middle corner divides the triangle beside it, so that no edge opens.
    assert.are.equal(7, mended.vertex_count)
    assert.are.equal(5, mended.triangle_count)
    assert.are.equal(11, mended.edge_count)
    assert.are.same({ 2, 0, 1 }, { mended:vertex(6) })
    assert.are.equal(mended, tide.mesh.load(path, { scale = 0.001, fix = true }))
    assert.are.equal(plain, tide.mesh.load(path))
    assert.are.equal(6, assert(tide.mesh.load(path, { weld = 600, scale = 1 })).vertex_count)
    has(message(tide.mesh.load, path, { scale = 0 }), "mesh load: scale = 0")
    has(message(tide.mesh.load, path, { welded = 1 }), 'did you mean "weld"?')
    has(message(tide.mesh.load, path, { weld = -1 }), "mesh load: weld = -1")
    local none, why = tide.mesh.load(path, { weld = 1e6 })
    assert.is_nil(none)
    has(why, "no edge is left")
  end)
  it("is read anew when the file has changed", function()
    local path = helper.write("changing.obj", "v 0 0 0\nv 1 0 0\nl 1 2\n")
    assert.are.equal(2, assert(tide.mesh.load(path)).vertex_count)
    helper.write("changing.obj", "v 0 0 0\nv 1 0 0\nv 2 0 0\nl 1 2 3\n")
    assert.are.equal(3, assert(tide.mesh.load(path)).vertex_count)
  end)
  it("is refused out of range", function()
    local mesh = tide.mesh.strand { points = 3, to = { 1, 0, 0 } }
    has(message(function() mesh:vertex(4) end), "mesh: vertex = 4: expected a vertex from 1 to 3")
    has(message(function() mesh:edge(0) end), "mesh: edge = 0: expected an edge from 1 to 2")
    has(message(function() mesh.vertex_count = 3 end), "mesh: vertex_count: cannot be assigned")
    has(message(function() return mesh.vertices end), 'did you mean "vertex"?')
  end)
end)
