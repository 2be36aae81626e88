#!/usr/bin/env bash
# Builds the fuzz targets of the mesh readers with clang's libFuzzer, AddressSanitizer and UndefinedBehaviorSanitizer,
# and runs them one after another on one core at the lowest priority, with a line for each. What is found is left in
# build/fuzz/; the corpus grows in build/fuzz/corpus/FORMAT, and tests/fuzz/seeds/FORMAT holds where it begins.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
formats=()
for target in "$root"/tests/fuzz/fuzz_*.c; do
    format=${target##*/fuzz_}
    formats+=("${format%.c}")
done

usage() {
    echo "usage: scripts/fuzz.sh FORMAT|all [RUNS [LONGEST]]" >&2
    echo "  FORMAT   ${formats[*]}" >&2
    echo "  RUNS     how many inputs to try, 10000000 when not given" >&2
    echo "  LONGEST  bytes of an input at most, 512 when not given" >&2
    exit 2
}

chosen=${1:-}
runs=${2:-10000000}
longest=${3:-512}
[[ $# -ge 1 && $# -le 3 && $runs =~ ^[1-9][0-9]*$ && $longest =~ ^[1-9][0-9]*$ ]] || usage
if [ "$chosen" != all ]; then
    [[ " ${formats[*]} " == *" $chosen "* ]] || usage
    formats=("$chosen")
fi

command -v clang >/dev/null || {
    echo "clang is missing; install the Debian packages clang and libclang-rt-14-dev" >&2
    exit 1
}
folder=$root/build/fuzz
mkdir -p "$folder"
options=(-std=gnu17 -O2 -g -fno-sanitize-recover=all -ffp-contract=off -Iengine)
cd "$root"

compile() {
    clang "${options[@]}" "$@" 2>"$folder/build.log" || {
        cat "$folder/build.log" >&2
        if grep -q 'libclang_rt' "$folder/build.log"; then
            echo "clang's runtime is missing; install the Debian package libclang-rt-14-dev" >&2
        fi
        exit 1
    }
}

# Inputs are guided by how they run through the mesh library, not by what is below it.
echo "Building the fuzz targets ${formats[*]} ..." >&2
rm -rf "$folder/base" "$folder/mesh"
mkdir -p "$folder/base" "$folder/mesh"
mapfile -t base < <(find "$root/engine/base" -name '*.c' ! -name '*_web.c' ! -name '*_windows.c')
(cd "$folder/base" && compile -I"$root/engine" -fsanitize=address,undefined -c "${base[@]}")
(cd "$folder/mesh" && compile -I"$root/engine" -fsanitize=fuzzer-no-link,address,undefined -c "$root"/engine/mesh/*.c \
    "$root"/engine/formats/*.c)
for format in "${formats[@]}"; do
    compile -fsanitize=fuzzer,address,undefined -o "$folder/fuzz_$format" "tests/fuzz/fuzz_$format.c" \
        "$folder"/mesh/*.o "$folder"/base/*.o -pthread -lmd4c -lz -lm
done

# Leaks are counted by the targets themselves.
export ASAN_OPTIONS=detect_leaks=0:quarantine_size_mb=4:allocator_may_return_null=1
export UBSAN_OPTIONS=print_stacktrace=1
found=0
for format in "${formats[@]}"; do
    mkdir -p "$folder/corpus/$format"
    log=$folder/$format.log
    status=0
    nice -n 19 "$folder/fuzz_$format" -runs="$runs" -max_len="$longest" -timeout=10 -rss_limit_mb=1024 -seed=1 \
        -print_final_stats=1 -artifact_prefix="$folder/$format-" "$folder/corpus/$format" \
        "tests/fuzz/seeds/$format" >"$log" 2>&1 || status=$?
    if [ $status -ne 0 ]; then
        tail -n 40 "$log" >&2
        echo "$format: found something; the input is named above, the log is $log"
        found=1
        continue
    fi
    tried=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")
    echo "$format: $tried inputs, nothing found"
done
exit $found
