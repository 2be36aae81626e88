#!/usr/bin/env bash
# The states of scenes in the portable mode are those of tests/golden/hashes.txt.
. "$(dirname "$0")/checks.sh"

"$root/tests/golden/check.sh" "$build/springtide"
