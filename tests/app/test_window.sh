#!/usr/bin/env bash
# The window on SDL's dummy driver: keys and mouse, given by a library in front of SDL; scenes that fail; no display.
. "$(dirname "$0")/checks.sh"
export SDL_VIDEODRIVER=dummy
write_cloth cloth.lua

. "$root/tests/app/window_events.sh"

headless() { # FRAMES: the hash without a window
    springtide run "${2:-cloth.lua}" --headless --frames "$1" --hash
}

window "key:space key:. key:. key:. wait:5 key:q" cloth.lua --hash --size 320x180
equals "three single steps: status" "$status" 0
equals "three single steps: the state after 3 frames" "$out" "$(headless 3)"
window "key:space key:right key:right key:r wait:1 key:escape" cloth.lua --hash --size 320x180
equals "R: the state at the start" "$out" "$(headless 0)"
window "key:space key:. key:w key:h wait:2 key:f key:home key:f1 drag:1:30:20 drag:3:10:0 wheel:2 wheel:-1 wait:2 key:q" \
    cloth.lua --hash --size 320x180
equals "looking around does not change the state" "$out" "$(headless 1)"
window "key:space key:. wait:2 key:p wait:2 key:p wait:2 key:q" cloth.lua --size 320x180
equals "P saves pictures under new names" "$(ls cloth-*.png | xargs)" "cloth-0001.png cloth-0002.png"
springtide run cloth.lua --headless --frames 1 --size 320x180 --png same.png
passes "P saves what a headless run draws, without panels" cmp cloth-0001.png same.png

pictures() { # EVENTS FILE: the picture at the end, though the window closes at once
    window "key:space key:. $1 key:q" cloth.lua --size 320x180 --png "$2"
}
pictures "" plain.png
fails "a picture of the window has its panels" cmp -s plain.png same.png
pictures "key:w" wire.png
fails "W shows something else" cmp -s wire.png plain.png
pictures "key:h" help.png
fails "H shows something else" cmp -s help.png plain.png
pictures "drag:1:40:10" turned.png
fails "a left drag turns" cmp -s turned.png plain.png
pictures "drag:3:40:10" moved.png
fails "a right drag moves" cmp -s moved.png plain.png
fails "turning is not moving" cmp -s moved.png turned.png
pictures "wheel:3" near.png
fails "the wheel zooms" cmp -s near.png plain.png
passes "pictures are of the size asked for" \
    test "$(od -An -tu1 -j16 -N8 plain.png | xargs)" = "0 0 1 64 0 0 0 180"

write_cloth_with input.lua 'function scene.keypressed(key) print("key " .. key) end
function scene.mousepressed(x, y, button) print(("mouse %g %g %d"):format(x, y, button)) end
function scene.quit() print("quit") end'
window "key:a key:Up key:Return key:space key:w click:1:30:40 click:3:5:6 click:2:7:8 drag:1:50:0 wait:2 key:q" \
    input.lua --size 320x180
equals "keys, clicks and the end reach the scene; its own keys and drags do not" "$out" \
    "key a
key up
key return
mouse 30 40 1
mouse 5 6 2
mouse 7 8 3
quit"

run run cloth.lua --frames 5 --hash --png w/%d.png --stats w/stats.csv --size 320x180
equals "a run with frames ends by itself" "$status" 0
equals "it has the state of a headless run" "$out" "$(headless 5)"
equals "it has a picture a frame" "$(ls w/*.png | wc -l)" 5
equals "it has a row a frame" "$(cut -d, -f1 w/stats.csv | tail -n +2 | xargs)" "1 2 3 4 5"
run run cloth.lua --frames 60 --size 160x90
equals "a window shows 60 frames: status" "$status" 0

# --- scenes that fail
write_cloth_with late.lua 'function scene.update() if scene.frame == 2 then error("too late") end end'
run run late.lua --frames 9 --hash --size 320x180
equals "failing update with frames: status" "$status" 1
contains "failing update with frames: message" "$err" "late.lua:12"
window "wait:80 key:. wait:2 key:q" late.lua --size 320x180 --png failed.png
equals "failing update: the window stays until it is closed" "$status" 1
contains "failing update: message" "$err" "too late"
passes "failing update: it shows a panel" test -s failed.png
cp late.lua fixed.lua
window "key:space key:. key:. key:. wait:2 key:r key:space key:. wait:1 key:q" fixed.lua --size 320x180
equals "R goes on from the start" "$status" 0
write_cloth_with paint.lua 'function scene.draw() error("no paint") end'
window "wait:3 key:q" paint.lua --size 320x180
equals "failing draw: status" "$status" 1
contains "failing draw: message" "$err" "no paint"
write_cloth_with keys.lua 'function scene.keypressed(key) local x = nil + 1 end'
window "key:a wait:3 key:q" keys.lua --size 320x180
equals "failing keypressed: status" "$status" 1
contains "failing keypressed: place" "$err" "keys.lua:12"
run run missing.lua --frames 1
equals "no such scene: status" "$status" 1

