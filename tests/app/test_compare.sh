#!/usr/bin/env bash
# Panes side by side: the command without a window, and in one with keys and mouse (without a display).
. "$(dirname "$0")/checks.sh"
export SDL_VIDEODRIVER=dummy
write_cloth cloth.lua
. "$root/tests/app/window_events.sh"

alone() { # FRAMES WORDS...: the hash of the scene run by itself
    local frames=$1
    shift
    springtide run cloth.lua --headless --frames "$frames" --hash "$@"
}
hashes() { # of the panes, from what the command printed
    grep -E '^[0-9a-f]{16}  ' <<<"$out" | cut -d' ' -f1 | xargs
}
four=local_global,iterations=10,newton,xpbd,verlet

# --- without a window
run compare cloth.lua --solvers $four --headless --frames 20 --hash --stats all.csv --size 640x360 --png four.png
equals "four solvers: status" "$status" 0
equals "each pane is what its solver makes of the scene alone" "$(hashes)" \
    "$(alone 20 --solver local_global,iterations=10) $(alone 20 --solver newton) $(alone 20 --solver xpbd) $(alone 20 --solver verlet)"
equals "a row a pane and frame" "$(tail -n +2 all.csv | cut -d, -f1,2 | head -5 | xargs)" "1,1 1,2 1,3 1,4 2,1"
equals "rows of all frames" "$(wc -l <all.csv)" 81
contains "the table says what its columns are" "$out" "energy (J)"
contains "verlet has no error" "$(grep '^4  verlet' <<<"$out")" " - "
passes "the picture is of the size asked for" test "$(od -An -tu1 -j16 -N8 four.png | xargs)" = "0 0 2 128 0 0 1 104"

run compare cloth.lua --solvers newton,local_global --frame 12 --headless --frames 9 --hash
equals "a state in the middle is forked" "$(hashes)" "$(alone 21 --solver newton@12) $(alone 21 --solver local_global@12)"
run compare cloth.lua --vary stiffness=20,80,320 --headless --frames 9 --hash
equals "values of a parameter" "$(hashes)" "$(for k in 20 80 320; do alone 9 --set stiffness=$k; done | xargs)"
contains "labels tell the value" "$out" "stiffness = 80"
run compare cloth.lua --solvers local_global,lbfgs --vary iterations=2,20 --headless --frames 9 --hash
equals "solvers times values of an option" "$(hashes)" \
    "$(for s in local_global lbfgs; do for i in 2 20; do alone 9 --solver $s,iterations=$i; done; done | xargs)"
run compare cloth.lua --timesteps 0.02,0.01,0.005 --headless --frames 5 --hash --stats steps.csv
equals "timesteps: each goes to the same time" "$(hashes)" \
    "$(alone 5 --timestep 0.02) $(alone 10 --timestep 0.01) $(alone 20 --timestep 0.005)"
equals "timesteps: steps of a frame" "$(tail -3 steps.csv | cut -d, -f5 | xargs)" "1 2 4"
run compare cloth.lua --headless --frames 2 --hash
equals "without lists: the scene's solver and three others" \
    "$(grep -E '^[0-9a-f]{16}  ' <<<"$out" | cut -c19- | cut -d, -f1 | xargs)" "local_global lbfgs xpbd vbd"
equals "threads make no difference" \
    "$(springtide compare cloth.lua --solvers $four --headless --frames 20 --hash --threads 1 | tail -4)" \
    "$(springtide compare cloth.lua --solvers $four --headless --frames 20 --hash --threads 3 | tail -4)"
