#!/usr/bin/env bash
# Sets up, builds and runs `springtide ARGS`. With no ARGS: the curtain. One scene and nothing else opens a window, or
# with no display writes pictures to build/pictures/<scene>/ and prints that folder.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
"$root/scripts/setup.sh"
"$root/scripts/build.sh" release springtide springtide-module springtide-c
program=$root/build/release/springtide

[ $# -gt 0 ] || set -- "$root/scenes/curtain.lua"
if [ $# -ne 1 ] || [[ "$1" != *.lua ]] || [ ! -f "$1" ]; then
    exec "$program" "$@"
fi

scene=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
if [ -n "${DISPLAY:-}${WAYLAND_DISPLAY:-}${SDL_VIDEODRIVER:-}" ]; then
    messages=$(mktemp)
    trap 'rm -f "$messages"' EXIT
    status=0
    { "$program" "$scene" 2>&1 >&3 | tee "$messages" >&2; } 3>&1 || status=$?
    if [ $status -eq 0 ] || ! grep -q '^springtide: window: ' "$messages"; then
        exit $status
    fi
fi

name=$(basename "$scene" .lua)
cd "$root"
mkdir -p "build/pictures/$name"
"$program" run "$scene" --headless --frames 120 --size 960x540 --png "build/pictures/$name/%04d.png"
echo "There is no display; the pictures are in $root/build/pictures/$name"
