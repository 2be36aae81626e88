#!/usr/bin/env bash
# The hanging bar converges on meshes of 931 to 64,288 vertices, as the table of engine/model/README.md has it.
. "$(dirname "$0")/../app/checks.sh"

LUA_PATH="$root/scripts/?.lua;$root/scripts/?/init.lua;;" LUA_CPATH="$build/?.so;;" \
    lua5.4 "$root/tests/bench/hanging_bar.lua" >table.md
# A line for each figure: model, vertices|order|extrapolated, value.
awk -F' *[|] *' '$3 + 0 { print $2, $3, $4; order[$2] = $5; limit[$2] = $6 }
    END { for (model in order) { print model, "order", order[model]; print model, "extrapolated", limit[model] } }' \
    table.md | sort >seen
awk -F' *[|] *' '$2 == "vertices" && $3 == "corotated" { for (i = 3; i < NF; i++) model[i] = $i; next }
    !NF || $1 != "" { delete model }
    $3 + 0 { gsub(",", "", $2); for (i in model) print model[i], $2, $i }' "$root/engine/model/README.md" | sort >told
equals "the figures" "$(cut -d' ' -f1,2 seen | xargs)" "$(cut -d' ' -f1,2 told | xargs)"
equals "how many figures" "$(wc -l <told)" 24
while read -r model name seen _ _ told; do
    within=1e-4 # mm; the order comes from differences of few times that
    [ "$name" != order ] || within=0.2
    passes "$model, $name: $seen is $told" awk -v a="$seen" -v b="$told" -v d=$within \
        'BEGIN { exit !(a != "" && a - b < d && b - a < d) }'
done < <(paste -d' ' seen told)
finish
