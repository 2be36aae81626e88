#!/usr/bin/env bash
# `run --export`: velocities, stresses, tensions and strains in .vtk, .ply and .obj, read by meshio and against formulas.
# Only in the release build.
. "$(dirname "$0")/../app/checks.sh"
python=
for candidate in /usr/bin/python3 python3; do
    if "$candidate" -c 'import meshio' 2>/dev/null; then
        python=$candidate
        break
    fi
done
passes "python3-meshio is installed (scripts/setup.sh --tests does it)" test -n "$python"
[ -n "$python" ] || finish

# A chain that hangs, a solid that stands, a body with a fine surface, a membrane, and single points.
cat >scene.lua <<'LUA'
local tide = require "springtide"
local scene = tide.scene { timestep = 1 / 60, solver = { "newton", iterations = 20 } }
scene:body("chain", { mesh = tide.mesh.strand { points = 4, from = { 0, 0, 0 }, to = { 0, -3, 0 } }, mass = 0.4,
  stiffness = 100 }):pin { 1 }
scene:body("solid", { mesh = tide.mesh.box { size = { 1, 1, 1 }, cells = { 1, 1, 1 } }:translate(5, 0, 0), density = 1000,
  solid = { young = 1e6, poisson = 0.3 } }):pin(function(_, _, y) return y < 0 end)
scene:body("fine", { mesh = tide.mesh.box { size = { 1, 1, 1 } }:translate(8, 0, 0), mass = 1, stiffness = 100,
  surface = tide.mesh.sphere { radius = 0.4, subdivisions = 1 }:translate(8, 0, 0) })
scene:body("sail", { mesh = tide.mesh.grid { columns = 3, rows = 3 }:translate(11, 0, 0), area_density = 0.2,
  membrane = { model = "stvk", young = 1e5, poisson = 0.3, thickness = 1e-3 } }):pin { 1, 3, 7, 9 }
scene:body("points", { mesh = tide.mesh.new { vertices = { { -3, 3, 0 }, { -4, 3, 0 } } }, mass = 1, springs = {} })
scene.drag = 2
return scene
LUA
for ending in vtk ply obj; do
    run run scene.lua --headless --frames 400 --export "last.$ending" --hash
    equals "$ending: status" "$status" 0
    hashes+=("$out")
done
equals "what is exported changes no state" "${hashes[*]}" "${hashes[0]} ${hashes[0]} $(springtide run scene.lua --headless --frames 400 --hash)"
run run scene.lua --headless --frames 400 --threads 1 --export again.vtk
passes "the same bytes in another run" cmp -s last.vtk again.vtk
run run scene.lua --headless --frames 1 --export first.vtk
equals "all frames have the same arrays and cells" "$(grep -E '^[A-Za-z]' first.vtk)" "$(grep -E '^[A-Za-z]' last.vtk)"

cat >read.py <<'PYTHON'
import logging
import re
import struct
import meshio
import numpy as np

logging.disable(logging.CRITICAL)
mesh = meshio.read("last.vtk")
assert set(mesh.point_data) >= {"velocity", "stress", "tension"}, set(mesh.point_data)
assert set(mesh.cell_data) == {"tension", "strain", "stress"}, set(mesh.cell_data)
blocks = [b.type for b in mesh.cells]
assert blocks == ["line", "triangle", "tetra"], blocks
tension, strain, stress = (mesh.cell_data[name] for name in ("tension", "strain", "stress"))
# The links of the chain carry 3, 2 and 1 masses of 0.1 kg below them; k = 100 N/m, rest length 1 m.
hanging = 9.81 * 0.1 * np.array([3, 2, 1])
assert np.allclose(tension[0][:3], hanging, rtol=1e-4), tension[0][:3]
assert np.allclose(strain[0][:3], hanging / 100, rtol=1e-4)
assert np.allclose(mesh.point_data["tension"][:4], [hanging[0], hanging[0], hanging[1], hanging[2]], rtol=1e-4)
assert (tension[0][3:] == 0).all() and (tension[1] == 0).all() and (tension[2] == 0).all()
assert (stress[0] == 0).all()
solid = [i for i, c in enumerate(mesh.cells[2].data) if (mesh.points[c][:, 0] < 6).all()]
assert len(solid) == 5 and (stress[2][solid] > 100).all() and (stress[2][solid] < 5e4).all()
triangles = mesh.cells[1].data
sail = [i for i, c in enumerate(triangles) if (mesh.points[c][:, 0] > 10).all()]
assert len(sail) == 8 and (stress[1][sail] > 0).any()
rest = sorted(set(range(len(triangles))) - set(sail))
assert (stress[1][rest] == 0).all()
# The points fall with a drag of 2/s: v -> -g / drag, by the steps of implicit Euler.
velocity = mesh.point_data["velocity"]
h, v = 1 / 60, 0.0
for _ in range(400):
    v = np.exp(-2 * h) * v - 9.81 * h
assert np.allclose(velocity[-2:], [0, v, 0], rtol=1e-9), velocity[-2:]
# The fine surface falls as the body that carries it.
fine = (mesh.points[:, 0] > 6.5) & (mesh.points[:, 0] < 9.5)
assert fine.sum() == 42 and np.allclose(velocity[fine], [0, v, 0], rtol=1e-6), velocity[fine][:2]

# .ply: the header says what the bytes are.
data = open("last.ply", "rb").read()
head, body = data.split(b"end_header\n", 1)
elements = []
for line in head.decode().splitlines():
    words = line.split()
    if words[0] == "element":
        elements.append((words[1], int(words[2]), []))
    elif words[0] == "property":
        elements[-1][2].append(words[1:])
at, found = 0, {}
for name, count, properties in elements:
    rows = []
    for _ in range(count):
        row = []
        for p in properties:
            if p[0] == "list":
                corners = body[at]
                row.append(struct.unpack_from("<%di" % corners, body, at + 1))
                at += 1 + 4 * corners
            else:
                size = {"double": 8, "int": 4}[p[0]]
                row.append(struct.unpack_from({"double": "<d", "int": "<i"}[p[0]], body, at)[0])
                at += size
        rows.append(row)
    found[name] = ([p[-1] for p in properties], rows)
assert at == len(body)


def column(element, name):
    names, rows = found[element]
    return np.array([row[names.index(name)] for row in rows])


for k, axis in enumerate("xyz"):
    assert np.array_equal(column("vertex", axis), mesh.points[:, k])
    assert np.array_equal(column("vertex", "v" + axis), velocity[:, k])
assert np.array_equal(column("vertex", "stress"), mesh.point_data["stress"].ravel())
assert np.array_equal(column("vertex", "tension"), mesh.point_data["tension"].ravel())
assert np.array_equal(column("edge", "tension"), tension[0].ravel())
assert np.array_equal(column("edge", "strain"), strain[0].ravel())
assert np.array_equal(column("face", "stress"), stress[1].ravel())
assert np.array_equal(column("tetrahedron", "stress"), stress[2].ravel())

# .obj: a comment for each vertex.
lines = [line.split()[2:] for line in open("last.obj") if line.startswith("# velocity ")]
assert np.allclose(np.array(lines, float), velocity, rtol=1e-8, atol=1e-300)
print("read")
PYTHON
equals "meshio and the formulas agree" "$("$python" read.py 2>&1 | tail -4)" read
run check last.ply
passes ".ply is read again: vertices" grep -Eq 'vertices +65$' .out
passes ".ply is read again: edges" grep -Eq 'edges +157$' .out
finish
