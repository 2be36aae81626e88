#!/usr/bin/env bash
# Builds one configuration into build/<configuration>/. Targets: libspringtide, springtide, springtide-module, tests,
# bench; all of them when none is named.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
configuration=${1:-release}
[ $# -eq 0 ] || shift
case "$configuration" in
release | debug | sanitize) ;;
*)
    echo "usage: scripts/build.sh [release|debug|sanitize] [TARGET...]" >&2
    exit 2
    ;;
esac

cd "$root"
mkdir -p "build/$configuration"
# Two builds at once would write the same files.
if command -v flock >/dev/null; then
    exec 9>build/.lock
    flock 9
fi

log=build/$configuration/build.log
quietly() {
    "$@" >"$log" 2>&1 9>&- || {
        cat "$log" >&2
        echo "$what failed: the messages are above and in $root/$log" >&2
        exit 1
    }
}

what="Making build/Makefile"
if command -v premake5 >/dev/null; then
    quietly premake5 gmake
elif command -v premake4 >/dev/null; then
    quietly premake4 --file=premake5.lua gmake
else
    echo "Neither premake5 nor premake4 is installed; scripts/setup.sh installs premake4." >&2
    exit 1
fi

# make sees changed sources, but neither changed options nor a source that was removed from a library.
if ! cmp -s premake5.lua "build/$configuration/premake5.lua"; then
    rm -rf "build/$configuration/objects"
fi
libraries=(build/libspringtide.make build/app.make build/gui.make build/gui-drawing.make)
for library in "${libraries[@]}"; do
    cmp -s "$library" "build/$configuration/${library##*/}" || rm -f "build/$configuration"/libspringtide*.a
done
cp premake5.lua "${libraries[@]}" "build/$configuration/"

echo "Building Springtide ($configuration) ..." >&2
what="Building"
quietly make --no-print-directory -j"$(nproc 2>/dev/null || echo 2)" -C build config="$configuration" "${@:-all}"
