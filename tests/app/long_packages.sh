#!/usr/bin/env bash
# The packages: each is made, unpacked elsewhere, and run from there; all give the hash of the portable mode that this build
# gives. Windows' is tried where its compiler and wine are. Fetches sources of Debian.
. "$(dirname "$0")/checks.sh"

unset SPRINGTIDE_SCRIPTS SPRINGTIDE_DATA
scenes=(curtain drape hair)
declare -A hashes
for scene in "${scenes[@]}"; do
    hashes[$scene]=$(springtide run "$root/scenes/$scene.lua" --headless --frames 3 --hash --portable)
done
springtide run "$root/scenes/rope.lua" --headless --frames 3 --portable --png expected.png

make_package() { # KIND: the name of the package in $package
    "$root/scripts/package.sh" "$1" --out "$folder/packages" >.out 2>.err
    status=$?
    package=$(tail -n 1 .out)
    equals "$1: made" "$status" 0
    [ $status -eq 0 ] || tail -n 5 .err
    passes "$1: is there" test -f "$package"
}

# NAME SCENES PROGRAM...
gives_hashes() {
    local name=$1 from=$2 scene
    shift 2
    for scene in "${scenes[@]}"; do
        equals "$name: hash of $scene" "$("$@" run "$from/$scene.lua" --headless --frames 3 --hash --portable 2>.err)" \
            "${hashes[$scene]}"
    done
    "$@" run "$from/rope.lua" --headless --frames 3 --portable --png "out/$name.png" 2>.err
    passes "$name: the picture" cmp -s "out/$name.png" expected.png
    contains "$name: the course" "$("$@" course 2>.err)" "One spring and its energy"
}

make_package deb
mkdir deb
dpkg-deb -x "$package" deb
gives_hashes deb deb/usr/share/springtide/scenes deb/usr/bin/springtide
module=$(find deb/usr/lib -name springtide.so)
equals "deb: the module" "$(LUA_CPATH="$folder/${module%springtide.so}?.so" LUA_PATH="$folder/deb/usr/share/lua/5.4/?.lua" lua5.4 -e '
    local tide = require "springtide"
    require "springtide.wind"
    local scene = assert(tide.load "deb/usr/share/springtide/scenes/rope.lua")
    assert(scene:step(3))
    print(#scene:hash())' 2>&1)" 16
gzip -dc deb/usr/share/man/man1/springtide.1.gz >springtide.1
for command in $(springtide --help | sed -n '/^Commands/,/^$/s/^  \([a-z]*\) .*/\1/p'); do
    passes "deb: the man page has $command" grep -qx ".SH ${command^^}" springtide.1
    contains "deb: bash completes $command" "$(bash -c '
        . "$1"
        COMP_WORDS=(springtide "$2")
        COMP_CWORD=1
        _springtide 2>/dev/null
        echo "${COMPREPLY[@]}"' complete deb/usr/share/bash-completion/completions/springtide "$command")" "$command"
done
contains "deb: bash completes a solver" "$(bash -c '
    . "$1"
    COMP_WORDS=(springtide run a.lua --solver new)
    COMP_CWORD=4
    _springtide 2>/dev/null
    echo "${COMPREPLY[@]}"' complete deb/usr/share/bash-completion/completions/springtide)" newton
if command -v lintian >/dev/null; then
    equals "deb: lintian" "$(lintian "$package" 2>/dev/null)" ""
fi

make_package tar
mkdir -p "tar/a place"
tar -xzf "$package" -C "tar/a place"
place=$(echo "tar/a place"/*)
ln -s "$PWD/$place/bin/springtide" tide
gives_hashes tar "$place/share/springtide/scenes" ./tide
for file in bin/springtide lib/lua/5.4/springtide.so; do
    newest=$(objdump -T "$place/$file" | grep -o 'GLIBC_[0-9.]*' | sort -uV | tail -n 1)
    equals "tar: $file asks no newer C library" "$(printf '%s\n' "$newest" GLIBC_2.31 | sort -V | tail -n 1)" GLIBC_2.31
    equals "tar: $file needs only the C library" \
        "$(objdump -p "$place/$file" | awk '$1 == "NEEDED" && $2 !~ /^(libc|libm|libdl|libpthread|librt|ld-linux-x86-64)\.so/')" ""
done
passes "tar: licences" test -s "$place/licences/suitesparse-copyright.txt"

if command -v x86_64-w64-mingw32-gcc-posix >/dev/null && command -v wine >/dev/null; then
    export WINEPREFIX=$folder/wine WINEDEBUG=-all DISPLAY=
    make_package windows
    mkdir -p "windows/a place ü"
    python3 -m zipfile -e "$package" "windows/a place ü"
    place=$(echo "windows/a place ü"/*)
    gives_hashes windows "$place/scenes" wine "$place/springtide.exe"
    wine "$place/springtide.exe" run "${place//\//\\}\\scenes\\hair.lua" --headless --frames 3 --portable --hash >.out 2>.err
    equals "windows: a path with backslashes" "$(<.out)" "${hashes[hair]}"
    sed 's/$/\r/' "$root/scenes/hair.lua" >"Seil ä.lua"
    wine "$place/springtide.exe" run "Seil ä.lua" --headless --frames 3 --portable --hash --stats "Zahlen ä.csv" >.out 2>.err
    equals "windows: lines that end with CR LF, and a name in UTF-8" "$(<.out)" "${hashes[hair]}"
    wine "$place/springtide.exe" run "Seil ä.lua" --headless --frames 2 --stats "Zahlen ä.csv" >.out 2>.err
    equals "windows: takes the place of a file that is there" "$(wc -l <"Zahlen ä.csv")" 3
    wine "$place/springtide.exe" run "$place/scenes/rope.lua" >.out 2>.err
    contains "windows: no window: what to do" "$(<.err)" "give --headless"
    wineserver -k 2>/dev/null
fi
finish
