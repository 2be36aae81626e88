#!/usr/bin/env bash
# `run --headless`: the files that it writes, the hash, and scenes that fail.
. "$(dirname "$0")/checks.sh"
write_cloth cloth.lua

run run cloth.lua --headless --frames 12 --size 160x90 --png out/pictures/%04d.png --export 'out/meshes/%d.obj' \
    --stats out/stats.csv --hash
equals "run: status" "$status" 0
equals "run: nothing on standard error when it is no terminal" "$err" ""
passes "the last line is a hash" grep -Eqx '[0-9a-f]{16}' <(tail -n 1 .out)
hash=$(tail -n 1 .out)
equals "pictures 1 to 12" "$(ls out/pictures | tr '\n' ' ')" "$(printf '%04d.png ' {1..12})"
passes "a picture is a PNG" test "$(head -c 4 out/pictures/0001.png | tail -c 3)" = PNG
# width and height stand at bytes 16 to 23
equals "a picture has the size asked for" "$(od -An -tu1 -j16 -N8 out/pictures/0001.png | xargs)" "0 0 0 160 0 0 0 90"
fails "pictures differ" cmp -s out/pictures/0001.png out/pictures/0012.png
equals "12 meshes" "$(ls out/meshes | wc -l)" 12

equals "statistics: header" "$(head -n 1 out/stats.csv)" \
    "frame,time,solver,iterations,g,gradient_norm,local_ms,global_ms,contact_ms,step_ms,draw_ms,kinetic,elastic,gravity,total"
equals "statistics: a row a frame" "$(wc -l <out/stats.csv)" 13
equals "statistics: frames count from 1" "$(cut -d, -f1 out/stats.csv | tail -n +2 | xargs)" "$(echo {1..12})"
equals "statistics: 15 columns everywhere" "$(awk -F, '{ print NF }' out/stats.csv | sort -u)" 15
equals "statistics: solver and iterations" "$(cut -d, -f3,4 out/stats.csv | tail -n +2 | sort -u)" "local_global,5"
passes "statistics: time is frame / 60" awk -F, 'NR > 1 && ($2 - $1 / 60) ^ 2 > 1e-16 { exit 1 }' out/stats.csv
passes "statistics: the energies add up" \
    awk -F, 'NR > 1 && ($12 + $13 + $14 - $15) ^ 2 > 1e-16 { exit 1 }' out/stats.csv
passes "statistics: the phases fit into the step" awk -F, 'NR > 1 && $7 + $8 + $9 > $10 + 0.05 { exit 1 }' out/stats.csv
passes "statistics: drawing took time" awk -F, 'NR > 1 && $11 <= 0 { exit 1 }' out/stats.csv

equals "export: an object for each body" "$(grep '^o ' out/meshes/12.obj | xargs)" "o cloth o rope"
equals "export: vertices of all bodies" "$(grep -c '^v ' out/meshes/12.obj)" $((9 * 7 + 5))
equals "export: faces of the cloth" "$(grep -c '^f ' out/meshes/12.obj)" $((2 * 8 * 6))
equals "export: lines of the rope" "$(grep '^l ' out/meshes/12.obj | xargs)" "l 64 65 l 65 66 l 66 67 l 67 68"
run check out/meshes/12.obj
equals "export: can be read again" "$status" 0
contains "export: with all its vertices" "$out" " 68"

run run cloth.lua --headless --frames 12 --hash
equals "the hash is the only line, and the same without files" "$out" "$hash"
run cloth.lua --headless --frames=12 --hash
equals "the word run may be left out" "$out" "$hash"
run --headless --frames=12 --hash cloth.lua
equals "options may come first" "$out" "$hash"
run run cloth.lua --headless --frames 11 --hash
fails "another frame has another hash" test "$out" = "$hash"
run run cloth.lua --headless --frames 12 --hash --set stiffness=60
equals "--set: status" "$status" 0
fails "--set changes the result" test "$out" = "$hash"
run run cloth.lua --headless --frames 12 --hash --set stiffness=60 --set stiffness=50
equals "--set: the last one counts" "$out" "$hash"
run run cloth.lua --headless --frames 12 --hash --timestep 0.01
fails "--timestep changes the result" test "$out" = "$hash"
run run cloth.lua --headless --frames 12 --hash --solver local_global,iterations=5
equals "--solver with the scene's own options changes nothing" "$out" "$hash"
run run cloth.lua --headless --frames 12 --stats euler.csv --solver symplectic_euler --timestep 0.001
equals "--solver: status" "$status" 0
equals "--solver: its name in the statistics" "$(cut -d, -f3 euler.csv | tail -n +2 | sort -u)" symplectic_euler
equals "a solver without an objective leaves g empty" "$(cut -d, -f5,6 euler.csv | tail -n +2 | sort -u)" ","

