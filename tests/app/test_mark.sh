#!/usr/bin/env bash
# `springtide mark`: points, files, limits, and tricks of submissions beside honest ones.
# Under sanitizers a gigabyte of output meets the limit of the clock before that of the processor. Its parts are tested
# there by the suites app_confine and base_child, by test_untrusted.sh and by specs.
# Only in the release build.
. "$(dirname "$0")/checks.sh"
export ASAN_OPTIONS="${ASAN_OPTIONS:-}:detect_leaks=0" # the leak checker needs what a confined process may not do

exercise=$root/tests/app/mark/spring
solution=$(<"$exercise/solution.lua")
shopt -u patsub_replacement 2>/dev/null # & in a replacement is itself

# Writes a submission: the solution with code at its top, in the function energy, or before its end.
submission() { # FILE PLACE CODE
    case "$2" in
    top) printf '%s\n%s\n' "$3" "$solution" ;;
    energy) printf '%s\n' "${solution/  return k \/ 2 \* (length - rest) ^ 2/  $3}" ;;
    end) printf '%s\n' "${solution/return scene, \{/$3
return scene, \{}" ;;
    whole) printf '%s' "$3" ;;
    esac >"$1"
}

# One value of the JSON file: of(FILE, EXPRESSION over the submission `s`).
json() { # JSON SUBMISSION EXPRESSION
    python3 - "$@" <<'PY'
import json, sys
with open(sys.argv[1]) as file:
    submissions = {s["file"]: s for s in json.load(file)["submissions"]}
s = submissions[sys.argv[2]]
print(eval(sys.argv[3]))
PY
}

# --- one submission --------------------------------------------------------------------------------------------------

run mark "$exercise" "$exercise/solution.lua" --pass 100
equals "the solution: status" "$status" 0
contains "the solution: points" "$out" "10 of 10 points"
equals "the solution: no messages" "$err" ""

submission wrong.lua energy 'return k * (length - rest) ^ 2'
run mark "$exercise" wrong.lua --pass 80 --gradescope results.json --html pages --csv marks.csv
equals "a wrong answer: status" "$status" 1
contains "a wrong answer: points" "$out" "7 of 10 points"
contains "a wrong answer: the message of the mistake" "$out" "it is twice too large: is 1/2 there?"
contains "a wrong answer: the hint" "$out" "hint: E = k/2 (l - r)^2"
equals "Gradescope: score" "$(python3 -c 'import json; print(json.load(open("results.json"))["score"])')" 7
equals "Gradescope: tests" \
    "$(python3 -c 'import json; print([t["score"] for t in json.load(open("results.json"))["tests"]])')" "[0, 2, 5]"
equals "CSV: points" "$(python3 -c 'import csv; print(list(csv.DictReader(open("marks.csv")))[0]["points"])')" 7
run mark "$exercise" wrong.lua --pass 70
equals "--pass: enough" "$status" 0

submission html.lua end 'print("<script>alert(1)</script>") error("<b>&\27[31m")'
run mark "$exercise" html.lua --html pages
fails "HTML: a submission's text is no markup" grep -q '<script>\|<b>' pages/html.html
passes "HTML: it is there" grep -q '&lt;b&gt;&amp;\\x1B\[31m' pages/html.html
submission =HYPERLINK.lua top ''
run mark "$exercise" =HYPERLINK.lua --csv formula.csv
passes "CSV: no formula" grep -q "^'=HYPERLINK" formula.csv

# --- command lines ---------------------------------------------------------------------------------------------------

refused "no submission" "expected FILE... after it" mark "$exercise"
refused "two for Gradescope" "expected one submission" mark "$exercise" wrong.lua html.lua --gradescope x.json
refused "a wrong option" "--pass" mark "$exercise" wrong.lua --pass 101
run mark "$exercise" none.lua
equals "no such submission: status" "$status" 1
contains "no such submission: message" "$err" "none.lua: No such file"
run mark 99 wrong.lua
contains "no such lesson" "$err" "the course has no lesson of this number"
mkdir broken
printf 'return { checks = 1 }' >broken/check.lua
printf 'local check = require "springtide.check"\nreturn check.exercise { title = "a", chekcs = {}, checks = {} }' \
    >broken/check.lua
