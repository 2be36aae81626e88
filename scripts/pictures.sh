#!/usr/bin/env bash
# Draws the pictures of scenes that scenes/README.md shows again, in scenes/. Pictures of the window are
# taken from the window itself.
#     scripts/pictures.sh              all of them; some minutes
#     scripts/pictures.sh drape hair   these
#     scripts/pictures.sh --list       their names
# Those that end in -data need SPRINGTIDE_DATA. SPRINGTIDE names another program than the one that this builds.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
# picture, scene, frame, size; the words of a comparison
pictures='readme-curtain curtain 60 960x540
drape drape 120 640x360
flag flag 100 640x360
tablecloth tablecloth 170 640x360
tangle tangle 60 640x360
tear tear 60 640x360
crease crease 200 640x360
bridge bridge 330 640x360
hair hair 50 640x360
softstack softstack 300 640x360
jelly jelly 26 640x360
trampoline trampoline 66 640x360
domino domino 80 640x360
friction friction 190 640x360
cart cart 210 640x360
wire wire 300 640x360
rope rope 700 640x360
skin skin 60 640x360
fish fish 50 640x360
creature creature 120 640x360
walker walker 300 960x400 --vary gait=0,1
curtain table1/curtain 70 640x360
hippo table1/hippo 9 640x360
hippo-data table1/hippo 9 640x360
frog table1/frog 40 640x360
frog-data table1/frog 20 640x360
dog table1/dog 12 640x360
dog-data table1/dog 20 640x360
brush table1/brush 38 640x360
dress table1/dress 500 640x360
dress-data table1/dress 440 640x360'

case "${1:-}" in
--list)
    cut -d' ' -f1 <<<"$pictures"
    exit
    ;;
-*)
    sed -n '2,7s/^# //p' "${BASH_SOURCE[0]}"
    exit
    ;;
esac
for name in "$@"; do
    if ! cut -d' ' -f1 <<<"$pictures" | grep -qxF -- "$name"; then
        echo "scripts/pictures.sh: there is no picture \"$name\"; --list shows their names" >&2
        exit 2
    fi
done

program=${SPRINGTIDE:-$root/build/release/springtide}
if [ -z "${SPRINGTIDE:-}" ]; then
    "$root/scripts/build.sh" release springtide
fi
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
data=${SPRINGTIDE_DATA:-}
while read -r name scene frame size words; do
    if [ $# -gt 0 ] && ! printf '%s\n' "$@" | grep -qxF -- "$name"; then
        continue
    fi
    if [[ $name == *-data ]]; then
        if [ -z "$data" ]; then
            echo "$name: left out; set SPRINGTIDE_DATA to the folder of the data" >&2
            continue
        fi
        export SPRINGTIDE_DATA=$data
    else
        unset SPRINGTIDE_DATA
    fi
    echo "$name: frame $frame of $scene" >&2
    # shellcheck disable=SC2086 # several words
    "$program" ${words:+compare} "$root/scenes/$scene.lua" $words --headless --frames "$frame" --size "$size" \
        --png "$folder/%04d.png" </dev/null >/dev/null
    file=pictures/$name
    if [ "$name" = readme-curtain ]; then
        file=curtain
    fi
    mv "$folder/$(printf '%04d' "$frame").png" "$root/scenes/$file.png"
    rm -f "$folder"/*.png
done <<<"$pictures"
