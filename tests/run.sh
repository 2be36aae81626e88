#!/usr/bin/env bash
# Sets up, builds and runs every test: in the release build, and under ASan and UBSan with a check for leaks.
#     tests/**/test_*.c       C, in one program
#     tests/**/*_spec.lua     Lua, by busted
#     tests/**/test_*.sh      get the build folder; with a line "# Only in the release build." they run once
# The last line is "N passed, N failed".
set -uo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$root" || exit 1
passed=0
failed=0
logs=build/test-logs

count() { # LABEL PASSED FAILED
    passed=$((passed + $2))
    failed=$((failed + $3))
    printf '%-44s %5d passed %4d failed\n' "$1" "$2" "$3"
}

give_up() {
    echo "$1" >&2
    count "$1" 0 1
    finish
}

finish() {
    echo "$passed passed, $failed failed"
    [ $failed -eq 0 ] && [ $passed -gt 0 ]
    exit
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

scripts/setup.sh --tests || give_up "setup"
scripts/build.sh release || give_up "build of release"
scripts/build.sh sanitize || give_up "build of sanitize"
mkdir -p "$logs"
rm -f "$logs"/*

# Structure: its own lines count.
log=$logs/structure.txt
lua5.4 tests/structure.lua >"$log" 2>&1
summary=$(tail -n 1 "$log")
if [[ "$summary" =~ ^([0-9]+)\ passed,\ ([0-9]+)\ failed$ ]]; then
    [ "${BASH_REMATCH[2]}" -eq 0 ] || grep -v '^ok ' "$log"
    count structure "${BASH_REMATCH[1]}" "${BASH_REMATCH[2]}"
else
    cat "$log"
    count structure 0 1
fi

existing() {
    local folder
    for folder in "$@"; do
        [ ! -e "$folder" ] || find "$folder" -name '*.lua' -print -quit | sed "s|.*|$folder|"
    done
}
for folder in $(existing scripts scenes); do
    single "luacheck of $folder" luacheck --no-color --no-cache -q --std lua54 "$folder"
done
single "luacheck of tests" luacheck --no-color --no-cache -q --std lua54+busted tests

# A test may put a library of its own before libasan.
export ASAN_OPTIONS=detect_leaks=1:strict_string_checks=1:verify_asan_link_order=0
export UBSAN_OPTIONS=print_stacktrace=1
export LUA_PATH="$root/scripts/?.lua;$root/scripts/?/init.lua;;"
asan=$(gcc -print-file-name=libasan.so)

mapfile -t specifications < <(find tests -name '*_spec.lua' | sort)
busted=$(command -v busted)
for configuration in release sanitize; do
    preload=
    [ $configuration = release ] || preload=$asan
    tap "$configuration: C tests" env CMOCKA_MESSAGE_OUTPUT=TAP "build/$configuration/springtide-tests"
    if [ ${#specifications[@]} -gt 0 ]; then
        tap "$configuration: Lua tests" env LUA_CPATH="$root/build/$configuration/?.so;;" LD_PRELOAD="$preload" \
            SPRINGTIDE_BUILD="$root/build/$configuration" lua5.4 "$busted" -o TAP "${specifications[@]}"
    fi
    while IFS= read -r script; do
        [ $configuration = release ] || ! grep -qx '# Only in the release build.' "$script" || continue
        tap "$configuration: ${script#tests/}" bash "$script" "$root/build/$configuration"
    done < <(find tests -name 'test_*.sh' | sort)
done

finish