run mark broken wrong.lua
contains "a wrong check.lua" "$err" "chekcs: there is no such field"

# --- honest submissions and tricks -----------------------------------------------------------------------------------
# Each trick: a place, its code, the points that it gets, and a part of the message or of the output. What meets two
# limits is "stopped" by either.

declare -A points message
files=()
trick() { # NAME PLACE CODE POINTS MESSAGE
    submission "$1.lua" "$2" "$3"
    points[$1.lua]=$4
    message[$1.lua]=$5
    files+=("$1.lua")
}

time_over="of processor time; look for an endless loop"
trick loop energy 'while true do end' 7 "$time_over"
trick loop_of_pcall energy 'while true do pcall(function() while true do end end) end' 7 "$time_over"
trick loop_in_pattern energy 'return ("a"):rep(1e5):find((".-"):rep(50) .. "b")' 7 "$time_over"
trick loop_in_gsub energy 'return ("a"):gsub(".", function() while true do end end)' 7 "$time_over"
trick loop_in_sort energy 'return table.sort({ 1, 2, 3 }, function() while true do end end)' 7 "$time_over"
trick loop_in_close energy \
    'local x <close> = setmetatable({}, { __close = function() while true do end end }) return 1' 7 "$time_over"
trick loop_in_tostring energy 'print(setmetatable({}, { __tostring = function() while true do end end }))' 7 \
    "$time_over"
trick loop_in_error energy 'error(setmetatable({}, { __tostring = function() while true do end end }))' 7 \
    "not a text but a table"
trick loop_in_gc energy 'return setmetatable({}, { __gc = function() while true do end end })' 7 "finalizers"
trick loop_in_coroutine energy 'return coroutine.wrap(function() while true do end end)()' 7 "$time_over"
trick loop_at_top top 'while true do end' 0 "$time_over"
trick loop_in_update end 'function scene.update() while true do end end' 5 "$time_over"
trick vectors energy 'local t = {} for i = 1, 1e6 do t[i] = tide.linear.vector(1e5) end' 7 "stopped"
trick string energy 'return #("x"):rep(1e10)' 7 "too large"
trick string_doubled energy 'local s = "x" for i = 1, 40 do s = s .. s end' 7 "stopped"
trick big_table energy 'local t = {} for i = 1, 1e12 do t[i] = ("x"):rep(1e6) .. i end' 7 "stopped"
trick recursion energy 'local function f(x) return 1 + f(x) end return f(1)' 7 "recursion.lua:4:" # too deep, or too long
trick recursion_in_pcall energy 'local function f() return pcall(f) end return f()' 7 "it is true"
trick many_files end 'for i = 1, 1e6 do pcall(function() tide.mesh.grid { columns = 2, rows = 2 }:save(i .. ".obj") end) end' \
    0 "$time_over"
