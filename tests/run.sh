#!/usr/bin/env bash
# Sets up, builds and runs every test: in the release build, and under ASan and UBSan with a check for leaks.
#     tests/**/test_*.c       C, in one program
#     tests/**/*_spec.lua     Lua, by busted
#     tests/**/test_*.sh      get the build folder; with a line "# Only in the release build." they run once, with a line
#                             "# May run beside others." at the same time as others: they mind neither time nor display
# The last line is "N passed, N failed".
set -uo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$root" || exit 1
logs=build/test-logs
begun=0

# Runs a test. What is told of it goes out in one piece, as others may run at the same time; the sum is made of the last
# lines.
tell() {
    local report
    report=$("$@" </dev/null)
    printf '%s\n' "$report"
    tail -n 1 <<<"$report" >>"$logs/counts"
}

alone() {
    begun=$((begun + 1))
    tell "$@"
}

# At the same time as others, as soon as a processor is free.
beside() {
    begun=$((begun + 1))
    while [ "$(jobs -rp | wc -l)" -ge "$(nproc)" ]; do wait -n; done
    tell "$@" &
}
trap 'trap - TERM; kill 0' INT TERM HUP # what runs beside does not hear of Ctrl-C

count() { # LABEL PASSED FAILED
    printf '%-44s %5d passed %4d failed\n' "$1" "$2" "$3"
}

give_up() {
    echo "$1" >&2
    echo "0 passed, 1 failed"
    exit 1
}

# Runs a command that prints a line "ok ..." or "not ok ..." for each test. One that stops before its plan ("1..N") is
# done, or that fails in another way, has failed once more.
tap() { # LABEL COMMAND...
    local label=$1 log status=0 good bad skipped planned
    log=$logs/${label//[^a-zA-Z0-9]/-}.txt
    shift
    "$@" >"$log" 2>&1 || status=$?
    good=$(grep '^ok ' "$log" | grep -vic '# skip')
    bad=$(grep '^not ok ' "$log" | grep -vic '# skip')
    skipped=$(grep -Eic '^(not )?ok .*# skip' "$log")
    planned=$(awk -F. '/^1\.\.[0-9]+$/ { sum += $3 } END { print sum + 0 }' "$log")
    if { [ $status -ne 0 ] && [ "$bad" -eq 0 ]; } || [ "$good" -eq 0 ] ||
        [ "$planned" -gt $((good + bad + skipped)) ]; then
        echo "$label: stopped with status $status after $((good + bad + skipped)) of $planned tests" >>"$log"
        bad=$((bad + 1))
    fi
    [ "$bad" -eq 0 ] || {
        echo "--- $label: $log"
        grep -v '^ok ' "$log" | tail -n 150
        echo "---"
    }
    [ "$skipped" -eq 0 ] || grep -Ei '^(not )?ok .*# skip' "$log"
    count "$label" "$good" "$bad"
}

# A command that is one test.
single() { # LABEL COMMAND...
    local label=$1 log
    log=$logs/${label//[^a-zA-Z0-9]/-}.txt
    shift
    if "$@" >"$log" 2>&1; then
        count "$label" 1 0
    else
        echo "--- $label: $log"
        tail -n 150 "$log"
        echo "---"
        count "$label" 0 1
    fi
}

# Its own lines count.
structure() {
    local log=$logs/structure.txt summary
    lua5.4 tests/structure.lua >"$log" 2>&1
    summary=$(tail -n 1 "$log")
    if [[ "$summary" =~ ^([0-9]+)\ passed,\ ([0-9]+)\ failed$ ]]; then
        [ "${BASH_REMATCH[2]}" -eq 0 ] || grep -v '^ok ' "$log"
        count structure "${BASH_REMATCH[1]}" "${BASH_REMATCH[2]}"
    else
        cat "$log"
        count structure 0 1
    fi
}

scripts/setup.sh --tests || give_up "setup"
scripts/build.sh release || give_up "build of release"
scripts/build.sh sanitize || give_up "build of sanitize"
mkdir -p "$logs"
rm -f "$logs"/*

existing() {
    local folder
    for folder in "$@"; do
        [ ! -e "$folder" ] || find "$folder" -name '*.lua' -print -quit | sed "s|.*|$folder|"
    done
}
alone structure
for folder in $(existing scripts scenes); do
    alone single "luacheck of $folder" luacheck --no-color --no-cache -q --std lua54 "$folder"
done
alone single "luacheck of tests" luacheck --no-color --no-cache -q --std lua54+busted tests

# A test may put a library of its own before libasan.
export ASAN_OPTIONS=detect_leaks=1:strict_string_checks=1:verify_asan_link_order=0
export UBSAN_OPTIONS=print_stacktrace=1
export LUA_PATH="$root/scripts/?.lua;$root/scripts/?/init.lua;;"
asan=$(gcc -print-file-name=libasan.so)

c_tests() { # CONFIGURATION
    tap "$1: C tests" env CMOCKA_MESSAGE_OUTPUT=TAP "build/$1/springtide-tests"
}

mapfile -t specifications < <(find tests -name '*_spec.lua' | sort)
busted=$(command -v busted)
lua_tests() { # CONFIGURATION
    local preload=
    [ "$1" = release ] || preload=$asan
    tap "$1: Lua tests" env LUA_CPATH="$root/build/$1/?.so;;" LD_PRELOAD="$preload" \
        SPRINGTIDE_BUILD="$root/build/$1" lua5.4 "$busted" -o TAP "${specifications[@]}"
}

script() { # CONFIGURATION PATH
    tap "$1: ${2#tests/}" bash "$2" "$root/build/$1"
}

mapfile -t every < <(find tests -name 'test_*.sh' | sort)
mapfile -t sanitized < <(grep -Lx '# Only in the release build.' "${every[@]}")
scripts() { # CONFIGURATION beside|alone
    local of=("${every[@]}") with=-l
    [ "$1" = release ] || of=("${sanitized[@]}")
    [ "$2" = beside ] || with=-L
    grep $with -x '# May run beside others.' "${of[@]}"
}

# The longest first.
beside c_tests sanitize
for path in $(scripts release beside); do beside script release "$path"; done
beside c_tests release
for path in $(scripts sanitize beside); do beside script sanitize "$path"; done
beside lua_tests sanitize
beside lua_tests release
wait
for configuration in release sanitize; do
    for path in $(scripts $configuration alone); do alone script $configuration "$path"; done
done

awk -v begun=$begun '{ passed += $(NF - 3); failed += $(NF - 1) }
    END { failed += begun - NR; printf "%d passed, %d failed\n", passed, failed; exit failed > 0 || passed == 0 }' \
    "$logs/counts"
