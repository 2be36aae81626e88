#!/usr/bin/env bash
# `test`: the tests beside the program.
. "$(dirname "$0")/checks.sh"

run test base_err
equals "a group that passes: status" "$status" 0
contains "a group that passes: its tests" "$out" "test_"
contains "a group that passes: how many" "$err" "1 group of tests, 0 failed"
run test no_such_group
equals "no such group: status" "$status" 1
contains "no such group: message" "$err" 'no suite of tests has "no_such_group" in its name'
refused "two groups" "one word too many" test base_error base_field
cp "$build/springtide" .
./springtide test >.out 2>.err
equals "no tests beside the program: status" "$?" 1
contains "no tests beside the program: message" "$(<.err)" "springtide-tests: is not there: scripts/build.sh release builds"
finish
