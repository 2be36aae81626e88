#!/usr/bin/env bash
# scripts/fuzz.sh: its words, what it says where clang is missing, and that targets build and run.
# Only in the release build.
. "$(dirname "$0")/../app/checks.sh"
script=$root/scripts/fuzz.sh

for words in "" "unknown" "obj 0" "obj -5" "obj 10 10 10" "obj ten"; do
    # shellcheck disable=SC2086
    bash "$script" $words >.out 2>.err
    equals "usage '$words': status" $? 2
    passes "usage '$words': the formats" grep -Eq 'FORMAT +gmsh medit obj ply stl tetgen$' .err
done

# A folder with all but clang.
mkdir bin
for tool in bash dirname mkdir; do
    ln -s "$(command -v $tool)" "bin/$tool"
done
PATH=$folder/bin bash "$script" obj 10 >.out 2>.err
equals "without clang: status" $? 1
equals "without clang: the packages" "$(cat .err)" \
    "clang is missing; install the Debian packages clang and libclang-rt-14-dev"

for seeds in "$root"/tests/fuzz/seeds/*; do
    passes "a target for the seeds of ${seeds##*/}" test -f "$root/tests/fuzz/fuzz_${seeds##*/}.c"
done

# Where clang is installed; the tests need it no further.
if command -v clang >/dev/null && [ -n "$(find "$(clang -print-resource-dir)" -name 'libclang_rt.fuzzer-x86_64.a')" ]; then
    bash "$script" tetgen 2000 128 >.out 2>.err
    equals "a run: status" $? 0
    equals "a run: its count" "$(cat .out)" "tetgen: 2000 inputs, nothing found"
fi
finish
