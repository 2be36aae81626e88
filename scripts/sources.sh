#!/usr/bin/env bash
# Fetches the sources of Debian packages, at the versions of this distribution and with Debian's patches applied, into
# FOLDER/PACKAGE. A source that is there is kept. Needs no root and changes nothing of apt's own lists:
#     scripts/sources.sh FOLDER PACKAGE...
set -euo pipefail

if [ $# -lt 2 ]; then
    echo "usage: scripts/sources.sh FOLDER PACKAGE..." >&2
    exit 2
fi
mkdir -p "$1"
folder=$(cd "$1" && pwd)
shift
exec 8>"$folder/.lock" # two at once would write the same files
flock 8
missing=()
for package in "$@"; do
    [ -d "$folder/$package" ] || missing+=("$package")
done
[ ${#missing[@]} -gt 0 ] || exit 0
command -v dpkg-source >/dev/null || {
    echo "dpkg-source is missing; scripts/setup.sh --web installs it" >&2
    exit 1
}

apt=$folder/.apt
mkdir -p "$apt/sources.list.d" "$apt/lists/partial"
# Where the distribution's packages come from, their sources come from too. Other archives, which may have none, are left out.
for file in /etc/apt/sources.list /etc/apt/sources.list.d/*.list; do
    [ ! -f "$file" ] || sed -n 's/^deb \(.*\bmain\b.*\)$/deb-src \1/p' "$file"
done | grep -E ' (bookworm|trixie|forky|sid|stable|testing|unstable|[a-z]+)[a-z/-]* main' >"$apt/sources.list" || true
for file in /etc/apt/sources.list.d/*.sources; do
    [ ! -f "$file" ] || awk 'BEGIN { RS = ""; ORS = "\n\n" }
        /Components:[^\n]*main/ && /URIs:[^\n]*debian/ { sub(/Types:[^\n]*/, "Types: deb-src"); print }' "$file" \
        >"$apt/sources.list.d/${file##*/}"
done

options=(-o "Dir::Etc::sourcelist=$apt/sources.list" -o "Dir::Etc::sourceparts=$apt/sources.list.d"
    -o "Dir::State::lists=$apt/lists" -o "Dir::Cache::pkgcache=" -o "Dir::Cache::srcpkgcache="
    -o APT::Get::List-Cleanup=0 -o APT::Sandbox::User= -q)
log=$apt/log
apt-get "${options[@]}" update >"$log" 2>&1 || {
    cat "$log" >&2
    echo "the lists of source packages could not be fetched" >&2
    exit 1
}
release=$(. /etc/os-release && echo "${VERSION_CODENAME:-stable}")
get() { # [--target-release RELEASE] PACKAGE
    (cd "$work" && apt-get "${options[@]}" --only-source "${@:1:$#-1}" source "${!#}") >"$log" 2>&1
}
for package in "${missing[@]}"; do
    echo "Fetching the source of $package ..." >&2
    work=$folder/.work-$package
    rm -rf "$work"
    mkdir -p "$work"
    # Where the mirror lacks the source of a security update, the release's version does; where it lacks Debian's
    # patches, the upstream source does.
    if ! get "$package" && ! get --target-release "$release" "$package"; then
        upstream=$(find "$work" -name '*.orig.tar.*' | head -n 1)
        if [ -z "$upstream" ] || ! tar -xf "$upstream" -C "$work"; then
            cat "$log" >&2
            echo "the source of $package could not be fetched" >&2
            exit 1
        fi
        echo "The mirror lacks Debian's patches of $package; the upstream source is used." >&2
    fi
    mv "$(find "$work" -mindepth 1 -maxdepth 1 -type d)" "$folder/$package"
    rm -rf "$work"
done
