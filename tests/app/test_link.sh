#!/usr/bin/env bash
# Links: `springtide link` writes them, `springtide run` opens them, as untrusted scenes whose state is compared.
. "$(dirname "$0")/checks.sh"
export ASAN_OPTIONS="${ASAN_OPTIONS:-}:detect_leaks=0" # the leak checker needs what a confined process may not do

# --- out and in ------------------------------------------------------------------------------------------------------

write_cloth cloth.lua
run link cloth.lua --frames 7 --set stiffness=200 --solver newton,iterations=3 --seed 5 --timestep 0.01
equals "a link: status" "$status" 0
equals "a link is one line" "$(wc -l <.out)" 1
passes "a link has the characters of an address" grep -qE '^#[A-Za-z0-9_-]+$' .out
cp .out cloth.springtide
link=$out
run run cloth.lua --headless --portable --frames 7 --set stiffness=200 --solver newton,iterations=3 --seed 5 \
    --timestep 0.01 --hash
expected=$out
run run cloth.springtide --headless --hash
equals "opened: status" "$status" 0
equals "opened: the same bits" "$out" "link: the same bits at frame 7: $expected
$expected"
run cloth.springtide --headless --frames 3
equals "opened, and stopped before its frame" "$status: $out" "0: "
run run cloth.springtide --headless --frames 9 --threads 2
contains "opened, beyond its frame" "$out" "the same bits at frame 7: $expected"
run run "https://example.org/a/?b=c$link" --headless
contains "an address" "$out" "the same bits at frame 7: $expected"
run link cloth.lua --frames 0 --base https://example.org/
contains "--base" "$out" "https://example.org/#"
run run "$out" --headless
contains "frame 0" "$out" "the same bits at frame 0"
run run cloth.springtide --headless --set stiffness=100
equals "another experiment is not compared" "$status: $out" "0: "

# --- what is in a link -----------------------------------------------------------------------------------------------

run link --decode cloth.springtide
equals "--decode: fields" "$(head -7 .out)" "-- name: cloth
-- parameter: stiffness=200
-- solver: newton,iterations=3
-- timestep: 0.01 s
-- seed: 5
-- frame: 7
-- hash: $expected"
equals "--decode: the script" "$(tail -n +8 .out)" "$(<cloth.lua)"
run link --decode "$link"
contains "--decode of the link itself" "$out" "-- hash: $expected"
printf 'local tide = require "springtide"\n-- \e[31m red\nreturn tide.scene {}\n' >coloured.lua
springtide link coloured.lua --frames 0 >coloured.springtide
run link --decode coloured.springtide
contains "--decode shows control characters" "$out" '-- \x1B[31m red'

# --- modules ---------------------------------------------------------------------------------------------------------

