#!/usr/bin/env bash
# The package for Windows, compiled in the fast way and run by wine.
for tool in x86_64-w64-mingw32-gcc-posix wine; do
    command -v $tool >/dev/null || {
        echo "ok - the package for Windows # SKIP $tool is missing"
        exit 0
    }
done
. "$(dirname "$0")/package_checks.sh"

export WINEPREFIX=$folder/wine WINEDEBUG=-all DISPLAY=
make_package windows
mkdir -p "windows/a place ü"
python3 -m zipfile -e "$package" "windows/a place ü"
place=$(echo "windows/a place ü"/*)
gives_hashes windows "$place/scenes" wine "$place/springtide.exe"
wine "$place/springtide.exe" run "${place//\//\\}\\scenes\\hair.lua" --headless --frames 3 --portable --hash >.out 2>.err
equals "windows: a path with backslashes" "$(<.out)" "${hashes[hair]}"
sed 's/$/\r/' "$root/scenes/hair.lua" >"Seil ä.lua"
wine "$place/springtide.exe" run "Seil ä.lua" --headless --frames 3 --portable --hash --stats "Zahlen ä.csv" >.out 2>.err
equals "windows: lines that end with CR LF, and a name in UTF-8" "$(<.out)" "${hashes[hair]}"
wine "$place/springtide.exe" run "Seil ä.lua" --headless --frames 2 --stats "Zahlen ä.csv" >.out 2>.err
equals "windows: takes the place of a file that is there" "$(wc -l <"Zahlen ä.csv")" 3
wine "$place/springtide.exe" run "$place/scenes/rope.lua" >.out 2>.err
contains "windows: no window: what to do" "$(<.err)" "give --headless"
wineserver -k 2>/dev/null
finish
