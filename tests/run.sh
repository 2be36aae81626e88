#!/usr/bin/env bash
# Sets up, builds and runs tests, in the release build and in one with ASan, UBSan and a check for leaks:
#     tests/run.sh                  what every change is to pass, in at most 15 minutes on two processors
#     tests/run.sh --long           all tests
#     tests/run.sh --long-only      those that the first leaves out
#
#                                   short                     long
#     tests/**/test_*.c             both builds               release: the suites in `sampled`, whole
#     tests/**/*_spec.lua           both builds, by busted
#     tests/**/test_*.sh            release                   sanitize, without a line "# Only in the release build."
#     tests/**/long_*.sh                                      release
# C tests are in one program, with a job for each suite. Suites take a sample of their longest sweeps under sanitizers,
# and those in `sampled` in the short run (tide_test_skips and tide_test_count in tests.h).
# Scripts get the build folder. One with a line "# A job for each scene." is run for each, one with "# Runs alone." when
# all others are done: it needs a quiet machine.
# All other tests may run beside each other: they share no file, no display and no clock.
# The logs, and times.txt, from which tests/times.txt is made, are in build/test-logs. The last line is
# "N passed, N failed".
set -uo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$root" || exit 1
logs=build/test-logs
short=1 long=0
case "${1:-}" in
'' | --short) ;;
--long) long=1 ;;
--long-only) short=0 long=1 ;;
*)
    echo "usage: tests/run.sh [--short|--long|--long-only]" >&2
    exit 2
    ;;
esac
. tests/jobs.sh

give_up() {
    echo "$1" >&2
    echo "0 passed, 1 failed"
    exit 1
}

sampled="world_contact_storms world_tangle_colliders"

# --- kinds of jobs ----------------------------------------------------------------------------------------------------
suite() { # CONFIGURATION NAME
    local sample=()
    [[ " $sampled " != *" $2 "* ]] || sample=(SPRINGTIDE_TESTS_SAMPLE=1)
    env "${sample[@]}" CMOCKA_MESSAGE_OUTPUT=TAP "build/$1/springtide-tests" --suite "$2"
}

whole_suite() { # CONFIGURATION NAME
    env CMOCKA_MESSAGE_OUTPUT=TAP "build/$1/springtide-tests" --suite "$2"
}

spec() { # CONFIGURATION PATH
    local preload=
    [ "$1" = release ] || preload=$asan
    env LUA_CPATH="$root/build/$1/?.so;;" LD_PRELOAD="$preload" SPRINGTIDE_BUILD="$root/build/$1" \
        lua5.4 "$busted" -o TAP "$2"
}

script() { # CONFIGURATION PATH[:SCENE]: no signal is ignored, as one may be in a job in the background or under nohup
    local scene=()
    [[ $2 != *:* ]] || scene=("${2#*:}")
    env --default-signal bash "${2%%:*}" "$root/build/$1" "${scene[@]}"
}

check() { # source structure|FOLDER
    local standard=lua54
    if [ "$2" = structure ]; then
        lua5.4 tests/structure.lua
        return
    fi
    [ "$2" != tests ] || standard=lua54+busted
    if luacheck --no-color --no-cache -q --std $standard "$2"; then
        echo "ok - luacheck of $2"
    else
        echo "not ok - luacheck of $2"
        return 1
    fi
}

# --- which jobs -------------------------------------------------------------------------------------------------------
add_script() { # CONFIGURATION PATH
    local scene
    if grep -qx '# Runs alone.' "$2"; then
        add_job_alone script "$1" "$2"
    elif grep -qx '# A job for each scene.' "$2"; then
        while read -r scene; do add_job script "$1" "$2:$scene"; done \
            < <(find scenes -name '*.lua' ! -path 'scenes/course/*' ! -path 'scenes/learning/*' | sed 's|^scenes/||; s|\.lua$||' | sort)
    else
        add_job script "$1" "$2"
    fi
}

add_short() {
    local configuration name
    for name in structure scripts scenes tests; do add_job check source $name; done
    for configuration in release sanitize; do
        while read -r name; do add_job suite $configuration "$name"; done \
            < <("build/$configuration/springtide-tests" --list)
        while read -r name; do add_job spec $configuration "$name"; done < <(find tests -name '*_spec.lua' | sort)
    done
    while read -r name; do add_script release "$name"; done < <(find tests -name 'test_*.sh' | sort)
}

add_long() {
    local name
    for name in $sampled; do add_job whole_suite release "$name"; done
    while read -r name; do add_script release "$name"; done < <(find tests -name 'long_*.sh' | sort)
    while read -r name; do
        grep -qx '# Only in the release build.' "$name" || add_script sanitize "$name"
    done < <(find tests -name 'test_*.sh' | sort)
}

scripts/setup.sh --tests || give_up "setup"
[ $long -eq 0 ] || scripts/setup.sh --arm || give_up "setup of the build for aarch64"
scripts/build.sh release || give_up "build of release"
scripts/build.sh sanitize || give_up "build of sanitize"
mkdir -p "$logs"
rm -f "$logs"/*
touch "$logs/results"

# A test may put a library of its own before libasan.
export ASAN_OPTIONS=detect_leaks=1:strict_string_checks=1:verify_asan_link_order=0
export UBSAN_OPTIONS=print_stacktrace=1
export LUA_PATH="$root/scripts/?.lua;$root/scripts/?/init.lua;;"
asan=$(gcc -print-file-name=libasan.so)
busted=$(command -v busted)

[ $short -eq 0 ] || add_short
[ $long -eq 0 ] || add_long
SECONDS=0
run_jobs
report_jobs $SECONDS
