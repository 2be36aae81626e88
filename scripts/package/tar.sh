#!/usr/bin/env bash
# Makes the archive that runs on any Linux with glibc 2.31 or newer: scripts/package/tar.sh FOLDER
# The engine is that of build/release, linked once more: to an old C library, and to all others statically.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
out=$(mkdir -p "$1" && cd "$1" && pwd)
cd "$root"
# shellcheck source=scripts/package/stage.sh
. scripts/package/stage.sh
# shellcheck source=scripts/package/old_libc.sh
. scripts/package/old_libc.sh
# shellcheck source=scripts/third_parties.sh
. scripts/third_parties.sh

sources=$root/build/sources
work=$root/build/package-linux
compiler=gcc
! command -v ccache >/dev/null || compiler="ccache gcc"
jobs=$(nproc 2>/dev/null || echo 2)
compiled=(lua5.4 suitesparse metis libpng1.6 zlib md4c libsdl2 libepoxy)
scripts/sources.sh "$sources" "${compiled[@]}"
mkdir -p "$work"
fetch_old_libc "$work/old"
old=$work/old/system

# --- the libraries ---------------------------------------------------------------------------------------------------

CC=$compiler AR=ar CFLAGS="-O3 -fPIC" JOBS=$jobs compile_third_parties "$sources" "$work/third"

# SDL loads what it needs of X11 and Wayland when it opens a window. Its configure looks for what the old C library has.
compile_sdl() {
    [ ! -f "$work/sdl/libSDL2.a" ] || return 0
    echo "Compiling SDL ..." >&2
    rm -rf "$work/sdl"
    mkdir -p "$work/sdl/build"
    local off=(audio joystick haptic hidapi sensor power libudev ibus fcitx ime)
    (
        cd "$work/sdl/build"
        "$sources/libsdl2/configure" CFLAGS=-O2 --disable-shared --enable-static "${off[@]/#/--disable-}" \
            CC="$compiler --sysroot=$old -idirafter /usr/include -idirafter /usr/include/$(gcc -print-multiarch)"
        make -j"$jobs"
    ) >"$work/sdl/log" 2>&1 || {
        tail -n 30 "$work/sdl/log" >&2
        echo "SDL could not be compiled: $work/sdl/log" >&2
        return 1
    }
    cp "$work/sdl/build/build/.libs/libSDL2.a" "$work/sdl/"
}

