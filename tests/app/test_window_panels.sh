#!/usr/bin/env bash
# The window with its panels on SDL's dummy driver: they are in the picture, and the state knows nothing of them.
. "$(dirname "$0")/checks.sh"
export SDL_VIDEODRIVER=dummy
write_cloth cloth.lua

run() { # WORDS...
    out=$(springtide "$@" 2>.err)
    status=$?
}
mkdir wide narrow headless
run run cloth.lua --frames 40 --hash --size 1280x720 --png wide/%d.png
equals "a wide window: status" "$status" 0
equals "it has the state of a headless run" "$out" "$(springtide run cloth.lua --headless --frames 40 --hash)"
springtide run cloth.lua --headless --frames 40 --size 1280x720 --png headless/%d.png
fails "its pictures have something over them" cmp -s wide/40.png headless/40.png

# The sides are dark.
cat >columns.py <<'PY'
import struct, sys, zlib

def pixels(path):
    data = open(path, "rb").read()
    at, packed = 8, b""
    while at < len(data):
        size, kind = struct.unpack(">I4s", data[at:at + 8])
        if kind == b"IHDR":
            width, height, _, colour = struct.unpack(">IIBB", data[at + 8:at + 18])
        if kind == b"IDAT":
            packed += data[at + 8:at + 8 + size]
        at += 12 + size
    step = {2: 3, 6: 4}[colour]
    raw, rows, before = zlib.decompress(packed), [], bytearray(width * step)
    for y in range(height):
        start = y * (width * step + 1)
        filtered, row = raw[start], bytearray(raw[start + 1:start + 1 + width * step])
        for i in range(len(row)):
            a = row[i - step] if i >= step else 0
            b, c = before[i], before[i - step] if i >= step else 0
            if filtered == 1:
                row[i] = (row[i] + a) & 255
            elif filtered == 2:
                row[i] = (row[i] + b) & 255
            elif filtered == 3:
                row[i] = (row[i] + (a + b) // 2) & 255
            elif filtered == 4:
                p = a + b - c
                nearest = min((abs(p - a), 0, a), (abs(p - b), 1, b), (abs(p - c), 2, c))[2]
                row[i] = (row[i] + nearest) & 255
        rows.append(row)
        before = row
    return rows, step

rows, step = pixels(sys.argv[1])
def mean(x0, x1):
    part = [rows[y][x * step + 1] for y in range(5, 300, 7) for x in range(x0, x1, 3)]
    return sum(part) / len(part)
print("left" if mean(2, 200) < 90 else "light", "right" if mean(1080, 1270) < 90 else "light")
PY
if command -v python3 >/dev/null; then
    equals "the sides are the panels'" "$(python3 columns.py wide/40.png)" "left right"
fi

# A bar that nearly fills the width of the whole picture is seen between the panels, from end to end.
cat >bar.lua <<'LUA'
local tide = require "springtide"
local scene = tide.scene { gravity = { 0, 0, 0 }, camera = { position = { 0, 0, 4 }, target = { 0, 0, 0 } }, ground = false }
scene:body("bar", { mesh = tide.mesh.grid { columns = 21, rows = 5, width = 4, height = 0.6 }
  :rotate({ 1, 0, 0 }, math.pi / 2):translate(-2, 0.3, 0), mass = 1, stiffness = 50, colour = { 0.9, 0.05, 0.05 } })
return scene
LUA
cat >bar.py <<'PY'
import sys
sys.argv, names = ["", sys.argv[1]], sys.argv[1]
exec(open("columns.py").read().split("rows, step = ")[0])
rows, step = pixels(names)
red = [x for row in rows[40:-60] for x in range(len(row) // step)
       if row[x * step] > 90 and row[x * step] > 1.8 * row[x * step + 1] and row[x * step] > 1.8 * row[x * step + 2]]
width = len(rows[0]) // step
print(width, min(red), max(red))
PY
fitted() { # WIDTH LEAST MOST: pixels that the bar is within; it takes most of them
    local seen width from to
    seen=$(python3 bar.py bar.png)
    read -r width from to <<<"$seen"
    passes "$width: the bar is fully seen ($from to $to)" test "$from" -gt "$2" -a "$to" -lt "$3"
    passes "$width: and fills the place" test $((to - from)) -gt $((($3 - $2) * 8 / 10))
}
if command -v python3 >/dev/null; then
    run run bar.lua --frames 4 --size 1280x800 --png bar.png
    fitted 1280 278 1002 # 18.5 em of 15 pixels at each side
    run run bar.lua --frames 4 --size 1920x1080 --png bar.png
    fitted 1920 278 1642 # text has the same size
    run run bar.lua --frames 4 --size 1920x1080 --png bar.png --text-scale 1.4
    fitted 1920 389 1531
    run run bar.lua --frames 4 --size 800x600 --png bar.png
    fitted 800 0 800 # the panels begin folded
fi
run run bar.lua --frames 4 --text-scale 9
equals "a size of text out of range" "$status" 2
contains "says so" "$(cat .err)" "expected a factor from 0.5 to 4"

# A small window is all the world's.
run run cloth.lua --frames 5 --size 320x180 --png narrow/%d.png
equals "a narrow window: status" "$status" 0
finish