trick writing end 'tide.mesh.grid { columns = 2, rows = 2 }:save("written.obj")' 0 "writes no files"
trick writing_later energy 'return tide.mesh.grid { columns = 2, rows = 2 }:save("/tmp/written.obj")' 7 "writes no files"
trick snapshot energy 'return tide.scene {}:snapshot():save("written.world")' 7 "writes no files"
trick other end 'print(pcall(require, "honest_1"))' 10 "an untrusted scene reads its own file"
trick other_loaded energy 'return tide.load("honest_1.lua")' 7 "an untrusted scene reads its own file"
trick other_reloaded energy 'return scene:reload("honest_1.lua")' 7 "unknown"
trick outside energy 'return tide.mesh.load("/etc/passwd")' 7 "an untrusted scene reads its own file"
trick execute energy 'return os.execute("kill 1")' 7 "os: unknown"
trick io energy 'return io.open("/etc/passwd"):read("a")' 7 "io: unknown"
trick debug energy 'return debug.getregistry()' 7 "debug: unknown"
trick bytecode energy 'return load(string.char(27) .. "Lua", "x", "b")()' 7 "attempt to call a nil value"
trick bytecode_file whole $'\eLuaT' 0 "binary chunk"
trick c_module energy 'return package.loadlib("libc.so.6", "system")' 7 "package: unknown"
trick fool_math top 'math.abs = function() return 0 end math.max, string.format, table.pack = nil, nil, nil' 10 ""
trick fool_math_too energy 'math.abs = function() return 0 end math.huge = 0 return 0' 7 "expected"
trick fool_library top 'require("springtide.check.test").run = function() return true end
require("springtide.check.values").difference = function() end
local checks = require "springtide.check.properties" for name in pairs(checks) do checks[name] = function() end end' 10 ""
trick fool_tide top 'local engine = require "springtide" engine.limited = function() return true, true end' 10 ""
trick fool_values energy 'return setmetatable({}, { __eq = function() return true end, __lt = function() return true end,
    __le = function() return true end, __sub = function() return 0 end, __index = function() return 0 end })' 7 "expected"
trick fool_strings top 'pcall(function() getmetatable("").__index.format = nil end) string.rep = nil' 10 ""
trick fool_classes end 'pcall(function() getmetatable(scene).__index.energy = nil end)' 10 ""
trick fool_arguments whole "${solution/return \{ -k \* x\[1\], -k \* x\[2\], -k \* x\[3\] \}/x[1], x[2], x[3] = 0, 0, 0
  return x}" 8 "element [1] is 0"
trick answers_by_metatable whole "${solution/\{ energy = energy, force = force \}/setmetatable(\{\}, \{
  __index = function() return energy end \})}" 5 "is missing"
trick forge end 'print("1\t3\tpassed\t0\t") print("end\t0")' 10 "passed"
trick limits energy 'return tide.limited({}, function() end)' 7 "only hosts set limits"
trick reference_loaded end 'print(pcall(tide.load, "scene.lua"))' 10 "an untrusted scene reads"
trick print_much energy 'local s = ("x"):rep(1e6) for i = 1, 1000 do print(s) end' 7 "$time_over"
trick sleep energy 'local t = tide.time() repeat until tide.time() > t + 100' 7 "unknown"
trick error_nil energy 'error(nil)' 7 "not a text but a nil"
trick error_table energy 'error(setmetatable({}, { __index = function() error "x" end, __name = {} }))' 7 \
    "not a text but a table"
trick nan energy 'return 0 / 0' 7 "NaN"
trick cycle energy 'local t = {} t[1] = t return t' 7 "contain themselves"
trick coroutine energy 'return coroutine.create(print)' 7 "a thread"
trick yield energy 'coroutine.yield() return 1' 7 "yield"
trick wrong_size whole "${solution/, -k \* x\[3\]/}" 8 "wrong size: 2 instead of 3"
trick nothing energy 'return' 7 "nothing (nil)"
trick empty whole '' 0 "the file is empty"
trick syntax whole 'local = 1' 0 "syntax.lua:1:"
trick threads end 'tide.threads(64)' 10 ""
trick long_mesh end 'tide.mesh.grid { columns = 9000, rows = 9000 }' 0 "stopped"

# The step of a solver of one's own cannot have the engine do its work.
own_solver='local ref
local function make(solver)
  local scene = tide.scene { gravity = { 0, 0, 0 }, timestep = 1 / 60, solver = solver }
  scene:body("spring", { mesh = tide.mesh.strand { points = 2, from = { 0, 0, 0 }, to = { 1, 0, 0 } }, mass = 1,
                         stiffness = 50 }):set_velocity(2, 1, 0, 0)
  return scene
