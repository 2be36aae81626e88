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
finish
