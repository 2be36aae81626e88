#!/usr/bin/env bash
# Mesh files that python3-meshio wrote are read as it was given them, and what is saved here is read by it.
# Only in the release build.
. "$(dirname "$0")/../app/checks.sh"
export LUA_CPATH="$build/?.so;;"

python=
for candidate in /usr/bin/python3 python3; do
    if "$candidate" -c 'import meshio' 2>/dev/null; then
        python=$candidate
        break
    fi
done
passes "python3-meshio is installed (scripts/setup.sh --tests does it)" test -n "$python"
[ -n "$python" ] || finish

# Writes each mesh in each format that can hold it, and the expected content of each file as Lua.
cat >write.py <<'PYTHON'
import logging
import sys
import meshio
import numpy as np

logging.disable(logging.CRITICAL)
meshio._common.warn = lambda *a, **k: None
random = np.random.default_rng(5)


def grid_points(n):
    axes = np.meshgrid(range(n), range(n), range(n), indexing="ij")
    points = np.stack([a.ravel() for a in axes], axis=1).astype(float)
    return points + 0.2 * random.random(points.shape) - 0.1


def index(n, i, j, k):
    return (i * n + j) * n + k


def cubes(n):
    cells = []
    for i in range(n - 1):
        for j in range(n - 1):
            for k in range(n - 1):
                cells.append([index(n, i + a, j + b, k + c) for a, b, c in
                              [(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0), (0, 0, 1), (1, 0, 1), (1, 1, 1), (0, 1, 1)]])
    return np.array(cells)


def tetrahedra(points, n):
    # Six around the diagonal of each cube, of positive volume.
    cells = []
    for c in cubes(n):
        for a, b in [(1, 2), (2, 3), (3, 7), (7, 4), (4, 5), (5, 1)]:
            cells.append([c[0], c[a], c[b], c[6]])
    for t in cells:
        p = points[t]
        if np.linalg.det(p[1:] - p[0]) < 0:
            t[0], t[1] = t[1], t[0]
    return np.array(cells)


def surface(tets):
    faces = {}
    for t in tets:
        for face in [(0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3)]:
            corners = [t[i] for i in face]
            faces.setdefault(tuple(sorted(corners)), []).append(corners)
    return [f[0] for f in faces.values() if len(f) == 1]


def turned(corners):
    corners = [int(c) for c in corners]
    least = corners.index(min(corners))
    return corners[least:] + corners[:least]


def expected(mesh):
    lines, triangles, tets = [], [], []
    for block in mesh.cells:
        for corners in block.data:
            if block.type == "line":
                lines.append(corners)
            elif block.type == "triangle":
                triangles.append(corners)
            elif block.type == "quad":
                triangles += [corners[[0, 1, 2]], corners[[0, 2, 3]]]
            elif block.type == "tetra":
                tets.append(corners)
    if tets and not triangles:
        triangles = surface(tets)
    edges = {tuple(sorted(map(int, l))) for l in lines}
    for corners in list(triangles) + tets:
        edges |= {tuple(sorted((int(a), int(b)))) for a in corners for b in corners if a < b}
    return (sorted(map(list, edges)), sorted(map(turned, triangles)), sorted(sorted(map(int, t)) for t in tets))


def lua_list(rows, form):
    return "{" + ",".join("{" + ",".join(form % x for x in row) + "}" for row in rows) + "}"


n = 4
points = grid_points(n)
tets = tetrahedra(points, n)
sides = np.array(surface(tets))
used = np.unique(sides)
renumber = {int(v): i for i, v in enumerate(used)}
hull = np.vectorize(lambda v: renumber[int(v)])(sides)
flat = np.array([[i, 0.5 * np.sin(i + j), j] for i in range(5) for j in range(5)], float)
quads = np.array([[5 * i + j, 5 * i + 5 + j, 5 * i + 6 + j, 5 * i + 1 + j] for i in range(4) for j in range(4)])
top = cubes(n)[:, 4:]
many = [("line", [[0, 63], [1, 62], [1, 5]]), ("triangle", sides[:20]), ("quad", top[:9]), ("tetra", tets[:50])]
with_prism = many + [("wedge", [[0, 1, 4, 16, 17, 20]]), ("vertex", [[3]])]
meshes = {
    "tetrahedra": meshio.Mesh(points, [("tetra", tets)]),
    "triangles": meshio.Mesh(points[used], [("triangle", hull)]),
    "quads": meshio.Mesh(flat, [("quad", quads)]),
    "faces": meshio.Mesh(flat, [("triangle", [[0, 5, 1], [1, 5, 6]]), ("quad", quads[1:])]),
    "mixed": meshio.Mesh(points, many),
    "skipped": meshio.Mesh(points, with_prism),
    "lines": meshio.Mesh(points[:9], [("line", [[i, i + 1] for i in range(8)])]),
}
with_data = meshio.Mesh(points, [("tetra", tets)], point_data={"heat": points[:, 0].copy(), "way": points.copy()},
                        cell_data={"part": [np.arange(len(tets), dtype=np.int32)]})