end
tide.solver { name = "mine", step = function()
  ref = ref or make { "newton", iterations = 20 }
  assert(ref:step())
  return ref:body("spring"):positions():copy()
end }'
trick reference_in_step whole "local tide = require 'springtide' $own_solver return make 'mine', {}" 0 \
    "the step of an untrusted solver neither makes scenes nor steps them"
trick reference_before whole "local tide = require 'springtide' $own_solver ref = make 'newton' return make 'mine', {}" 0 \
    "the step of an untrusted solver neither makes scenes nor steps them"

for i in $(seq 40); do
    case $((i % 4)) in
    0) submission "honest_$i.lua" energy "return k * (length - rest) ^ 2 -- $i" ;;
    1) submission "honest_$i.lua" end "scene:body('spring'):set_velocity(2, 1.5, 0, 0) -- $i" ;;
    *) submission "honest_$i.lua" top "-- $i" ;;
    esac
done

# Everything but the seconds.
marks() { # JSON
    python3 - "$1" <<'PY'
import json, sys
with open(sys.argv[1]) as file:
    submissions = json.load(file)["submissions"]
for s in submissions:
    if s["file"].startswith("honest"):
        print(s["file"], s["points"], [(c["points"], c.get("message")) for c in s["checks"]])
PY
}

run mark "$exercise" honest_*.lua --jobs 2 --json alone.json --seed 5
equals "the honest alone: status" "$status" 0
before=$(ls)
run mark "$exercise" "${files[@]}" honest_*.lua --jobs 2 --json all.json --seed 5
equals "all together: status" "$status" 0
equals "the honest get the marks that they get alone" "$(marks all.json)" "$(marks alone.json)"
equals "forty of them" "$(marks all.json | wc -l)" 40
equals "their points" "$(marks all.json | cut -d' ' -f2 | sort | uniq -c | tr -s ' \n' ' ')" " 20 10 10 5 10 7 "
equals "no file was written" "$(ls)" "$(printf '%s\nall.json' "$before" | sort)"
for file in "${files[@]}"; do
    equals "$file: points" "$(json all.json "$file" 's["points"]')" "${points[$file]}"
    told=$(json all.json "$file" 's["output"] + "".join(c.get("message", "") for c in s["checks"])')
    contains "$file: told" "$told" "${message[$file]}"
    fails "$file: no place in the library" grep -q "$root" <<<"$told"
done
passes "print_much: output is cut" [ "$(json all.json print_much.lua 'len(s["output"])')" -lt 70000 ]

run mark "$exercise" honest_*.lua --jobs 1 --json again.json --seed 5
equals "the same marks for the same seed" "$(marks again.json)" "$(marks alone.json)"
run mark "$exercise" honest_4.lua --json seed.json --seed 6
contains "another seed" "$(json seed.json honest_4.lua 's["checks"][0]["message"]')" "twice too large"

# --- the process that marks is killed --------------------------------------------------------------------------------

mkdir slow
sed 's/time_limit = 1,/time_limit = 100000,/' "$exercise/check.lua" >slow/check.lua
cp "$exercise/scene.lua" slow
"$build/springtide" mark slow loop.lua >.out 2>&1 &
marking=$!
child=
until [ -n "$child" ] || ! kill -0 $marking 2>/dev/null; do
    child=$(tr -d ' ' <"/proc/$marking/task/$marking/children")
    grep -q "Seccomp:.*2" "/proc/$child/status" 2>/dev/null || child= # confined: it runs the submission
    sleep 0.05
done
passes "a submission runs in a child" [ -n "$child" ]
kill -KILL $marking
wait $marking 2>/dev/null
ended=
for _ in $(seq 600); do
    kill -0 "$child" 2>/dev/null || ended=yes
    [ -z "$ended" ] || break
    sleep 0.1
done
equals "it ends with its parent" "$ended" yes

finish
