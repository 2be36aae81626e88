#!/usr/bin/env bash
# A script that runs and runs holds up neither the window nor its correction. The limit of time is out of reach here.
# May run beside others.
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

finish
