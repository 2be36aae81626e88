#!/usr/bin/env bash
# tests/bench/run.sh with small sizes: its tables, the figures and how they belong together, and what it refuses. No test
# depends on how long anything takes.
# Only in the release build.
. "$(dirname "$0")/../app/checks.sh"

export SPRINGTIDE_BUILD=$build
bench() { # WORDS...: its output is in `out` and .out, messages are in `err`, and `status` is set
    "$root/tests/bench/run.sh" "$@" >.out 2>.err && status=0 || status=$?
    out=$(<.out) err=$(<.err)
}
holds() { # CONDITION A [B [C]]: a condition of awk over numbers a, b, c
    awk -v a="$2" -v b="${3-0}" -v c="${4-0}" "BEGIN { exit !($1) }"
}
figure() { # NAME [SCENE [FILE]]: with one thread
    awk -F, -v name="$1" -v scene="${2-cloth}" '$1 == scene && $3 == name && $2 == 1 { print $4 }' "${3-s.csv}"
}
rejects() { # NAME PART WORDS...: a command line that is wrong
    local name=$1 part=$2
    shift 2
    bench "$@"
    equals "$name: status" "$status" 2
    contains "$name: message" "$err" "$part"
    equals "$name: nothing is measured" "$out" ""
}
write_cloth cloth.lua
cp cloth.lua frog.lua

# --- Table 1 ----------------------------------------------------------------------------------------------------------
bench table1 frog.lua cloth.lua --frames 2 --warm-up 0 --runs 1 --csv t.csv
equals "table 1: status" "$status" 0
contains "table 1: its source" "$out" "Liu et al. 2013, Table 1"
row=$(grep '^frog ' .out | head -n 1)
contains "table 1: ours beside the paper's vertices" "$row" "68 / 6834"
for theirs in 35261 33.0 3.10 20 62.0 54.0; do
    contains "table 1: the paper's $theirs" "$row" "/ $theirs"
done
ratio=$(grep -A 1 '^frog ' .out | awk '/times faster/ { print $(NF - 1) }')
passes "table 1: how many times faster a frame is" holds "a > 0.95 * b && a < 1.05 * b" "$ratio" \
    "$(figure paper_of_frame frog t.csv)"
passes "table 1: that is the ratio of the frames" holds "a > 0.95 * 62 / b && a < 1.05 * 62 / b" "$ratio" \
    "$(awk '$1 == "frog" { print $20; exit }' .out)"
fails "table 1: a scene that it does not have is left out" grep -q '^cloth' .out

# --- the parts of an iteration and errors -----------------------------------------------------------------------------
bench parts errors cloth.lua --frames 2 --warm-up 0 --runs 1 --threads 1 --iterations 300 --csv s.csv
equals "parts: status" "$status" 0
contains "parts: the machine" "$out" "processors; springtide"
equals "parts: heading" "$(head -n 1 s.csv)" "scene,threads,figure,value,unit"
equals "parts: figures of the scene or the machine" "$(cut -d, -f 1,2,5 s.csv | sort -u | xargs)" \
    "cloth,1,1 cloth,1,MB cloth,1,ms machine,1,GB/s scene,threads,unit"
equals "parts: no figure twice" "$(cut -d, -f 1-3 s.csv | sort | uniq -d)" ""
for name in solve_ms cholmod_ms stream_ms local_ms iteration_ms frame_ms analyse_ms factor_ms panels_ms nnz memory_mb \
    draw_ms build_ms reload_ms process_mb stream_cache_ms stream_memory_ms pin_ms unpin_ms cut_ms stiffness_ms \
    timestep_ms added_ms; do
    passes "parts: $name" holds "a > 0" "$(figure $name)"
done
for name in read_cache_gb_s read_memory_gb_s; do
    passes "parts: $name" holds "a > 0.1" "$(figure $name machine)"
done
equals "parts: vertices" "$(figure vertices)" 68
passes "parts: a pin takes no more than a factorisation" holds "a > 0 && a <= 1" "$(figure pin_redone)"
passes "parts: contact" holds "a >= 0 && a < b" "$(figure collision_ms)" "$(figure frame_ms)"
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
    "$(figure stream_memory_ms)" "$(figure factor_mb)" "$(figure read_memory_gb_s machine)"

