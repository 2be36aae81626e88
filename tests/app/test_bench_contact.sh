#!/usr/bin/env bash
# `bench --contact`: the rows and columns of its tables, that each phase and count is there where something touches, and
# refused arguments. No test depends on times.
# Only in the release build.
. "$(dirname "$0")/checks.sh"

scenes=$root/scenes
cell() { # FILE ROW COLUMN: the row begins with ROW, "scene,n,count,"
    awk -F, -v row="$2" -v name="$3" '
        NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) at = i; next }
        index($0, row) == 1 { print $at; exit }' "$1"
}
holds() { # CONDITION A [B [C]]: a condition of awk over numbers a, b, c
    awk -v a="$2" -v b="${3-0}" -v c="${4-0}" "BEGIN { exit !($1) }"
}
positive() { # FILE ROW COLUMNS...
    local file=$1 row=$2 name
    shift 2
    for name in "$@"; do
        passes "$row: $name" holds "a > 0" "$(cell "$file" "$row" "$name")"
    done
}

# --- rows, columns, files ---------------------------------------------------------------------------------------------
run bench --contact --vertices 200 --runs 1 --frames 1 --out out
equals "tiny sizes: status" "$status" 0
names=scene,n,count,vertices,searches,candidates,swept,near,contacts,step_us,broad_us,narrow_us,continuous_us,response_us,solver_us,rest_us,processor_us,memory_mb,memory_kb,crossings,allowed
equals "columns" "$(head -n 1 out/contact.csv)" "$names,processor,threads,compiler"
equals "rows: those of at most 200 vertices" "$(tail -n +2 out/contact.csv | cut -d, -f 1-3 | xargs)" "knot,,"
equals "no growth of one size: columns only" "$(wc -l <out/contact_growth.csv)" 1

run bench --contact layers pulled heap hair sphere --vertices 620 --runs 1 --frames 1 --out out --warm-up 12
equals "all kinds: status" "$status" 0
equals "all kinds: no message" "$err" ""
equals "all kinds: rows" "$(tail -n +2 out/contact.csv | cut -d, -f 1-3 | xargs)" \
    "layers,7,5 layers,10,5 pulled,8,5 heap,,3 hair,,30 sphere,22,"
equals "the table on the screen has the same columns" "$(sed -n 4p .out | xargs)" "${names//,/ }"
equals "and rows" "$(sed -n 5,10p .out | awk '{ print $1 }' | uniq -c | xargs)" "2 layers 1 pulled 1 heap 1 hair 1 sphere"
equals "growth: of what has several sizes" "$(tail -n +2 out/contact_growth.csv | cut -d, -f 1-4 | xargs)" \
    "layers by n,2,245,500"
equals "Markdown: rows of both tables" "$(grep -c '^|' out/contact.md)" 11
contains "the plot's script" "$(<out/contact.gnuplot)" "contact.csv"
if command -v gnuplot >/dev/null; then
    passes "the plot" test -s out/contact.png
fi

# --- phases and counts where things touch ----------------------------------------------------------------------------
known="vertices contacts step_us broad_us response_us solver_us processor_us memory_mb memory_kb"
always="$known searches"
# shellcheck disable=SC2086 # lists of words
for row in layers,7,5 pulled,8,5; do
    positive out/contact.csv "$row," $always candidates near narrow_us continuous_us
done
# shellcheck disable=SC2086
positive out/contact.csv layers,10,5, $known near continuous_us
run bench --contact "$root/scripts/springtide/commands/contact_scene.lua" --set n=10 --warm-up 30 --frames 8 --runs 1 \
    --csv rest.csv
passes "layers at rest: pairs of earlier steps stay valid" holds "10 * a < b && b > 500" \
    "$(cell rest.csv contact_scene,,, candidates)" "$(cell rest.csv contact_scene,,, near)"
