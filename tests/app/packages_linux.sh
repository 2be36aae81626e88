#!/usr/bin/env bash
# The packages for Linux: Debian's and the archive.
. "$(dirname "$0")/package_checks.sh"

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
finish
