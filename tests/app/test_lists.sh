#!/usr/bin/env bash
# `solvers`, `meshes`, `shapes`, `elements`, `materials` and `reference`: output of the field tables.
. "$(dirname "$0")/checks.sh"

run solvers
equals "solvers: status" "$status" 0
for solver in local_global symplectic_euler; do
    passes "solvers lists $solver" grep -q "^$solver" .out
done
passes "solvers tells the options" grep -Eq '^ +iterations +integer +[0-9]+ +.*[a-z]' .out
passes "solvers has a heading" grep -Eq '^ +option +type +default +range +meaning' .out
passes "no line ends in a space" test -z "$(grep ' $' .out)"

# A record's own fields follow it, by names with a dot.
passes "a field with a dot comes after its record" awk '
    /^ +[a-z_]+[.][a-z_]+ / { split($1, name, "."); bad += name[1] != record; next }
    { record = $2 == "string|table" ? $1 : "" }
    END { exit bad > 0 }' .out

run solvers symplectic_euler
contains "solvers NAME: that one" "$out" symplectic_euler
fails "solvers NAME: no other" grep -q '^local_global' .out

run meshes
equals "meshes: status" "$status" 0
for builder in grid strand box; do
    passes "meshes lists $builder" grep -qx "$builder" .out
done
passes "meshes tells choices" grep -q 'alternating' .out
passes "meshes tells units" grep -Eq '^ +width .* m\b' .out

run shapes
equals "shapes: status" "$status" 0
for shape in plane sphere mesh heightfield distance; do
    passes "shapes lists $shape" grep -qx "$shape" .out
done
run shapes spere
equals "shapes NAME unknown: status" "$status" 2

run elements
equals "elements: status" "$status" 0
for element in spring area_spring; do
    passes "elements lists $element" grep -qx "$element" .out
done
fails "elements lists no kind that scenes cannot make" grep -qx anchor .out
passes "elements tells what every kind has" grep -Eq '^ +on +string .*edges' .out
run materials
equals "materials: status" "$status" 0
passes "materials lists solid" grep -qx "solid" .out
run materials solid
passes "materials NAME tells the options" grep -Eq '^ +young +number +required' .out
run elements area_spring
passes "elements NAME tells the parameters" grep -Eq '^ +rest_area +number +the mesh' .out

# Every option that is listed with a default can be given with it.
cat >empty.lua <<'LUA'
local tide = require "springtide"
return tide.scene { title = "Empty" }
LUA
springtide solvers | awk '/^[a-z]/ { solver = $1 }
    /^ +[a-z_.]+ +(integer|number|boolean|string)[^ ]* +[0-9tf"][^ ]*  / { gsub("\"", "", $3); print solver "," $1 "=" $3 }' >listed
passes "there are solver options" test -s listed
while read -r words; do
    run run empty.lua --headless --frames 1 --solver "$words"
    equals "--solver $words" "$status" 0
done <listed

run reference out/page.md
equals "reference: status" "$status" 0
for word in local_global symplectic_euler grid strand box stiffness timestep; do
    passes "the page tells of $word" grep -q "$word" out/page.md
done
run reference out/library.lua
equals "annotations: status" "$status" 0
passes "annotations are Lua" grep -q -- '---@' out/library.lua
finish
