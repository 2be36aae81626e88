#!/usr/bin/env bash
# Builds the program without its window for another processor, from the sources of Debian's packages, into build/PROCESSOR/:
#     scripts/cross.sh aarch64
# The program is static: qemu-aarch64 build/aarch64/springtide run SCENE --headless --hash. It is made to compare hashes
# in the portable mode, and lacks what build/web/ lacks (files *_web.c take the place of others), but for processes.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$root"
[ $# -eq 1 ] && [ "$1" = aarch64 ] || {
    echo "usage: scripts/cross.sh aarch64" >&2
    exit 2
}
folder=build/$1 compiler=$1-linux-gnu-gcc
command -v "$compiler" >/dev/null || {
    echo "$compiler is missing; scripts/setup.sh --arm installs it" >&2
    exit 1
}
mkdir -p "$folder"
exec 9>"$folder/.lock" # two builds at once would write the same files
flock 9
scripts/sources.sh "${SPRINGTIDE_SOURCES:-build/sources}" lua5.4 suitesparse metis libpng1.6 zlib md4c 9>&-

# shellcheck source=scripts/third_parties.sh
. scripts/third_parties.sh
export JOBS=${JOBS:-$(nproc 2>/dev/null || echo 2)}
! command -v ccache >/dev/null || compiler="ccache $compiler"
CC=$compiler AR=$1-linux-gnu-ar CFLAGS=-O1 compile_third_parties "${SPRINGTIDE_SOURCES:-build/sources}" "$folder/third" 9>&-

sources() {
    local file
    find engine -name '*.c' ! -path 'engine/gui/*' ! -name 'gl_*' ! -name 'web*' ! -name '*_web.c' ! -name '*_windows.c' ! -name power.c |
        LC_ALL=C sort | while read -r file; do
        case "$file" in
        */child.c | */landlock.c) echo "$file" ;;
        *) [ -f "${file%.c}_web.c" ] && echo "${file%.c}_web.c" || echo "$file" ;;
        esac
    done
    find engine/gui -name '*_web.c' | LC_ALL=C sort
}
draw_without_opengl=scripts/no_opengl.c

libraries=()
for library in "${third_party_libraries[@]}"; do
    libraries+=("$folder/third/lib$library.a")
done
# Without -O3 the compiler does not see that loops over groups run at least once (-Wno-maybe-uninitialized).
cat >"$folder/Makefile.new" <<END
.RECIPEPREFIX = >
CFLAGS = -std=c17 -O1 -DNDEBUG -Wall -Wextra -Wsign-conversion -Wno-maybe-uninitialized -Werror -pthread -ffp-contract=off
objects = $(sources | sed "s|^engine/\(.*\)\.c$|$folder/objects/\1.o|" | tr '\n' ' ')
$folder/springtide: \$(objects) $draw_without_opengl ${libraries[*]} $folder/Makefile
> $compiler \$(CFLAGS) -Iengine -static -o \$@ \$(objects) $draw_without_opengl ${libraries[*]} -lm
$folder/objects/%.o: engine/%.c $folder/Makefile
> @mkdir -p \$(@D)
> $compiler \$(CFLAGS) -Iengine -I$folder/third/include -MMD -c \$< -o \$@
-include \$(objects:.o=.d)
END
cmp -s "$folder/Makefile.new" "$folder/Makefile" || mv "$folder/Makefile.new" "$folder/Makefile"
echo "Building Springtide for $1 ..." >&2
make --no-print-directory -j"$JOBS" -f "$folder/Makefile" "$folder/springtide" >"$folder/build.log" 2>&1 9>&- || {
    cat "$folder/build.log" >&2
    exit 1
}