contains "errors: their source" "$out" "Liu et al. 2013, eq. 15"
for method in cholmod local_global lbfgs anderson newton; do
    passes "errors: $method comes nearer in more iterations" holds "1 <= a && a <= b && b <= c" \
        "$(figure ${method}_iterations_to_1e-1)" "$(figure ${method}_iterations_to_1e-2)" \
        "$(figure ${method}_iterations_to_1e-3)"
    passes "errors: $method takes time" holds "a > 0" "$(figure ${method}_time_to_1e-3_ms)"
done
near=$(figure local_global_iterations_to_1e-2)
equals "errors: CHOLMOD's solve takes as many iterations" "$(figure cholmod_iterations_to_1e-2)" "$near"
passes "errors: Newton's method takes fewest" holds "a < b" "$(figure newton_iterations_to_1e-3)" \
    "$(figure local_global_iterations_to_1e-3)"
springtide convergence cloth.lua --frame 3 --iterations "$near" --solvers local_global --out study >/dev/null
passes "errors: that many iterations leave 1e-2" holds "a <= 0.0101 && a > 0" \
    "$(awk -F, -v n="$near" '$4 == n { print $5 }' study/convergence.csv)"

# --- a comparison with earlier figures --------------------------------------------------------------------------------
sed -i 's/^cloth,1,vertices,.*/cloth,1,vertices,34,1/; /springs/d' s.csv
bench parts cloth.lua --frames 1 --warm-up 0 --runs 1 --compare s.csv --csv s2.csv --threads 1 --markdown
equals "compared: status" "$status" 0
passes "compared: twice as many" grep -Eq 'vertices .* 34.0 .* 68.0 .* 100 ' <<<"$out"
equals "compared: all figures that both have" "$(sed -n '/^against/,$p' <<<"$out" | grep -Ec '^\| (cloth|machine) ')" \
    "$(($(wc -l <s2.csv) - 2))"
passes "Markdown: every row of a table has all columns" awk -F'|' '
    /^\|/ { if (NF != columns && columns) wrong = 1; columns = NF; next } { columns = 0 } END { exit wrong }' .out
echo "scene,h" >wrong.csv
bench parts --compare wrong.csv
equals "another table to compare with: status" "$status" 1
contains "another table to compare with: message" "$err" "line 1"
bench parts --compare none.csv
contains "a table that is not there" "$err" "none.csv"

# --- growth -----------------------------------------------------------------------------------------------------------
bench growth --vertices 1000 --frames 1 --runs 1 --threads 1 --iterations 20 --csv g.csv
equals "growth: status" "$status" 0
equals "growth: a cloth and a block" "$(awk -F, '$3 == "frame_ms" { print $1 }' g.csv | xargs)" "cloth_1024 volume_1000"
for name in local_ms solve_ms cholmod_ms stream_ms analyse_ms factor_ms pin_ms frame_ms draw_ms nnz memory_mb process_mb \
    cholmod_time_to_1e-1_ms; do
    passes "growth: $name" holds "a > 0 && b > 0" "$(figure $name cloth_1024 g.csv)" "$(figure $name volume_1000 g.csv)"
done
# The difference of two steps, which load on the machine can make negative.
passes "growth: prepare_ms" holds "a != 0 && b != 0" "$(figure prepare_ms cloth_1024 g.csv)" \
    "$(figure prepare_ms volume_1000 g.csv)"
equals "growth: by the factor" "$(figure linear_iterations cloth_1024 g.csv)" 0
bench growth --vertices 1000 --shape cloth --set way=iterative --frames 1 --runs 1 --threads 1 --iterations 2 --csv g.csv
contains "growth: without a factor" "$out" "conjugate gradients"
passes "growth: without a factor: its iterations" holds "a > 0" "$(figure linear_iterations cloth_1024 g.csv)"

