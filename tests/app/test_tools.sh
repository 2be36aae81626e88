#!/usr/bin/env bash
# Inputs to a running scene in the window: dragging, pinning, cutting, pushing, going back in time, changed files. They
# are recorded and replayed without a window.
. "$(dirname "$0")/checks.sh"
export SDL_VIDEODRIVER=dummy
. "$root/tests/app/window_events.sh"

write_cloth cloth.lua
cat >ball.lua <<'LUA'
local tide = require "springtide"
local scene = tide.scene { timestep = 1 / 60, camera = { position = { 0, 0, 3 }, target = { 0, 0, 0 } } }
local cloth = scene:body("cloth", { mesh = tide.mesh.grid { columns = 11, rows = 11, width = 1, height = 1 }
  :rotate({ 1, 0, 0 }, math.pi / 2):translate(-0.5, 0.5, 0), mass = 0.2, stiffness = 50 })
cloth:pin { 1, 11 }
scene:collider("ball", { shape = "sphere", radius = 0.1, position = { 0.8, 0, 0 } })
return scene
LUA

again() { # NAME: the replay of out.replay is what the window ended with, $out
    equals "$1: done again" "$(springtide run --replay out.replay --headless --verify --hash | tail -n 1)" "$out"
}
record() { # EVENTS WORDS...
    rm -f out.replay
    window "key:space key:. key:. $1 wait:2 key:q" ball.lua --hash --size 320x180 --record out.replay "${@:2}"
    equals "the window ends well" "$status" 0
    made=$(grep '^at' out.replay | cut -d' ' -f2-)
}

record "key:F3 down:1:160:90 move:170:70 wait:1 key:. key:. move:200:40 key:. key:. up:1:200:40 key:. key:."
contains "a drag begins at the vertex under the mouse" "$made" '2 drag_begin "cloth" vertex 60 0 200 '
equals "it moves twice, and ends" "$(cut -d' ' -f1,2 <<<"$made" | xargs)" \
    "2 drag_begin 2 drag_move 4 drag_move 6 drag_end"
again "a drag"
fails "it is another state than without" test "$out" = "$(springtide run ball.lua --headless --frames 8 --hash)"

record "key:F3 key:] mod:ctrl down:1:160:90 mod:none move:170:70 up:1:170:70 mod:shift down:1:160:90 up:1:160:90 mod:none"
contains "with Ctrl it is the whole body" "$made" 'drag_begin "cloth" body 60 0 400 '
contains "with Shift an edge" "$made" 'drag_begin "cloth" edge '
record "key:F3 down:1:2:2 move:30:2 up:1:30:2"
equals "beside the body the view turns" "$made" ""

# At 160:90 two vertices are equally near, once the cloth has moved.
record "key:tab key:tab click:1:154:88 key:. click:1:154:88 key:. key:F2 mod:shift click:1:154:88 mod:none"
equals "a click pins, and frees again; with Shift with any tool" "$(cut -d' ' -f1-4 <<<"$made" | xargs)" \
    '2 pin cloth 60 3 unpin cloth 60 4 pin cloth 60'
again "pins"

record "key:F6 down:1:100:100 move:160:100 move:230:100 up:1:230:100 key:. key:."
contains "a stroke opens edges" "$made" '2 open "cloth" '
passes "of all columns" test "$(sed -n 's/^2 open "cloth" \([0-9]*\).*/\1/p' <<<"$made" |
    awk '{ sum += $1 } END { print sum }')" -ge 10
again "a cut"
record "key:F6 down:1:80:100 move:240:100 up:1:240:100 wait:1 key:space wait:60 key:space"
again "a cloth in two"

# A cloth that moves under the knife comes apart: nothing holds the lower part when the upper one is thrown.
cat >moving.lua <<'LUA'
local tide = require "springtide"
local scene = tide.scene { timestep = 1 / 60, gravity = { 0, 0, 0 }, camera = { position = { 0, 0, 3 }, target = { 0, 0, 0 } } }
local cloth = scene:body("cloth", { mesh = tide.mesh.grid { columns = 21, rows = 21, width = 1, height = 1 }
  :rotate({ 1, 0, 0 }, math.pi / 2):translate(-0.5, 0.5, 0), mass = 0.2, stiffness = 50, bend = 20 })
for i = 1, cloth.vertex_count do cloth:set_velocity(i, -3, 2, 0) end
local function mean(first)
  local sum = 0
  for i = first, first + 20 do local _, y = cloth:position(i) sum = sum + y / 21 end
  return sum