with_numbers = meshio.Mesh(points, [("tetra", tets)], point_data={"heat": points[:, 0].copy()},
                           cell_data={"part:ref": [np.arange(len(tets))]})
surfaces = ["triangles", "quads", "faces"]
everything = ["tetrahedra", "triangles", "quads", "faces", "mixed", "skipped", "lines"]
formats = [
    ("obj", "obj", {}, surfaces, 1e-7),
    ("ply-text", "ply", {"binary": False}, surfaces, 0),
    ("ply-bytes", "ply", {"binary": True}, surfaces, 0),
    ("stl-text", "stl", {"binary": False}, ["triangles"], 0),
    ("stl-bytes", "stl", {"binary": True}, ["triangles"], 1e-6),
    ("medit", "medit", {}, [m for m in everything if m != "skipped"], 0),
    ("tetgen", "tetgen", {}, ["tetrahedra"], 0),
    ("gmsh22", "gmsh22", {"binary": False}, everything, 0),
    ("gmsh41", "gmsh", {"binary": False}, everything, 0),
]
endings = {"obj": ".obj", "ply": ".ply", "stl": ".stl", "medit": ".mesh", "tetgen": ".node", "gmsh22": ".msh",
           "gmsh": ".msh"}
cases = open("cases.lua", "w")
cases.write("return {\n")


def case(name, file, mesh, tolerance, joined=False):
    lines, triangles, tets = expected(mesh)
    cases.write("{ name = %r, file = %r, tolerance = %g, joined = %s,\n points = %s,\n edges = %s,\n triangles = %s,\n"
                " tetrahedra = %s },\n" % (name, file, tolerance, "true" if joined else "false",
                                           lua_list(mesh.points, "%.17g"), lua_list(lines, "%d"),
                                           lua_list(triangles, "%d"), lua_list(tets, "%d")))


for label, form, options, names, tolerance in formats:
    data = [("data", with_data)] if form in ("gmsh22", "gmsh") else []
    if form == "tetgen":
        data = [("numbers", with_numbers)]
    for name, mesh in [(name, meshes[name]) for name in names] + data:
        file = "%s-%s%s" % (label, name, endings[form])
        copy = mesh.copy()
        several = form == "gmsh" and len(mesh.cells) > 1
        if several:
            # The nodes of two entities: the file has them in another order, their tags out of order.
            copy.point_data["gmsh:dim_tags"] = np.array([[3, 1 + i % 2] for i in range(len(mesh.points))])
            for tag in ["gmsh:geometrical", "gmsh:physical"]:
                copy.cell_data[tag] = [np.full(len(b.data), k) for k, b in enumerate(mesh.cells, 1)]
        meshio.write(file, copy, file_format=form, **options)
        case("%s: %s" % (label, name), file, mesh, tolerance, form == "stl" or several)
        if form == "tetgen":
            case("%s: %s by its .ele" % (label, name), file.replace(".node", ".ele"), mesh, tolerance)
cases.write("}\n")
PYTHON
passes "meshio writes its files" "$python" write.py 2>write.err
grep -v '^Warning: ' write.err | sed 's/^/# /'

cat >compare.lua <<'LUA'
local tide = require "springtide"

local function key(list)
  return table.concat(list, " ")
end

-- The tuples of a mesh as sorted texts, indices from 0; `turned`: beginning with the least, else ascending.
local function tuples(count, get, map, turned)
  local found = {}
  for i = 1, count do
    local t = { get(i) }
    for k, v in ipairs(t) do
      t[k] = map[v]
    end
    if turned then
      while math.min(table.unpack(t)) ~= t[1] do
        table.insert(t, table.remove(t, 1))
      end
    else
      table.sort(t)
    end
    found[i] = key(t)
  end
  table.sort(found)
  return found
