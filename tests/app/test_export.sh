#!/usr/bin/env bash
# `run --export`: sequences of meshes in every format, in one file or one a body.
. "$(dirname "$0")/checks.sh"
write_cloth cloth.lua

for ending in obj ply mesh vtk; do
    run run cloth.lua --headless --frames 3 --export "$ending/cloth-%04d.$ending"
    equals "$ending: status" "$status" 0
    equals "$ending: a file a frame" "$(ls $ending | xargs)" "$(printf "cloth-%04d.$ending " 1 2 3 | xargs)"
    fails "$ending: frames differ" cmp -s "$ending/cloth-0001.$ending" "$ending/cloth-0003.$ending"
    run run cloth.lua --headless --frames 3 --export "$ending/%s/%d.$ending"
    equals "$ending: a folder a body: status" "$status" 0
    equals "$ending: a file a body and frame" "$(cd $ending && echo */*.$ending)" \
        "$(for name in cloth rope; do for i in 1 2 3; do echo "$name/$i.$ending"; done; done | xargs)"
    [ $ending != vtk ] || continue # which is only written
    run check "$ending/cloth-0003.$ending"
    equals "$ending: read again: status" "$status" 0
    passes "$ending: vertices of both bodies" grep -Eq "vertices +$((9 * 7 + 5))\$" .out
    passes "$ending: triangles of the cloth" grep -Eq 'triangles +96$' .out
    passes "$ending: edges of both" grep -Eq "edges +$((8 * 7 + 9 * 6 + 48 + 4))\$" .out
    run check "$ending/rope/2.$ending"
    passes "$ending: the rope alone" grep -Eq 'vertices +5$' .out
done
equals "vtk: the positions of MEDIT" "$(awk '/^POINTS/ { n = $2; next } n-- > 0' vtk/cloth-0003.vtk)" \
    "$(awk '/^Vertices/ { getline n; next } n-- > 0 { print $1, $2, $3 }' mesh/cloth-0003.mesh)"
passes "vtk: elements of both bodies" grep -q "^CELLS $((8 * 7 + 9 * 6 + 48 + 4 + 96)) " vtk/cloth-0003.vtk
equals "obj: an object for each body" "$(grep '^o ' obj/cloth-0003.obj | xargs)" "o cloth o rope"
equals "obj: one object for a body" "$(grep '^o ' obj/rope/3.obj | xargs)" "o rope"
equals "obj: lines count from 1 in a file of its own" "$(grep '^l ' obj/rope/3.obj | xargs)" "l 1 2 l 2 3 l 3 4 l 4 5"

# The file holds the exact positions: the same scene, stepped to that frame, has the same bits.
write_cloth_with exact.lua '
local function compare(ending)
  local whole = assert(tide.mesh.load(ending .. "/cloth-0003." .. ending))
  local first = 0
  for _, name in ipairs { "cloth", "rope" } do
    local body = scene:body(name)
    local alone = assert(tide.mesh.load(("%s/%s/3.%s"):format(ending, name, ending)))
    assert(alone.vertex_count == body.vertex_count)
    for i = 1, body.vertex_count do
      local x, y, z = body:position(i)
      for _, mesh in ipairs { alone, whole } do
        local u, v, w = mesh:vertex(mesh == whole and first + i or i)
        assert(x == u and y == v and z == w, ending)
      end
    end
    first = first + body.vertex_count
  end
end
function scene.update()
  if scene.frame == 3 then
    compare "ply"
    compare "mesh"
    print "compared"
  end
end'
run run exact.lua --headless --frames 4
equals "positions are exact: status" "$status" 0
equals "positions are exact" "$out$err" compared

# Volumes: tetrahedra are written, and a frame differs from another in its positions only.
cat >box.lua <<'LUA'
local tide = require "springtide"
local scene = tide.scene { timestep = 1 / 60 }
scene:body("a/b: c", { mesh = tide.mesh.box { size = { 1, 1, 1 }, cells = { 2, 1, 1 } }, mass = 1, stiffness = 100 })
scene:body("..", { mesh = tide.mesh.strand { points = 2 }, mass = 1, stiffness = 100 })
return scene
LUA
run run box.lua --headless --frames 2 --export boxes/%d.vtk
equals "a volume: status" "$status" 0
equals "a volume: cells of the frames" "$(sed -n '/^CELLS/,/^POINT_DATA/p' boxes/1.vtk)" \
    "$(sed -n '/^CELLS/,/^POINT_DATA/p' boxes/2.vtk)"
