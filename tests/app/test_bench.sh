#!/usr/bin/env bash
# `bench`: the columns and counts of its table, and refused arguments. No test depends on times.
# Its scenes run under sanitizers elsewhere.
# Only in the release build.
. "$(dirname "$0")/checks.sh"

scenes=$root/scenes
# The cells of a column of a CSV file; only those of rows that begin with START.
column() { # FILE COLUMN [START]
    awk -F, -v name="$2" -v start="${3-}" '
        NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) at = i; next }
        index($0, start) == 1 { print $at }' "$1"
}
# Whether a condition of awk over numbers a, b, c holds.
holds() { # CONDITION A [B [C]]
    awk -v a="$2" -v b="${3-0}" -v c="${4-0}" "BEGIN { exit !($1) }"
}
write_cloth cloth.lua

# --- scenes -----------------------------------------------------------------------------------------------------------
run bench "$scenes/table1/curtain.lua" --frames 2 --warm-up 1 --runs 1 --csv out/a.csv --markdown out/a.md
equals "the curtain: status" "$status" 0
equals "the curtain: no message" "$err" ""
names=scene,solver,vertices,springs,h_ms,iterations,iteration_ms,local_ms,global_ms,detect_ms,respond_ms,frame_ms,median_ms,processor_ms,draw_ms,prefactor_ms,reference_ms,ratio
equals "the curtain: columns" "$(head -n 1 out/a.csv)" "$names,processor,threads,compiler"
equals "the curtain: one row" "$(wc -l <out/a.csv)" 2
for pair in scene=curtain solver=local_global vertices=6561 springs=32158 iterations=10 threads=1; do
    equals "the curtain: ${pair%=*}" "$(column out/a.csv "${pair%=*}")" "${pair#*=}"
done
cell() { column out/a.csv "$1"; }
passes "the curtain: the timestep" holds "a > 33.3 && a < 33.4" "$(cell h_ms)"
passes "the curtain: ten iterations are in a frame" holds "10 * a <= b && a > 0" \
    "$(cell iteration_ms)" "$(cell frame_ms)"
passes "the curtain: local and global steps are its iterations" holds "10 * a > 0.999 * (b + c) && 10 * a < 1.001 * (b + c)" \
    "$(cell iteration_ms)" "$(cell local_ms)" "$(cell global_ms)"
passes "the curtain: of one run best and median are the same" holds "a == b" "$(cell frame_ms)" "$(cell median_ms)"
passes "the curtain: one thread's processor takes no longer than the clock" holds "a > 0 && a < 1.02 * b + 0.01" \
    "$(cell processor_ms)" "$(cell frame_ms)"
passes "the curtain: the ratio is that of the frame and the reference" holds "a > 0.999 * b / c && a < 1.001 * b / c" \
    "$(cell ratio)" "$(cell frame_ms)" "$(cell reference_ms)"
passes "the curtain: factoring takes longer than an iteration" holds "a > b" "$(cell prefactor_ms)" "$(cell iteration_ms)"
passes "the curtain: nothing touches" holds "a == 0 && b == 0" "$(cell detect_ms)" "$(cell respond_ms)"
passes "the curtain: a picture of it takes some time" holds "a > 0" "$(cell draw_ms)"
equals "the table on the screen has the same columns" "$(sed -n 4p .out | xargs)" "${names//,/ }"
equals "and counts" "$(sed -n 5p .out | awk '{ print $1, $3, $4 }')" "curtain 6561 32158"
contains "it tells the threads" "$out" "1 of "
contains "it tells what was run" "$out" "the best of 1 run of 2 frames each, after 1 more"
equals "Markdown: rows" "$(grep -c '^|' out/a.md)" 3
equals "Markdown: every row has all columns" "$(grep '^|' out/a.md | tr -cd '|\n' | sort -u)" "|||||||||||||||||||"
passes "Markdown: a rule" grep -Eq '^\|:-+\|' out/a.md