mkdir -p scenes/parts elsewhere
printf 'return { stiffness = 77, name = require("parts.deeper").name }\n' >scenes/parts/init.lua
printf 'return { name = "net" }\n' >scenes/parts/deeper.lua
cat >scenes/net.lua <<'LUA'
local tide = require "springtide"
local parts = require "parts"
require "springtide.wind"
local scene = tide.scene { title = parts.name }
scene:body(parts.name, { mesh = tide.mesh.grid { columns = 4, rows = 4 }, mass = 1, stiffness = parts.stiffness })
return scene
LUA
springtide link scenes/net.lua --frames 4 >elsewhere/net.springtide
run link --decode elsewhere/net.springtide
contains "modules: parts" "$out" "-- module: parts
--   return { stiffness = 77"
contains "modules: parts.deeper" "$out" "-- module: parts.deeper"
fails "modules: not those of the library" grep -q "module: springtide" .out
cd elsewhere
run run net.springtide --headless
contains "modules: the same bits" "$out" "link: the same bits at frame 4"
cd ..

# --- what no link carries --------------------------------------------------------------------------------------------

printf 'v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n' >one.obj
write_cloth_with mesh.lua 'tide.mesh.load "one.obj"'
run link mesh.lua
equals "a mesh from a file: status" "$status" 1
contains "a mesh from a file: message" "$err" "a link carries the script and its Lua modules, and no other file"
write_cloth_with later.lua 'function scene.update() tide.mesh.load "one.obj" end'
run link later.lua
equals "a mesh that is read later: status" "$status" 1
contains "a mesh that is read later" "$err" "an untrusted scene reads its own file and the Lua library"
write_cloth_with loads.lua 'assert(tide.load "cloth.lua")'
run link loads.lua
equals "a scene that loads another: status" "$status" 1
write_cloth_with latin.lua '-- '$'\xe4'
run link latin.lua
contains "a text that is not UTF-8" "$err" "latin.lua: a link carries texts in UTF-8"
write_cloth_with large.lua "-- $(head -c 900000 /dev/urandom | base64 -w 0)"
run link large.lua
contains "a long script" "$err" "longer than 1000000 characters"
refused "an unknown parameter" "stifness" link cloth.lua --set stifness=1
refused "an unknown solver" "newtn" link cloth.lua --solver newtn
refused "a link has no files to watch" "does not go with a link" run cloth.springtide --headless --watch
refused "a link of a link" "expected a scene's file" link cloth.springtide
run link none.lua
equals "no such file" "$status" 1

# --- hostile links ---------------------------------------------------------------------------------------------------

# Packs JSON as a link, with whatever is in it.
pack() {
    python3 -c 'import base64, sys, zlib
sys.stdout.write(base64.urlsafe_b64encode(zlib.compress(sys.stdin.buffer.read())).decode().rstrip("="))'
}
hostile() { # NAME PART: the link on standard input is refused with a message of one line
    cat >hostile.springtide
    run run hostile.springtide --headless
    equals "$1: status" "$status" 1
    contains "$1: message" "$err" "$2"
    equals "$1: one line" "$(wc -l <.err)" 1
}
head='{"springtide":1,"name":"a","script":"return 1"'
hostile "an empty file" "link: empty" </dev/null
hostile "a link that was cut short" "link: damaged" < <(head -c 100 cloth.springtide)
hostile "another alphabet" "link: damaged" < <(tr 'a-f' '+/=.!?' <cloth.springtide)
hostile "zero bytes" "link: damaged" < <(head -c 1000 /dev/zero)
hostile "a bomb" "its content is larger than 4000000 bytes" < <(head -c 50000000 /dev/zero | pack)
hostile "a long link" "longer than 1000000 characters" < <(yes eJ | head -c 3000000 | tr -d '\n')
hostile "deep nesting" "its content is not" < <(head -c 1000000 /dev/zero | tr '\0' '[' | pack)
hostile "a newer version" "made by a newer version" < <(printf '{"springtide":7,"shape":"new"}' | pack)
hostile "invalid UTF-8" "its content is not" < <(printf '{"springtide":1,"name":"\xff"}' | pack)
hostile "an unknown field" '"files": unknown' < <(printf '%s,"frame":1,"files":{}}' "$head" | pack)
hostile "a huge frame" "frame = 1e+300" < <(printf '%s,"frame":1e300}' "$head" | pack)
hostile "a path as a name" "expected a name" < <(printf '{"springtide":1,"name":"../../x"}' | pack)
hostile "a path as a module" "expected a module's name" < <(printf '%s,"modules":{"/etc/passwd":""}}' "$head" | pack)
hostile "no scene" "the script returned 1" < <(printf '%s,"frame":1}' "$head" | pack)
printf 'return 1\n' >secret.lua
for what in 'require "secret"' 'io.open "secret.lua"' 'tide.mesh.load "one.obj"' 'assert(tide.load "secret.lua")' \
    'tide.mesh.grid { columns = 2, rows = 2 }:save "stolen.obj"'; do
    script="local tide = require \\\"springtide\\\" ${what//\"/\\\"} return tide.scene {}"
    hostile "a link that tries $what" "a.lua:1:" < <(printf '{"springtide":1,"name":"a","script":"%s","frame":1}' \
        "$script" | pack)
done
fails "it has written nothing" ls stolen.obj
printf '{"springtide":1,"name":"a","script":"while true do end","frame":1}' | pack >loop.springtide
run run loop.springtide --headless --time-limit 0.1
contains "an endless loop" "$err" "it took more than 1 s"
script='local tide = require \"springtide\" return tide.scene { title = \"x\" }'
printf '{"springtide":1,"name":"a","script":"%s","frame":2,"hash":"0123456789abcdef"}' "$script" | pack >other.springtide
run run other.springtide --headless
equals "another hash: status" "$status" 1
contains "another hash: message" "$out" "link: the state at frame 2 differs"
contains "another hash: a remedy" "$out" "springtide verify a.replay"

# The record that the message asks for tells the first difference, and verifies where there is none.
run run cloth.springtide --headless --record a.replay
run verify a.replay
equals "a record of a link: status" "$status" 0
contains "a record of a link" "$out" "the same: 8 states"

if command -v xvfb-run >/dev/null; then
    xvfb-run -a -s "-screen 0 640x480x24" "$build/springtide" cloth.springtide --frames 7 --size 320x180 --hash \
        --time-limit 1000 >.out 2>.err
    equals "a window: the same bits" "$(<.out)" "$expected"
    contains "a window: told" "$(<.err)" "link: the same bits at frame 7: $expected"
fi

finish
