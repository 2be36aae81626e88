#!/usr/bin/env bash
# A scene that blows up in the window: where it began, and what may help by a click.
. "$(dirname "$0")/checks.sh"
export SDL_VIDEODRIVER=dummy
. "$root/tests/app/window_events.sh"
cat >blow.lua <<'LUA'
local tide = require "springtide"
local scene = tide.scene { timestep = 1 / 60, solver = { "explicit_euler", substeps = 2 } }
local cloth = scene:body("cloth", {
  mesh = tide.mesh.grid { columns = 15, rows = 15, width = 1, height = 1 }, mass = 0.5, stiffness = 800, bend = 20 })
cloth:pin { 1, 15 }
return scene
LUA

# Clicks all the way up the middle, and so on the lines of remedies; then two steps.
clicks=$(for y in $(seq 700 -6 300); do echo "click:1:420:$y"; done | xargs)
record() { # EVENTS
    rm -f out.replay
    window "key:space key:. key:. key:. key:. key:. key:. wait:20 $1 key:. key:. wait:2 key:q" blow.lua --hash \
        --size 1280x720 --record out.replay
    made=$(grep '^at' out.replay | grep -v rewind | cut -d' ' -f3- | head -n 1)
}
record "key:2"
equals "by its number: another solver" "$made" 'solver "local_global"'
record "$clicks"
equals "by a click: the last of them is met first, and no more then" \
    "$(grep -v click out.replay | grep '^at' | grep -v rewind)" 'at 3 solver "newton"'
equals "done again" "$(springtide run --replay out.replay --headless --verify --hash | tail -n 1)" "$out"

# A picture of thousands of triangles as large as the window would take seconds. The largest are left out, and the window
# says so.
cat >layers.lua <<'LUA'
local tide = require "springtide"
local scene = tide.scene { gravity = { 0, 0, 0 }, camera = { position = { 0, 0, 3 }, target = { 0, 0, 0 } } }
local vertices, triangles = {}, {}
for i = 1, tide.param("count", 3000) do
  local n, z = #vertices, -i * 1e-4
  vertices[n + 1], vertices[n + 2], vertices[n + 3] = { -5, -5, z }, { 5, -5, z }, { 0, 5, z }
  triangles[i] = { n + 1, n + 2, n + 3 }
end
scene:body("layers", { mesh = tide.mesh.new { vertices = vertices, triangles = triangles }, mass = 1, springs = {} })
return scene
LUA
window "key:space wait:9 close" layers.lua --size 480x270
contains "primitives that are left out are told" "$err" "the picture is incomplete: "
equals "once" "$(grep -c incomplete .err)" 1
window "key:space wait:9 close" layers.lua --size 480x270 --set count=30
equals "a complete picture is not" "$(grep -c incomplete .err)" 0
finish
