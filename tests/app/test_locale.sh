#!/usr/bin/env bash
# Only in the release build.
# A host with a decimal comma: what scenes say in numbers is read and written as anywhere else.
. "$(dirname "$0")/checks.sh"
export LOCPATH=$folder/locales LUA_CPATH="$build/?.so;;"
export LUA_PATH="$root/scripts/?.lua;$root/scripts/?/init.lua;;"
mkdir locales
passes "a locale with a decimal comma is made" localedef -i de_DE -f UTF-8 locales/de_DE.UTF-8

cat >scene.lua <<'LUA'
local tide = require "springtide"
assert(tostring(0.5) == "0.5" and ("%g"):format(0.25) == "0.25", "the scene sees the host's locale")
local tolerance = tide.param("tolerance", 0.001)
local scene = tide.scene { timestep = 1 / 60, solver = { "lbfgs", tolerance = tolerance } }
scene:body("cloth", { mesh = tide.mesh.grid { columns = 3, rows = 3, width = 0.7 }, mass = 0.5, stiffness = 10.25 }):pin { 1 }
function scene.update() scene.state.text = tostring(scene.time) end
return scene
LUA
cat >host.lua <<'LUA'
assert(os.setlocale(arg[1]))
local tide = require "springtide"
local scene = assert(tide.load("scene.lua", { set = { tolerance = 0.0025 }, solver = "lbfgs,tolerance=0.001" }))
assert(scene:step(3))
io.write(scene:hash(), "\n", scene.solver.tolerance * 1000 // 1 | 0, "\n")
local own = tide.scene { solver = { "lbfgs", tolerance = 0.003 }, timestep = 0.01 }
io.write(own.solver.tolerance * 1000 // 1 | 0, "\n")
assert(tide.mesh.grid({ columns = 2, rows = 2, width = 0.5 }):save(arg[2] .. ".obj"))
assert(tide.mesh.grid({ columns = 2, rows = 2, width = 0.5 }):save(arg[2] .. ".vtk"))
for _, call in ipairs {
  function() tide.scene { timestep = -0.5 } end,
  function() assert(tide.load("scene.lua", { solver = "lbfgs,tolerance=-0.5" })) end,
  function() assert(tide.load("scene.lua", { solver = "lbfgs,tolerance=0,5" })) end,
  function() tide.mesh.grid { columns = 1.5, rows = 2 } end,
  function() tide.mesh.sphere { radius = -0.25 } end,
  function() tide.param("p", 0.5, { min = 0.75, max = 1.5 }) end,
  function() own:body("b", { mesh = tide.mesh.grid { columns = 2, rows = 2 }, mass = -0.5 }) end,
} do
  io.write(select(2, pcall(call)), "\n")
end
assert(tostring(0.5) == arg[3], "the host's locale has changed") -- the host's own numbers are as they were
LUA
lua5.4 host.lua C plain 0.5 >plain.txt 2>plain.err
equals "with a point: status" "$? $(<plain.err)" "0 "
lua5.4 host.lua de_DE.UTF-8 comma 0,5 >comma.txt 2>comma.err
equals "with a comma: status" "$? $(<comma.err)" "0 "
equals "with a comma: the same hash, tolerances and messages" "$(<comma.txt)" "$(<plain.txt)"
equals "with a comma: the same OBJ" "$(<comma.obj)" "$(<plain.obj)"
equals "with a comma: the same VTK" "$(cksum <comma.vtk)" "$(cksum <plain.vtk)"
fails "no comma between digits" grep -qE '[0-9],[0-9]' comma.txt
finish