run bench cloth.lua cloth.lua "$scenes/pendulum.lua" --frames 3 --warm-up 0 --runs 3 --set stiffness=60 --csv b.csv
equals "a setting that one scene lacks: status" "$status" 2
contains "a setting that one scene lacks: message" "$err" stiffness
fails "a setting that one scene lacks: no file" test -e b.csv
run bench cloth.lua "$scenes/pendulum.lua" --frames 3 --warm-up 0 --runs 3 --csv b.csv
equals "two scenes: status" "$status" 0
equals "two scenes: in their order" "$(column b.csv scene | xargs)" "cloth pendulum"
equals "two scenes: bodies are summed" "$(column b.csv vertices cloth)" 68
while read -r frame median; do
    passes "the best is at most the median" holds "a <= b && a > 0" "$frame" "$median"
done < <(paste <(column b.csv frame_ms) <(column b.csv median_ms))

run bench cloth.lua --frames 2 --warm-up 0 --runs 1 --solver local_global,iterations=3 --timestep 0.01 --threads 2 \
    --set stiffness=200 --csv c.csv
equals "its options are used: status" "$status" 0
equals "its options are used: iterations" "$(column c.csv iterations)" 3
equals "its options are used: timestep" "$(column c.csv h_ms)" 10
equals "its options are used: threads" "$(column c.csv threads)" 2
run bench cloth.lua --frames 2 --warm-up 0 --runs 1 --solver verlet --timestep 0.001 --csv d.csv
equals "verlet: solver" "$(column d.csv solver)" verlet
equals "verlet: has no factor" "$(column d.csv prefactor_ms)" ""
contains "verlet: nor on the screen" "$out" " - "

# The warm-up does not count: with it, what falls is in contact while it is measured.
cat >fall.lua <<'LUA'
local tide = require "springtide"
local scene = tide.scene {}
scene:body("rope", { mesh = tide.mesh.strand { points = 20, from = { 0, 0.3, 0 }, to = { 1, 0.3, 0 } }, stiffness = 100 })
scene:collider("floor", { shape = "plane" })
return scene
LUA
run bench fall.lua --frames 2 --warm-up 20 --runs 1 --csv e.csv
equals "a fall: status" "$status" 0
passes "a fall: contact is detected and answered" holds "a > 0 && b > 0 && a + b < c" \
    "$(column e.csv detect_ms)" "$(column e.csv respond_ms)" "$(column e.csv frame_ms)"

# --- what is refused --------------------------------------------------------------------------------------------------
refused "no scene" "expected SCENE.lua" bench
refused "a measurement of the engine's parts" "tests/bench/run.sh" bench --table1
refused "an unknown option" "did you mean --warm-up" bench cloth.lua --warmup 3
refused "an option of run" "takes no such option" bench cloth.lua --png a.png
refused "an option of bench" "takes no such option" run cloth.lua --runs 3
refused "no frames" "from 1 to" bench cloth.lua --frames 0
refused "no runs" "from 1 to" bench cloth.lua --runs 0
refused "a warm-up that is no number" "from 0 to" bench cloth.lua --warm-up x
refused "an unknown solver" "newton" bench cloth.lua --solver newtn
refused "an option that the solver lacks" "iteration" bench cloth.lua --solver local_global,iteration=3
refused "a solver for later" "without @" bench cloth.lua --solver newton@3
refused "an unknown parameter" "stifness" bench cloth.lua --set stifness=3
refused "an empty file name" "--csv" bench cloth.lua --csv=

run bench nothing.lua cloth.lua --frames 1 --warm-up 0 --runs 1
equals "a scene that is not there: status" "$status" 1
contains "a scene that is not there: message" "$err" nothing.lua
contains "a scene that is not there: the other is measured" "$out" "cloth "
run bench cloth.lua --frames 1 --warm-up 0 --runs 1 --csv cloth.lua/x.csv
equals "a table that cannot be written: status" "$status" 1
contains "a table that cannot be written: message" "$err" cloth.lua
run help bench
equals "help: status" "$status" 0
contains "help: the options" "$out" "--markdown FILE"
finish
