#!/usr/bin/env bash
# scripts/setup.sh on systems of several kinds (made of stand-ins), build.sh's arguments, run.sh without a display.
# Only in the release build.
. "$(dirname "$0")/../app/checks.sh"
bash=$(command -v bash)

called() { # WORDS...: runs a script of scripts/ with the stand-ins of bin/ only; output as `run`
    PATH=$folder/bin "$bash" "$root/scripts/$1" "${@:2}" >.out 2>.err
    status=$?
    out=$(<.out)
    err=$(<.err)
}

stand_in() { # NAME BODY
    printf '#!%s\n%s\n' "$bash" "$2" >"bin/$1"
    chmod +x "bin/$1"
}

mkdir bin
called setup.sh
equals "no apt-get: status" "$status" 1
contains "no apt-get: names a package" "$err" "    libsuitesparse-dev"
fails "no apt-get: not those of the tests" grep -q cmocka .err
called setup.sh --tests
contains "no apt-get: those of the tests when asked" "$err" "    libcmocka-dev"
called setup.sh --everything
equals "an unknown argument: status" "$status" 2
contains "an unknown argument: message" "$err" "usage: scripts/setup.sh [--tests]"

# A Debian where all is there but what missing.txt lists; apt-get writes what it is asked for.
for tool in env cat rm mktemp; do
    ln -s "$(command -v $tool)" "bin/$tool"
done
stand_in id 'echo 0'
stand_in dpkg-query 'while read -r name; do [ "$name" != "${!#}" ] || exit 1; done <missing.txt; echo -n installed'
stand_in apt-get 'echo "apt-get $*" >>asked.txt; [ "$1" = update ] && { echo >stale.txt; exit; }
[ -s stale.txt ] || [ ! -e stale.txt ]'
: >missing.txt
called setup.sh --tests
equals "nothing missing: status" "$status" 0
equals "nothing missing: quiet" "$out$err" ""
fails "nothing missing: nothing is asked for" test -e asked.txt

printf '%s\n' make libpng-dev libcmocka-dev >missing.txt
called setup.sh
equals "missing: status" "$status" 0
equals "missing: just those are installed" "$(<asked.txt)" \
    "apt-get install --yes --no-install-recommends make libpng-dev"
equals "missing: says so in a line" "$err" "Installing make libpng-dev ..."
rm asked.txt
called setup.sh --tests
contains "missing: those of the tests too when asked" "$(<asked.txt)" "make libpng-dev libcmocka-dev"
rm asked.txt
: >stale.txt
called setup.sh
equals "stale lists: status" "$status" 0
equals "stale lists: fetched, then tried again" "$(cut -d' ' -f2 asked.txt | xargs)" "install update install"
rm asked.txt stale.txt
stand_in apt-get 'echo "apt-get broke"; exit 100'
called setup.sh
equals "apt-get fails: status" "$status" 1
contains "apt-get fails: its message" "$err" "apt-get broke"
contains "apt-get fails: what is missing" "$err" "make libpng-dev"
stand_in apt-get 'echo "apt-get $*" >>asked.txt'
stand_in id 'echo 1000'
called setup.sh
equals "no root and no sudo: status" "$status" 1
contains "no root and no sudo: what to do" "$err" "install them as root: apt-get install make libpng-dev"
stand_in sudo 'echo sudo >>asked.txt; exec "$@"'
called setup.sh
equals "sudo: status" "$status" 0
equals "sudo: is used" "$(head -n 1 asked.txt)" "sudo"

"$root/scripts/build.sh" fastest >.out 2>.err
equals "an unknown configuration: status" "$?" 2
contains "an unknown configuration: message" "$(<.err)" "[release|debug|sanitize]"

# run.sh by a path with a space, from another folder, and a scene whose path has a space.
ln -s "$root" "a link"
mkdir "my scenes"
write_cloth "my scenes/small cloth.lua"
pictures="$root/build/pictures/small cloth"
rm -rf "$pictures"

no_display() { # WORDS...: run.sh with no display
    env -u DISPLAY -u WAYLAND_DISPLAY -u SDL_VIDEODRIVER "a link/scripts/run.sh" "$@" >.out 2>.err
    status=$?
    out=$(<.out)
}

no_display "my scenes/small cloth.lua"
equals "no display: status" "$status" 0
contains "no display: prints the folder" "$out" "build/pictures/small cloth"
equals "no display: 120 pictures" "$(find "$pictures" -name '*.png' | wc -l)" 120
equals "no display: of 960 x 540" "$(od -An -tu1 -j16 -N8 "$pictures/0120.png" | xargs)" "0 0 3 192 0 0 2 28"
rm -rf "$pictures"

DISPLAY=:9753 WAYLAND_DISPLAY='' XDG_RUNTIME_DIR=/nonexistent "a link/scripts/run.sh" "my scenes/small cloth.lua" >.out 2>.err
equals "a display that cannot be opened: status" "$?" 0
equals "a display that cannot be opened: 120 pictures" "$(find "$pictures" -name '*.png' | wc -l)" 120
rm -rf "$pictures"

no_display run "my scenes/small cloth.lua" --headless --frames 3 --hash
equals "other arguments are the program's: status" "$status" 0
passes "other arguments are the program's: standard output is its own" grep -Eqx '[0-9a-f]{16}' .out
hash=$out

# With a display, a window.
Xvfb -displayfd 3 -screen 0 1280x800x24 -nolisten tcp 3>display.txt 2>xvfb.txt &
server=$!
until [ -s display.txt ] || ! kill -0 $server; do sleep 0.1; done
DISPLAY=:$(<display.txt) SDL_VIDEODRIVER=x11 "a link/scripts/run.sh" run "my scenes/small cloth.lua" --frames 3 --hash \
    --size 320x180 --png window.png >.out 2>.err
equals "a window on a display: status" "$?" 0
equals "a window on a display: the state of a run without one" "$(tail -n 1 .out)" "$hash"
passes "a window on a display: a picture" test -s window.png
DISPLAY=:$(<display.txt) SDL_VIDEODRIVER=x11 "a link/scripts/run.sh" "my scenes/small cloth.lua" >.out 2>.err &
sleep 2
kill -TERM $!
wait $! 2>/dev/null
equals "one scene with a display: the window stays open until it is closed" "$?" 143
kill $server
wait $server 2>/dev/null
fails "one scene with a display: no pictures are made" test -e "$pictures"

echo 'local tide = ' >broken.lua
no_display broken.lua
equals "a scene that fails: status" "$status" 1
contains "a scene that fails: message" "$(<.err)" "broken.lua:"
SDL_VIDEODRIVER=dummy "a link/scripts/run.sh" broken.lua >.out 2>.err
fails "a scene that fails in a window is not run again for pictures" test "$?" = 0
fails "a scene that fails in a window makes no pictures" test -e "$root/build/pictures/broken/0001.png"
finish
