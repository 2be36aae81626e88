#!/usr/bin/env bash
# The window is closed at any moment: after keys, clicks and drags in any order, with sanitizers in the sanitized build.
# No incomplete file is left, and recordings can be replayed.
. "$(dirname "$0")/checks.sh"
export SDL_VIDEODRIVER=dummy
. "$root/tests/app/window_events.sh"
write_cloth_with cloth.lua 'function scene.update(dt) cloth:move_pin(1, 0.01 * scene.frame, 0, 0) end'
cat >blow.lua <<'LUA'
local tide = require "springtide"
local scene = tide.scene { timestep = 1 / 60, solver = { "explicit_euler", substeps = 2 } }
scene:body("cloth", { mesh = tide.mesh.grid { columns = 9, rows = 9 }, mass = 0.5, stiffness = 800 }):pin { 1, 9 }
return scene
LUA
words=(key:, key:, key:, key:. key:. key:space key:left key:right key:PageUp key:PageDown key:F1 key:F8 key:F9 key:F10
    key:F12 shift:F12 key:p key:w key:r key:F5 key:F3 key:F4 key:F6 key:F7 key:1 key:2 key:Backspace key:f key:Tab wait:1
    wait:3 down:1:160:90 move:200:120 up:1:200:120 click:1:30:30 click:1:290:30 click:1:160:90 wheel:2 drag:2:10:10
    click:1:100:178 key:Down key:Return)
scenes=(cloth.lua blow.lua)
sizes=(320x180 1280x720 160x120)
failed="" differs="" left=""
for seed in {1..12}; do
    RANDOM=$seed
    events="key:space"
    for ((i = RANDOM % 30; i >= 0; i--)); do events+=" ${words[RANDOM % ${#words[@]}]}"; done
    rm -f ./*.png ./*.world ./*.replay
    window "$events wait:1 key:F10 key:F10 key:Escape key:Escape key:Escape key:q" "${scenes[seed % 2]}" \
        --size "${sizes[seed % 3]}" --record out.replay --history 1
    # 1: the scene blew up, and so it says
    { [ "$status" -le 1 ] && ! grep -E "Sanitizer|runtime error" .err >/dev/null; } || failed+=" $seed ($events)"
    left+=$(find . -name '*.part')
    springtide run --replay out.replay --headless --verify >.again 2>&1 || grep -q "explodes\|diverged" .again || differs+=" $seed"
done
equals "it closes cleanly" "$failed" ""
equals "nothing half-written is left" "$left" ""
equals "what was done can be done again" "$differs" ""
finish
