#!/usr/bin/env bash
# `bench`: tables of times, their columns and counts, and what is refused. How long anything takes is not judged here.
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
names=scene,solver,vertices,springs,h_ms,iterations,iteration_ms,detect_ms,respond_ms,frame_ms,median_ms,processor_ms,draw_ms,prefactor_ms,reference_ms,ratio
equals "the curtain: columns" "$(head -n 1 out/a.csv)" "$names,processor,threads,compiler"
equals "the curtain: one row" "$(wc -l <out/a.csv)" 2
for pair in scene=curtain solver=local_global vertices=6561 springs=32158 iterations=10 threads=1; do
    equals "the curtain: ${pair%=*}" "$(column out/a.csv "${pair%=*}")" "${pair#*=}"
done
cell() { column out/a.csv "$1"; }
passes "the curtain: the timestep" holds "a > 33.3 && a < 33.4" "$(cell h_ms)"
passes "the curtain: ten iterations are in a frame" holds "10 * a <= b && a > 0" \
    "$(cell iteration_ms)" "$(cell frame_ms)"
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
equals "Markdown: every row has all columns" "$(grep '^|' out/a.md | tr -cd '|\n' | sort -u)" "|||||||||||||||||"
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

# --- Table 1 ----------------------------------------------------------------------------------------------------------
mkdir -p scenes/table1
cp cloth.lua scenes/table1/frog.lua
run bench --table1 --frames 2 --warm-up 0 --runs 1 --csv t.csv --markdown t.md
equals "table 1: status" "$status" 0
equals "table 1: what is not there is told" "$(grep -c 'is left out' .err)" 5
equals "table 1: three rows a scene" "$(wc -l <t.csv)" 4
equals "table 1: ours" "$(column t.csv m frog,Springtide) $(column t.csv s frog,Springtide)" "68 $(
    awk -F, '/^cloth/ { print $4 }' b.csv)"
for pair in m=6834 s=35261 h_ms=33 iteration_ms=3.1 iterations=20 collision_ms= frame_ms=62 prefactor_ms=54; do
    equals "table 1: the paper's ${pair%=*}" "$(column t.csv "${pair%=*}" frog,Liu)" "${pair#*=}"
done
passes "table 1: how many times faster" holds "a > 0.999 * 62 / b && a < 1.001 * 62 / b" \
    "$(column t.csv frame_ms frog,times)" "$(column t.csv frame_ms frog,Springtide)"
passes "table 1: collision is detection and response" holds "a > b + c - 1e-9 && a < b + c + 1e-9" \
    "$(column t.csv collision_ms frog,Springtide)" "$(column t.csv detect_ms frog,Springtide)" \
    "$(column t.csv respond_ms frog,Springtide)"
equals "table 1: Markdown has a row a scene" "$(grep -c '^| frog |' t.md) $(grep -c '^|' t.md)" "1 3"
contains "table 1: Markdown has ours beside the paper's" "$(cat t.md)" "| frog | 68 / 6834 |"
passes "table 1: Markdown has the processor's time" holds "a > 0.9 * b && a < 1.1 * b" \
    "$(sed -n "s/^Ours by the processor's clock, ms a frame: frog \(.*\)\.$/\1/p" t.md)" "$(column t.csv processor_ms frog,Springtide)"
contains "table 1: Markdown names the machine" "$(cat t.md)" "1 of"
rm -r scenes

# --- the parts of an iteration ----------------------------------------------------------------------------------------
run bench --solve cloth.lua --frames 2 --warm-up 0 --runs 1 --threads 1 --csv s.csv
equals "parts: status" "$status" 0
out_of_parts=$out
equals "parts: heading" "$(head -n 1 s.csv)" "scene,threads,figure,value,unit"
equals "parts: a row a figure, of the scene or the machine" "$(cut -d, -f 1,2,5 s.csv | sort -u | xargs)" \
    "cloth,1,1 cloth,1,MB cloth,1,ms machine,1,GB/s scene,threads,unit"
