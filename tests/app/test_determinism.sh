#!/usr/bin/env bash
# The same state for any number of threads, with a window and without.
. "$(dirname "$0")/checks.sh"

hash_of() {
    springtide run "$@" --hash | tail -n 1
}

for scene in curtain hippo pendulum; do
    file=$root/scenes/$scene.lua
    one=$(hash_of "$file" --headless --frames 20 --threads 1)
    passes "$scene: has a hash" grep -Eqx '[0-9a-f]{16}' <<<"$one"
    for threads in 2 3; do
        equals "$scene: $threads threads" "$(hash_of "$file" --headless --frames 20 --threads $threads)" "$one"
    done
    equals "$scene: all processors" "$(hash_of "$file" --headless --frames 20)" "$one"
    equals "$scene: in a window" "$(SDL_VIDEODRIVER=dummy hash_of "$file" --frames 20 --size 320x180)" "$one"
    equals "$scene: with pictures" \
        "$(hash_of "$file" --headless --frames 20 --size 64x36 --png "$scene-%d.png")" "$one"
done

# Materials: finite elements beside springs, which fall on a floor, and a membrane around a gas.
for scene in jelly:20 balloon:6; do
    file=$root/scenes/${scene%:*}.lua frames=${scene#*:}
    one=$(hash_of "$file" --headless --frames "$frames" --threads 1)
    passes "${scene%:*}: has a hash" grep -Eqx '[0-9a-f]{16}' <<<"$one"
    for threads in 2 8; do
        equals "${scene%:*}: $threads threads" \
            "$(hash_of "$file" --headless --frames "$frames" --threads $threads)" "$one"
    done
done

springtide run "$root/scenes/curtain.lua" --headless --frames 5 --size 320x180 --threads 1 --png one-%d.png
springtide run "$root/scenes/curtain.lua" --headless --frames 5 --size 320x180 --threads 2 --png two-%d.png
passes "pictures are the same for 1 and 2 threads" cmp one-5.png two-5.png

# --- runs of one script -----------------------------------------------------------------------------------------------
# What Lua leaves open does not reach a scene: the order of keys without an order of their own, addresses in texts, random
# numbers. All of it decides the gravity of this scene.
cat >order.lua <<'LUA'
local tide = require "springtide"
local scene = tide.scene { timestep = 1 / 60 }
local keys, texts = {}, {}
for i = 1, 6 do
  local body = scene:body("patch" .. i, { mesh = tide.mesh.grid { columns = 3, rows = 3 }, mass = 0.1, stiffness = 10 })
  for _, key in ipairs { body, {}, function() return i end, coroutine.create(print), "s" .. i, i / 7 } do keys[key] = i end
end
for key, value in pairs(keys) do texts[#texts + 1] = tostring(key) .. value end
for key in next, keys do texts[#texts + 1] = type(key) end
for _, value in ipairs { {}, print, scene, coroutine.create(print), ("%p"):format(texts) } do
  texts[#texts + 1] = tostring(value)
end
texts[#texts + 1] = math.random() .. tostring(select(2, pcall(function() return {} + print end)))
local sum = 7
for _, text in ipairs(texts) do
  for i = 1, #text do sum = (sum * 31 + text:byte(i)) % 1000003 end
end
function scene.update()
  local order = 0
  for key in pairs(keys) do order = (order * 31 + #type(key) + #tostring(key)) % 1009 end
  scene.gravity = { sum / 1e6, -9.81, order / 1e3 }
end
return scene
LUA
first=$(hash_of order.lua --headless --frames 5)
passes "a script that looks at orders and addresses: has a hash" grep -Eqx '[0-9a-f]{16}' <<<"$first"
for run in 2 3 4 5; do
    equals "a script that looks at orders and addresses: process $run" "$(hash_of order.lua --headless --frames 5)" "$first"
done
equals "and recorded" "$(hash_of order.lua --headless --frames 5 --record order.replay)" "$first"
equals "and from the recording" "$(hash_of --replay order.replay --headless --verify)" "$first"
finish
