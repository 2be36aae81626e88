#!/usr/bin/env bash
# Compiles the third parties that the engine needs (Lua, CHOLMOD with METIS, libpng with zlib, MD4C) from Debian's source packages, for
# any target: WebAssembly, another processor, another system. Meant to be sourced by the scripts of those targets:
#     scripts/sources.sh build/sources lua5.4 suitesparse metis libpng1.6 zlib md4c
#     . scripts/third_parties.sh
#     CC=aarch64-linux-gnu-gcc AR=aarch64-linux-gnu-ar CFLAGS="-O3" compile_third_parties build/sources build/third/aarch64
# The libraries are FOLDER/lib*.a, in the order of $third_party_libraries; the headers are in FOLDER/include. What is there and not older than
# this file is kept, if the compiler and its options are the same. On a system that is not POSIX, set LUA_FLAGS and METIS_FLAGS.
# SMALL_FLAGS are further flags of all but Lua, the interpreter.

# For the linker: each needs only those after it.
third_party_libraries=(cholmod metis png z md4c lua5.4)

# Products are rounded before they are added, as in the engine: the bits of an ordering, too, are the same everywhere.
third_party_flags=(-ffp-contract=off -DNDEBUG -w)

# NAME FOLDER FLAGS... -- SOURCES...
third_party() {
    local name=$1 folder=$2 flags=() object source
    shift 2
    while [ "$1" != -- ]; do
        flags+=("$1")
        shift
    done
    shift
    local objects=$folder/objects/$name said
    said="$CC ${CFLAGS:-} ${flags[*]} $*"
    if [ -f "$folder/lib$name.a" ] && [ "$folder/lib$name.a" -nt "${BASH_SOURCE[0]}" ] && [ "$(cat "$objects/flags" 2>/dev/null)" = "$said" ]; then
        return
    fi
    echo "Compiling $name ..." >&2
    rm -rf "$objects" "$folder/lib$name.a"
    mkdir -p "$objects"
    for source in "$@"; do
        [ -f "$source" ] || {
            echo "$source is missing; scripts/sources.sh fetches it" >&2
            return 1
        }
        object=${source##*/}
        printf '%s\0%s\0' "$source" "$objects/$(basename "${source%/*}")-${object%.c}.o"
    done >"$objects/sources"
    # shellcheck disable=SC2016,SC2086 # the compiler and its options are words
    xargs -0 -n 2 -P "${JOBS:-2}" bash -c '$CC $CFLAGS "${@:1:$#-2}" -c "${@: -2:1}" -o "${!#}"' compile \
        "${third_party_flags[@]}" "${flags[@]}" <"$objects/sources" || return 1
    "${AR:-ar}" rcs "$folder/lib$name.a" "$objects"/*.o || return 1
    echo "$said" >"$objects/flags"
}

# SOURCES FOLDER
# shellcheck disable=SC2086 # SMALL_FLAGS, LUA_FLAGS and METIS_FLAGS are words
compile_third_parties() {
    local sources folder engine
    engine=$(cd "$(dirname "${BASH_SOURCE[0]}")/../engine" && pwd)
    sources=$(cd "$1" && pwd) || return 1
    mkdir -p "$2/include/suitesparse"
    folder=$(cd "$2" && pwd)
    export CC CFLAGS=${CFLAGS:-}
    local SMALL_FLAGS=${SMALL_FLAGS:-}
    local include=$folder/include suitesparse=$sources/suitesparse metis=$sources/metis png=$sources/libpng1.6 zlib=$sources/zlib

    # The headers, as Debian's packages install them.
    cp -u "$sources"/lua5.4/src/{lua,luaconf,lualib,lauxlib}.h "$zlib"/z{lib,conf}.h "$png"/png{,conf}.h "$sources/md4c/src/md4c.h" \
        "$metis/include/metis.h" "$include/" || return 1
    cp -u "$png/scripts/pnglibconf.h.prebuilt" "$include/pnglibconf.h" || return 1
    cp -u "$suitesparse"/CHOLMOD/Include/*.h "$suitesparse"/{SuiteSparse_config,{AMD,CAMD,COLAMD,CCOLAMD}/Include}/*.h "$include/suitesparse/" || return 1

    # Debian's Lua wants to know where modules of other processors would be installed; there are none.
    [ -f "$include/lua5.4-deb-multiarch.h" ] || echo '#define DEB_HOST_MULTIARCH "other"' >"$include/lua5.4-deb-multiarch.h"
    local lua=()
    for file in lapi lauxlib lbaselib lcode lcorolib lctype ldblib ldebug ldo ldump lfunc lgc linit liolib llex lmathlib lmem loadlib \
        lobject lopcodes loslib lparser lstate lstring lstrlib ltable ltablib ltm lundump lutf8lib lvm lzio; do
        lua+=("$sources/lua5.4/src/$file.c")
    done
    # Its operator ^ is the engine's own in the portable mode (engine/script/lua_power.h).
    third_party lua5.4 "$folder" -include "$engine/script/lua_power.h" ${LUA_FLAGS--DLUA_USE_POSIX} -DLUA_COMPAT_5_3 -I"$include" -- "${lua[@]}" || return 1

    third_party z "$folder" $SMALL_FLAGS -DHAVE_UNISTD_H -- "$zlib"/{adler32,compress,crc32,deflate,infback,inffast,inflate,inftrees,trees,uncompr,zutil}.c \
        || return 1

    # Its filters in assembly are left out: pictures have the same bytes everywhere.
    third_party png "$folder" $SMALL_FLAGS -I"$include" -DPNG_ARM_NEON_OPT=0 -DPNG_INTEL_SSE_OPT=0 -- \
        "$png"/png{,error,get,mem,pread,read,rio,rtran,rutil,set,trans,wio,write,wtran,wutil}.c || return 1

    third_party md4c "$folder" $SMALL_FLAGS -DMD4C_USE_UTF8 -- "$sources/md4c/src/md4c.c" || return 1

    # METIS orders by the engine's random numbers (engine/base/ordering_random.h): the program brings them, before METIS.
    third_party metis "$folder" $SMALL_FLAGS -std=gnu99 -fno-strict-aliasing -DNDEBUG2 -Drand=tide_ordering_rand -Dsrand=tide_ordering_srand \
        ${METIS_FLAGS--DLINUX -D_FILE_OFFSET_BITS=64 -DHAVE_GETLINE} \
        -I"$metis"/GKlib -I"$metis"/include -I"$metis"/libmetis -- \
        "$metis"/libmetis/{auxapi,balance,bucketsort,checkgraph,coarsen,compress,contig,debug,fm,fortran,gklib,graph,initpart}.c \
        "$metis"/libmetis/{kmetis,kwayfm,kwayrefine,mcutil,minconn,mincover,mmd,ometis,options,parmetis,pmetis}.c \
        "$metis"/libmetis/{refine,separator,sfm,srefine,stat,timing,util,wspace}.c \
        "$metis"/GKlib/{blas,csr,error,fs,io,mcore,memory,pqueue,random,sort,string,timers,tokenizer,util}.c || return 1

    # The simplicial factorisation alone: it needs no BLAS, and its modules are under the LGPL.
    local cholmod=$suitesparse/CHOLMOD
    third_party cholmod "$folder" $SMALL_FLAGS -DNSUPERNODAL -DNMATRIXOPS -DNMODIFY -DNTIMER -I"$include/suitesparse" -I"$metis/include" \
        -I"$cholmod"/Core -I"$cholmod"/Cholesky -- \
        "$suitesparse/SuiteSparse_config/SuiteSparse_config.c" \
        "$suitesparse"/AMD/Source/amd_{1,2,aat,control,defaults,dump,info,order,post_tree,postorder,preprocess,valid}.c \
        "$suitesparse"/CAMD/Source/camd_{1,2,aat,control,defaults,dump,info,order,postorder,preprocess,valid}.c \
        "$suitesparse"/COLAMD/Source/colamd.c "$suitesparse"/CCOLAMD/Source/ccolamd.c \
        "$cholmod"/Core/cholmod_{aat,add,band,change_factor,common,complex,copy,dense,error,factor,memory,sparse,transpose,triplet,version}.c \
        "$cholmod"/Cholesky/cholmod_{amd,analyze,colamd,etree,factorize,postorder,rcond,resymbol,rowcolcounts,rowfac,solve,spsolve}.c \
        "$cholmod"/Check/cholmod_check.c "$cholmod"/Partition/cholmod_{camd,ccolamd,csymamd,metis,nesdis}.c
}
