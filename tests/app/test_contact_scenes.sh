#!/usr/bin/env bash
# Nothing passes into a collider, in any scene, under any solver; see scene_contacts.lua.
# Only in the release build.
set -u

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
build=$(cd "${1:-$root/build/release}" && pwd) || exit 1
export LUA_PATH="$root/scripts/?.lua;$root/scripts/?/init.lua;;" LUA_CPATH="$build/?.so;;"
cd "$root" || exit 1
ulimit -v 4000000 # kB: what goes wrong is not to take the machine with it
SPRINGTIDE_DATA='' exec lua5.4 tests/app/scene_contacts.lua "$root" "${@:2}"
