#!/usr/bin/env bash
# `run --certify` and `verify`: clean runs, a first crossing with its frame, bodies, triangles and place, records that
# agree, and records that were changed.
. "$(dirname "$0")/checks.sh"

scenes=$root/scenes

# Two cloths pass through each other: corner 16 of the upper one is the fastest. It is 0.055 m above the lower one and
# falls by 0.025 m a step, so that it is through in frame 3.
cat >through.lua <<'LUA'
local tide = require "springtide"
local touch = tide.param("touch", false)
local scene = tide.scene { timestep = 1 / 60, gravity = { 0, 0, 0 } }
local function cloth(name, n, y)
  return scene:body(name, { mesh = tide.mesh.grid { columns = n, rows = n, width = 1, height = 1 }:translate(0, y, 0),
    mass = 1, stiffness = 0.01, thickness = 0.01, collide = touch and "all" or "none" })
end
cloth("lower", 5, 0)
local upper = cloth("upper", 4, 0.055)
upper:set_velocity(16, 0, -1.5, 0)
upper:set_position(16, 0.97, 0.055, 0.98)
return scene
LUA

# --- clean runs --------------------------------------------------------------------------------------------------------
for scene in drape tablecloth table1/dress rope; do
    run run "$scenes/$scene.lua" --headless --frames 20
    run run "$scenes/$scene.lua" --headless --frames 20 --hash
    hash=$(tail -n 1 .out)
    run run "$scenes/$scene.lua" --headless --frames 20 --certify --hash
    equals "$scene: status" "$status" 0
    equals "$scene: the line" "$(head -n 1 .out)" "certificate: nothing crosses in 20 frames"
    equals "$scene: the check changes no state" "$(tail -n 1 .out)" "$hash"
done

# --- a crossing --------------------------------------------------------------------------------------------------------
run run through.lua --headless --frames 2 --certify
equals "not yet through: status" "$status" 0
run run through.lua --headless --frames 6 --certify --record through.replay
equals "through: status" "$status" 1
contains "through: frame, bodies, triangles" "$out" \
    'frame 3: 3 crossings, allowed by the scene; the first: triangle 31 of body "lower" goes through triangle 17 of body "upper" at (0.889'
contains "through: a warning at once" "$err" 'warning: certificate: frame 3:'
run run through.lua --headless --frames 6 --certify --set touch=true
equals "with contact: status" "$status" 0
run run through.lua --headless --frames 6
equals "without --certify: status" "$status" 0
equals "without --certify: no line" "$out" ""

# --- verify ------------------------------------------------------------------------------------------------------------
run verify through.replay
equals "verify what crosses: status" "$status" 1
contains "verify what crosses: as recorded" "$out" "the same: 7 states"
contains "verify what crosses: the crossing" "$out" "frame 3: 3 crossings"
run run "$scenes/drape.lua" --headless --frames 5 --certify --record drape.replay --hash
hash=$(tail -n 1 .out)
run verify drape.replay --hash
equals "verify: status" "$status" 0
equals "verify: lines" "$out" "certificate: nothing crosses in 5 frames
the same: 6 states of the replay
$hash"
equals "the record has certificates" "$(grep -c '^crossings [1-5] 0 "frame [1-5]: no crossing"$' drape.replay)" 5

change() { # NAME SED-EXPRESSION PART-OF-THE-MESSAGE
    sed "$2" drape.replay >changed.replay
    passes "$1: the file is another" test "$(cmp -s drape.replay changed.replay || echo other)" = other
    run verify changed.replay
    equals "$1: status" "$status" 1
    contains "$1: message" "$err" "$3"
}
change "a hash" '/^step 3 /s/^step 3 ./step 3 g/' "expected the hash"
change "another hash" '/^step 3 /{s/^step 3 [0-7]/step 3 8/;t;s/^step 3 ./step 3 0/}' "frame 3 differs"
change "a certificate" 's/^crossings 4 0/crossings 4 1/' "the certificate differs"
change "words of a certificate" 's/frame 4: no/frame 5: no/' 'recorded "frame 5: no crossing", and found "frame 4: no crossing"'
change "a mark that no state needs" '/^step 2 /{s/.$/A/;t}' "bytes of the file were changed"
change "a comment of the script" 's/-- A/-- B/;s/-- \([a-z]\)/--  \1/' "bytes of the file were changed"
change "the digest" 's/^digest ./digest x/' "expected 16 hexadecimal digits"
change "the end" 's/^end 5/end 4/' "expected \`end 5\`"
change "no digest" '/^digest/d' "no digest"
change "no end" '/^end/d' "no digest, or no end"
run run --replay changed.replay --headless
equals "a replay does not need it" "$status" 0
run run "$scenes/drape.lua" --headless --frames 2 --record plain.replay
equals "a record without certificates has none" "$(grep -c ^crossings plain.replay)" 0
run verify plain.replay
equals "its states are certified: status" "$status" 0
contains "its states are certified" "$out" "nothing crosses in 2 frames"

# --- impacts that are left ---------------------------------------------------------------------------------------------
# Two held sheets go through each other with a free one between them: the sweep has no room, and says so.
cat >closing.lua <<'LUA'
local tide = require "springtide"
local scene = tide.scene { timestep = 1 / 60, gravity = { 0, 0, 0 }, contact = { continuous = true } }
local function sheet(name, y)
  return scene:body(name, { mesh = tide.mesh.grid { columns = 2, rows = 2, width = 1, height = 1 }:translate(0, y, 0),
    mass = 1, stiffness = 100, thickness = 0.01 })
end
local a, b = sheet("a", 0), sheet("b", 0.1)
sheet("free", 0.05)
a:pin { 1, 2, 3, 4 }
b:pin { 1, 2, 3, 4 }
function scene.update()
  for i = 1, 4 do
    local x, y, z = a:position(i)
    a:move_pin(i, x, y + 0.01, z)
    x, y, z = b:position(i)
    b:move_pin(i, x, y - 0.01, z)
  end
end
return scene
LUA
run run closing.lua --headless --frames 4 --certify
equals "there is room: status" "$status" 0
equals "there is room: no message" "$err" ""
run run closing.lua --headless --frames 5 --certify
contains "no room: impacts are left" "$err" "continuous collision has left"
contains "no room: the frame" "$err" "in frame 5"
equals "no room: status" "$status" 1
contains "no room: crossings" "$out" "something crosses in 1 of 5 frames"

# --- pictures, refusals ------------------------------------------------------------------------------------------------
run run through.lua --headless --frames 3 --show crossings --png marked.png --size 200x150
equals "marks: status" "$status" 0
run run through.lua --headless --frames 3 --png bare.png --size 200x150
passes "marks: the picture has them" test "$(cmp -s marked.png bare.png || echo other)" = other
refused "--certify with a comparison" "does not go with a comparison" compare "$scenes/drape.lua" --certify
refused "verify without a file" "FILE" verify
run verify nothing.replay
equals "a file that is not there: status" "$status" 1
contains "a file that is not there: message" "$err" nothing.replay
run help verify
contains "help" "$out" "search"
run help run
contains "help of --certify" "$out" "exit status 1 if something does"
finish