end
local thrown
function scene.keypressed(key)
  thrown = scene.frame
  for i = 1, cloth.vertex_count do cloth:set_velocity(i, 0, i <= 21 and 9 or 0, 0) end
end
local at
function scene.update()
  if scene.frame == thrown then at = mean(421) end
  if thrown and scene.frame == thrown + 40 then print(("risen %s %s"):format(mean(421) - at < 0.1, mean(1) > 1)) end
end
return scene
LUA
knife="key:F6 down:1:100:100"
for x in 112 124 136 148 160 172 184 196; do knife+=" move:$x:100 key:. key:."; done
rm -f out.replay
window "key:space key:. $knife up:1:196:100 key:k $(printf 'key:. %.0s' {1..45}) key:q" moving.lua --hash --size 320x180 \
    --record out.replay
contains "a cloth that moves under the knife comes apart" "$out" "risen true true"
out=$(tail -n 1 <<<"$out")
equals "a cut in motion: done again" \
    "$(springtide run --replay out.replay --headless --verify --hash | tail -n 1)" "$out"

# So does a solid, of springs or of a material: nothing inside it, which is not seen, holds the pieces.
cat >solid.lua <<'LUA'
local tide = require "springtide"
local springs = tide.param("springs", 1)
local scene = tide.scene { timestep = 1 / 60, gravity = { 0, 0, 0 }, camera = { position = { 0, 0, 3 }, target = { 0, 0, 0 } } }
local mesh = tide.mesh.box { size = { 1, 1, 0.2 }, cells = { 12, 12, 2 } }
local block = scene:body("block", { mesh = mesh, mass = 0.2, stiffness = springs == 1 and 50 or nil,
  solid = springs == 0 and { young = 500, poisson = 0.3 } or nil })
for i = 1, block.vertex_count do block:set_velocity(i, -3, 2, 0) end
local function mean(side)
  local sum, count = 0, 0
  for i = 1, block.vertex_count do
    local _, y = block:position(i)
    if select(2, block.mesh:vertex(i)) * side > 0.45 then sum, count = sum + y, count + 1 end
  end
  return sum / count
end
local thrown, at
function scene.keypressed(key)
  thrown, at = scene.frame, mean(-1)
  for i = 1, block.vertex_count do block:set_velocity(i, 0, select(2, block.mesh:vertex(i)) > 0.45 and 9 or 0, 0) end
end
function scene.update()
  if thrown and scene.frame == thrown + 40 then print(("risen %s %s"):format(mean(-1) - at < 0.1, mean(1) > 1)) end
end
return scene
LUA
for springs in 1 0; do
    window "key:space key:. $knife up:1:196:100 key:k $(printf 'key:. %.0s' {1..45}) key:q" solid.lua --set springs=$springs \
        --size 320x180
    contains "a solid that moves under the knife comes apart ($springs)" "$out" "risen true true"
done

# A knife at rest in the second of two panes cuts a cloth that moves past it. The input applies to both panes.
window "key:space key:. key:F6 down:1:580:150 $(printf 'key:. %.0s' {1..25}) up:1:580:150 key:k $(printf 'key:. %.0s' {1..45}) close close" \
    compare moving.lua --solvers local_global,local_global,iterations=7 --size 960x540
equals "and so it does in panes" "$out" "risen true true
risen true true"

# Undo and redo start from the state at that time.
record "key:F6 down:1:100:100 move:160:100 move:230:100 up:1:230:100 key:. key:. ctrl:z wait:2 key:. key:. key:."
equals "Ctrl+Z takes a cut back" "$out" "$(springtide run ball.lua --headless --frames 5 --hash)"
again "a cut taken back"
record "key:F6 down:1:100:100 move:230:100 up:1:230:100 key:. key:."
whole=$out
record "key:F6 down:1:100:100 move:230:100 up:1:230:100 key:. ctrl:z wait:2 ctrl:y wait:2 key:."
equals "Ctrl+Y cuts it again" "$out" "$whole"
again "a cut done again"
record "key:F3 down:1:160:90 move:170:70 wait:1 key:. key:. up:1:170:70 key:. ctrl:z wait:2 key:. key:."
equals "Ctrl+Z takes a drag back" "$out" "$(springtide run ball.lua --headless --frames 4 --hash)"
again "a drag taken back"
record "key:tab key:tab click:1:154:88 ctrl:z wait:2 key:. key:."
equals "Ctrl+Z takes a pin back" "$out" "$(springtide run ball.lua --headless --frames 4 --hash)"
again "a pin taken back"

