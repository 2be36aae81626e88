#!/usr/bin/env bash
# Each program that a script calls comes with Debian or is installed by scripts/setup.sh.
# Only in the release build.
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
exec lua5.4 "$root/tests/scripts/programs.lua" "$root"
