#!/usr/bin/env bash
# Measures the parts of the engine and prints them as tables, with ratios to a reference in the same run and the targets
# that the engine is held to. `tests/bench/run.sh --help` lists the measurements. Needs scripts/build.sh release.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
export SPRINGTIDE_BUILD=${SPRINGTIDE_BUILD:-$root/build/release}
export LUA_PATH="$root/tests/?.lua;$root/scripts/?.lua;$root/scripts/?/init.lua;;" LUA_CPATH="$SPRINGTIDE_BUILD/?.so;;"
[ -x "$SPRINGTIDE_BUILD/springtide-bench" ] || {
    echo "tests/bench/run.sh: there is no $SPRINGTIDE_BUILD/springtide-bench; run scripts/build.sh release first" >&2
    exit 1
}
exec lua5.4 "$root/tests/bench/main.lua" "$root" "$@"
