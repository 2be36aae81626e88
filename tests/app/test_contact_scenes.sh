#!/usr/bin/env bash
# Nothing passes into a collider or through itself, in any scene, by brute force after every frame (scene_check.c), and
# nothing becomes non-finite under any solver; contact_table.txt says for how long, and what is left out and why.
# Then scene_contacts.lua: every solver lays a cloth on a ball.
#     test_contact_scenes.sh BUILD [SCENE...]     SCENE: as "table1/frog"; none: all
# With SPRINGTIDE_DATA the scenes that use it run with it, too. Two run at a time, the longest first.
# Only in the release build.
# May run beside others.
set -u

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
build=$(cd "${1:-$root/build/release}" && pwd) || exit 1
export LUA_PATH="$root/scripts/?.lua;$root/scripts/?/init.lua;;" LUA_CPATH="$build/?.so;;"
cd "$root" || exit 1
table=tests/app/contact_table.txt
data=${SPRINGTIDE_DATA:-}
logs=$(mktemp -d)
trap 'rm -rf "$logs"' EXIT
ulimit -v 4000000 # kB: what goes wrong is not to take the machine with it

# The words after "KEY NAME" in the table.
lookup() { # KEY NAME
    awk -v key="$1" -v name="$2" '$1 == key && $2 == name { $1 = $2 = ""; sub(/^ +/, ""); print }' "$table"
}

# Why a scene does not run under a solver; nothing when it does.
reason() { # SCENE SOLVER
    awk -v scene="$1" -v solver="$2" '$1 == "skip" && $2 == scene {
        why = $0
        sub(/^[^:]*: */, "", why)
        named = $3 == ":"
        for (i = 3; i <= NF && $i != ":"; i++)
            named = named || $i == solver
        if (named) {
            print why
            exit
        }
    }' "$table"
}

# The solvers of a scene with their options; the others as skipped tests on file descriptor 3.
solvers_of() { # SCENE
    local solver why options
    for solver in $solvers; do
        why=$(reason "$1" "$solver")
        options=$(lookup "options@$1" "$solver")
        options=${options:-$(lookup options "$solver")}
        if [ -n "$why" ]; then
            echo "ok - $1 under $solver # SKIP $why" >&3
        else
            echo "$solver${options:+,$options}"
        fi
    done
}

# One run; its output goes to its own log.
run() { # frames|solvers SCENE DATA
    local what=$1 scene=$2 log frames status=0
    log=$logs/$what-${scene//\//-}${3:+-data}
    export CMOCKA_MESSAGE_OUTPUT=TAP SPRINGTIDE_DATA=$3 SPRINGTIDE_CHECK_SCENE=scenes/$scene.lua
    if [ "$what" = frames ]; then
        frames=$(lookup frames "$scene")
        [ "${frames#*: }" = "$frames" ] || echo "ok - $scene for 300 frames # SKIP ${frames#*: }" >"$log"
        frames=${frames%% *}
        SPRINGTIDE_CHECK_FRAMES=${SPRINGTIDE_CONTACT_FRAMES:-${frames:-300}}
    else
        SPRINGTIDE_CHECK_SOLVERS=$(solvers_of "$scene" 3>"$log" | tr '\n' ' ')
        SPRINGTIDE_CHECK_FRAMES=${SPRINGTIDE_SOLVER_FRAMES:-100}
        export SPRINGTIDE_CHECK_SOLVERS
        [ -n "${SPRINGTIDE_CHECK_SOLVERS// /}" ] || return
    fi
    export SPRINGTIDE_CHECK_FRAMES
    "$build/springtide-tests" scene_check >>"$log" 2>&1 || status=$?
    [ $status -le 1 ] || echo "not ok - $scene ($what) stopped with status $status" >>"$log"
}

if [ $# -gt 1 ]; then
    scenes=("${@:2}")
else
    mapfile -t scenes < <(find scenes -name '*.lua' | sed 's|^scenes/||; s|\.lua$||' | sort)
fi
solvers=$("$build/springtide" solvers | awk '/^[a-z][a-z_0-9]*( |$)/ { print $1 }')
jobs=()
for scene in "${scenes[@]}"; do
    read -r alone every _ <<<"$(lookup slow "$scene")"
    jobs+=("${alone:-5} frames $scene ''" "${every:-5} solvers $scene ''")
    if [ -n "$data" ] && grep -q 'tide\.data\|motion\.load' "scenes/$scene.lua"; then
        jobs+=("${alone:-5} frames $scene '$data'")
    fi
done
export -f run lookup reason solvers_of
export build table logs solvers
printf '%s\n' "${jobs[@]}" | sort -rn -s | cut -d' ' -f2- | xargs -P 2 -I{} bash -c 'run {}'

bad=0
for log in "$logs"/*; do
    cat "$log"
    ! grep -q '^not ok' "$log" || bad=1
done
[ $# -gt 1 ] || lua5.4 tests/app/scene_contacts.lua || bad=1
exit $bad
