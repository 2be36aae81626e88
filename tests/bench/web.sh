#!/usr/bin/env bash
# Measures a step in WebAssembly, under node, beside the native program in the same minute, as a table:
#     tests/bench/web.sh [ROUNDS [SCENE=FRAMES...]]
# Each round runs all variants in turn. A number is the least over the rounds of the median time of a step in the second
# half of a run. In the first half, node still recompiles hot functions with its optimising compiler. Needs
# scripts/build.sh release and scripts/web.sh.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
cd "$root"
native=${SPRINGTIDE_BUILD:-build/release}/springtide
web=build/web-program/springtide-program.js
for file in "$native" "$web"; do
    [ -f "$file" ] || {
        echo "tests/bench/web.sh: there is no $file; run scripts/build.sh release and scripts/web.sh" >&2
        exit 1
    }
done
rounds=${1:-3}
[ $# -eq 0 ] || shift
[ $# -gt 0 ] || set -- scenes/curtain.lua=300 scenes/drape.lua=120 scenes/table1/brush.lua=400
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# FRAMES COMMAND...: the median of a step's time in the second half, ms
median() {
    rm -f "$work/stats.csv" # the numbers of another run must not stand for those of one that failed
    if ! "${@:2}" --headless --frames "$1" --stats "$work/stats.csv" >/dev/null 2>"$work/messages"; then
        tr '\r' '\n' <"$work/messages" | tail -n 1 >&2
        return 1
    fi
    awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "step_ms") column = i } NR > 1 + frames / 2 { print $column }' frames="$1" "$work/stats.csv" |
        sort -g | awk '{ all[NR] = $1 } END { print all[int((NR + 1) / 2)] }'
}

printf '| %-24s | %10s | %10s | %10s | %10s | %10s |\n' scene wasm_ms portable_ms fastest_ms of_portable of_fastest
printf '|:-------------------------|-----------:|------------:|-----------:|------------:|-----------:|\n'
for pair in "$@"; do
    scene=${pair%=*} frames=${pair##*=}
    : >"$work/all"
    for ((round = 0; round < rounds; round++)); do
        number=$(median "$frames" node "$web" run "$scene" --portable)
        echo "wasm $number" >>"$work/all"
        number=$(median "$frames" "$native" run "$scene" --portable --threads 1)
        echo "portable $number" >>"$work/all"
        number=$(median "$frames" "$native" run "$scene")
        echo "fastest $number" >>"$work/all"
    done
    awk -v scene="$(basename "$scene" .lua)" '
        !($1 in least) || $2 < least[$1] { least[$1] = $2 }
        END {
            printf "| %-24s | %10.3f | %11.3f | %10.3f | %11.2f | %10.2f |\n", scene, least["wasm"], least["portable"],
                least["fastest"], least["wasm"] / least["portable"], least["wasm"] / least["fastest"]
        }' "$work/all"
done
