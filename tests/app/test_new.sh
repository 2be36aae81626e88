#!/usr/bin/env bash
# `new`: a scene that runs, and no file overwritten.
. "$(dirname "$0")/checks.sh"

run new flag
equals "new: status" "$status" 0
contains "new: tells how to run it" "$out" "springtide flag.lua"
passes "new: the file is there" test -s flag.lua
contains "new: its title" "$(<flag.lua)" 'title = "flag"'
run run flag.lua --headless --frames 30 --size 320x180 --png flag.png --hash --stats flag.csv
equals "the new scene runs" "$status" 0
equals "without a message" "$err" ""
passes "it moves" awk -F, 'NR > 20 && $12 <= 0 { exit 1 }' flag.csv
run run flag.lua --headless --frames 3 --set stiffness=400
equals "its parameter can be set" "$status" 0
passes "it fits on a screen" test "$(wc -l <flag.lua)" -le 40
passes "luacheck finds nothing" bash -c '! command -v luacheck >/dev/null || luacheck --std lua54 -q flag.lua >/dev/null'

echo precious >flag.lua
run new flag
equals "a file that exists: status" "$status" 1
contains "a file that exists: message" "$err" "there is such a file already"
equals "a file that exists: untouched" "$(<flag.lua)" precious
run new flag.lua
equals "the ending may be given" "$status" 1
run new deep/er/kite
equals "folders are made: status" "$status" 0
run run deep/er/kite.lua --headless --frames 1
equals "a scene in a folder runs" "$status" 0
run new 'a"b'
equals "a name with a quote: status" "$status" 1
contains "a name with a quote: message" "$err" "quotes"
run new deep/
equals "a folder's name: status" "$status" 1
finish