equals "parts: no figure twice" "$(cut -d, -f 1-3 s.csv | sort | uniq -d)" ""
figure() { # NAME [THREADS [SCENE [FILE]]]
    awk -F, -v name="$1" -v threads="${2-1}" -v scene="${3-cloth}" \
        '$1 == scene && $3 == name && $2 == threads { print $4 }' "${4-s.csv}"
}
for name in solve_ms cholmod_ms stream_ms local_ms iteration_ms frame_ms analyse_ms factor_ms panels_ms nnz memory_mb \
    draw_ms build_ms reload_ms process_mb stream_cache_ms stream_memory_ms pin_ms unpin_ms cut_ms stiffness_ms timestep_ms \
    added_ms; do
    passes "parts: $name" holds "a > 0" "$(figure $name)"
done
for name in read_cache_gb_s read_memory_gb_s; do
    passes "parts: $name" holds "a > 0.1" "$(figure $name 1 machine)"
done
passes "parts: a pin takes no more than a factorisation" holds "a > 0 && a <= 1" "$(figure pin_redone)"
contains "parts: what changes take" "$out_of_parts" "stiffness_ms"
passes "parts: contact is told apart" holds "a >= 0 && a < b" "$(figure collision_ms)" "$(figure frame_ms)"
equals "parts: vertices" "$(figure vertices)" "$(awk -F, '/^cloth/ { print $3 }' b.csv)"
while read -r name part whole; do
    passes "parts: $name" holds "a > 0.999 * b / c && a < 1.001 * b / c" "$(figure "$name")" "$(figure "$part")" \
        "$(figure "$whole")"
done <<<"solve_of_cholmod solve_ms cholmod_ms
solve_of_stream solve_ms stream_ms
local_of_solve local_ms solve_ms
iteration_of_cholmod iteration_ms cholmod_ms
frame_of_cholmod frame_ms cholmod_ms
time_to_1e-2_of_cholmod time_to_1e-2_ms cholmod_time_to_1e-2_ms"
passes "parts: the rest of an iteration" holds "a > b - c - 1e-6 && a < b - c + 1e-6" "$(figure other_ms)" \
    "$(figure iteration_ms)" "$(awk -v a="$(figure local_ms)" -v b="$(figure solve_ms)" 'BEGIN { print a + b }')"
passes "parts: the factor at the memory's speed" holds "a > 0.99 * 2 * b / c && a < 1.01 * 2 * b / c" \
    "$(figure stream_memory_ms)" "$(figure factor_mb)" "$(figure read_memory_gb_s 1 machine)"
for method in cholmod local_global lbfgs anderson newton; do
    passes "errors: $method comes nearer in more iterations" holds "1 <= a && a <= b && b <= c" \
        "$(figure ${method}_iterations_to_1e-1)" "$(figure ${method}_iterations_to_1e-2)" \
        "$(figure ${method}_iterations_to_1e-3)"
    passes "errors: $method takes time" holds "a > 0" "$(figure ${method}_time_to_1e-3_ms)"
done
# The same numbers of iterations by \`convergence\`, which has Newton's method alone for the minimum.
near=$(figure local_global_iterations_to_1e-2)
equals "errors: CHOLMOD's solve takes as many iterations" "$(figure cholmod_iterations_to_1e-2)" "$near"
passes "errors: Newton's method takes fewest" holds "a < b" "$(figure newton_iterations_to_1e-3)" \
    "$(figure local_global_iterations_to_1e-3)"
run convergence cloth.lua --frame 4 --iterations "$near" --solvers local_global --out study
error_after() { column study/convergence.csv error | sed -n "$(column study/convergence.csv iterations | grep -nx "$1" | cut -d: -f 1)p"; }
passes "errors: that many iterations leave 1e-2" holds "a <= 0.01 && a > 0" "$(error_after "$near")"
contains "errors: the table" "$out_of_parts" "Liu et al. 2013, eq. 15"
sed -i 's/^cloth,1,vertices,.*/cloth,1,vertices,34,1/; /springs/d' s.csv
run bench --solve cloth.lua --frames 2 --warm-up 0 --runs 1 --compare s.csv --csv s2.csv --threads 1 \
    --without draw,errors
