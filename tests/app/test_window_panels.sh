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

# The middle of the picture is the world's, and the sides are dark.
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
same = pixels(sys.argv[2])[0]
middle = all(rows[y][500 * step:700 * step] == same[y][500 * step:700 * step] for y in range(0, 600))
print("left" if mean(2, 200) < 90 else "light", "right" if mean(1080, 1270) < 90 else "light", "same" if middle else "other")
PY
if command -v python3 >/dev/null; then
    equals "the sides are the panels', the middle is the world's" \
        "$(python3 columns.py wide/40.png headless/40.png)" "left right same"
fi

# A small window is all the world's.
run run cloth.lua --frames 5 --size 320x180 --png narrow/%d.png
equals "a narrow window: status" "$status" 0
finish