# --- broad phases, scripting, targets ---------------------------------------------------------------------------------
bench broad_phase scripting --vertices 3162 --runs 1
equals "broad phase: status" "$status" 0
equals "broad phase: two searches, in two orders, of two clouds" "$(grep -Ec '^(tree|points) ' .out)" 8
# Cubes of 1 m in a cube of side L overlap with the probability (2 s - s^2)^3, s = 1 / L; balls of diameter 1 m fill
# their part of it.
while read -r vertices tree points; do
    passes "broad phase: as many cubes of $vertices as by chance" holds "a > 0.95 * b && a < 1.05 * b" "$tree" \
        "$(awk -v n="$vertices" 'BEGIN { s = n ^ (-1 / 3); print n * (n - 1) / 2 * (2 * s - s * s) ^ 3 }')"
    passes "broad phase: as many balls of $vertices as by chance" holds "a > 0.95 * b && a < 1.05 * b" "$points" \
        "$(awk -v n="$vertices" 'BEGIN { pi = atan2(0, -1); s = n ^ (-1 / 3)
            print n * (n - 1) / 2 * (4 / 3 * pi * s ^ 3 - 3 / 2 * pi * s ^ 4 + 8 / 5 * s ^ 5 - s ^ 6 / 6) }')"
done < <(awk '$2 == "mesh" { found[$1, $3] = $8; sizes[$3] }
    END { for (n in sizes) print n, found["tree", n], found["points", n] }' .out)
contains "scripting: a loop over a buffer" "$out" "buffer:each"
bench materials --frames 1 --warm-up 0 --runs 1 --set cells=2 --set side=5 --csv m.csv
equals "materials: status" "$status" 0
for pair in corotated,springs membrane,curtain own_element,curtain; do
    passes "materials: ${pair/,/ of }" holds "a > 0" "$(figure "iteration_of_${pair#*,}" "${pair%,*}" m.csv)"
done
equals "materials: three are held to a target" "$(grep -c 'target \(met\|missed\)$' .out)" 3
bench portable cloth.lua --frames 2 --warm-up 1 --runs 1 --csv p.csv
equals "portable: status" "$status" 0
for name in normal_frame_ms vectors_128_frame_ms portable_frame_ms; do
    passes "portable: $name" holds "a > 0" "$(figure $name cloth p.csv)"
done
passes "portable: the ratio" holds "a > 0.98 * b / c && a < 1.02 * b / c" "$(figure portable_of_normal cloth p.csv)" \
    "$(figure portable_frame_ms cloth p.csv)" "$(figure normal_frame_ms cloth p.csv)"
bench tear --runs 1 --csv r.csv
equals "tear: status" "$status" 0
for name in usual_ms tear_ms after_ms; do
    passes "tear: $name" holds "a > 0" "$(figure $name tear r.csv)"
done
equals "tear: it is held to a target" "$(grep -c '^tear .* target \(met\|missed\)$' .out)" 1
cp cloth.lua brush.lua
bench parts brush.lua --frames 1 --warm-up 0 --runs 1 --threads 1
passes "targets: the brush's is met where its figure is at most that" awk '
    /^brush .* collision, ms .* target (met|missed)$/ { good = ($(NF - 2) <= $(NF - 3)) == ($NF == "met") }
    END { exit !good }' .out

# --- what is refused --------------------------------------------------------------------------------------------------
rejects "an unknown measurement" "tests/bench/run.sh --help" grwth
rejects "an unknown option" "there is no option --frame" parts --frame 3
rejects "an option without its value" "expected a value" parts --frames
for wrong in abc 5 nan 1000x -3; do
    rejects "growth up to $wrong vertices" "expected a whole number from 1000" growth --vertices "$wrong"
done
rejects "an unknown shape" "expected cloth or volume" growth --shape blob
rejects "a setting without a value" "NAME=VALUE" growth --set vertices
bench parts nothing.lua --frames 1 --warm-up 0 --runs 1 --threads 1
equals "a scene that is not there: status" "$status" 1
contains "a scene that is not there: message" "$err" nothing.lua
bench --help
equals "help: status" "$status" 0
for name in table1 parts errors growth materials portable tear broad_phase scripting; do
    contains "help: $name" "$out" "$name"
done
finish