# epoxy's functions are generated from the registries of OpenGL and EGL.
compile_epoxy() {
    [ ! -f "$work/epoxy/libepoxy.a" ] || return 0
    echo "Compiling epoxy ..." >&2
    local epoxy=$sources/libepoxy folder=$work/epoxy registry file
    mkdir -p "$folder"/{include/epoxy,source}
    for registry in gl egl; do
        python3 "$epoxy/src/gen_dispatch.py" --includedir "$folder/include/epoxy" --srcdir "$folder/source" \
            "$epoxy/registry/$registry.xml"
    done
    cat >"$folder/include/config.h" <<'END'
#define EPOXY_PUBLIC extern
#define ENABLE_EGL 1
#define ENABLE_GLX 0
#define ENABLE_X11 0
END
    for file in "$epoxy"/src/dispatch_{common,egl}.c "$folder"/source/{gl,egl}_generated_dispatch.c; do
        $compiler -O2 -fPIC -w -D_GNU_SOURCE -DEGL_NO_X11 -I"$folder/include" -I"$epoxy/include" -I"$epoxy/src" \
            -c "$file" -o "$folder/$(basename "$file" .c).o"
    done
    ar rcs "$folder/libepoxy.a" "$folder"/*.o
}
compile_sdl
compile_epoxy

# --- linking ---------------------------------------------------------------------------------------------------------

# Static libraries of this distribution; each needs only those after it. The packages are for their licences.
multiarch=$(gcc -print-multiarch)
system=(imgui stb seccomp edit tinfo bsd md hdf5 sz aec)
packages=(libimgui-dev libstb-dev libseccomp-dev libedit-dev libncurses-dev libbsd-dev libmd-dev libhdf5-dev libaec-dev)
statics=()
for library in "${system[@]}"; do
    found=/usr/lib/$multiarch/lib$library.a
    [ -f "$found" ] || found=/usr/lib/$multiarch/hdf5/serial/lib$library.a
    [ -f "$found" ] || {
        echo "lib$library.a is missing; scripts/setup.sh --packages installs it" >&2
        exit 1
    }
    statics+=("$found")
done
third=()
for library in "${third_party_libraries[@]}"; do
    third+=("$work/third/lib$library.a")
done

link() { # RESULT WORDS...
    local folder=$old/usr/lib/$multiarch newest
    echo "Linking ${1##*/} ..." >&2
    g++ --sysroot="$old" -B"$folder" -L"$folder" -L"$old/lib/$multiarch" -static-libstdc++ -static-libgcc -pthread \
        -Wl,-s -Wl,-z,relro -Wl,-z,now -Wl,--as-needed -o "$1" "${@:2}" -ldl -lm -lrt 2>"$work/link.log" || {
        cat "$work/link.log" >&2
        return 1
    }
    newest=$(objdump -T "$1" | grep -o 'GLIBC_[0-9.]*' | sort -uV | tail -n 1)
    [ "$(printf '%s\n' "$newest" GLIBC_2.31 | sort -V | tail -n 1)" = GLIBC_2.31 ] || {
        echo "${1##*/} needs $newest; the archive is for GLIBC_2.31" >&2
        return 1
    }
}
engine=build/release
version=$(version_of "$engine/springtide")
name=springtide-$version-linux-$(uname -m)
stage=$work/stage/$name
rm -rf "$work/stage"
mkdir -p "$stage/bin" "$stage/lib/lua/5.4"
link "$stage/bin/springtide" "$engine"/objects/springtide/*main.o "$engine"/libspringtide-{app,gui,gui-drawing}.a \
    -Wl,--start-group "$engine/libspringtide.a" "${statics[@]}" "${third[@]}" -Wl,--end-group "$work/epoxy/libepoxy.a" \
    "$work/sdl/libSDL2.a"
# The program that loads the module brings Lua.
link "$stage/lib/lua/5.4/springtide.so" -shared -Wl,-u,luaopen_springtide -Wl,--version-script=build/springtide.map \
    -Wl,-z,nodelete -Wl,--start-group "$engine/libspringtide.a" "${third[@]/*liblua5.4.a/-Wl,--as-needed}" -Wl,--end-group

# --- the archive -----------------------------------------------------------------------------------------------------

stage_share "$stage/share/springtide"
stage_desktop "$stage/share" "$engine/springtide"
stage_licences "$stage/licences" "$sources" "${compiled[@]}"
for package in "${packages[@]}"; do
    cp "/usr/share/doc/$package/copyright" "$stage/licences/$package.txt"
done
cat >"$stage/README.txt" <<END
Springtide $version: a sandbox for deformable bodies, with scenes written in Lua

    bin/springtide                                       choose a scene in a window
    bin/springtide share/springtide/scenes/curtain.lua   the curtain
    bin/springtide --help                                all commands

It runs from any folder, with nothing installed, on Linux (x86-64) with glibc 2.31 or newer: Debian 11, Ubuntu 20.04,
Fedora 32 and all later ones. Keep bin, lib and share together; a link to bin/springtide may stand anywhere. ffmpeg
(videos) and gnuplot (figures) are used where they are installed.

lib/lua/5.4/springtide.so is a module for a Lua 5.4 of your own.

The folder licences has Springtide's licence (MIT) and those of the libraries in the program. CHOLMOD is compiled
without its parts under the GPL. CHOLMOD and libseccomp are under the LGPL: scripts/package.sh in Springtide's source
links the program again, also to changed versions of them.
END
find "$stage" -type d -exec chmod 755 {} +
tar --sort=name --owner=0 --group=0 --numeric-owner --mtime="@$(source_epoch)" -C "$work/stage" -c "$name" | gzip -9n \
    >"$out/$name.tar.gz"
echo "$out/$name.tar.gz"
