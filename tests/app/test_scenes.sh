#!/usr/bin/env bash
# Every scene runs headless and makes a picture; the curtain has the paper's numbers and keeps its memory.
. "$(dirname "$0")/checks.sh"

found=0
for scene in "$root"/scenes/*.lua "$root"/scenes/*/*.lua; do
    [ -e "$scene" ] || continue
    found=$((found + 1))
    name=$(basename "$scene" .lua)
    run run "$scene" --headless --frames 10 --size 160x90 --png "$name/%d.png" --stats "$name.csv" --hash
    equals "$name: status" "$status" 0
    # The dog lands with the 20 iterations of Table 1, which gain energy: the report and a warning say so.
    [ "$name" = dog ] && err=$(grep -v "the step to frame 8 gained .* J of energy from nothing" <<<"$err")
    # The tangle begins crossed, which is told.
    [ "$name" = tangle ] && err=$(grep -v "frame 0: .* crossings; .* they are pulled apart over the next steps" <<<"$err")
    equals "$name: no message" "$err" ""
    equals "$name: rows" "$(wc -l <"$name.csv")" 11
    passes "$name: a hash" grep -Eqx '[0-9a-f]{16}' <(tail -n 1 .out)
    fails "$name: it moves" cmp -s "$name/1.png" "$name/10.png"
    fails "$name: no number is infinite or missing" grep -Eiq 'inf|nan' "$name.csv"
    passes "$name: its first line says what it is" grep -q '^-- ' <(head -n 1 "$scene")
    passes "$name: it fits on a screen" test "$(wc -l <"$scene")" -le 50
    # the same without the data that is not part of the project
    SPRINGTIDE_DATA='' springtide run "$scene" --headless --frames 2 >.out 2>.err
    equals "$name: runs without SPRINGTIDE_DATA" "$?" 0
done
passes "there are scenes" test $found -ge 3

# A scene reads its own folder only.
cp "$root/scenes/curtain.lua" the_curtain.lua
cp "$root/scenes/hippo.lua" the_hippo.lua
cat >counts.lua <<LUA
local tide = require "springtide"
local scene = assert(tide.load("the_curtain.lua"))
local curtain = scene:body("curtain")
print(curtain.vertex_count, curtain.spring_count)
return scene
LUA
run run counts.lua --headless --frames 1
equals "the curtain has 6,561 vertices and 32,158 springs" "$(xargs <<<"$out")" "6561 32158"
if [ -n "${SPRINGTIDE_DATA:-}" ]; then
    sed 's/curtain/hippo/g' counts.lua >hippo_counts.lua
    run run hippo_counts.lua --headless --frames 1
    equals "the hippo has 2,387 vertices and 13,135 springs" "$(xargs <<<"$out")" "2387 13135"
fi

# The most memory that the curtain's process ever holds, read while it runs.
peak=0
"$build/springtide" run "$root/scenes/curtain.lua" --headless --frames 60 &
process=$!
while now=$(awk '/^VmHWM/ { print $2 }' /proc/$process/status 2>/dev/null) && [ -n "$now" ]; do
    [ "$now" -gt $peak ] && peak=$now
    sleep 0.02
done
wait $process
equals "the curtain's run: status" "$?" 0
echo "# the curtain's process held at most $((peak / 1024)) MB"
passes "its memory was seen" test $peak -gt 1000
passes "the curtain needs less than 150 MB" test $peak -lt $((150 * 1024))
finish