# --solver NAME@FRAME: the same as a script that switches before the steps to these frames
run run cloth.lua --headless --frames 6 --stats switched.csv --hash --solver rk4,substep=0.001@4 --solver newton@2
equals "--solver @: status" "$status" 0
equals "--solver @: the solver of each frame" "$(cut -d, -f3 switched.csv | tail -n +2 | xargs)" \
    "local_global local_global newton newton rk4 rk4"
switched=$out
write_cloth_with switching.lua 'function scene.update()
  if scene.frame == 2 then scene.solver = "newton" end
  if scene.frame == 4 then scene.solver = { "rk4", substep = 0.001 } end
end'
run run switching.lua --headless --frames 6 --hash
equals "--solver @ does what a script can do" "$out" "$switched"
run run cloth.lua --headless --frames 6 --hash --solver newton@2 --solver verlet@4 --solver rk4,substep=0.001@4
equals "--solver @: the last one for a frame counts" "$out" "$switched"
run run cloth.lua --headless --frames 6 --hash --solver rk4 --solver local_global,iterations=5@0 --solver newton@2 \
    --solver rk4,substep=0.001@4 --solver verlet@6
equals "--solver @0 is the first; one after the end is not used" "$out" "$switched"

# --- steps that diverge, and warnings
write_cloth_with colon.lua 'function scene:update(dt) assert(dt == nil and self > 0) end'
run run colon.lua --headless --frames 2
equals "a callback with a colon: status" "$status" 0
contains "a callback with a colon: a warning" "$err" \
    'scene: update: a colon makes its first argument `self`; write a dot, function scene.update(...)'
contains "a callback with a colon: its line" "$err" "warning: colon.lua:$(grep -n 'scene:update' colon.lua | cut -d: -f1): "
write_cloth_with dot.lua 'function scene.update(dt) assert(dt > 0) end'
run run dot.lua --headless --frames 2
equals "a callback with a dot: no warning" "$err" ""
run run cloth.lua --headless --frames 100 --hash --set stiffness=1000 --solver verlet,substep=1
equals "diverging: status" "$status" 1
equals "diverging: no hash" "$out" ""
contains "diverging: the body's line" "$err" 'cloth.lua:4: body "cloth": vertex = '
contains "diverging: the solver" "$err" "diverged here under verlet with a timestep of 0.0167 s (spring "
contains "diverging: what helps" "$err" "the longest stable substep is "
contains "a warning with both numbers" "$err" \
    'warning: solver "verlet": the substep of 0.01667 s is longer than the longest stable one, '

run run cloth.lua --headless --stats default.csv
equals "120 frames by default" "$(tail -n 1 default.csv | cut -d, -f1)" 120
passes "nothing is drawn when no picture is asked for" \
    awk -F, 'NR > 1 && $11 != 0 { exit 1 }' default.csv
run run cloth.lua --headless --frames 0 --hash --stats none.csv
equals "no frames: status" "$status" 0
equals "no frames: only the header" "$(wc -l <none.csv)" 1
run run cloth.lua --headless --frames 12 --size 160x90 --png last.png --export last.obj
passes "a name without a number is the last picture" cmp -s last.png out/pictures/0012.png
passes "a name without a number is the last mesh" cmp -s last.obj out/meshes/12.obj
run run cloth.lua --headless --frames 1 --size 160x90 --wireframe --png wire.png
fails "--wireframe shows something else" cmp -s wire.png out/pictures/0001.png
seen() { # NAME WORDS...: a frame with these options, which look otherwise and change nothing else
    local name=$1
    shift
    run run cloth.lua --headless --frames 12 --size 160x90 --png "seen-%04d.png" --hash "$@"
    equals "$name: the same hash" "$(tail -n 1 .out)" "$hash"
    fails "$name: another picture" cmp -s seen-0012.png out/pictures/0012.png
}
for colour in strain speed curvature residual tension reaction; do
    seen "--colour $colour" --colour "$colour"
    cp seen-0012.png "$colour.png"
done
fails "strain and speed differ" cmp -s strain.png speed.png
for sign in velocities forces springs; do
    seen "--show $sign" --show "$sign"
done
seen "--colour with a range" --colour strain=-1:1
fails "a range changes the picture" cmp -s seen-0012.png strain.png
run run cloth.lua --headless --frames 12 --size 160x90 --png "seen-%04d.png" --colour plain
passes "--colour plain is as without" cmp -s seen-0012.png out/pictures/0012.png