equals "parts: compared: status" "$status" 0
passes "parts: compared: twice as many" grep -q 'vertices *1 *34.0 *68.0 *100' <<<"$out"
equals "parts: compared: all that both have" "$(sed -n '/^against/,$p' <<<"$out" | grep -Ec '^(cloth|machine) ')" \
    "$(($(wc -l <s2.csv) - 2))"
equals "parts: compared: the table is that of now" "$(grep -c springs s2.csv)" 1
equals "parts: without pictures and errors" "$(grep -Ec 'draw_ms|time_to' s2.csv)" 0
run bench --solve cloth.lua --frames 1 --warm-up 0 --runs 1 --csv s.csv --without errors --markdown s.md
equals "parts: with 1 and with all threads" "$(grep ^cloth s.csv | cut -d, -f 2 | sort -u | xargs)" \
    "$([ "$(nproc)" -gt 1 ] && echo 1 "$(nproc)" || echo 1)"
equals "parts: Markdown has the tables" "$(grep -c '^| scene ' s.md)" 3
echo "scene,h" >wrong.csv
refused "a table to compare with that is another" "line 1" bench --solve cloth.lua --compare wrong.csv
refused "a table to compare with that is not there" "none.csv" bench --solve cloth.lua --compare none.csv
refused "to compare another table" "goes with --solve" bench cloth.lua --compare s.csv
refused "two modes" "expected one of" bench --solve --table1
refused "to leave out what is no part" "draw, errors, growth" bench --solve cloth.lua --without pictures

# --- growth ----------------------------------------------------------------------------------------------------------
run bench --growth --set vertices=1000 --frames 1 --runs 1 --threads 1 --without errors --csv g.csv
equals "growth: status" "$status" 0
equals "growth: a cloth and a block" "$(awk -F, '$3 == "frame_ms" { print $1 }' g.csv | xargs)" "cloth_1024 volume_1000"
for name in local_ms solve_ms cholmod_ms stream_ms analyse_ms factor_ms pin_ms prepare_ms frame_ms draw_ms nnz memory_mb \
    process_mb; do
    passes "growth: $name" holds "a > 0 && b > 0" "$(figure $name 1 cloth_1024 g.csv)" "$(figure $name 1 volume_1000 g.csv)"
done
equals "growth: by the factor" "$(figure linear_iterations 1 cloth_1024 g.csv)" 0
run bench --growth --set vertices=1000 --set way=iterative --frames 1 --runs 1 --threads 1 --without errors,draw \
    --csv g.csv
contains "growth: without a factor" "$out" "conjugate gradients"
passes "growth: without a factor: its iterations" holds "a > 0" "$(figure linear_iterations 1 cloth_1024 g.csv)"
for wrong in vertices=abc vertices=5 vertices=nan vertices=1000x shape=blob; do
    refused "growth: --set $wrong" "expected" bench --growth --set $wrong
done
refused "growth: a solver that there is not" "newton" bench --growth --set vertices=1000 --solver newtn
refused "growth: a parameter that the scene lacks" "vertexes" bench --growth --set vertices=1000 --set vertexes=9
refused "growth: of no scene" "takes no scene" bench --growth scene.lua

# --- all of it --------------------------------------------------------------------------------------------------------
mkdir -p scenes/table1 scenes/papers
for name in curtain hippo frog dog brush dress; do
    cp cloth.lua scenes/table1/$name.lua
