#!/usr/bin/env bash
# Builds the program for Windows by mingw-w64, and makes a zip of it: scripts/package/windows.sh FOLDER [--fast]
# --fast compiles in half the time, for development: a slower program with the same hashes.
# It has the command line: runs, pictures, hashes, replays, measurements. It has no window yet, and starts no other processes.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
out=$(mkdir -p "$1" && cd "$1" && pwd)
optimised=-O3
[ "${2:-}" != --fast ] || optimised=-O1
cd "$root"
# shellcheck source=scripts/package/stage.sh
. scripts/package/stage.sh
# shellcheck source=scripts/third_parties.sh
. scripts/third_parties.sh

sources=build/sources
work=build/package-windows
compiler=x86_64-w64-mingw32-gcc-posix
! command -v ccache >/dev/null || compiler="ccache $compiler"
jobs=$(nproc 2>/dev/null || echo 2)
compiled=(lua5.4 suitesparse metis libpng1.6 zlib md4c)
scripts/sources.sh "$sources" "${compiled[@]}"
mkdir -p "$work/posix/sys"

# Headers of POSIX that Windows lacks: engine/base/posix_windows.h has what is used of them.
for header in spawn dlfcn poll sys/wait sys/random sys/file sys/resource; do
    : >"$work/posix/$header.h"
done

# Numbers are read and written by mingw's own functions, as exactly as elsewhere. Lua opens files by names in UTF-8.
export LUA_FLAGS="-Dfopen=tide_windows_fopen -Dfreopen=tide_windows_freopen"
export METIS_FLAGS="-DUSE_GKREGEX -I$root/$work/posix"
CC=$compiler AR=x86_64-w64-mingw32-ar JOBS=$jobs CFLAGS="-O3 -fno-strict-aliasing -D__USE_MINGW_ANSI_STDIO=1" \
    compile_third_parties "$sources" "$work/third"

# The engine. NAME_windows.c takes the place of NAME.c, and so does NAME_web.c, where Windows lacks what browsers lack.
list_sources() {
    local file
    find engine -name '*.c' ! -path 'engine/gui/*' ! -path 'engine/app/web*' ! -name 'gl_*' ! -name main.c ! -name power.c |
        LC_ALL=C sort | while read -r file; do
        case "$file" in
        *_windows.c) echo "$file" ;;
        *_web.c) [ -f "${file%_web.c}_windows.c" ] || [ ! -f "${file%_web.c}.c" ] || echo "$file" ;;
        *) [ -f "${file%.c}_windows.c" ] || [ -f "${file%.c}_web.c" ] || echo "$file" ;;
        esac
    done
    echo engine/draw/gl_renderer_windows.c
    echo engine/gui/browse_web.c
    echo engine/gui/window_windows.c
}
list_sources >"$work/sources"
to_objects() {
    sed "s|^engine/\(.*\)\.c$|$work/engine/\1.o|" "$@" | tr '\n' ' '
}
# Files that use what only POSIX has, or open files.
needs_posix='#include <(unistd|fcntl|sys/|dirent|spawn|dlfcn|locale|time|signal|poll|pthread)|fopen|rename\(|remove\(|realpath'
needs_posix+='|NAME_MAX|"base/child.h"|getenv|isatty'
xargs grep -lE "$needs_posix" <"$work/sources" | grep -v posix_windows >"$work/posix_sources"
grep _windows.c "$work/sources" | grep -v posix_windows >>"$work/posix_sources"
{
    echo "CC = $compiler"
    # Warnings are in the log alone: mingw's compiler takes printf for that of msvcrt, which knows no %zu.
    echo "CFLAGS = -std=gnu17 -DNDEBUG -D__USE_MINGW_ANSI_STDIO=1 $optimised -Wall -Wextra -Wsign-conversion -ffp-contract=off"
    # The stack of Windows is aligned to 16 bytes, which GCC forgets for wider vectors (its bug 54412).
    echo "CFLAGS += -Wa,-muse-unaligned-vector-move"
    echo "CPPFLAGS = -Iengine -I$work/third/include -I$work/third/include/suitesparse -I$work/posix"
    echo "all: $(to_objects "$work/sources")"
    echo "$(to_objects "$work/posix_sources"): PLATFORM = -include engine/base/posix_windows.h"
    # aligned blocks have a function of their own that frees them
    echo "$work/engine/base/memory.o: PLATFORM += '-Daligned_alloc(alignment,size)=_aligned_malloc(size,alignment)' -Dfree=_aligned_free"
    echo "$work/engine/%.o: engine/%.c $work/flags"
    printf '\t@mkdir -p $(@D)\n\t@$(CC) $(CPPFLAGS) $(CFLAGS) $(PLATFORM) -MMD -c $< -o $@\n'
    echo "-include \$(wildcard $work/engine/*/*.d)"
} >"$work/Makefile"
# What was compiled by other options is compiled again.
grep -E 'FLAGS|PLATFORM' "$work/Makefile" | cmp -s - "$work/flags" || grep -E 'FLAGS|PLATFORM' "$work/Makefile" >"$work/flags"
echo "Compiling the engine for Windows ..." >&2
make --no-print-directory --keep-going -j"$jobs" -f "$work/Makefile" all >"$work/log" 2>&1 || {
    grep -a error "$work/log" >&2 || cat "$work/log" >&2
    echo "the engine could not be compiled for Windows: $work/log" >&2
    exit 1
}

version=$(sed -n 's/^#define TIDE_VERSION "\(.*\)"/\1/p' engine/springtide.h)
name=springtide-$version-windows-x86_64
stage=$work/stage/$name
rm -rf "$work/stage"
mkdir -p "$stage"
third=()
for library in "${third_party_libraries[@]}"; do
    third+=("$work/third/lib$library.a")
done
echo "Linking springtide.exe ..." >&2
# shellcheck disable=SC2046 # the objects are words
x86_64-w64-mingw32-gcc-posix -static -s -Wl,--stack,8388608 -o "$stage/springtide.exe" $(to_objects "$work/sources") \
    "${third[@]}" -lshell32 -ladvapi32 -pthread

stage_share "$stage"
stage_licences "$stage/licences" "$sources" "${compiled[@]}"
cp /usr/share/doc/mingw-w64-x86-64-dev/copyright "$stage/licences/mingw-w64.txt"
sed 's/$/\r/' >"$stage/README.txt" <<END
Springtide $version for Windows (x86-64)

    springtide run scenes/curtain.lua --headless --frames 60 --png out/%04d.png
    springtide --help

The command line: runs, pictures, hashes, replays, measurements. It has no window yet, and starts no other programs. Keep
springtide.exe beside the folders scripts and scenes.
The folder licences has Springtide's licence (MIT) and those of the libraries in the program.
END
find "$stage" -exec touch -d "@$(source_epoch)" {} +
rm -f "$out/$name.zip"
(cd "$work/stage" && python3 -m zipfile -c "$out/$name.zip" "$name")
echo "$out/$name.zip"
