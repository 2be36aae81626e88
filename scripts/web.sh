#!/usr/bin/env bash
# Builds the page into build/web/, a folder that any web server serves:
#     scripts/web.sh [--fast] [--serve [PORT]] [PART...]
# Parts: single, threads (the engine in either variant), program (the command line for node), page; all by default.
#     --fast           links in seconds, for development: larger and slower files, in build/web too
#     --serve [PORT]   serves the folder on the loopback address afterwards, isolated, so that threads can be used
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$root"
usage() {
    sed -n '2,/^set/{/^set/d;s/^# \{0,1\}//;p}' scripts/web.sh >&2
    exit 2
}

fast='' serve='' port=8000 parts=()
while [ $# -gt 0 ]; do
    case "$1" in
    --fast) fast=yes ;;
    --serve)
        serve=yes
        if [[ ${2:-} =~ ^[0-9]+$ ]]; then
            port=$2
            shift
        fi
        ;;
    single | threads | program | page) parts+=("$1") ;;
    *) usage ;;
    esac
    shift
done
[ ${#parts[@]} -gt 0 ] || parts=(single threads program page)
wanted() {
    [[ " ${parts[*]} " == *" $1 "* ]]
}

scripts/setup.sh --web
scripts/sources.sh build/sources lua5.4 suitesparse metis libpng1.6 zlib md4c
mkdir -p build/web build/web-program build/web-objects
exec 9>build/web-objects/.lock # two builds at once would write the same files
flock 9

# shellcheck source=scripts/third_parties.sh
. scripts/third_parties.sh
jobs=$(nproc 2>/dev/null || echo 2)
# emcc calls clang, and takes longer to start than most files to compile.
compiler="clang-14 $(emcc --cflags)"
! command -v ccache >/dev/null || compiler="ccache $compiler"
optimised=-O2 # in the link: -O3 and -Oz make larger files once gzipped, and slower ones
[ -z "$fast" ] || optimised=-O1

# The engine's sources. Where a browser lacks what a file needs, a file of its name with _web does its part. The window
# is left out, as the page takes its place.
sources() {
    local file
    find engine -name '*.c' ! -path 'engine/gui/*' ! -name main.c ! -name '*_windows.c' | LC_ALL=C sort | while read -r file; do
        [ -f "${file%.c}_web.c" ] || echo "$file"
    done
    find engine/gui -name '*_web.c' | LC_ALL=C sort
    echo engine/app/main.c
}
# The page has no command line: what only that needs is then left out by the linker.
objects_of() {
    if [ "$1" = springtide-program ]; then cat; else grep -v '/app/main\.o$'; fi
}

# Files whose inner loops run over vectors are compiled with -O3, which unrolls them. Files in which a step spends no time
# are compiled for size. All others are compiled with -O2 without unrolling, which would make them much larger.
quick=(linear/%.o model/spring%.o factor/{sweeps_128,dense_kernel}.o contact/compliance.o)
small=({app,formats,geometry,gui,mesh,script,session}/%.o
    collision/{collider_vertices,collider_crossings,crossing_search,directed_friction,keyframes,pose,shape_%,surface_nets,tessellation,vicinity}.o
    contact/{collider_squeeze,contact_forces,contact_history,contact_laws,friction_axes,press,rolling,tangle%,untangling}.o
    base/{account,characters,decimal,error,field%,input_file,log,nearest,output_file,paths,places,task,text}.o
    draw/{camera,colour%,collider%,draw_list,font,gl%,image,overlay,picture%,replay%,shadow_fit,solid_view,video%,world%}.o
    factor/{cholesky_key,cholesky_split,cholmod_columns,front_layout,graft,orderings,split_pattern}.o)

machine_flags=(-msimd128 -mbulk-memory)

# VARIANT FLAGS...: compiles the engine and the third parties
compile() {
    local folder=build/web-objects/$1 flags=("${machine_flags[@]}" "${@:2}")
    CC=$compiler AR=llvm-ar-14 JOBS=$jobs CFLAGS="-O2 ${flags[*]}" SMALL_FLAGS=-Os compile_third_parties build/sources "$folder/third" 9>&-
    mkdir -p "$folder"
    sources >"$folder/sources"
    {
        echo "CC = $compiler"
        echo "CFLAGS = -std=c17 -D_GNU_SOURCE= -DNDEBUG -Wall -Wextra -Wsign-conversion -Wno-missing-field-initializers -ffp-contract=off ${flags[*]}"
        echo "CPPFLAGS = -Iengine -I$folder/third/include -I$folder/third/include/suitesparse"
        echo "objects = $(sed "s|^engine/\(.*\)\.c$|$folder/\1.o|" "$folder/sources" | tr '\n' ' ')"
        echo 'all: $(objects)'
        echo "OPTIMISED = -O2 -fno-unroll-loops"
        printf '$(filter %s,$(objects)): OPTIMISED = -Os\n' "${small[@]/#/$folder/}"
        printf '$(filter %s,$(objects)): OPTIMISED = -O3\n' "${quick[@]/#/$folder/}"
        echo "$folder/%.o: engine/%.c $folder/flags"
        printf '\t@mkdir -p $(@D)\n\t$(CC) $(CPPFLAGS) $(CFLAGS) $(OPTIMISED) -MMD -c $< -o $@\n'
        echo "-include \$(objects:.o=.d)"
    } >"$folder/Makefile"
    grep "FLAGS\|OPTIMISED" "$folder/Makefile" | cmp -s - "$folder/flags" || grep "FLAGS\|OPTIMISED" "$folder/Makefile" >"$folder/flags"
    echo "Compiling the engine for browsers ($1) ..." >&2
    make --no-print-directory --silent -k -j"$jobs" -f "$folder/Makefile" all >"$folder/build.log" 2>&1 9>&- || {
        cat "$folder/build.log" >&2
        exit 1
    }
}

# No code is made at run time (DYNAMIC_EXECUTION): the page's policy forbids it. The stack holds the deepest recursion
# of Lua, which its own limits end before.
link_flags=(-sALLOW_MEMORY_GROWTH=1 -sINITIAL_MEMORY=64MB -sMAXIMUM_MEMORY=4GB -sTOTAL_STACK=4MB -sDYNAMIC_EXECUTION=0
    -sABORTING_MALLOC=0 -sMAX_WEBGL_VERSION=2 -sMIN_WEBGL_VERSION=2)
page_flags=(--no-entry -sMODULARIZE=1 -sEXPORT_NAME=Springtide -sFORCE_FILESYSTEM=1 -sENVIRONMENT=worker,node -sEXIT_RUNTIME=0
    -sEXPORTED_RUNTIME_METHODS=FS,ENV,ccall,UTF8ToString,stringToUTF8,lengthBytesUTF8,GL)
program_flags=(--pre-js scripts/web/program.js -sENVIRONMENT=node -sWASM_ASYNC_COMPILATION=0 -sNODERAWFS=1 -sEXIT_RUNTIME=1)

# VARIANT TARGET FLAGS...: links the target, if what it is made of is newer
link() {
    local folder=build/web-objects/$1 target=$2 name libraries=() said
    name=$(basename "$target" .js)
    for library in "${third_party_libraries[@]}"; do
        libraries+=("$folder/third/lib$library.a")
    done
    mapfile -t objects < <(sed "s|^engine/\(.*\)\.c$|$folder/\1.o|" "$folder/sources" | objects_of "$name")
    said="$optimised ${link_flags[*]} ${*:3} ${objects[*]}"
    if [ -f "$target" ] && [ "$(cat "$folder/$name.linked" 2>/dev/null)" = "$said" ] &&
        [ -z "$(find "${objects[@]}" "${libraries[@]}" -newer "$target" -print -quit)" ]; then
        return
    fi
    echo "Linking $target ..." >&2
    # acorn is where Debian puts it
    NODE_PATH=/usr/share/nodejs emcc "$optimised" "${machine_flags[@]}" "${link_flags[@]}" "${@:3}" "${objects[@]}" \
        "${libraries[@]}" -o "$target" 9>&-
    echo "$said" >"$folder/$name.linked"
}

if wanted single || wanted program; then
    compile single -D__thread= # METIS has variables of a thread; engine/base/thread_local.h is the engine's part
fi
if wanted single; then
    link single build/web/springtide.js "${page_flags[@]}"
fi
if wanted program; then
    link single build/web-program/springtide-program.js "${program_flags[@]}"
fi
if wanted threads; then
    compile threads -pthread
    link threads build/web/springtide-threads.js "${page_flags[@]}" -pthread "-sPTHREAD_POOL_SIZE=Module['helpers']"
fi
# Sizes as servers send them, and their limits.
check_sizes() {
    local file size sum=0 data=0
    while read -r file; do
        size=$(gzip -9 <"$file" | wc -c)
        printf '%9d  %9d  %s\n' "$(wc -c <"$file")" "$size" "${file#build/web/}"
        case "$file" in
        */springtide.data | */scenes/*) data=$((data + size)) ;;
        */springtide-threads*.wasm) ;; # a page loads one of the two
        *) sum=$((sum + size)) ;;
        esac
        if [[ "$file" == *.wasm && "$size" -gt 1000000 && -z "$fast" ]]; then
            echo "$file: more than 1 MB gzipped" >&2
            return 1
        fi
    done < <(find build/web -type f ! -path '*/scenes/*' | LC_ALL=C sort)
    echo "the page: $sum bytes gzipped; the scenes and the library: $data"
    if [ "$sum" -gt 2500000 ] && [ -z "$fast" ]; then
        echo "the page is larger than 2.5 MB gzipped" >&2
        return 1
    fi
}

if wanted page; then
    scripts/web/bundle.sh build/web
    build/web-page/node_modules/.bin/esbuild scripts/web/worker/worker.js --bundle --minify --format=iife --target=es2020 \
        --legal-comments=none --log-level=warning --outfile=build/web/worker.js
    node scripts/web/pack.js build/web
    scripts/web/bundle.sh --seal build/web
    check_sizes
fi
if [ -n "$serve" ]; then
    flock -u 9
    exec node scripts/web/serve.js build/web "$port"
fi
