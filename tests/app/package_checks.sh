# Checks that the tests of packages share. A package is made, unpacked elsewhere, and run from there; it gives the hashes of the
# portable mode that this build gives. Sourced by packages_linux.sh and packages_windows.sh. Fetches sources of Debian.
. "$(dirname "$0")/checks.sh"

unset SPRINGTIDE_SCRIPTS SPRINGTIDE_DATA
scenes=(curtain drape hair friction domino)
declare -A hashes
for scene in "${scenes[@]}"; do
    hashes[$scene]=$(springtide run "$root/scenes/$scene.lua" --headless --frames 3 --hash --portable)
done
springtide run "$root/scenes/rope.lua" --headless --frames 3 --portable --png expected.png

make_package() { # KIND: the name of the package in $package
    "$root/scripts/package.sh" "$1" --fast --out "$folder/packages" >.out 2>.err
    status=$?
    package=$(tail -n 1 .out)
    equals "$1: made" "$status" 0
    [ $status -eq 0 ] || tail -n 5 .err
    passes "$1: is there" test -f "$package"
}

# NAME SCENES PROGRAM...
gives_hashes() {
    local name=$1 from=$2 scene
    shift 2
    for scene in "${scenes[@]}"; do
        equals "$name: hash of $scene" "$("$@" run "$from/$scene.lua" --headless --frames 3 --hash --portable 2>.err)" \
            "${hashes[$scene]}"
    done
    "$@" run "$from/rope.lua" --headless --frames 3 --portable --png "out/$name.png" 2>.err
    passes "$name: the picture" cmp -s "out/$name.png" expected.png
    contains "$name: the course" "$("$@" course 2>.err)" "One spring and its energy"
}
