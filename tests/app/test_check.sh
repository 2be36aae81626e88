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
