#!/usr/bin/env bash
# Fetches the C library of Debian 11 (glibc 2.31, of 2020) for the linker. Sourced by tar.sh.
# A program that is linked to it runs on every system whose C library is not older.

old_release=bullseye
old_libc_packages=(libc6 libc6-dev libcrypt1 libcrypt-dev libgcc-10-dev)

# The mirror of the distribution, and the archive of releases that have left the mirrors.
old_release_mirrors() {
    {
        sed -n 's/^URIs: *//p' /etc/apt/sources.list.d/*.sources 2>/dev/null | tr ' ' '\n'
        sed -n 's/^deb \(\[[^]]*\] \)\?\([^ ]*\).*/\2/p' /etc/apt/sources.list /etc/apt/sources.list.d/*.list 2>/dev/null
    } | grep -E '/debian/?$' | sort -u
    echo http://archive.debian.org/debian
}

fetch_old_libc() { # FOLDER
    local folder=$1 mirror options package link target
    [ ! -f "$folder/complete" ] || return 0
    command -v apt-get >/dev/null || {
        echo "the C library of Debian 11 is fetched by apt-get, which is not there" >&2
        return 1
    }
    rm -rf "$folder"
    mkdir -p "$folder/apt/lists/partial" "$folder/packages" "$folder/system"
    folder=$(cd "$folder" && pwd)
    options=(-o "Dir::Etc::sourcelist=$folder/apt/sources.list" -o Dir::Etc::sourceparts=/dev/null
        -o "Dir::State::lists=$folder/apt/lists" -o Dir::State::status=/dev/null -o Dir::Cache::pkgcache=
        -o Dir::Cache::srcpkgcache= -o APT::Sandbox::User= -o Acquire::Check-Valid-Until=false -q)
    echo "Fetching the C library of Debian 11 ..." >&2
    for mirror in $(old_release_mirrors); do
        echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $mirror $old_release main" \
            >"$folder/apt/sources.list"
        if apt-get "${options[@]}" update >"$folder/apt/log" 2>&1 &&
            (cd "$folder/packages" && apt-get "${options[@]}" download "${old_libc_packages[@]}") >>"$folder/apt/log" 2>&1; then
            break
        fi
        rm -f "$folder"/packages/*
    done
    ls "$folder"/packages/*.deb >/dev/null 2>&1 || {
        cat "$folder/apt/log" >&2
        echo "the C library of Debian 11 could not be fetched" >&2
        return 1
    }
    for package in "$folder"/packages/*.deb; do
        dpkg-deb -x "$package" "$folder/system"
    done
    # Links to other places of that system, not of the system that builds.
    find "$folder/system" -type l | while read -r link; do
        target=$(readlink "$link")
        [[ $target != /* ]] || ln -sfn "$folder/system$target" "$link"
    done
    # The unwinder of this compiler asks a newer C library.
    cp "$folder"/system/usr/lib/gcc/*/10/libgcc_eh.a "$folder"/system/usr/lib/*-linux-gnu/
    touch "$folder/complete"
}
