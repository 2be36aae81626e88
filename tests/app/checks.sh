# Checks that the tests of the program share. To be sourced by each test_*.sh, which takes the build folder as its argument:
#     . "$(dirname "$0")/checks.sh"
# A check prints "ok - name" or "not ok - name" with what was seen; `finish` ends the test.
# `springtide` is the program, `root` the project, `folder` a fresh one of the test's own and the current one.
set -u

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
build=$(cd "${1:-$root/build/release}" && pwd) || exit 1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
export XDG_STATE_HOME=$folder/.state # where the program remembers that its first hint was followed
failures=0
checks=0

springtide() {
    "$build/springtide" "$@"
}

passes() { # NAME CONDITION...: a command that is to succeed
    local name=$1
    shift
    checks=$((checks + 1))
    if "$@"; then
        echo "ok - $name"
    else
        echo "not ok - $name"
        echo "# failed: $*"
        failures=$((failures + 1))
    fi
}

fails() { # NAME COMMAND...
    local name=$1
    shift
    checks=$((checks + 1))
    if "$@"; then
        echo "not ok - $name"
        echo "# succeeded: $*"
        failures=$((failures + 1))
    else
        echo "ok - $name"
    fi
}

equals() { # NAME SEEN EXPECTED
    checks=$((checks + 1))
    if [ "$2" = "$3" ]; then
        echo "ok - $1"
    else
        echo "not ok - $1"
        printf '# seen:     %s\n# expected: %s\n' "$2" "$3"
        failures=$((failures + 1))
    fi
}

contains() { # NAME TEXT PART
    checks=$((checks + 1))
    if [[ "$2" == *"$3"* ]]; then
        echo "ok - $1"
    else
        echo "not ok - $1"
        printf '# "%s" does not contain "%s"\n' "$2" "$3"
        failures=$((failures + 1))
    fi
}

# Runs springtide; its exit status in $status, its output in $out and $err.
run() {
    springtide "$@" >"$folder/.out" 2>"$folder/.err"
    status=$?
    out=$(<"$folder/.out")
    err=$(<"$folder/.err")
}

# Runs springtide until CONDITION, a line of shell, is true. Then sends SIGNAL to it and to its children, as a terminal
# does. Its exit status is in $status, its output in .out and .err. There is no time limit.
stop_when() { # SIGNAL CONDITION WORDS...
    local process
    set -m # a process group of its own, in which no signal is ignored
    ASAN_OPTIONS="${ASAN_OPTIONS:-}:detect_leaks=0" env --default-signal=INT,TERM,HUP "$build/springtide" "${@:3}" \
        >.out 2>.err &
    process=$!
    set +m
    until eval "$2" || ! kill -0 $process 2>/dev/null; do sleep 0.05; done
    kill -s "$1" -- -$process
    wait $process
    status=$?
}

# A command line that is wrong: status 2, nothing on standard output, the message has the part and is one line.
refused() { # NAME PART WORDS...
    local name=$1 part=$2
    shift 2
    run "$@"
    equals "$name: status" "$status" 2
    equals "$name: nothing on standard output" "$out" ""
    contains "$name: message" "$err" "$part"
    equals "$name: one line" "$(wc -l <"$folder/.err")" 1
}

finish() {
    echo "# $checks checks, $failures failed"
    [ $failures -eq 0 ] && [ $checks -gt 0 ]
    exit
}

# A small scene that most tests run.
write_cloth() { # FILE
    cat >"$1" <<'LUA'
local tide = require "springtide"
local stiffness = tide.param("stiffness", 50, { min = 1, max = 1000 })
local scene = tide.scene { title = "Cloth", timestep = 1 / 60, solver = { "local_global", iterations = 5 } }
local cloth = scene:body("cloth", {
  mesh = tide.mesh.grid { columns = 9, rows = 7, width = 1, height = 0.75 },
  mass = 0.2, stiffness = stiffness, bend = 5,
})
cloth:pin { 1, 9 }
scene:body("rope", {
  mesh = tide.mesh.strand { points = 5, from = { 0, 0, -0.5 }, to = { 1, 0, -0.5 } }, mass = 0.1, stiffness = 100,
}):pin { 1 }
return scene
LUA
}

# The same scene with a few more lines of Lua before its end.
write_cloth_with() { # FILE LUA
    write_cloth "$1"
    sed -i '$d' "$1"
    printf '%s\nreturn scene\n' "$2" >>"$1"
}
