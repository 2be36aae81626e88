# Runs of the scenes for the tests of contact, by scene_check.c. To be sourced; the test's first argument is the build
# folder, the others are scenes, as "table1/frog"; none: all. contact_table.txt has the numbers of frames, the solvers'
# options, and what is left out and why. With SPRINGTIDE_DATA the scenes that use it run with it, too.
set -u

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
build=$(cd "${1:-$root/build/release}" && pwd) || exit 1
export LUA_PATH="$root/scripts/?.lua;$root/scripts/?/init.lua;;" LUA_CPATH="$build/?.so;;" CMOCKA_MESSAGE_OUTPUT=TAP
cd "$root" || exit 1
table=tests/app/contact_table.txt
data=${SPRINGTIDE_DATA:-}
bad=0
ulimit -v 4000000 # kB: a scene that diverges must not take all of the machine's memory

if [ $# -gt 1 ]; then
    scenes=("${@:2}")
else
    mapfile -t scenes < <(find scenes -name '*.lua' ! -path 'scenes/course/*' ! -path 'scenes/learning/*' | sed 's|^scenes/||; s|\.lua$||' | sort)
fi
mapfile -t solvers < <("$build/springtide" solvers | awk '/^[a-z][a-z_0-9]*( |$)/ { print $1 }')

# Explicit methods without a stable undamped substep: they need damping.
mapfile -t growing < <(lua5.4 -e 'for _, solver in ipairs(require("springtide").solvers()) do
    if solver.amplification and solver.amplification(0, 1) > 1 + 1e-9 then print(solver.name) end end')

# The words after "KEY NAME" in the table.
lookup() { # KEY NAME
    awk -v key="$1" -v name="$2" '$1 == key && $2 == name { $1 = $2 = ""; sub(/^ +/, ""); print }' "$table"
}

# The solver with its options for the scene.
with_options() { # SCENE SOLVER
    local options
    options=$(lookup "options@$1" "$2")
    options=${options:-$(lookup options "$2")}
    [[ " ${growing[*]} " != *" $2 "* ]] || options=${options:-damping=auto}
    echo "$2${options:+,$options}"
}

# Runs a scene under its own solver, or under each of the given ones.
check_scene() { # SCENE FRAMES DATA [SOLVER...]
    local scene=$1 status=0 all=()
    export SPRINGTIDE_CHECK_SCENE=scenes/$scene.lua SPRINGTIDE_CHECK_FRAMES=$2 SPRINGTIDE_DATA=$3
    shift 3
    for solver in "$@"; do all+=("$(with_options "$scene" "$solver")"); done
    unset SPRINGTIDE_CHECK_SOLVERS
    SPRINGTIDE_CHECK_APART=$(lookup apart "$scene")
    export SPRINGTIDE_CHECK_APART
    [ $# -eq 0 ] || export SPRINGTIDE_CHECK_SOLVERS="${all[*]}"
    "$build/springtide-tests" --suite scene_check || status=$?
    [ $status -eq 0 ] || bad=1
    [ $status -le 1 ] || echo "not ok - $scene ${all[*]} stopped with status $status"
}

# Runs every scene under its own solver, for as many frames as the table has for the length of the test.
check_scenes() { # short|long DEFAULT_FRAMES
    local scene frames
    for scene in "${scenes[@]}"; do
        frames=$(lookup "$1" "$scene")
        check_scene "$scene" "${frames:-$2}" ""
        if [ -n "$data" ] && grep -q 'tide\.data\|motion\.load' "scenes/$scene.lua"; then
            check_scene "$scene" "${frames:-$2}" "$data"
        fi
    done
}