equals "a volume: tetrahedra" "$(grep -c '^10$' boxes/2.vtk)" 10
run run box.lua --headless --frames 2 --export 'names/%s.ply'
equals "names that a path must not have: status" "$status" 0
equals "names that a path must not have" "$(cd names && find . -type f | sort | xargs)" "./%2E..ply ./a%2Fb%3A%20c.ply"

# A body that carries a fine surface is written as it is drawn: the surface, where it is now.
cat >skin.lua <<'LUA'
local tide = require "springtide"
local scene = tide.scene { timestep = 1 / 60 }
local fine = tide.mesh.sphere { radius = 0.4, subdivisions = 2 }
local body = scene:body("ball", { mesh = tide.mesh.box { size = { 1, 1, 1 }, cells = { 2, 2, 2 } }, mass = 1,
  stiffness = 100, surface = fine })
scene:body("rope", { mesh = tide.mesh.strand { points = 5 }, mass = 1, stiffness = 100 }):pin { 1 }
function scene.update()
  if scene.frame == 3 then
    local now = body:current_surface()
    local function compare(path)
      local mesh = assert(tide.mesh.load(path))
      for i = 1, fine.vertex_count do
        local x, y, z = now:vertex(i)
        local u, v, w = mesh:vertex(i)
        assert(math.abs(x - u) + math.abs(y - v) + math.abs(z - w) < 1e-8, path)
      end
      return mesh
    end
    for _, ending in ipairs { "obj", "ply", "mesh" } do
      local mesh = compare(("skin/ball-3.%s"):format(ending))
      assert(mesh.vertex_count == fine.vertex_count and mesh.triangle_count == fine.triangle_count)
      assert(mesh.tetrahedron_count == 0)
      assert(compare(("skin/3.%s"):format(ending)).vertex_count == fine.vertex_count + 5)
    end
    print "compared"
  end
end
return scene
LUA
for ending in obj ply mesh; do
    run run skin.lua --headless --frames 3 --export "skin/%s-%d.$ending"
    equals "a fine surface: $ending: status" "$status" 0
    run run skin.lua --headless --frames 3 --export "skin/%d.$ending"
    equals "a fine surface: $ending, one file: status" "$status" 0
done
run run skin.lua --headless --frames 4
equals "a fine surface is where it is drawn: status" "$status" 0
equals "a fine surface is where it is drawn" "$out$err" compared

run run cloth.lua --headless --frames 4 --export last.ply
equals "without a number, the last frame: status" "$status" 0
run run cloth.lua --headless --frames 4 --export 'all-%d.ply'
passes "without a number, the last frame" cmp -s last.ply all-4.ply

expected="expected a name that ends in .obj, .ply, .mesh or .vtk, like out/%04d.ply"
refused "another format" "--export = a.stl: $expected" run cloth.lua --headless --export a.stl
refused "no name" "$expected" run cloth.lua --headless --export out/.ply
directives="expected at most one number of the frame, %d or %04d, one %s for the body's name, and no other %"
refused "two numbers" "$directives" run cloth.lua --headless --export '%d-%d.ply'
refused "two names" "$directives" run cloth.lua --headless --export '%s-%s.ply'
refused "a precision" "$directives" run cloth.lua --headless --export '%.3d.ply'
refused "a width of a name" "$directives" run cloth.lua --headless --export '%4s.ply'
refused "a lone %" "$directives" run cloth.lua --headless --export '100%.ply'
refused "pictures have no names of bodies" "expected at most one number of the frame, %d or %04d, and no other %" \
    run cloth.lua --headless --png '%s-%d.png'

mkdir blocked.ply
run run cloth.lua --headless --frames 1 --export blocked.ply
equals "a file that cannot be written: status" "$status" 1
contains "a file that cannot be written" "$err" 'mesh file "blocked.ply": a folder has this name'
echo 'local tide = require "springtide"; return tide.scene {}' >empty.lua
run run empty.lua --headless --frames 1 --export empty.ply
equals "no body: status" "$status" 1
contains "no body" "$err" "empty.ply: the scene has no body, and this format needs one"
finish
