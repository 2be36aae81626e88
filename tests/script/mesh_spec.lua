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
    assert.are.equal("duplicate vertex", seam:check()[1].kind)
    assert.are.same({}, seam:weld():check())
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
