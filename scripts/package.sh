#!/usr/bin/env bash
# Makes packages of the program: scripts/package.sh deb|tar|windows|all ... [--out DIR] [--fast]
# --fast is for tests: the program for Windows is compiled in half the time, and slower, with the same hashes.
# They go to build/packages/, or to DIR. Prints the name of each.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
out=$root/build/packages
fast=()
kinds=()
usage() {
    echo "usage: scripts/package.sh deb|tar|windows|all ... [--out DIR] [--fast]" >&2
    exit 2
}
while [ $# -gt 0 ]; do
    case "$1" in
    deb | tar | windows) kinds+=("$1") ;;
    --fast) fast=(--fast) ;;
    all) kinds=(deb tar windows) ;;
    --out)
        [ $# -gt 1 ] || usage
        out=$2
        shift
        ;;
    *) usage ;;
    esac
    shift
done
[ ${#kinds[@]} -gt 0 ] || usage

"$root/scripts/setup.sh" --packages
for kind in "${kinds[@]}"; do
    case "$kind" in
    deb | tar)
        "$root/scripts/build.sh" release springtide springtide-module
        "$root/scripts/package/$kind.sh" "$out"
        ;;
    windows) "$root/scripts/package/windows.sh" "$out" "${fast[@]}" ;;
    esac
done
