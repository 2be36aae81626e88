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

springtide run "$root/scenes/curtain.lua" --headless --frames 5 --size 320x180 --threads 1 --png one-%d.png
springtide run "$root/scenes/curtain.lua" --headless --frames 5 --size 320x180 --threads 2 --png two-%d.png
passes "pictures are the same for 1 and 2 threads" cmp one-5.png two-5.png
finish
