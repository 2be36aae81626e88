local helper = dofile "tests/script/helper.lua"
local tide = helper.tide

local folder = os.tmpname()
os.remove(folder)
assert(os.execute("mkdir " .. folder))

local function path(name)
  return folder .. "/" .. name
end

local function write(name, text)
  local file = assert(io.open(path(name), "wb"))
  file:write(text)
  file:close()
  return path(name)
end

describe("mesh files", function()
  teardown(function()
    os.execute("rm -r " .. folder)
  end)
  it("are read in every format", function()
    local corners = { "0 0 0", "1 0 0", "0 1 0" }
    local files = {
      write("a.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n"),
      write("a.ply", "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float z\n"
        .. "element face 1\nproperty list uchar int vertex_indices\nend_header\n" .. table.concat(corners, "\n")
        .. "\n3 0 1 2\n"),
      write("a.stl", "solid\nfacet normal 0 0 1\nouter loop\nvertex " .. table.concat(corners, "\nvertex ")
        .. "\nendloop\nendfacet\nendsolid\n"),
      write("a.mesh", "MeshVersionFormatted 2\nDimension 3\nVertices\n3\n" .. table.concat(corners, " 0\n")
        .. " 0\nTriangles\n1\n1 2 3 0\nEnd\n"),
      write("a.msh", "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n3\n1 0 0 0\n2 1 0 0\n3 0 1 0\n$EndNodes\n"
        .. "$Elements\n1\n1 2 0 1 2 3\n$EndElements\n"),
    }
    for _, file in ipairs(files) do
      local mesh = assert(tide.mesh.load(file))
      assert.are.same({ 3, 3, 1 }, { mesh.vertex_count, mesh.edge_count, mesh.triangle_count }, file)
      assert.are.same({ 1, 2, 3 }, { mesh:triangle(1) }, file)
      assert.are.same({ 0, 1, 0 }, { mesh:vertex(3) }, file)
    end
    write("b.node", "4 3 0 0\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n")
    write("b.ele", "1 4 0\n1 1 2 3 4\n")
    assert.are.equal(1, assert(tide.mesh.load(path "b.node")).tetrahedron_count)
    assert.are.equal(1, assert(tide.mesh.load(path "b.ele")).tetrahedron_count)
  end)
  it("are read again when one that belongs to them has changed", function()
    local nodes = "4 3 0 0\n1 0 0 0\n2 %d 0 0\n3 0 1 0\n4 0 0 1\n"
    write("c.node", nodes:format(1))
    write("c.ele", "1 4 0\n1 1 2 3 4\n")
    local by_node, by_element = tide.mesh.load(path "c.node"), tide.mesh.load(path "c.ele")
    assert.are.same({ 1, 0, 0 }, { by_element:vertex(2) })
    write("c.node", nodes:format(12))
    assert.are.same({ 12, 0, 0 }, { tide.mesh.load(path "c.ele"):vertex(2) })
    assert.are.same({ 12, 0, 0 }, { tide.mesh.load(path "c.node"):vertex(2) })
    write("c.ele", "2 4 0\n1 1 2 3 4\n2 1 2 3 4\n")
    local ok, why = tide.mesh.load(path "c.node")
    assert.are.equal(2, ok and ok.tetrahedron_count, why)
    assert(os.remove(path "c.ele"))
    write("c.face", "1 0\n1 1 2 3\n")
    assert.are.same({ 0, 1 }, { tide.mesh.load(path "c.node").tetrahedron_count,
      tide.mesh.load(path "c.node").triangle_count })
    assert.are.same({ 1, 1 }, { by_node.tetrahedron_count, by_element.tetrahedron_count })
  end)
  it("that are malformed are told with file and line", function()
    local name = write("c.ply", "ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\nproperty float y\n"
      .. "property float z\nelement face 1\nproperty list uchar int vertex_indices\nend_header\n0 0 0\n3 0 1 2\n")
    local mesh, message = tide.mesh.load(name)
    assert.is_nil(mesh)
    assert.are.equal(name .. ":11: PLY mesh: face vertex 1: the index is beyond the end; expected 0 to 0", message)
  end)
  it("are saved and read back the same", function()
    local grid, box = tide.mesh.grid { columns = 4, rows = 3 }, tide.mesh.box {}
    for _, mesh in ipairs { grid, box, tide.mesh.strand { points = 5 } } do
      for _, ending in ipairs { ".obj", ".ply", ".mesh" } do
        assert(mesh:save(path("d" .. ending)))
        assert.are.equal(mesh, assert(tide.mesh.load(path("d" .. ending))))
      end
    end
    local saved, message = box:save(path "d.stl")
    assert.is_nil(saved)
    local known = "expected .obj (Wavefront OBJ), .ply (PLY), .mesh (MEDIT) or .vtk (legacy VTK)"
    assert.is_truthy(message:find(known, 1, true))
  end)
  it("hold a body as it is now", function()
    local scene, cloth = helper.cloth()
    assert.are.equal(cloth.mesh, cloth:current_mesh())
    scene:step(5)
    local mesh = cloth:current_mesh()
    assert.are_not.equal(cloth.mesh, mesh)
    assert.are.equal(cloth.mesh.edge_count, mesh.edge_count)
    for i = 1, cloth.vertex_count do
      assert.are.same({ cloth:position(i) }, { mesh:vertex(i) })
    end
    assert(mesh:save(path "now.ply"))
    assert.are.equal(mesh, assert(tide.mesh.load(path "now.ply")))
    scene:step(1)
    assert.are_not.same({ cloth:position(20) }, { mesh:vertex(20) }) -- a copy
  end)
end)