cat >random.lua <<'LUA'
local tide = require "springtide"
local scene = tide.scene { title = "Random" }
local grain = scene:body("grain", { mesh = tide.mesh.strand { points = 2, from = { 0, 0, 0 }, to = { 1, 0, 0 } } })
function scene.update() grain:force(1, tide.random(), 0, 0) end
return scene
LUA
run run random.lua --headless --frames 3 --hash --seed 7
equals "--seed: status" "$status" 0
seven=$out
run run random.lua --headless --frames 3 --hash --seed 7
equals "the same seed, the same result" "$out" "$seven"
run run random.lua --headless --frames 3 --hash --seed 8
fails "another seed, another result" test "$out" = "$seven"

# --- scenes that fail
run run missing.lua --headless
equals "no such scene: status" "$status" 1
contains "no such scene: message" "$err" "missing.lua"
echo 'local tide = ' >syntax.lua
run run syntax.lua --headless --hash
equals "syntax error: status" "$status" 1
contains "syntax error: place" "$err" "syntax.lua:"
equals "syntax error: no hash" "$out" ""
write_cloth_with update.lua 'function scene.update() if scene.frame == 3 then error("too late") end end'
run run update.lua --headless --frames 10 --stats kept.csv --hash
equals "failing update: status" "$status" 1
contains "failing update: message" "$err" "too late"
contains "failing update: place" "$err" "update.lua:12"
equals "failing update: rows so far are kept" "$(wc -l <kept.csv)" 4
equals "failing update: no hash" "$out" ""
write_cloth_with draw.lua 'function scene.draw() error("no paint") end'
run run draw.lua --headless --frames 2 --size 64x64 --png draw%d.png
equals "failing draw: status" "$status" 1
contains "failing draw: message" "$err" "no paint"
run run draw.lua --headless --frames 2
equals "draw is not called when no picture is asked for" "$status" 0
write_cloth_with quit.lua 'function scene.quit() print("bye") end'
run run quit.lua --headless --frames 12 --hash
equals "quit is called; the hash comes after it" "$out" "bye
$hash"
refused "--set of an unknown parameter" "stiffness" run cloth.lua --headless --set stifness=60
refused "--set out of range" "expected a number from 1 to 1000" run cloth.lua --headless --set stiffness=5000
refused "--set of a wrong type" "expected a number" run cloth.lua --headless --set stiffness=much
for number in nan -nan inf -inf 1e999 -1 0x 1.5.2 "1 2" ""; do
    for option in --frames --threads --seed --size --timestep; do
        refused "$option '$number'" "$option" run cloth.lua --headless $option "$number"
    done
    refused "--set to '$number'" "stiffness" run cloth.lua --headless --set "stiffness=$number"
    refused "--solver with '$number'" "iterations" run cloth.lua --headless --solver "newton,iterations=$number"
done

# --- files that cannot be written
touch file
run run cloth.lua --headless --frames 1 --png file/%d.png
equals "a folder that cannot be made: status" "$status" 1
contains "a folder that cannot be made: message" "$err" "cannot be made"
mkdir folder.csv
run run cloth.lua --headless --frames 1 --stats folder.csv
equals "a folder in place of a file: status" "$status" 1
contains "a folder in place of a file: message" "$err" "folder.csv"

# Interrupted: files are whole, and the shell is told.
stop_when INT '[ -e stop/3.png ]' run cloth.lua --headless --frames 1000000 --size 64x48 --png stop/%d.png \
    --export stop/%d.obj --stats stop/s.csv
equals "interrupted: status" "$status" 130
equals "interrupted: nothing is left half done" "$(find stop -name '*.part' | wc -l)" 0
last=$(tail -n 1 stop/s.csv | cut -d, -f1)
equals "interrupted: as many pictures as rows" "$(find stop -name '*.png' | wc -l)" "$last"
equals "interrupted: as many meshes as rows" "$(find stop -name '*.obj' | wc -l)" "$last"
equals "interrupted: the last row is whole" "$(tail -n 1 stop/s.csv | awk -F, '{ print NF }')" 15
equals "interrupted: the last picture is whole" "$(tail -c 8 "stop/$last.png" | head -c 4)" IEND
sed 's/^return/function scene.update() for _ = 1, 9999 do print("ready") end while true do end end\nreturn/' cloth.lua >endless.lua
stop_when INT 'grep -q ready .out' run endless.lua --headless
equals "interrupted in an endless loop: status" "$status" 130
# Writes fail as on a full disk.
(
    trap '' XFSZ
    ulimit -f 1
    run run cloth.lua --headless --frames 1 --export full.obj
    echo "$status $err"
) >.full 2>&1
contains "no room for a mesh: status and message" "$(<.full)" "1 springtide: full.obj: cannot be written: File too large"
fails "no room for a mesh: no file" test -e full.obj
equals "no room for a mesh: nothing is left half done" "$(find . -name 'full.obj*')" ""
finish