end

local function same(found, expected)
  local list = {}
  for i, t in ipairs(expected) do
    list[i] = key(t)
  end
  table.sort(list)
  return #found == #list and table.concat(found, ",") == table.concat(list, ",")
end

local function distance(mesh, i, p)
  local x, y, z = mesh:vertex(i)
  return math.max(math.abs(x - p[1]), math.abs(y - p[2]), math.abs(z - p[3]))
end

-- Which of the expected points each vertex is, from 0; files that join points number them anew.
local function match(mesh, case)
  local map = {}
  if mesh.vertex_count ~= #case.points then
    return nil, ("%d vertices, expected %d"):format(mesh.vertex_count, #case.points)
  end
  for i = 1, mesh.vertex_count do
    local found = not case.joined and i or nil
    for j = 1, case.joined and #case.points or 0 do
      if distance(mesh, i, case.points[j]) <= case.tolerance then
        found = j
      end
    end
    if not found or distance(mesh, i, case.points[found]) > case.tolerance then
      return nil, ("vertex %d is elsewhere"):format(i)
    end
    map[i] = found - 1
  end
  return map
end

local function compare(case)
  local mesh, message = tide.mesh.load(case.file)
  if not mesh then
    return message
  end
  local map, difference = match(mesh, case)
  if not map then
    return difference
  end
  local get = function(name)
    return function(i)
      return mesh[name](mesh, i)
    end
  end
  if not same(tuples(mesh.edge_count, get "edge", map), case.edges) then
    return "other edges"
  elseif not same(tuples(mesh.triangle_count, get "triangle", map, true), case.triangles) then
    return "other triangles"
  elseif not same(tuples(mesh.tetrahedron_count, get "tetrahedron", map), case.tetrahedra) then
    return "other tetrahedra"
  end
  -- Our own writers: read back the same here, and for meshio below.
  for _, ending in ipairs { ".obj", ".ply", ".mesh", ".vtk" } do
    local path = "saved-" .. case.file:gsub("%.", "-") .. ending
    assert(mesh:save(path))
    if ending ~= ".vtk" and assert(tide.mesh.load(path)) ~= mesh then
      return "saved as " .. ending .. " it is another"
    end
  end
end

local failures = 0
for _, case in ipairs(dofile "cases.lua") do
  local difference = compare(case)
  print((difference and "not ok - " or "ok - ") .. case.name)
  if difference then
    print("# " .. case.file .. ": " .. difference)
    failures = failures + 1
  end
end
os.exit(failures == 0)
LUA
lua5.4 compare.lua >compared.txt 2>&1
status=$?
cat compared.txt
checks=$((checks + $(grep -Ec '^(not )?ok' compared.txt)))
failures=$((failures + $(grep -c '^not ok' compared.txt)))
passes "all files were compared" test $status -le 1 -a "$(grep -Ec '^(not )?ok' compared.txt)" -ge 37

# meshio reads every case's first saved copies as the same points and cells. It knows PLY of faces only.
cat >read.py <<'PYTHON'
import glob
import logging
import meshio
import numpy as np

logging.disable(logging.CRITICAL)


def cells(mesh, kind):
    blocks = [b.data for b in mesh.cells if b.type == kind]
    return np.concatenate(blocks) if blocks else np.zeros((0, 0), int)


count = 0
for path in sorted(glob.glob("saved-*.vtk")):
    base = meshio.read(path)
    others = [path[:-4] + ".mesh"]
    if not len(cells(base, "tetra")):
        others.append(path[:-4] + ".obj")
        if not len(cells(base, "line")):
            others.append(path[:-4] + ".ply")
    for other in others:
        mesh = meshio.read(other)
        assert np.array_equal(mesh.points, base.points), other
        for kind in ["triangle", "tetra"]:
            a, b = cells(mesh, kind), cells(base, kind)
            assert len(a) == len(b) and (not len(a) or np.array_equal(a, b)), (other, kind)
        count += 1
print(count)
PYTHON
seen=$("$python" read.py 2>read.err | tail -n 1)
passes "meshio reads what was saved" test "${seen:-0}" -ge 80
[ "${seen:-0}" -ge 80 ] || { echo "# $seen files"; sed 's/^/# /' read.err | tail -5; }
finish
