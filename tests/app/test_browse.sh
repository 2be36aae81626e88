#!/usr/bin/env bash
# The scene browser, the window of `springtide` without a command: what a click opens, scenes that fail, pictures of
# scenes, its end. The program stands beside a scenes folder of its own.
. "$(dirname "$0")/checks.sh"
export SDL_VIDEODRIVER=dummy SDL_RENDER_DRIVER=software SPRINGTIDE_SCRIPTS=$root/scripts TMPDIR=$folder/temporary
. "$root/tests/app/window_events.sh"
mkdir temporary bin scenes work
cp "$build/springtide" bin
cd work || exit 1

# A scene that is opened here leaves mark.obj in the folder of the program; a preview must not.
# Its camera is so near that the cloth fills a picture; a preview shows all of it.
write_cloth_with ../scenes/good.lua 'tide.mesh.grid { columns = 2, rows = 2 }:save("mark.obj")
scene.camera = { position = { 0.5, 0.8, 0.375 }, target = { 0.5, 0, 0.3751 } }'
write_cloth_with ../scenes/broken.lua 'scene.bdoy()'
first=120:350 # in the tile of the first scene, with and without a message at the bottom
second=330:350

start() { # EVENTS: in the background; standard output is a device, as a terminal is
    rm -f mark.obj shown
    SPRINGTIDE_SHOWN=$PWD/shown SPRINGTIDE_EVENTS=$1 LD_PRELOAD=$folder/events.so ../bin/springtide >/dev/null 2>.err &
    process=$!
}
browse() { # EVENTS
    start "$1"
    wait "$process"
    status=$?
}
pixel() { # X Y: red, green and blue of the last picture
    tail -c +$((4 * (900 * $2 + $1) + 1)) shown | head -c 3 | od -An -tu1 | xargs
}
until_true() { # COMMAND: as long as the program runs
    until "$@"; do
        kill -0 "$process" 2>/dev/null || return 1
        sleep 0.05
    done
}

browse "wait:3 click:1:$second wait:5 key:q"
equals "a click: status" "$status" 0
passes "a click opens that scene" test -s mark.obj
equals "a click: no error" "$(grep -c error: .err)" 0
browse "wait:3 click:1:$first wait:5 key:q"
fails "a scene that fails is not that one" test -e mark.obj
contains "a scene that fails: why" "$(<.err)" "error: not opened: "
contains "a scene that fails: where" "$(<.err)" "scenes/broken.lua:12"
equals "a scene that fails: the browser is there until it is closed" "$status" 0
ground="232 236 242"
fails "with a panel at the bottom" test "$(pixel 895 690)" = "$ground"
passes "that has the reason in it" test "$(head -c $((4 * 900 * 640)) shown | tail -c $((4 * 900 * 40)) |
    od -An -v -tu1 -w4 | sort -u | wc -l)" -gt 10
browse "wait:5 key:q"
equals "there is none without a message" "$(pixel 895 690)" "$ground"
browse "wait:3 click:1:$first wait:5 click:1:$second wait:5 key:q"
passes "after one that failed another one opens" test -s mark.obj
contains "after one that failed" "$(<.err)" "scenes/broken.lua:12"
printf 'v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n' >mesh.obj
browse "wait:3 drop:$PWD/mesh.obj wait:5 key:q"
equals "a mesh that is dropped is opened" "$status $(grep -c error: .err)" "0 0"
browse "wait:3 drop:$PWD/none.lua wait:5 key:q"
contains "a file that is not there" "$(<.err)" "not opened: $PWD/none.lua"

# Pictures: other processes draw them, in folders of their own.
has_picture() { # X Y: the middle of the tile is not dark any more
    [ -s shown ] && [ "$(pixel "$1" "$2")" != "13 16 21" ]
}
rm -f stop
start "until:$PWD/stop key:q"
passes "the picture of a scene appears" until_true has_picture 330 350
is_whole() { # the middle of the picture is of the cloth, its border is not
    local middle border
    read -r _ middle _ <<<"$(pixel 330 350)"
    read -r _ border _ <<<"$(pixel 235 350)"
    [ "$middle" -gt 20 ] && [ "$border" -gt $((middle + 40)) ]
}
passes "it shows the whole scene" until_true is_whole
touch stop
wait "$process"
equals "it ends: status" "$?" 0
equals "a scene that fails has none" "$(pixel 120 350)" "13 16 21"
fails "what a scene saves while its picture is drawn stays away" test -e mark.obj
equals "no temporary folder is left" "$(ls "$TMPDIR")" ""

# A scene that never ends does not hold up the window, and its process ends with it.
rm ../scenes/broken.lua
write_cloth_with ../scenes/endless.lua 'while true do end'
is_drawing() {
    [ -n "$(ls "$TMPDIR")" ]
}
rm -f stop
start "until:$PWD/stop wait:3 click:1:$second wait:5 key:q"
passes "the picture of an endless scene is begun" until_true is_drawing
touch stop
wait "$process"
equals "another scene opens meanwhile: status" "$?" 0
passes "another scene opens meanwhile" test -s mark.obj
equals "the picture is given up" "$(ls "$TMPDIR")" ""
start "until:$PWD/never"
until_true is_drawing
kill -TERM "$process"
wait "$process"
equals "a signal ends the browser: status" "$?" 143
equals "a signal: no temporary folder is left" "$(ls "$TMPDIR")" ""

equals "output that another program reads has no window" "$(../bin/springtide 2>&1 | head -n 1 | cut -c1-24)" \
    "springtide: name a scene"
finish
