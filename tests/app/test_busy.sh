#!/usr/bin/env bash
# A script that runs and runs holds up neither the window nor its correction. The limit of time is out of reach here.
. "$(dirname "$0")/checks.sh"
export SDL_VIDEODRIVER=dummy

write() { # MORE: the scene with this before its last line, put in place at once
    cat >new.lua <<LUA
local tide = require "springtide"
local scene = tide.scene { title = "busy" }
scene:body("cloth", { mesh = tide.mesh.grid { columns = 5, rows = 5 }, mass = 1, stiffness = 100 })
$1
return scene
LUA
    mv new.lua busy.lua
}

# At the start: a correction that is saved while the file runs is run instead.
write 'print("running") while true do end'
mkfifo -m 600 lines
"$build/springtide" run busy.lua --frames 3 --hash --time-limit 10000 >lines 2>.err &
process=$!
exec 3<lines
read -r line <&3
equals "the file runs" "$line" running
sleep 0.3 # so that the file has another time than the one that was begun with
write ''
wait "$process"
equals "a correction interrupts it: status" "$?" 0
equals "the correction ran" "$(grep -cE '^[0-9a-f]{16}$' <&3)" 1
exec 3<&-

# Compares the pictures without the notice (FILE) and with it (FILE.busy).
changed() { # FILE WIDTH TOP BOTTOM: whether many pixels differ, and how many outside of these rows
    cmp -l "$1" "$1.busy" | awk -v width="$2" -v top="$3" -v bottom="$4" '{
        at = int(($1 - 1) / 4)
        y = int(at / width)
        if (at != last) { all++; if (y < top || y >= bottom) outside++ }
        last = at }
        END { print (all > 1000 ? "many" : all + 0), outside + 0 }'
}
there() { # FILE...: waits for them, as long as the program runs
    until [ -e "$1" ]; do
        kill -0 "$process" || return 1
        sleep 0.02
    done
}
. "$root/tests/app/window_events.sh"
begin() { # EVENTS: the window in the background
    rm -f shown shown.busy shown.close still
    SPRINGTIDE_SHOWN=$folder/shown SPRINGTIDE_EVENTS=$1 LD_PRELOAD=$folder/events.so SDL_RENDER_DRIVER=software \
        "$build/springtide" busy.lua --hash --time-limit 10000 --size 480x270 >lines 2>.err &
    process=$!
    exec 3<lines
}

# At the start, in a window: the window is there while the file runs, tells so, and can be closed.
write 'print("running") while true do end'
begin ""
read -r line <&3
equals "the file runs in a window" "$line" running
passes "the window is shown while it runs" there shown.busy
equals "with a notice in it" "$(changed shown 480 0 270)" "many 0"
touch shown.close
wait "$process"
equals "closing it ends the file: status" "$?" 1
contains "and says so" "$(<.err)" "interrupted"
exec 3<&-

# A file that is saved with an endless loop in it while its window is open: the notice stands in the last picture, a
# correction interrupts the loop, and the world goes on from where it was.
write ''
begin "key:space key:. wait:10 touch:$folder/still until:$folder/loop wait:1000 key:. key:. wait:1 key:q"
passes "the window is open, and the world stands still" there still
write "io = nil print('again') while true do end"
touch loop
read -r line <&3
equals "the file runs again" "$line" again
passes "the window is shown meanwhile" there shown.busy
equals "with the notice, below the tools and above the lines at the bottom" "$(changed shown 480 63 197)" "many 0"
write ''
wait "$process"
equals "a correction interrupts it in the window: status" "$?" 0
equals "and the world goes on from where it was" "$(cat <&3)" \
    "$(springtide run busy.lua --headless --frames 3 --hash)"
exec 3<&-

# In a window: a callback that does not end, and a signal.
write 'function scene.update() if scene.frame == 2 then scene:body("cloth"):set_position(1, 0, 9, 0) print("stuck")
while true do pcall(error) end end end'
"$build/springtide" run busy.lua --time-limit 10000 >lines 2>.err &
process=$!
exec 3<lines
read -r line <&3
equals "the callback runs" "$line" stuck
kill -TERM "$process"
wait "$process"
equals "a signal ends it: status" "$?" 143
exec 3<&-

# The limits are as the help says: S for a call, 10 S for a run of the file.
contains "the help has the limits of a window" "$(springtide help run | tr -s ' \n' ' ')" \
    "a run of its file may take 10 S; 0: no limit (2 in a window"
write 'while true do end'
run busy.lua --time-limit 0.2
contains "a run of the file" "$err" "it took more than 2 s"
write 'function scene.update() while true do end end'
run busy.lua --frames 2 --time-limit 0.2
contains "a callback" "$err" "it took more than 0.2 s"

finish
