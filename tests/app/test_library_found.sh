#!/usr/bin/env bash
# The Lua library, the scenes and the course, found wherever the program and the module stand.
. "$(dirname "$0")/checks.sh"

unset SPRINGTIDE_SCRIPTS
cat >breeze.lua <<'LUA'
local tide = require "springtide"
require "springtide.wind"
local scene = tide.scene {}
scene:body("flag", { mesh = tide.mesh.grid { columns = 3, rows = 3 }, mass = 1, stiffness = 10 })
return scene
LUA
run run breeze.lua --headless --frames 2 --hash
hash=$out

# LIBRARY PROGRAM: copies of the program and of the library at these places. Each copy of the library has a lesson of
# its own, so that no other is taken for it.
layout() {
    rm -rf place
    mkdir -p "place/$(dirname "$2")" "place/$1/scenes/course/01-of-this-copy"
    cp "$build/springtide" "place/$2"
    cp -r "$root/scripts" "place/$1/scripts"
    echo "# This copy" >"place/$1/scenes/course/01-of-this-copy/lesson.md"
    cp breeze.lua "place/$1/scenes/course/01-of-this-copy/scene.lua"
}
works() { # NAME PROGRAM
    "$2" run breeze.lua --headless --frames 2 --hash >.out 2>.err
    equals "$1: a scene with a module of the library" "$(<.out)" "$hash"
    "$2" solvers newton >.out 2>.err
    contains "$1: a command of the library" "$(<.out)" "newton"
    "$2" bench breeze.lua --frames 2 --runs 1 >.out 2>.err
    equals "$1: bench: status" "$?" 0
    "$2" course >.out 2>.err
    contains "$1: the course" "$(<.out)" "This copy"
}

while read -r library program; do
    layout "$library" "$program"
    works "library at $library, program at $program" "place/$program"
done <<'LAYOUTS'
. build/release/springtide
. bin/springtide
. springtide
share/springtide bin/springtide
share/springtide bin/tide
LAYOUTS

mkdir links
ln -s ../place/bin/tide links/near
ln -s near links/springtide
works "through two links" links/springtide
(PATH=$PWD/links:$PATH && cd / && springtide course) >.out 2>.err
works "a link in PATH" "$PWD/links/springtide"
mv place "a place with spaces, and ü"
works "a folder's name with spaces" "a place with spaces, and ü/bin/tide"

# A name that lies about where the program stands is not believed.
layout share/springtide bin/springtide
mkdir -p elsewhere/bin elsewhere/share/springtide/scripts/springtide
(exec -a "$PWD/elsewhere/bin/springtide" place/bin/springtide run breeze.lua --headless --frames 2 --hash) >.out 2>.err
equals "the first word of the command line" "$(<.out)" "$hash"

# The module, at each depth at which a system keeps such modules.
for below in lib/lua/5.4 lib/x86_64-linux-gnu/lua/5.4; do
    rm -rf place
    mkdir -p "place/$below" place/share/springtide
    cp "$build/springtide.so" "place/$below"
    cp -r "$root/scripts" place/share/springtide
    LUA_CPATH="$PWD/place/$below/?.so" LUA_PATH='' lua5.4 -e '
        local tide = require "springtide"
        local scene = assert(tide.load("breeze.lua"))
        assert(scene:step(2))
        print(scene:hash())' >.out 2>.err
    equals "the module at $below" "$(<.out)$(<.err)" "$hash"
done

# Found nowhere: one sentence that tells what to do.
mkdir lonely
cp "$build/springtide" lonely
lonely/springtide course >.out 2>.err
equals "no course: status" "$?" 1
contains "no course: what to do" "$(<.err)" "set SPRINGTIDE_SCRIPTS"
equals "no course: one line" "$(wc -l <.err)" 1
lonely/springtide bench breeze.lua >.out 2>.err
equals "no library: status" "$?" 1
contains "no library: places" "$(<.err)" "../share/springtide/scripts"
contains "no library: what to do" "$(<.err)" "set SPRINGTIDE_SCRIPTS to Springtide's folder scripts"
lonely/springtide test >.out 2>.err
equals "no tests: status" "$?" 1
contains "no tests: what to do" "$(<.err)" "scripts/build.sh release builds the tests"
SPRINGTIDE_SCRIPTS=$root/scripts lonely/springtide course >.out 2>.err
equals "the variable names it: status" "$?" 0
finish