done
[ "$(basename "$build")" != release ] || cp "$scenes/table1/dog.lua" scenes/table1/dog.lua
cp "$scenes/papers/growth.lua" scenes/papers
run bench --frames 1 --warm-up 0 --runs 1 --threads 1 --set vertices=1000 --without errors,draw --csv all.csv
equals "all: a parameter that scenes lack: status" "$status" 2
run bench --frames 1 --warm-up 0 --runs 1 --threads 1 --without growth,errors,draw --csv all.csv
equals "all: status" "$status" 0
equals "all: the scenes of Table 1" "$(awk -F, '$3 == "frame_ms" { print $1 }' all.csv | xargs)" \
    "curtain hippo frog dog brush dress"
contains "all: what the program is held to" "$out" "local step, of the solve"
if [ "$(basename "$build")" = release ]; then
    # The dog of the data has 28,390 vertices, its stand-in about as many.
    passes "all: the dog has its size" holds "a > 25000" "$(figure vertices 1 dog all.csv)"
    passes "all: the dog in 200 MB" holds "a > 20 && a <= 200" "$(figure process_mb 1 dog all.csv)"
fi
rm -r scenes

# --- the broad phase --------------------------------------------------------------------------------------------------
run bench --broad-phase --runs 1 --csv p.csv
equals "broad phase: status" "$status" 0
equals "broad phase: three searches, in two orders, of seven clouds" "$(wc -l <p.csv)" 43
contains "broad phase: the growth" "$out" "time grows as vertices^b"
for search in hash tree points; do
    equals "broad phase: the order of points does not change the pairs ($search)" \
        "$(column p.csv pairs "$search,random" | xargs)" "$(column p.csv pairs "$search,as" | xargs)"
    equals "broad phase: vertices ($search)" "$(column p.csv vertices "$search,as" | xargs)" \
        "1000 3162 10000 31623 100000 316228 1000000"
done
equals "broad phase: the tree finds what the hash does" "$(column p.csv pairs tree,as | xargs)" \
    "$(column p.csv pairs hash,as | xargs)"
passes "broad phase: a tree is built and refitted" holds "a > 0 && b > 0" \
    "$(column p.csv build_ms tree,as | tail -n 1)" "$(column p.csv refit_ms tree,as | tail -n 1)"
passes "broad phase: of a tree, a frame refits and asks" holds "c > a + b - 1e-6 && c < a + b + 1e-6" \
    "$(column p.csv refit_ms tree,as | tail -n 1)" "$(column p.csv query_ms tree,as | tail -n 1)" \
    "$(column p.csv total_ms tree,as | tail -n 1)"
equals "broad phase: only a tree is refitted" "$(column p.csv refit_ms hash | sort -u)$(column p.csv build_ms points |
    sort -u)" ""
while read -r count cubes balls; do
    # Two points at random along a side L are within 1 of each other with probability (2 L - 1) / L^2; in a cube, at a
    # distance of less than 1 with that of the integral of 4 pi r^2 times the part of them that stays inside.
    passes "broad phase: pairs of $count" holds "b > 0.95 * c && b < 1.05 * c" 0 "$cubes" \
        "$(awk -v n="$count" 'BEGIN { L = exp(log(n) / 3); p = (2 * L - 1) / L ^ 2; print n * (n - 1) / 2 * p ^ 3 }')"
    passes "broad phase: pairs of $count balls" holds "b > 0.95 * c && b < 1.05 * c" 0 "$balls" \
        "$(awk -v n="$count" 'BEGIN { s = exp(-log(n) / 3); pi = 3.141592653589793
            print n * (n - 1) / 2 * (4 / 3 * pi * s ^ 3 - 3 / 2 * pi * s ^ 4 + 8 / 5 * s ^ 5 - s ^ 6 / 6) }')"
done < <(paste <(column p.csv vertices hash,as) <(column p.csv pairs hash,as) <(column p.csv pairs points,as))

# --- what is refused --------------------------------------------------------------------------------------------------
refused "two modes" "expected one of" bench --table1 --broad-phase
refused "a scene for a mode" "takes no scene" bench --table1 cloth.lua
refused "a scene's option for the broad phase" "does not take it" bench --broad-phase --frames 3
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
