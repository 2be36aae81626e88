#!/usr/bin/env bash
# Makes the Debian package of build/release: scripts/package/deb.sh FOLDER
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
out=$(mkdir -p "$1" && cd "$1" && pwd)
# shellcheck source=scripts/package/stage.sh
. "$root/scripts/package/stage.sh"
program=$root/build/release/springtide
architecture=$(dpkg --print-architecture)
libraries=/usr/lib/$(dpkg-architecture -qDEB_HOST_MULTIARCH)
version=$(version_of "$program")
SOURCE_DATE_EPOCH=$(source_epoch)
export SOURCE_DATE_EPOCH
maintainer='Springtide maintainers <maintainers@springtide.invalid>'
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
stage=$work/stage

# The files.
install -D "$program" "$stage/usr/bin/springtide"
install -D -m 644 "$root/build/release/springtide.so" "$stage$libraries/lua/5.4/springtide.so"
strip -R .comment "$stage/usr/bin/springtide"
strip --strip-unneeded -R .comment "$stage$libraries/lua/5.4/springtide.so"
stage_share "$stage/usr/share/springtide"
stage_desktop "$stage/usr/share" "$program"
# `require "springtide.wind"` in a Lua of the system finds the library, too.
mkdir -p "$stage/usr/share/lua/5.4" "$stage/usr/share/doc/springtide"
ln -s ../../springtide/scripts/springtide "$stage/usr/share/lua/5.4/springtide"
gzip -9n >"$stage/usr/share/doc/springtide/changelog.gz" <<END
springtide ($version) unstable; urgency=medium

  * Version $version.

 -- $maintainer  $(LC_ALL=C date -u -R -d "@$SOURCE_DATE_EPOCH")
END
{
    cat <<'END'
Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: Springtide
Comment: Springtide links to CHOLMOD (SuiteSparse). Debian's library has modules under the GPL, which Springtide
 does not call; used with that library, the program is under the GPL, version 2 or later, as a whole.

Files: *
END
    sed -n 's/^Copyright (c) /Copyright: /p' "$root/LICENSE"
    echo 'License: Expat'
    sed '1,/^Copyright/d' "$root/LICENSE" | sed '/./,$!d;s/^$/./;s/^/ /'
} >"$stage/usr/share/doc/springtide/copyright"

# What it needs.
mkdir -p "$work/debian"
echo "Source: springtide" >"$work/debian/control"
depends=$(cd "$work" && dpkg-shlibdeps -O "$stage/usr/bin/springtide" -e"$stage$libraries/lua/5.4/springtide.so" 2>/dev/null |
    sed -n 's/^shlibs:Depends=//p')
[ -n "$depends" ] || {
    echo "dpkg-shlibdeps found no dependencies" >&2
    exit 1
}
mkdir -p "$stage/DEBIAN"
cat >"$stage/DEBIAN/control" <<END
Package: springtide
Version: $version
Architecture: $architecture
Maintainer: $maintainer
Installed-Size: $(du -sk --exclude=DEBIAN "$stage" | cut -f1)
Depends: $depends
Recommends: lua5.4, libgl1, libegl1
Suggests: ffmpeg, gnuplot-nox, parallel
Section: science
Priority: optional
Description: sandbox for cloth, hair and soft solids with Lua scenes
 Springtide simulates cloth, hair, soft and rigid solids, with contact and
 friction. A scene is described in Lua, watched in a window, and changed while
 it runs. Runs repeat to the bit, solvers can be compared from the same state,
 and a course of twelve lessons teaches the method.
 .
 The package has the program, the module of Lua 5.4, and the scenes.
END
find "$stage" -type d -exec chmod 755 {} +
find "$stage" -type f ! -path '*/usr/bin/*' -exec chmod 644 {} +
(cd "$stage" && find usr -type f -print0 | sort -z | xargs -0 md5sum >DEBIAN/md5sums)
package=$out/springtide_${version}_$architecture.deb
dpkg-deb --root-owner-group -Zxz --build "$stage" "$package" >/dev/null
echo "$package"