# A file that is put right while its error is shown: F5 goes on with the state, R from the start.
cp late.lua changing.lua
cp cloth.lua good.lua
(
    until [ -e failed ]; do sleep 0.05; done
    cp good.lua changing.lua
    touch corrected
) &
window "key:space key:. key:. key:. wait:5 touch:$folder/failed until:$folder/corrected wait:60 key:F5 key:space key:. wait:1 key:q" changing.lua --hash --size 320x180
wait
equals "F5 after a fix: status" "$status" 0
equals "F5 after a fix goes on where it was" "$out" "$(headless 3)"

# A solver that the command line switches to stays when the file is run again; R goes back to the start.
window "key:space key:. key:. key:. key:F5 key:. wait:1 key:q" cloth.lua --hash --size 320x180 --solver newton@2 \
    --stats again.csv
equals "F5 keeps the switched solver: status" "$status" 0
equals "F5 keeps the switched solver" "$(cut -d, -f3 again.csv | tail -n +2 | xargs)" \
    "local_global local_global newton newton"
window "key:space key:. key:. key:. key:r key:. key:. key:. wait:1 key:q" cloth.lua --hash --size 320x180 \
    --solver newton@2 --stats again.csv
equals "R goes back to the first solver" "$(cut -d, -f3 again.csv | tail -n +2 | xargs)" \
    "local_global local_global newton local_global local_global newton"
equals "R and the same frames: the state of a headless run" "$out" \
    "$(springtide run cloth.lua --headless --frames 3 --hash --solver newton@2)"

# Notices leave the tools alone: another one changes nothing in their row.
tools() { # EVENTS: a sum of the rows of the tools in the last picture
    SPRINGTIDE_SHOWN=$folder/shown SDL_RENDER_DRIVER=software window "key:space key:. $1 wait:2 key:q" cloth.lua \
        --size 800x600 --png shown.png
    head -c $((800 * 31 * 4)) shown | md5sum
}
equals "notices do not cover the tools" "$(tools "key:]")" "$(tools "key:] key:]")"
cp shown.png two.png
tools "key:]" >.sum
fails "though they are shown" cmp -s two.png shown.png

# The scale of the grid is above the lines at the bottom, however many they are, in text of one size.
write_cloth_with floor.lua 'scene.ground = -1.5 scene.gravity = { 0, 0, 0 }'
scale() { # EVENTS SIZE: dark pixels right above the bar at the bottom, of the scale's text, and the rows of the bar
    SPRINGTIDE_SHOWN=$folder/shown SDL_RENDER_DRIVER=software window "key:space key:. $1 wait:2 key:q" floor.lua \
        --size "$2"
    od -An -v -tu1 -w$((4 * ${2%x*})) shown | awk '{ at[NR] = $0 } END {
        for (y = NR; y > 1; y--) { split(at[y], p, " "); if (p[4 * 2 + 2] > 150) break }
        for (k = y - 22; k <= y; k++) { split(at[k], p, " "); for (x = 285; x < 345; x++) ink += p[4 * x + 2] < 150 }
        print ink, NR - y }'
}
read -r ink bar <<<"$(scale "" 1280x800)"
passes "the scale is above the bar: $ink, $bar" test "$ink" -gt 60
read -r more higher <<<"$(scale "key:," 1280x800)"
passes "an iteration adds a line to the bar: $higher" test "$higher" -gt "$bar"
equals "the scale is above it too" "$more" "$ink"
read -r large bar <<<"$(scale "" 1600x1000)"
equals "it is as large in a large window" "$large" "$ink"