record "key:F7 down:1:226:90 move:215:90 move:190:90 up:1:190:90 key:. key:."
equals "a collider is pushed" "$(cut -d' ' -f1-3 <<<"$made" | xargs)" '2 nudge ball 2 nudge ball'
again "a push"
record "key:F7 down:1:226:90 move:215:90 move:190:90 up:1:190:90 key:. ctrl:z wait:2 key:. key:."
equals "Ctrl+Z takes a push back" "$out" "$(springtide run ball.lua --headless --frames 4 --hash)"
again "a push taken back"

# --- the first hint: in the picture until a body was dragged or a file edited once, in any window
hint=.state/springtide/first-hint-done
rm -rf .state
hinted() { # EVENTS: a sum of the rows of the hint at the end
    SPRINGTIDE_SHOWN=$folder/shown SDL_RENDER_DRIVER=software window "key:space $1 wait:60 close" ball.lua --size 800x600
    head -c $((4 * 800 * 535)) shown | tail -c $((4 * 800 * 70)) | md5sum
}
shows=$(hinted "")
equals "keys and clicks leave the hint" "$(hinted "key:F3 key:F2 click:1:5:300")" "$shows"
fails "and nothing is remembered" test -e $hint
hides=$(hinted "key:Backspace")
fails "Backspace hides it" test "$hides" = "$shows"
fails "in this window alone" test -e $hint
equals "it is there again" "$(hinted "")" "$shows"
hinted "key:F3 down:1:400:300 up:1:400:300" >.sum
fails "taking hold is no drag" test -e $hint
hinted "key:F3 down:1:400:300 move:430:280 up:1:430:280" >.sum
passes "a drag is remembered" test -s $hint
equals "and the hint does not come again" "$(hinted "")" "$hides"
rm -rf .state
XDG_STATE_HOME=/dev/null/state window "key:space key:F3 down:1:160:90 move:170:70 up:1:170:70 wait:2 key:q" ball.lua \
    --size 320x180
equals "a place that cannot be written is no error" "$status $(grep -v "software renderer" .err)" "0 "
for unset in "-u XDG_STATE_HOME" "XDG_STATE_HOME=state"; do
    mkdir home
    # shellcheck disable=SC2086
    SPRINGTIDE_EVENTS="key:space key:F3 down:1:160:90 move:170:70 up:1:170:70 wait:2 key:q" LD_PRELOAD=$folder/events.so \
        env $unset HOME="$folder/home" "$build/springtide" ball.lua --size 320x180 2>.err
    passes "without a folder of its own ($unset) it is below HOME" test -s home/.local/state/springtide/first-hint-done
    rm -r home
done

# --- files that are dropped, and what is only looked at
sed 's/^return scene/print("the other scene") return scene/' ball.lua >other.lua
printf 'v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 3\nf 1 2 4\n' >'my mesh.obj'
cp 'my mesh.obj' mesh.obj
window "key:space wait:2 drop:$PWD/other.lua wait:20 key:q" ball.lua --hash --size 320x180
contains "a scene that is dropped is opened" "$out" "the other scene"
mkdir views
TMPDIR=$PWD/views window "key:space wait:2 drop:$PWD/mesh.obj wait:20 key:q" ball.lua --hash --size 320x180
equals "a mesh that is dropped is shown" "$status $(wc -l <.out)" "0 2" # a hash of each scene
equals "by a scene that is gone at the end" "$(ls views)" ""
rm -rf .state
window "drop:$PWD/mesh.obj wait:400 close close" ball.lua --size 320x180
equals "which is not taken for a change" "$(grep -c changed .err)" 0
fails "nor for a user's" test -e $hint
# A scene that fails takes the place of none: this one goes on, with the reason in front of it, below the tools.
sed 's/^return scene/scene.bdoy() return scene/' ball.lua >broken.lua
for file in broken.lua missing.lua; do
    rm -f shown ready
    SPRINGTIDE_SHOWN=$folder/shown SDL_RENDER_DRIVER=software window \
        "key:space key:. wait:5 drop:$PWD/$file key:. wait:20 touch:$PWD/ready key:. wait:5 key:q" ball.lua \
        --hash --size 480x360 --png refused.png
    equals "$file is dropped: status" "$status" 0
    contains "$file is dropped: why it is not opened" "$err" "not opened: $PWD/$file"
    equals "$file is dropped: this scene goes on" "$out" "$(springtide run ball.lua --headless --frames 3 --hash)"
done
contains "the line that failed" "$(window "drop:$PWD/broken.lua wait:5 key:q" ball.lua --size 160x120; echo "$err")" \
    "bdoy"
