#!/usr/bin/env bash
# `springtide run --untrusted`: the same states, and no files, programs and network for the scene.
. "$(dirname "$0")/checks.sh"
export ASAN_OPTIONS="${ASAN_OPTIONS:-}:detect_leaks=0" # the leak checker needs what a confined process may not do

write_cloth cloth.lua
run run cloth.lua --headless --frames 5 --hash
trusted=$out
run run cloth.lua --headless --frames 5 --hash --untrusted
equals "the same states: status" "$status" 0
equals "the same states" "$out" "$trusted"
run run cloth.lua --headless --frames 5 --hash --untrusted --threads 2
equals "the same states with threads" "$out" "$trusted"
run run cloth.lua --headless --frames 5 --hash --untrusted --set stiffness=200 --solver newton
equals "with options: status" "$status" 0

# --- what the program writes -----------------------------------------------------------------------------------------

files=(--png "out/pictures/%d.png" --stats out/stats.csv --record out/run.replay --export "out/%d.ply")
run run cloth.lua --headless --frames 2 --untrusted "${files[@]}"
if [ "$status" = 2 ]; then
    contains "without Landlock, files are refused" "$err" "this kernel has no Landlock"
else
    equals "files: status" "$status" 0
    for file in out/pictures/2.png out/stats.csv out/run.replay out/2.ply; do
        passes "files: $file" [ -s "$file" ]
    done
fi
refused "a video" "starts another program" run cloth.lua --untrusted --headless --video a.mp4
refused "files of a window" "add --headless" run cloth.lua --untrusted --png a.png
run run --replay none.replay --untrusted
contains "a replay" "$err" "does not go with --replay"

# --- what the scene cannot do ----------------------------------------------------------------------------------------

printf 'return 1\n' >beside.lua
tries() { # NAME LUA PART: the scene fails with the message
    write_cloth_with "$1.lua" "$2"
    run run "$1.lua" --headless --frames 2 --untrusted
    equals "$1: status" "$status" 1
    contains "$1: message" "$err" "$3"
}
tries reads 'require "beside"' "an untrusted scene reads its own file and the Lua library"
tries reads_outside 'tide.mesh.load "/etc/passwd"' "an untrusted scene reads its own file"
tries loads 'assert(tide.load "cloth.lua")' "an untrusted scene reads its own file"
tries writes 'tide.mesh.grid { columns = 2, rows = 2 }:save("x.obj")' "an untrusted scene writes no files"
tries writes_later 'function scene.update() scene:snapshot():save("x.world") end' "an untrusted scene writes no files"
tries executes 'os.execute "true"' "os: unknown"
fails "nothing was written" ls x.obj x.world
write_cloth_with loops.lua 'while true do end'
run run loops.lua --headless --frames 2 --untrusted --time-limit 0.1
contains "loops: message" "$err" "it took more than 1 s"
write_cloth_with library.lua 'require "springtide.wind"'
run run library.lua --headless --frames 2 --untrusted
equals "the Lua library: status" "$status" 0

# The process itself is confined, not the scene alone: the filter of system calls is there.
write_cloth_with long.lua 'function scene.update() local x = 0 for i = 1, 1e12 do x = x + i end end'
"$build/springtide" run long.lua --headless --untrusted --time-limit 100000 >.out 2>&1 &
process=$!
confined=
while [ -z "$confined" ] && kill -0 $process 2>/dev/null; do
    ! grep -q "Seccomp:.*2" "/proc/$process/status" 2>/dev/null || confined=yes
    sleep 0.05
done
equals "seccomp filters the process" "$confined" yes
passes "it can gain no privileges" grep -q "NoNewPrivs:.*1" "/proc/$process/status"
kill -KILL $process
wait $process 2>/dev/null

if command -v xvfb-run >/dev/null; then
    run_window() {
        xvfb-run -a -s "-screen 0 640x480x24" "$build/springtide" run cloth.lua --frames 5 --hash --size 320x180 "$@" \
            --time-limit 1000 2>.err
    }
    equals "a window: the same states" "$(run_window --untrusted | tail -1)" "$trusted"
fi

finish
