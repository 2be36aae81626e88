#!/usr/bin/env bash
# The portable mode of the program: --portable, `portable = true`, records of it, and Lua's operator ^.
. "$(dirname "$0")/checks.sh"

scene() { # FIELDS: a scene that uses functions and ^ before, in and after the scene's definition
    cat <<SCENE
local tide = require "springtide"
local size = tide.param("size", 0.3) ^ 1.1
local ball = tide.mesh.sphere { radius = size, subdivisions = 1 }:rotate({ 1, 2, 3 }, 0.4)
local scene = tide.scene { $1 }
local body = scene:body("ball", { mesh = ball, mass = 1, stiffness = 400, bend = 20 })
body:pin { 1 }
function scene.update()
    local x, y, z = body:position(2)
    body:force(2, math.sin(40 * x), math.abs(y) ^ 0.7, math.log(2 + z))
end
return scene
SCENE
}
scene "" >normal.lua
scene "portable = true" >portable.lua
cp normal.lua changing.lua

hash_of() { # SCENE OPTION...
    springtide run "$@" --headless --frames 12 --hash | tail -n 1
}

# The bits are those of every platform.
golden=813c7dbdd7d1e9a8
equals "--portable: the hash of every platform" "$(hash_of normal.lua --portable)" $golden
equals "portable = true is the same" "$(hash_of portable.lua)" $golden
equals "and both" "$(hash_of portable.lua --portable)" $golden
equals "for any number of threads" "$(hash_of normal.lua --portable --threads 1)$(hash_of portable.lua --threads 5)" \
    $golden$golden
equals "with parameters: the field and the option" "$(hash_of portable.lua --set size=0.2)" \
    "$(hash_of normal.lua --portable --set size=0.2)"
for solver in newton lbfgs vbd rk4 bdf2 imex; do
    equals "under $solver: the field and the option" "$(hash_of portable.lua --solver $solver)" \
        "$(hash_of normal.lua --portable --solver $solver)"
done

run compare portable.lua --solvers local_global,lbfgs --headless --frames 5 --hash
equals "compared: status" "$status" 0
compared=$(tail -n 2 <<<"$out")
run compare normal.lua --portable --solvers local_global,lbfgs --headless --frames 5 --hash
equals "compared: the field and the option" "$(tail -n 2 <<<"$out")" "$compared"
equals "in the console" "$(echo 'scene:step(12)' | springtide repl portable.lua --hash | tail -n 1)" \
    "$(echo 'scene:step(12)' | springtide repl normal.lua --portable --hash | tail -n 1)"

# --- records ---
for name in portable normal; do
    springtide run $name.lua --portable --headless --frames 12 --record $name.replay
    passes "a record of $name.lua has the mode" grep -qx "portable 1" $name.replay
    fails "and no width of vectors" grep -q "^vectors" $name.replay
    contains "it is repeated in it" "$(springtide run --replay $name.replay --headless --verify)" \
        "the same: 13 states of the replay"
    equals "with its hash" "$(springtide run --replay $name.replay --headless --hash | tail -n 1)" $golden
    run verify $name.replay
    equals "verified: status" "$status" 0
done
sed 's/sin(40/sin(41/' normal.replay >other.replay
run run --replay other.replay --headless --verify
equals "other states: status" "$status" 1
contains "told with the frame, the body and the vertex" "$err" 'frame 1 differs, first at body "ball", vertex 2; the record'
contains "and with what it means" "$err" "but not on the machine"
sed 's/^portable 1$/portable 2/' normal.replay >bad.replay
run run --replay bad.replay --headless
contains "no such mode" "$err" "expected a whole number up to 1"

# --- bad input ---
run run portable.lua --replay normal.replay --headless
equals "the mode is in a replay: status" "$status" 2
run run --replay normal.replay --portable --headless
contains "the mode is in a replay" "$err" "mode"
refused "wide vectors" "leave one out" run normal.lua --portable --vectors 256 --headless
scene 'portable = 1' >wrong.lua
run run wrong.lua --headless
contains "neither true nor false" "$err" "wrong.lua:4: scene: portable = 1: expected true or false"
finish
