#!/usr/bin/env bash
# `run --stats`: columns for what a scene plots and for measures; `--plots`: their picture.
. "$(dirname "$0")/checks.sh"
write_cloth_with plots.lua '
function scene.update()
  scene:plot("lowest", scene.frame * 0.5):plot("a, \"b\"", -scene.frame):plot("time", 7)
  if scene.frame >= 3 then scene:plot("late", 1 / 3) end
  if scene.frame == 4 then scene:plot("odd", 1 / 0):plot("never", 0 / 0) end
  scene:fork():plot("lowest", 99):plot("of a fork", 1)
end'
fixed="frame,time,solver,iterations,g,gradient_norm,local_ms,global_ms,contact_ms,step_ms,draw_ms,kinetic,elastic,gravity,total"

run run plots.lua --headless --frames 6 --stats s.csv --hash
equals "series: status" "$status" 0
hash=$out
equals "series: the header" "$(head -n 1 s.csv)" "$fixed,lowest,\"a, \"\"b\"\"\",plot time,late,odd,never"
equals "series: their columns" "$(tail -n +2 s.csv | cut -d, -f16- | xargs)" \
    "0,0,7,,, 0.5,-1,7,,, 1,-2,7,,, 1.5,-3,7,0.333333333333,, 2,-4,7,0.333333333333,inf, 2.5,-5,7,0.333333333333,,"
equals "series: as many cells in each row" "$(tail -n +2 s.csv | awk -F, '{ print NF }' | sort -u)" 21
equals "series: frames in order, each once" "$(tail -n +2 s.csv | cut -d, -f1 | xargs)" "1 2 3 4 5 6"
equals "series: no other file is left" "$(ls -A | grep -v '^\.' | xargs)" "plots.lua s.csv"
run run plots.lua --headless --frames 6 --stats /dev/stdout
equals "series to a pipe: those of the first row" "$(head -n 1 <<<"$out")" "$fixed,lowest,\"a, \"\"b\"\"\",plot time"
equals "series to a pipe: a warning" "$err" "warning: /dev/stdout: columns that begin after its first row are left out; write to a file"
equals "series to a pipe: as many cells in each row" "$(tail -n +2 <<<"$out" | awk -F, '{ print NF }' | sort -u)" 18
run run plots.lua --headless --frames 0 --stats /dev/stdout
equals "no frame to a pipe: the header" "$out" "$fixed"
cp s.csv before.csv
run run plots.lua --headless --frames 6 --stats s.csv
equals "the same run: the same columns but for milliseconds" "$(cut -d, -f1-6,12- s.csv)" "$(cut -d, -f1-6,12- before.csv)"

run run plots.lua --headless --frames 6 --stats m.csv --measures --hash
equals "measures: status" "$status" 0
equals "measures: the state is the same" "$out" "$hash"
equals "measures: the header" "$(head -n 1 m.csv | cut -d, -f16-21)" \
    "residual,contacts,reaction,contact_force,largest_stress,energy_gain"
passes "measures: the pins carry a weight, nothing touches, nothing has stress" \
    awk -F, 'NR > 1 && ($18 <= 0 || $17 != 0 || $19 != 0 || $20 != 0 || $16 <= 0) { exit 1 }' m.csv
equals "measures: no frame" "$(springtide run plots.lua --headless --frames 0 --measures --stats /dev/stdout)" \
    "$fixed,residual,contacts,reaction,contact_force,largest_stress,energy_gain"
# A ball at rest on the ground: contacts carry its weight.
cat >rest.lua <<'LUA'
local tide = require "springtide"
local scene = tide.scene { timestep = 1 / 60, ground = 0 }
scene:body("brick", { mesh = tide.mesh.box { size = { 1, 1, 1 }, cells = { 1, 1, 1 } }:translate(0, 0.502, 0), mass = 2,
  solid = { young = 1e5 } })
return scene
LUA
run run rest.lua --headless --frames 120 --stats rest.csv --measures
passes "measures: contacts carry the weight" \
    awk -F, 'END { exit !($17 > 0 && ($19 - 2 * 9.81) ^ 2 < 0.01 && $20 > 0) }' rest.csv

# More columns than there may be.
write_cloth_with many.lua 'function scene.update() for i = 1, 300 do scene:plot("p" .. i .. scene.frame, i) end end'
run run many.lua --headless --frames 2 --stats many.csv
equals "too many: status" "$status" 0
equals "too many: columns" "$(awk -F, '{ print NF }' many.csv | sort -u)" $((15 + 256))
equals "too many: one warning" "$err" \
    'warning: scene:plot: statistics have at most 256 columns; "p2570" and others are left out'

# The picture, with its numbers.
run run plots.lua --headless --frames 6 --plots out/p.png --measures --hash
equals "picture: status" "$status" 0
equals "picture: the state is the same" "$out" "$hash"
equals "picture: it is one" "$(head -c 8 out/p.png | od -An -tx1 | xargs)" "89 50 4e 47 0d 0a 1a 0a"
equals "picture: its numbers" "$(head -n 1 out/p.csv)" \
    "frame,time,residual,contacts,reaction,contact_force,largest_stress,energy_gain,lowest,a___b_,plot_time,kinetic,elastic,gravity,total,step_ms,late,odd,never"
equals "picture: a row a frame" "$(tail -n +2 out/p.csv | cut -d, -f1,9,17 | xargs)" \
    "1,0, 2,0.5, 3,1, 4,1.5,0.3333333 5,2,0.3333333 6,2.5,0.3333333"
run run plots.lua --headless --frames 0 --plots out/q.png
equals "picture of no frame: status" "$status" 1
contains "picture of no frame" "$err" "out/q.png: there is no frame to plot; run at least one"
run run plots.lua --headless --frames 1 --plots s.csv/p.png
equals "picture in a file: status" "$status" 1

refused "--plots of another format" "expected a name that ends in .png" run plots.lua --headless --plots p.svg
refused "--plots beside a table of its name" "its numbers would replace the table of --stats" \
    run plots.lua --headless --plots out/p.png --stats out/p.csv
refused "--measures alone" "goes with --stats FILE.csv or --plots FILE.png" run plots.lua --headless --measures
refused "--plots of a comparison" "does not go with a comparison" compare plots.lua --headless --solvers newton,lbfgs --plots p.png

# A run that ends early keeps the rows that it has, with all columns.
write_cloth_with fails.lua 'function scene.update() assert(scene.frame < 3, "enough"); scene:plot("p" .. scene.frame, 1) end'
run run fails.lua --headless --frames 9 --stats f.csv --plots g.png
equals "a run that fails: status" "$status" 1
equals "a run that fails: its rows" "$(cut -d, -f1,16- f.csv | xargs)" "frame,p0,p1,p2 1,1,, 2,,1, 3,,,1"
passes "a run that fails: its picture" test -s g.png
finish