window "key:space key:. drop:$PWD/broken.lua key:. wait:2 key:q" ball.lua --size 480x360 --png refused.png
window "key:space key:. drop:$PWD/broken.lua key:. wait:2 key:Backspace wait:2 key:q" ball.lua --size 480x360 --png hidden.png
fails "the reason is in the picture until Backspace" cmp -s refused.png hidden.png

window "key:space wait:2 drop:$PWD/nothing.txt wait:20 key:q" ball.lua --hash --size 320x180
equals "what is no scene is told, and the window stays" "$status" 0
record "click:1:160:90 key:F11 key:F11 key:. mod:ctrl key:= mod:none"
equals "looking is no input but the click" "$(cut -d' ' -f1-2 <<<"$made" | xargs)" "2 click"
again "looking"

# --- time
record "key:. key:. key:. key:left key:left key:left key:left key:right key:. key:."
equals "left and right go to and fro" "$(cut -d' ' -f1-3 <<<"$made" | xargs)" \
    "5 rewind 4 5 rewind 3 5 rewind 2 5 rewind 1 5 rewind 2"
equals "going on from there is what it was" "$out" "$(springtide run ball.lua --headless --frames 4 --hash)"
again "to and fro"
record "key:. key:. key:. key:left key:right key:right key:right"
equals "right at the newest frame takes a step" "$out" "$(springtide run ball.lua --headless --frames 7 --hash)"
record "$(printf 'key:. %.0s' {1..13}) key:PageUp key:PageUp key:PageUp key:PageDown key:PageDown key:PageDown"
equals "ten frames at once, to the ends" "$made" "15 rewind 5
15 rewind 0
15 rewind 10
15 rewind 15"
record "$(printf 'key:. %.0s' {1..98}) wait:2 down:1:0:179 up:1:0:179 $(printf 'key:. %.0s' {1..100})"
equals "a click at the start of the strip goes back a hundred frames" "$made" "100 rewind 0"
equals "and they come again" "$out" "$(springtide run ball.lua --headless --frames 100 --hash)"
record "key:. key:. wait:2 down:1:0:179 move:160:100 move:319:100 up:1:319:100"
equals "the strip is scrubbed" "$made" "4 rewind 0
4 rewind 2
4 rewind 4"
record "key:F3 down:1:160:90 move:170:70 key:. key:. up:1:170:70 key:. key:left key:left key:."
equals "what was held then is let go when it goes on" "$(cut -d' ' -f1,2 <<<"$made" | xargs)" \
    "2 drag_begin 2 drag_move 4 drag_end 5 rewind 5 rewind 5 drag_end"
again "back into a drag"
record "key:. key:. key:left key:. " --history 0
equals "without a history left does nothing" "$made" ""
window "key:space $(printf 'key:. %.0s' {1..40}) key:q" ball.lua --size 320x180 --history 1 --png strip.png
window "key:space $(printf 'key:. %.0s' {1..40}) key:q" ball.lua --size 320x180 --history 0 --png none.png
fails "the strip shows" cmp -s strip.png none.png

window "key:space key:. key:F5 wait:2 key:q" ball.lua --size 160x90
contains "what a reload changed goes into the log" "$err" "nothing changed"

