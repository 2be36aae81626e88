#!/usr/bin/env bash
# `check`: the mesh doctor on good and bad files.
. "$(dirname "$0")/checks.sh"

cat >square.obj <<'OBJ'
v 0 0 0
v 1 0 0
v 1 1 0
v 0 1 0
f 1 2 3 4
OBJ
run check square.obj
equals "a good mesh: status" "$status" 0
equals "a good mesh: no error" "$err" ""
passes "vertices" grep -Eq 'vertices +4$' .out
passes "triangles" grep -Eq 'triangles +2$' .out
passes "edges" grep -Eq 'edges +5$' .out
contains "size" "$out" "1 x 1 x 0 m"
contains "no problem" "$out" "no problem found"

cat >tetrahedron.mesh <<'MESH'
MeshVersionFormatted 1
Dimension 3
Vertices
4
0 0 0 0
1 0 0 0
0 1 0 0
0 0 1 0
Tetrahedra
1
1 2 3 4 0
End
MESH
run check tetrahedron.mesh
equals "a tetrahedron: status" "$status" 0
contains "a tetrahedron: its volume" "$out" "0.1667 m^3"

{ cat square.obj; echo "v 5 5 5"; } >isolated.obj
run check isolated.obj
equals "an isolated vertex: status" "$status" 1
passes "an isolated vertex: named, an error" grep -Eq '^error: .*\b5\b' .out

cat >long.obj <<'OBJ'
v 0 0 0
v 1000 0 0
v 0 1000 0
f 1 2 3
OBJ
run check long.obj
equals "a suspicious size is no failure: status" "$status" 0
passes "a suspicious size: a warning" grep -q '^warning: ' .out

# Mending: a square of two halves that share nothing, one of them turned, with a lone vertex, in millimetres.
cat >broken.obj <<'OBJ'
v 0 0 0
v 1000 0 0
v 1000 1000 0
v 1000 1000 0
v 0 1000 0
v 0 0 0
v 5 5 5
f 1 2 3
f 4 6 5
OBJ
run check broken.obj
equals "a broken mesh: status" "$status" 1
contains "a broken mesh: the seam" "$out" "warning: a seam of 2 vertices is not welded: vertex 4 at (1000, 1000, 0) is where vertex 3 is"
contains "a broken mesh: the rim is a note" "$out" "note: the surface is open: 6 edges"
contains "a broken mesh: two pieces" "$out" "note: the mesh is in 2 pieces"
run check broken.obj --fix
equals "mending to no file: status" "$status" 2
contains "mending to no file: what is missing" "$err" "-o OUT"
run check broken.obj --weld 0.1
equals "welding to no file: status" "$status" 2
run check broken.obj --fix --scale 0.001 -o mended/whole.mesh
equals "no such folder: status" "$status" 1
contains "no such folder: message" "$err" "mended/whole.mesh"
run check broken.obj --fix --scale 0.001 -o whole.mesh
equals "mending: status" "$status" 0
contains "mending: joined" "$out" "mended: 2 vertices joined"
contains "mending: dropped" "$out" "mended: 1 vertex that nothing uses dropped"
contains "mending: turned" "$out" "mended: 1 triangle turned"
contains "mending: the result" "$out" "no problem found"
run check whole.mesh
equals "the mended mesh: status" "$status" 0
passes "the mended mesh: vertices" grep -Eq 'vertices +4$' .out
passes "the mended mesh: edges" grep -Eq 'edges +5$' .out
contains "the mended mesh: size" "$out" "size        1 x 1 x 0 m"
run check whole.mesh --fix -o same.mesh
equals "nothing to mend: status" "$status" 0
contains "nothing to mend: it says so" "$out" "nothing to mend"
passes "nothing to mend: the same" cmp -s whole.mesh same.mesh
run check broken.obj --weld 1e9 -o nothing.mesh
equals "nothing would be left: status" "$status" 1
contains "nothing would be left: message" "$err" "no edge is left"
run check broken.obj --weld -1 -o nothing.mesh
equals "a negative distance: status" "$status" 2
contains "a negative distance: message" "$err" "weld"
run check broken.obj --fixx -o nothing.mesh
contains "a misspelt option" "$err" "did you mean --fix?"

{ cat square.obj; echo "f 1 2 9"; } >index.obj
run check index.obj
equals "an index out of range: status" "$status" 1
contains "an index out of range: line" "$err" "index.obj:6"
printf 'v 0 0\n' >short.obj
run check short.obj
equals "a malformed line: status" "$status" 1
contains "a malformed line: line" "$err" "short.obj:1"
run check nothing.obj
equals "no such file: status" "$status" 1
contains "no such file: message" "$err" "nothing.obj"
cp square.obj square.stl
run check square.stl
equals "an unknown format: status" "$status" 1
contains "an unknown format: message" "$err" "square.stl"
head -c 4096 /dev/urandom >noise.obj
run check noise.obj
equals "noise: status" "$status" 1
finish
