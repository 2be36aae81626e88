#!/usr/bin/env bash
# The Lua library: how a program finds it, and that the reference and the annotations have all of it.
. "$(dirname "$0")/checks.sh"

cat >breeze.lua <<'LUA'
local tide = require "springtide"
local wind = require "springtide.wind"
local scene = tide.scene {}
local flag = scene:body("flag", { mesh = tide.mesh.grid { columns = 3, rows = 3 }, mass = 1, stiffness = 10 })
local breeze = wind.new(scene, flag, { velocity = { 1, 0, 0 } })
function scene.update(dt) breeze:blow(dt) end
return scene
LUA
run run breeze.lua --headless --frames 2 --hash
hash=$out
equals "a program in its place finds the library: status" "$status" 0

mkdir far
cp "$build/springtide" far
moved() { # VALUE of SPRINGTIDE_SCRIPTS
    SPRINGTIDE_SCRIPTS=$1 far/springtide run breeze.lua --headless --frames 2 --hash >.out 2>.err
    status=$?
}
moved ''
equals "a moved program: status" "$status" 1
contains "a moved program: what is missing" "$(<.err)" "Springtide's Lua library is neither at scripts"
contains "a moved program: what to do" "$(<.err)" "set SPRINGTIDE_SCRIPTS to Springtide's folder scripts"
fails "a moved program: no place at the root of the file system" grep -q 'tried /springtide' .err
moved "$folder/nowhere"
contains "told of a wrong place" "$(<.err)" "the folder that SPRINGTIDE_SCRIPTS names, $folder/nowhere, has no folder springtide"
far/springtide convergence breeze.lua 2>.err
contains "a command of the library" "$(<.err)" "springtide.lab.command: not found: Springtide's Lua library is neither at"
moved "$root/scripts"
equals "told where the library is: status" "$status" 0
equals "told where the library is: the same state" "$(<.out)" "$hash"
sed 's/springtide.wind/winds/' breeze.lua >other.lua
far/springtide run other.lua --headless --frames 1 2>.err
fails "another missing module is not said to be the library's" grep -q SPRINGTIDE_SCRIPTS .err

run reference page.md
equals "the reference page: status" "$status" 0
run reference notes.lua
equals "the annotations: status" "$status" 0
found=0
for module in "$root"/scripts/springtide/*.lua; do
    name=$(basename "$module" .lua)
    [ "$name" != library ] || continue
    passes "$name is in the reference" grep -qx "### springtide.$name" page.md
    passes "$name is in the annotations" grep -qF "require \"springtide.$name\"" notes.lua
    for call in $(sed -n "s/^function $name[.:]\([a-z_]*\)(.*/\1/p" "$module" | grep -v '^__'); do
        found=$((found + 1))
        passes "$name: $call is in the reference" grep -q "^- .$name[.:]$call(" page.md
    done
done
passes "functions were found" test "$found" -ge 9
contains "a class of a module" "$(<page.md)" '- `density?: number` of the fluid; in kg/m^3; default 1.2'
contains "a function's types" "$(<notes.lua)" \
    '---@field new fun(scene: tide.Scene, body: tide.Body, definition?: springtide.WindDefinition): springtide.Wind'
finish