# The error after frame 19 is that of the step to frame 20, as the study measures it.
springtide compare cloth.lua --solvers local_global,iterations=5,newton --headless --frames 19 --stats error.csv >/dev/null
springtide convergence cloth.lua --solvers local_global --frame 20 --iterations 5 --out study >/dev/null 2>&1
seen=$(tail -2 error.csv | head -1 | sed 's/"[^"]*"//' | cut -d, -f8)
expected=$(grep -h "^local_global,.*,5," study/*.csv | head -1 | cut -d, -f5)
passes "the error is what the study measures ($seen, $expected)" \
    awk -v a="$seen" -v b="$expected" 'BEGIN { exit !(b > 0.001 && a / b > 0.999 && a / b < 1.001) }'
passes "newton leaves nothing" \
    awk -v a="$(tail -1 error.csv | cut -d, -f8)" 'BEGIN { exit !(a != "" && a < 1e-9) }'
run compare cloth.lua --solvers local_global,newton --headless --frames 6 --errors 3 --stats errors.csv
equals "errors of every third frame" "$(sed 's/"[^"]*"//' errors.csv | awk -F, 'NR > 1 && $8 != "" { print $1 }' | xargs)" \
    "3 3 6 6"

write_cloth_with wild.lua 'function scene.update()
  local solver = scene.solver
  if scene.frame == 6 and (type(solver) == "table" and solver[1] or solver) == "verlet" then error("too wild") end end'
run compare wild.lua --solvers local_global,verlet,newton --headless --frames 12 --hash --size 320x180 --png wild.png
equals "one pane fails: status" "$status" 0
contains "one pane fails: it is told" "$err" "pane 2 (verlet) has stopped"
equals "one pane fails: the others go on" "$(hashes | cut -d' ' -f1,3)" "$(alone 12 --solver local_global) $(alone 12 --solver newton)"
equals "one pane fails: it is where it was" "$(hashes | cut -d' ' -f2)" "$(alone 6 --solver verlet)"

refused "an unknown solver" 'did you mean "newton"' compare cloth.lua --solvers newtn --headless
refused "an unknown parameter" "--vary" compare cloth.lua --vary stifness=1,2 --headless
refused "a timestep of nothing" "--timesteps" compare cloth.lua --timesteps 0.01,0 --headless
long=0.01$(printf "%060d" 0)
refused "a value far into a long list" "expected numbers" compare cloth.lua --headless \
    --timesteps "$long,$long,$long,$long,$long,$long,$long,$long,no"
refused "too many panes" "at most 9" compare cloth.lua --vary stiffness=1:10:10 --headless
refused "a replay" "--replay" compare cloth.lua --replay x.replay
refused "a frame of before" "--frame" compare cloth.lua --frame -1

# --- tide.compare in a scene file
write_cloth_with panes.lua 'tide.compare { solvers = { "local_global,iterations=5", { "newton", damping = { model = "springs", mass = 2 } } }, vary = { stiffness = { 20, 200 } } }'
run compare panes.lua --headless --frames 5 --hash
equals "the scene says which panes" "$(hashes)" \
    "$(for s in local_global,iterations=5 newton,damping=springs,damping.mass=2; do for k in 20 200; do alone 5 --solver $s --set stiffness=$k; done; done | xargs)"
run run panes.lua --headless --frames 5 --hash --size 320x180 --png scene-panes.png
equals "a run of it is of its first pane" "$out" "$(alone 5 --set stiffness=20)"
run run panes.lua --headless --frames 5 --hash
equals "it is the same without pictures" "$out" "$(alone 5 --set stiffness=20)"
window "key:space key:. key:. key:. key:. key:. wait:2 key:q" run panes.lua --hash --size 320x180 --png window-panes.png
equals "and in a window" "$out" "$(alone 5 --set stiffness=20)"
write_cloth_with bad.lua 'tide.compare { solvers = { "nwton" } }'
run compare bad.lua --headless --frames 1
equals "a scene that asks for a wrong solver: status" "$status" 1
contains "a scene that asks for a wrong solver: message" "$err" 'did you mean "newton"'

# --- in a window
panes() { # EVENTS WORDS...
    local events=$1
    shift
    window "$events" compare cloth.lua --size 640x360 --hash "$@"
}
solvers=(local_global,iterations=10 newton xpbd rk4)
list=$(IFS=,; echo "${solvers[*]}")
each() { # FRAMES: the four alone
    for solver in "${solvers[@]}"; do alone "$1" --solver "$solver"; done | xargs
}
panes "key:space key:. key:. key:. key:. wait:2 key:q" --solvers "$list" --png panes.png
equals "four panes in a window: status" "$status" 0
equals "four steps of each" "$(hashes)" "$(each 4)"
panes "key:space key:. key:. key:. key:. key:left key:left key:left key:right wait:2 key:q" --solvers "$list"
equals "to and fro among the frames: all of them" "$(hashes)" "$(each 2)"
panes "key:space key:. key:. key:. key:left key:left key:. key:. key:. wait:2 key:q" --solvers "$list" --frame 2
equals "back to before the fork's first step, and on again" "$(hashes)" \
    "$(for s in "${solvers[@]}"; do alone 6 --solver "$s@2"; done | xargs)"
panes "key:space key:. key:. key:. key:left key:left key:left key:left key:left key:. wait:2 key:q" --solvers "$list" --frame 4
equals "back to before the fork" "$(hashes)" "$(for s in "${solvers[@]}"; do alone 3 --solver "$s@2"; done | xargs)"
panes "key:space key:. key:. key:r wait:1 key:. key:. key:. wait:2 key:q" --solvers "$list"
equals "R starts all again" "$(hashes)" "$(each 3)"
# The drivers of OpenGL keep memory of their own: no leak check here.
SDL_VIDEODRIVER=offscreen ASAN_OPTIONS="${ASAN_OPTIONS:-}:detect_leaks=0" panes "key:space key:. key:. wait:2 key:q" \
    --solvers "$list" --png offscreen.png
equals "offscreen: status" "$status" 0
equals "offscreen: the same states" "$(hashes)" "$(each 2)"
passes "offscreen: a picture" test -s offscreen.png
panes "" --solvers "$list" --frames 30
equals "with frames it ends by itself: status" "$status" 0
equals "thirty steps of each, by the clock" "$(hashes)" "$(each 30)"

# An input in one pane applies to all: a drag in the second pane leads to the same state as the drag recorded in a
# single experiment.
cat >ball.lua <<'LUA'
local tide = require "springtide"
local scene = tide.scene { timestep = 1 / 60, camera = { position = { 0, 0, 3 }, target = { 0, 0, 0 } } }
local cloth = scene:body("cloth", { mesh = tide.mesh.grid { columns = 11, rows = 11, width = 1, height = 1 }
  :rotate({ 1, 0, 0 }, math.pi / 2):translate(-0.5, 0.5, 0), mass = 0.2, stiffness = 50 })
cloth:pin { 1, 11 }
scene.state.keys = 0
function scene.keypressed(key) scene.state.keys = scene.state.keys + 1; cloth:set_velocity(61, 0, 0, 1) end
return scene
LUA
four_of_ball() { # EVENTS
    window "key:space key:. key:. $1 wait:2 key:q" compare ball.lua --solvers local_global,local_global,newton,newton \
        --size 640x360 --hash
}
four_of_ball "key:. key:."
plain=$(hashes)
equals "equal panes are equal" "$(hashes | tr ' ' '\n' | uniq -c | sed 's/ *\([0-9]*\).*/\1/' | xargs)" "2 2"
for place in "160 80" "481 80" "160 250" "481 250"; do # a pane is 319 wide
    set -- $place
    four_of_ball "key:F3 down:1:$1:$2 move:$(($1 + 10)):$(($2 - 20)) wait:1 key:. key:. up:1:$1:$2"
    fails "a drag at $place does something" test "$(hashes)" = "$plain"
    equals "a drag at $place is one in all panes" \
        "$(hashes | tr ' ' '\n' | uniq -c | sed 's/ *\([0-9]*\).*/\1/' | xargs)" "2 2"
    [ "$place" = "160 80" ] && dragged=$(hashes)
    [ "$place" = "481 80" ] && equals "a drag in the second pane is the same as in the first" "$(hashes)" "$dragged"
done
four_of_ball "key:F6 down:1:420:80 move:480:80 move:540:80 up:1:540:80 key:. key:."
fails "a cut does something" test "$(hashes)" = "$plain"
equals "a cut in the second pane is one in all" \
    "$(hashes | tr ' ' '\n' | uniq -c | sed 's/ *\([0-9]*\).*/\1/' | xargs)" "2 2"
four_of_ball "key:F4 click:1:160:250 key:. key:."
fails "a pin does something" test "$(hashes)" = "$plain"
equals "a pin in the third pane is one in all" \
    "$(hashes | tr ' ' '\n' | uniq -c | sed 's/ *\([0-9]*\).*/\1/' | xargs)" "2 2"
four_of_ball "key:a key:. key:."
fails "a key does something" test "$(hashes)" = "$plain"
equals "a key goes to all" "$(hashes | tr ' ' '\n' | uniq -c | sed 's/ *\([0-9]*\).*/\1/' | xargs)" "2 2"

# Key C: from one to panes and back, recorded: the replay knows which pane it went on with.
window "key:space key:. key:. key:c wait:1 key:. key:. key:. click:1:480:80 key:c wait:1 key:. wait:2 key:q" \
    run cloth.lua --size 640x360 --hash --record out.replay
equals "C and C again: status" "$status" 0
equals "C and C again: on with the second pane" "$out" "$(alone 6 --solver lbfgs@2)"
equals "C and C again: done again" "$(springtide run --replay out.replay --headless --verify --hash | tail -n 1)" "$out"
window "key:space key:. key:. key:c wait:1 key:. key:. key:. key:c wait:1 key:. wait:2 key:q" run cloth.lua \
    --size 640x360 --hash
equals "without a click it is the first, as if nothing had been" "$out" "$(alone 6)"
window "key:space key:. key:c wait:1 key:. key:c wait:1 key:c key:. wait:1 key:c key:c wait:1 key:q" run cloth.lua \
    --size 640x360 --hash
equals "C many times" "$out" "$(alone 3)"

# One that fails stands still, the first too.
window "key:space key:. key:. key:. key:. key:. key:. key:. key:. key:. wait:2 key:q" compare wild.lua \
    --solvers verlet,local_global --size 640x360 --hash --png failed.png
equals "the first pane fails in a window: status" "$status" 0
equals "the first pane fails in a window: the other goes on" "$(hashes)" \
    "$(alone 6 --solver verlet) $(alone 9 --solver local_global)"

# A file that changes is run again in all of them.
change() { # LUA WORDS...: three steps, the file with this line more after the second
    cp cloth.lua changing.lua
    write_cloth_with other.lua "$1"
    rm -f stepped changed
    (
        until [ -e stepped ]; do sleep 0.05; done
        mv other.lua changing.lua
        touch changed
    ) &
    window "key:space key:. key:. wait:5 touch:$folder/stepped until:$folder/changed wait:150 key:. wait:2 key:q" "${@:2}" --size 640x360 --hash
    wait
}
stiffer='scene:body("rope"):set_velocity(3, 0, 1, 0)
scene.gravity = { 0, -3, 0 }'
change "$stiffer" compare changing.lua --solvers local_global,newton
seen=$(hashes)
change "$stiffer" run changing.lua --solver local_global
expected=$out
change "$stiffer" run changing.lua --solver newton
equals "a file that changes is run again in all panes" "$seen" "$expected $out"
fails "and something comes of it" test "$out" = "$(alone 3 --solver newton)"
change 'tide.compare { solvers = { "newton", "xpbd", "vbd" } }' run changing.lua --png followed.png
equals "a file that now asks for panes: the first goes on" "$out" "$(alone 3 --solver newton@2)"
change '' run changing.lua --png alone.png
fails "a file that now asks for panes: they are there" cmp -s followed.png alone.png
finish