positive out/contact.csv pulled,8,5, swept # the boxes of known pairs seldom overlap: not in each scene
# shellcheck disable=SC2086
positive out/contact.csv hair,,30, $always candidates near narrow_us
# shellcheck disable=SC2086
positive out/contact.csv sphere,22,, $always continuous_us
while IFS=, read -r scene n count _; do
    row=$scene,$n,$count,
    sum=0
    for name in broad narrow continuous response solver rest; do
        sum=$(awk -v a="$sum" -v b="$(cell out/contact.csv "$row" ${name}_us)" 'BEGIN { print a + b }')
    done
    passes "$row the phases make up the step" holds "a > 0.99 * b && a < 1.1 * b" "$sum" \
        "$(cell out/contact.csv "$row" step_us)"
    passes "$row memory for a vertex" holds "a > 0.99e3 * b / c && a < 1.01e3 * b / c" \
        "$(cell out/contact.csv "$row" memory_kb)" "$(cell out/contact.csv "$row" memory_mb)" \
        "$(cell out/contact.csv "$row" vertices)"
done < <(tail -n +2 out/contact.csv)
passes "pulled: what is near has been a candidate" holds "a >= b && b >= c" \
    "$(cell out/contact.csv pulled,8,5, candidates)" "$(cell out/contact.csv pulled,8,5, near)" 500
passes "layers: more of them touch than a cloth has vertices" holds "a > 100" \
    "$(cell out/contact.csv layers,10,5, contacts)"

while IFS=, read -r scene n count _; do
    equals "$scene,$n,$count: crossings" "$(cell out/contact.csv "$scene,$n,$count," crossings)" 0
done < <(tail -n +2 out/contact.csv)

# --- scene files: counts are the same for any number of threads; without contact there are none ------------------------
run bench --contact "$scenes/table1/curtain.lua" "$scenes/drape.lua" --warm-up 8 --frames 1 --runs 1 --csv one.csv \
    --markdown one.md
equals "scene files: status" "$status" 0
for name in searches candidates swept near contacts broad_us narrow_us continuous_us response_us; do
    equals "nothing touches: $name" "$(cell one.csv curtain,,, $name)" 0
done
# shellcheck disable=SC2086
positive one.csv drape,,, $always continuous_us
run bench --contact "$scenes/drape.lua" --warm-up 8 --frames 1 --runs 1 --threads 2 --csv two.csv
equals "counts of two threads" "$(grep ^drape, two.csv | cut -d, -f 2-9)" "$(grep ^drape, one.csv | cut -d, -f 2-9)"
run bench --contact "$scenes/drape.lua" --warm-up 8 --frames 1 --runs 1 --solver local_global,substeps=3 --csv three.csv
equals "substeps: status" "$status" 0
passes "substeps: searches add up" holds "a >= 3" "$(cell three.csv drape,,, searches)"
# Solid bodies: continuous collision searches for its pairs.
run bench --contact "$scenes/softstack.lua" --warm-up 60 --frames 1 --runs 1 --csv solids.csv
# shellcheck disable=SC2086
positive solids.csv softstack,,, $always swept continuous_us
run bench --contact "$scenes/softstack.lua" --warm-up 60 --frames 1 --runs 1 --solver local_global,substeps=3 --csv solids_three.csv
passes "substeps: candidates of continuous collision add up" holds "a > 1.5 * b" "$(cell solids_three.csv softstack,,, swept)" \
    "$(cell solids.csv softstack,,, swept)"

# --- what is refused --------------------------------------------------------------------------------------------------
refused "an unknown name" "some of layers, pulled, heap" bench --contact heaps
refused "too few vertices" "from 100 to" bench --contact --vertices 10
refused "two places for the tables" "without --csv" bench --contact knot --out out --csv a.csv
refused "sizes without --contact" "expected --contact" bench "$scenes/pendulum.lua" --vertices 1000
refused "a folder without --contact" "expected --contact" bench "$scenes/pendulum.lua" --out out
run bench --contact nothing.lua --frames 1 --runs 1
equals "a scene that is not there: status" "$status" 1
contains "a scene that is not there: message" "$err" nothing.lua
run help bench
contains "help: a column" "$out" "candidates     pairs of points"
finish