# --- worlds
rm -f ./*.world
window "key:space key:. key:. key:. key:F12 key:. key:. wait:2 key:q" ball.lua --hash --size 160x90
equals "F12 saves the world" "$(ls ./*.world)" "./ball-0001.world"
springtide run ball.lua --headless --frames 2 --open-world ball-0001.world --hash >opened.txt --record opened.replay
equals "and it goes on from there" "$(<opened.txt)" "$out"
window "key:space key:. shift:F12 key:. key:. wait:2 key:q" ball.lua --hash --size 160x90
equals "Shift+F12 opens the last of them" "$out" "$(springtide run ball.lua --headless --frames 5 --hash)"
rm ball-0001.world
equals "a replay holds the world" "$(springtide run --replay opened.replay --headless --verify --hash | tail -n 1)" "$out"
springtide run ball.lua --headless --frames 3 --save-world three.world
run run cloth.lua --headless --frames 1 --open-world three.world
equals "another scene's world: status" "$status" 1
contains "another scene's world: message" "$err" "of other bodies"
sed 's/^return scene$/assert(scene:snapshot():save "start.world"); scene:restore(assert(scene:load_snapshot "three.world")); &/' \
    ball.lua >resumed.lua
equals "a script loads what --save-world wrote" "$(springtide run resumed.lua --headless --frames 2 --hash | tail -n 1)" \
    "$(springtide run ball.lua --headless --frames 5 --hash | tail -n 1)"
equals "and --open-world opens what a script saved" \
    "$(springtide run ball.lua --headless --frames 2 --open-world start.world --hash | tail -n 1)" \
    "$(springtide run ball.lua --headless --frames 2 --hash | tail -n 1)"
sed '5s/[0-9]/x/' three.world >bad.world
run run ball.lua --headless --frames 1 --open-world bad.world
contains "a world that was changed" "$err" "line = 5"

# --- files that change
cp cloth.lua live.lua
(
    until [ -e started ]; do sleep 0.05; done
    sed 's/^return scene/scene:body("cloth"):unpin { 1 }\nreturn scene/' cloth.lua >live.new
    mv live.new live.lua
    touch changed
) &
window "wait:20 touch:$folder/started until:$folder/changed wait:150 key:space wait:2 key:q" live.lua --hash --size 160x90 --record live.replay
wait
contains "a file that is saved is run again" "$(grep '^at' live.replay)" "reload 1 "
passes "and the first hint is done" test -s $hint
rm live.lua
equals "done again without the file" "$(springtide run --replay live.replay --headless --verify --hash | tail -n 1)" "$out"

cat >endless.lua <<'LUA'
local tide = require "springtide"
local scene = tide.scene { timestep = 1 / 60 }
scene:body("cloth", { mesh = tide.mesh.grid { columns = 3, rows = 3 }, stiffness = 10 })
function scene.update() while scene.frame == 3 do end end
return scene
LUA
window "key:space key:. key:. key:. key:. wait:20 key:left key:left wait:2 key:q" endless.lua --size 160x90 --time-limit 3 \
    --hash --record endless.replay
equals "an endless loop is stopped, and one goes back" "$status" 0
equals "to the frame before" "$out" "$(springtide run endless.lua --headless --frames 1 --hash)"

# A run that is interrupted leaves a whole replay, and one that cannot be written none.
stop_when INT '[ -e cut-5.png ]' run ball.lua --headless --frames 100000000 --size 16x16 --png cut-%d.png --record cut.replay
contains "interrupted: the replay is whole" "$(springtide run --replay cut.replay --headless --verify)" "the same: "
equals "interrupted: nothing half-written is left" "$(find . -name 'cut.replay.*')" ""
run run ball.lua --headless --frames 300 --record /dev/full/x.replay
equals "a replay that cannot be written: status" "$status" 1
contains "a replay that cannot be written: message" "$err" "cannot be written"

# --- pictures change nothing
for line in 'scene:body("cloth"):set_position(50, 0, 0, 0)' 'scene.state.n = (scene.state.n or 0) + 1' 'math.random()' \
    'scene:body("cloth"):force(3, 0, 1, 0)' 'scene:body("cloth"):cut { springs = { 3 } }'; do
    sed "s/^return scene/function scene.draw() $line end\nreturn scene/" ball.lua >draws.lua
    window "key:space key:. key:. wait:9 key:. wait:9 key:q" draws.lua --hash --size 160x90
    equals "draw changes the world ($line): status" "$status" 1
    contains "draw changes the world: message" "$err" "do this in update"
    run run draws.lua --headless --frames 3 --png draws-%d.png --size 64x64
    contains "without a window, too" "$err" "do this in update"
done
sed 's/^return scene/function scene.draw(canvas) canvas:text(5, 5, "hello") end\nreturn scene/' ball.lua >draws.lua
window "key:space key:. key:. wait:9 key:. wait:9 key:q" draws.lua --hash --size 160x90
equals "a draw that only draws" "$out" "$(springtide run ball.lua --headless --frames 3 --hash)"

# --- replays in the window, and left
window "wait:200 key:q" --replay out.replay --hash --size 160x90
equals "a replay in the window" "$status" 0
springtide run ball.lua --headless --frames 200 --record long.replay
window "key:space key:. key:. key:F4 click:1:80:45 key:. key:. key:q" --replay long.replay --hash --size 160x90
fails "a tool ends the replay" test "$out" = "$(springtide run ball.lua --headless --frames 4 --hash)"
sed 's/^\(step 5 ................\)/step 5 0000000000000000/' long.replay >other.replay
run run --replay other.replay --verify --headless
equals "a replay that differs: status" "$status" 1
contains "a replay that differs: where" "$err" "frame 5 differs"
run run --replay other.replay --headless
equals "only --verify looks" "$status" 0
finish
