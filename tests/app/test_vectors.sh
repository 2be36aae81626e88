#!/usr/bin/env bash
# States depend on the width of the processor's vectors: --vectors sets it, and a record keeps its own.
. "$(dirname "$0")/checks.sh"
refused "another width" "expected 128, 256 or 512" run cloth.lua --vectors 64

curtain=$root/scenes/curtain.lua
hash_of() { # BITS
    springtide run "$curtain" --headless --frames 8 --hash --vectors "$1" | tail -n 1
}
widest=128
for bits in 256 512; do
    springtide run "$curtain" --headless --frames 1 --vectors $bits --record width.replay
    ! grep -qx "vectors $bits" width.replay || widest=$bits
done
echo "# this processor has vectors of $widest bits"
equals "no width is the widest" "$(springtide run "$curtain" --headless --frames 8 --hash | tail -n 1)" "$(hash_of 512)"
[ $widest = 128 ] || passes "the hash depends on the width" test "$(hash_of 128)" != "$(hash_of 256)"

springtide run "$curtain" --headless --frames 8 --vectors 128 --record narrow.replay
passes "a record has its width" grep -qx "vectors 128" narrow.replay
contains "which verifies it on any processor" "$(springtide run --replay narrow.replay --headless --verify)" \
    "the same: 9 states of the replay"
equals "and gives its hash" "$(springtide run --replay narrow.replay --headless --hash | tail -n 1)" "$(hash_of 128)"
if [ $widest != 128 ]; then
    sed "s/^vectors 128$/vectors $widest/" narrow.replay >other.replay
    run run --replay other.replay --headless --verify
    equals "another width leads to other states: status" "$status" 1
fi
if [ $widest != 512 ]; then
    sed 's/^vectors 128$/vectors 512/' narrow.replay >wide.replay
    run run --replay wide.replay --headless --verify
    equals "a width that the processor lacks: status" "$status" 1
    contains "a width that the processor lacks: what to do" "$err" "or record with --vectors $widest"
fi
sed 's/^vectors 128$/vectors 96/' narrow.replay >bad.replay
run run --replay bad.replay --headless
contains "no such width" "$err" "expected 128, 256 or 512"
finish
