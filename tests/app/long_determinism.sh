#!/usr/bin/env bash
# Every scene has the same state for any number of threads and in plain Lua. In so many frames those with obstacles come
# to touch them; the plain Lua module counts that.
. "$(dirname "$0")/checks.sh"

hash_of() {
    springtide run "$@" --hash | tail -n 1
}

cat >count.lua <<'LUA'
local tide = require "springtide"
local scene, touching = assert(tide.load(arg[1])), 0
local contact = scene.contact
function scene.contact(c)
  touching = touching + 1
  if contact then contact(c) end
end
assert(scene:step(tonumber(arg[2])))
print(touching, scene:hash())
LUA

frames_of() { # SCENE, as below scenes/
    case $1 in
    table1/dog) echo 8 ;;
    table1/brush) echo 30 ;;
    table1/dress | hair | tablecloth | flag) echo 8 ;;
    drape | softstack) echo 16 ;;
    skin) echo 20 ;;
    *) echo 12 ;;
    esac
}

touching=()
while read -r scene; do
    file=$root/scenes/$scene.lua
    frames=$(frames_of "$scene")
    one=$(hash_of "$file" --headless --frames "$frames" --threads 1)
    passes "$scene: $frames frames have a hash" grep -Eqx '[0-9a-f]{16}' <<<"$one"
    for threads in 2 3 4 8; do
        equals "$scene: $frames frames, $threads threads" \
            "$(hash_of "$file" --headless --frames "$frames" --threads $threads)" "$one"
    done
    read -r contacts hash < <(LUA_PATH="$root/scripts/?.lua;$root/scripts/?/init.lua;;" LUA_CPATH="$build/?.so;;" \
        lua5.4 count.lua "$file" "$frames")
    equals "$scene: $frames frames, in plain Lua" "$hash" "$one"
    [ "$contacts" -eq 0 ] || touching+=("$scene")
done < <(cd "$root/scenes" && find . -name '*.lua' ! -path './course/*' ! -path './learning/*' | sed 's|^\./||; s|\.lua$||' | sort)
equals "those in which something touches" "${touching[*]}" \
    "balloon cart creature domino drape friction hair rope skin softstack table1/brush table1/dog table1/dress tablecloth tangle walker"
finish
