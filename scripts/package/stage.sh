#!/usr/bin/env bash
# What all packages have. Sourced by the scripts of the packages, with $root the project's folder.

# Copies the Lua library and the scenes into FOLDER/scripts and FOLDER/scenes, as they are in the repository's index:
# without what tests and editors leave behind.
stage_share() { # FOLDER
    local file
    mkdir -p "$1"
    (cd "$root" && find scripts/springtide scenes -type f \( -name '*.lua' -o -name '*.md' -o -name '*.png' -o -name '*.webp' \
        -o -name '*.obj' -o -name '*.json' \) ! -path '*/out/*' -print0 | sort -z) |
        while IFS= read -r -d '' file; do
            install -D -m 644 "$root/$file" "$1/$file"
        done
}

# The version, as the program tells it.
version_of() { # PROGRAM
    "$1" --version | sed 's/^springtide //'
}

# The day of the sources, for files that have a date: equal sources make equal packages.
source_epoch() {
    echo "${SOURCE_DATE_EPOCH:-$(git -C "$root" log -1 --format=%ct 2>/dev/null || date +%s)}"
}

# How a desktop shows the program, its man page, and its completion, below FOLDER, "share" of the package.
stage_desktop() { # FOLDER PROGRAM
    local files=$root/scripts/package
    install -D -m 644 "$files/icon.svg" "$1/icons/hicolor/scalable/apps/springtide.svg"
    install -D -m 644 "$files/springtide.desktop" "$1/applications/springtide.desktop"
    install -D -m 644 "$files/springtide-mime.xml" "$1/mime/packages/springtide.xml"
    mkdir -p "$1/man/man1" "$1/bash-completion/completions"
    lua5.4 "$files/man_page.lua" "$2" "$(date -u -d "@$(source_epoch)" +%F)" | gzip -9n >"$1/man/man1/springtide.1.gz"
    lua5.4 "$files/completion.lua" "$2" >"$1/bash-completion/completions/springtide"
}

# Writes the licences of what a package contains: Springtide's, and those of the sources that were compiled into it.
stage_licences() { # FOLDER SOURCES PACKAGE...
    local folder=$1 sources=$2 package file
    mkdir -p "$folder"
    cp "$root/LICENSE" "$folder/springtide.txt"
    for package in "${@:3}"; do
        for file in "$sources/$package"/{debian/copyright,LICENSE.txt,LICENSE.md,LICENSE,COPYING,COPYING.LIB,doc/COPYING.md}; do
            [ ! -f "$file" ] || cp "$file" "$folder/$package-$(basename "$file" .txt).txt"
        done
        ls "$folder/$package"-* >/dev/null 2>&1 || {
            echo "no licence of $package is found in $sources/$package" >&2
            return 1
        }
    done
}
