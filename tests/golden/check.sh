#!/usr/bin/env bash
# Compares the states of scenes in the portable mode with those of hashes.txt, which are the same on every platform:
#     tests/golden/check.sh [--jobs N] [--only WORD] COMMAND...
#     tests/golden/check.sh --write [--jobs N] COMMAND...
# COMMAND is the program: build/release/springtide, qemu-aarch64 build/aarch64/springtide, node
# build/web-program/springtide-program.js. --only takes the lines with a word, --write makes the hashes of the table anew.
# Prints "ok - ..." or "not ok - ..." for each line. A run that fails, as of an explicit method with too long a timestep,
# has "fails" in place of a hash. Where two platforms differ, `run SCENE --headless --portable --record FILE` on one and
# `run --replay FILE --headless --verify` on the other name the first frame, body and vertex.
set -u

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
table=$root/tests/golden/hashes.txt
export SPRINGTIDE_SCRIPTS=$root/scripts # under an emulator, the program does not know where it stands
jobs=1 only='' write=''
while [ $# -gt 0 ]; do
    case "$1" in
    --jobs) jobs=$2 && shift ;;
    --only) only=$2 && shift ;;
    --write) write=yes ;;
    *) break ;;
    esac
    shift
done
[ $# -gt 0 ] || {
    sed -n '2,5{s/^# \{0,1\}//;p}' "$0" >&2
    exit 2
}
command=("$@")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
case $1 in
*/*) command[0]=$(realpath "$1") ;;
esac

# SCENE SOLVER FRAMES
hash_of() {
    local solver=() said log=$folder/${1//\//-}-$2-$3.log
    [ "$2" = own ] || solver=(--solver "$2")
    if said=$("${command[@]}" run "$root/scenes/$1.lua" --headless --portable --threads 1 --frames "$3" --hash "${solver[@]}" \
        2>"$log"); then
        tail -n 1 <<<"$said"
    elif sed 's/.*\x1b\[K//' "$log" | grep -q '^springtide: .*the step to frame'; then # a line of progress is cleared
        echo fails
    else # not the scene's fault
        echo "did not run: $(tail -n 1 "$log")"
    fi
}

# NUMBER SCENE SOLVER FRAMES HASH: into the file NUMBER, what is printed
run_line() {
    local hash
    hash=$(hash_of "$2" "$3" "$4")
    if [ -n "$write" ]; then
        printf '%-20s %-20s %6s  %s\n' "$2" "$3" "$4" "$hash" >"$folder/$1"
    elif [ "$hash" = "$5" ]; then
        echo "ok - $2 with $3 after $4 frames" >"$folder/$1"
    else
        echo "not ok - $2 with $3 after $4 frames: $hash, not $5" >"$folder/$1"
    fi
}

number=100000
while read -r scene solver frames hash; do
    number=$((number + 1))
    case $scene in
    '' | '#'*)
        [ -z "$write" ] || echo "$scene $solver $frames $hash" | sed 's/ *$//' >"$folder/$number"
        continue
        ;;
    esac
    [ -z "$only" ] || [[ " $scene $solver " == *" $only "* ]] || continue
    while [ "$(jobs -pr | wc -l)" -ge "$jobs" ]; do
        wait -n
    done
    run_line $number "$scene" "$solver" "$frames" "${hash:-}" </dev/null &
done <"$table"
wait
if [ -n "$write" ]; then
    cat "$folder"/1????? >"$folder/table" && cp "$folder/table" "$table"
    ! grep -n 'did not run' "$table"
else
    cat "$folder"/1?????
    [ "$(cat "$folder"/1????? | grep -c '^not ok')" = 0 ]
fi