# The page of keys is below the tools, and the last line of panes above the lines at the bottom.
tools_left() { # EVENTS: a sum of the tools without the button of the page
    SPRINGTIDE_SHOWN=$folder/shown SDL_RENDER_DRIVER=software window "key:space $1 wait:4 key:q" cloth.lua --size 1280x800
    head -c $((1280 * 31 * 4)) shown | od -An -v -tx1 -w$((1280 * 4)) | cut -c $((12 * 364))-$((12 * 865)) | md5sum
}
equals "the page of keys leaves the tools free" "$(tools_left "key:F1")" "$(tools_left "")"
SPRINGTIDE_SHOWN=$folder/shown SDL_RENDER_DRIVER=software window "key:space key:c wait:4 key:q" cloth.lua --size 1280x800
caption=$(od -An -v -tu1 -w$((1280 * 4)) shown | awk '{ split($0, p, " "); at[NR] = p[10] } END {
    for (y = NR; y > 400 && !(at[y] > 45 && at[y] < 100); y--) last = y
    for (rows = 0; at[y] > 45 && at[y] < 100; y--) rows++
    print rows }')
passes "both lines of a pane are above the bar: $caption" test "$caption" -gt 30

# A body that nothing holds together is told: on standard error, and as a notice in the window.
mkdir loose meant
loose() { # MESH: scenes with a body of it, and with it meant so
    local place more
    for place in loose meant; do
        [ $place = loose ] && more="" || more=", springs = {}"
        printf 'local tide = require "springtide"\nlocal scene = tide.scene { gravity = { 0, 0, 0 } }\n%s\nreturn scene\n' \
            "scene:body(\"dust\", { mesh = $1$more })" >$place/dust.lua
    done
}
notices() { # FOLDER: a sum of the rows below the tools, where notices are
    SPRINGTIDE_SHOWN=$folder/shown SDL_RENDER_DRIVER=software window "key:space key:. wait:2 key:q" "$1/dust.lua" \
        --size 480x270 --png shown.png
    head -c $((480 * 130 * 4)) shown | tail -c $((480 * 66 * 4)) | md5sum
}
cloud="tide.mesh.new { vertices = { { 0, 0, 0 }, { 1, 0, 0 }, { 0, 1, 0 } } }"
for mesh in "tide.mesh.grid { columns = 5, rows = 5 }" "$cloud"; do
    loose "$mesh"
    run run loose/dust.lua --headless --frames 1
    contains "$mesh: a warning" "$err" 'warning: body "dust": no springs: '
    contains "$mesh: what to do" "$err" 'springs = {} if this is intended'
    run run meant/dust.lua --headless --frames 1
    equals "$mesh: none where it is meant" "$err" ""
    equals "$mesh: the same picture again" "$(notices meant)" "$(notices meant)"
    fails "$mesh: a notice in the window" test "$(notices loose)" = "$(notices meant)"
done
loose "tide.mesh.new { vertices = { { 0, 0, 0 } } }"
run run loose/dust.lua --headless --frames 1
equals "a single vertex is a ball" "$err" ""

# A warning is in the picture.
pictures_of() { # FILE WORDS...
    window "key:space key:. wait:12 key:q" cloth.lua --size 320x180 --png "$@"
}
pictures_of calm.png --solver verlet
pictures_of warned.png --solver verlet,substep=1 --set stiffness=1000
fails "a warning shows" cmp -s warned.png calm.png
contains "a warning: on standard error too" "$err" "longer than the longest stable one"

# --- no display
unset SDL_VIDEODRIVER
for variables in "-u XDG_RUNTIME_DIR" "XDG_RUNTIME_DIR=$folder"; do
    # shellcheck disable=SC2086
    env -u DISPLAY -u WAYLAND_DISPLAY $variables "$build/springtide" run cloth.lua --frames 1 >.out 2>.err
    equals "no display: status" "$?" 1
    contains "no display: what to do" "$(<.err)" "springtide run cloth.lua --headless --png"
    equals "no display: one line" "$(wc -l <.err)" 1
done

# --- a real window, where there is an X server to be had
if command -v xvfb-run >/dev/null; then
    # The drivers of a real window keep memory of their own: no leak check here.
    ASAN_OPTIONS="${ASAN_OPTIONS:-}:detect_leaks=0" xvfb-run -a -s "-screen 0 640x480x24" "$build/springtide" run cloth.lua --frames 5 --hash --size 320x180 >.out 2>.err
    equals "under Xvfb: status" "$?" 0
    equals "under Xvfb: the state of a headless run" "$(tail -n 1 .out)" "$(headless 5)"
fi
finish
