#!/usr/bin/env bash
# `sweep`: rows and tables, runs that fail, a sweep that is killed and started again, Slurm, and refused arguments.
# It starts the program some hundred times; what that runs is tested under sanitizers elsewhere.
# Only in the release build.
. "$(dirname "$0")/checks.sh"

write_cloth cloth.lua
cat >measure.lua <<'LUA'
local function lowest(scene)
  local cloth, least = scene:body "cloth", math.huge
  for i = 1, cloth.vertex_count do
    least = math.min(least, select(2, cloth:position(i)))
  end
  return least
end
return {
  lowest = { unit = "m", each = lowest, every = 2, of = "least" },
  below = { unit = "m", at_end = lowest },
  twice = function(_, run) return 2 * run.parameters.stiffness + 0 * #run.series.lowest end,
}
LUA

# The cells of a column of a CSV file without quoted commas.
column() { # FILE COLUMN
    awk -F, -v name="$2" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) at = i; next } { print $at }' "$1"
}

# --- every combination ------------------------------------------------------------------------------------------------
run sweep cloth.lua --vary stiffness=10:1000:log:3 --vary iterations=5,10 --solvers local_global,lbfgs --frames 6 \
    --measure measure.lua --out o --jobs 2 --plot heatmap
equals "combinations: status" "$status" 0
equals "combinations: no message" "$err" ""
contains "combinations: the summary" "$out" "12 runs: 12 done."
equals "combinations: columns" "$(head -n 1 o/sweep.csv)" \
    "run,solver,stiffness,iterations,status,reason,frames,seconds,hash,below,lowest,twice"
equals "combinations: stiffness" "$(column o/sweep.csv stiffness | xargs)" "10 10 100 100 1000 1000 10 10 100 100 1000 1000"
equals "combinations: iterations" "$(column o/sweep.csv iterations | sort | uniq -c | xargs)" "6 10 6 5"
equals "combinations: solvers" "$(column o/sweep.csv solver | uniq -c | xargs)" "6 local_global 6 lbfgs"
equals "combinations: a measure of parameters" "$(column o/sweep.csv twice | uniq | xargs)" "20 200 2000 20 200 2000"
equals "combinations: a run is that of the command run" "$(column o/sweep.csv hash | sed -n 3p)" \
    "$(springtide run cloth.lua --set stiffness=100 --solver local_global,iterations=5 --frames 6 --headless --hash | tail -n 1)"
equals "combinations: hashes differ" "$(column o/sweep.csv hash | sort -u | wc -l)" 12
for solver in local_global lbfgs; do
    passes "combinations: the script of a map" test -s "o/heatmap_below_$solver.gnuplot"
    if command -v gnuplot >/dev/null; then
        passes "combinations: the map" test -s "o/heatmap_below_$solver.png"
    fi
done
run sweep --collect --out o --plot lines
equals "lines: status" "$status" 0
equals "lines: curves" "$(column o/lines.csv curve | sort -u | wc -l)" 4
passes "lines: the script" test -s o/lines_lowest.gnuplot

cat >read.py <<'PYTHON'
import csv, h5py, numpy, sys
rows = list(csv.DictReader(open("o/sweep.csv")))
with h5py.File("o/sweep.h5") as f:
    same = [numpy.array_equal(f["measures/" + n][:], [float(r[n]) for r in rows]) for n in ("below", "lowest", "twice")]
    same += [numpy.array_equal(f["parameters/" + n][:], [float(r[n]) for r in rows]) for n in ("stiffness", "iterations")]
    same += [[t.decode() for t in f[n][:]] == [r[n] for r in rows] for n in ("solver", "status", "reason", "hash")]
    positions, series = f["runs/000003/positions/cloth"][:], f["runs/000003/series/lowest"][:]
    print(all(same), positions.shape, f["runs/000003/velocities/rope"].shape, series.shape,
          series.min() == f["measures/lowest"][2], positions[:, 1].min() == f["measures/below"][2],
          f["measures/below"].attrs["unit"], f["parameters/stiffness"].attrs.get("unit", "none"), len(f["runs"]))
PYTHON
equals "HDF5: h5py reads what the CSV file has" "$(/usr/bin/python3 read.py)" \
    "True (63, 3) (5, 3) (3,) True True m none 12"

# --- again ------------------------------------------------------------------------------------------------------------
# The results of runs with when they were written; a result that is replaced is another file.
results() { stat -c '%n %i %y' "$1"/runs/*.run; }
before=$(results o)
cp o/sweep.h5 first.h5
run sweep cloth.lua --vary stiffness=10:1000:log:3 --vary iterations=5,10 --solvers local_global,lbfgs --frames 6 \
    --measure measure.lua --out o
equals "again: status" "$status" 0
equals "again: no run is taken twice" "$(results o)" "$before"
passes "again: the same HDF5 file" cmp first.h5 o/sweep.h5
rm o/runs/000005.run
head -c 100 o/runs/000007.run >cut && cp cut o/runs/000007.run
run sweep cloth.lua --vary stiffness=10:1000:log:3 --vary iterations=5,10 --solvers local_global,lbfgs --frames 6 \
    --measure measure.lua --out o
contains "a lost and a cut result: they are missed" "$out" "10 of 12 runs are done already"
equals "a lost and a cut result: only they are taken" "$(results o | grep -v '00000[57].run')" \
    "$(grep -v '00000[57].run' <<<"$before")"
contains "a lost and a cut result: all are done" "$out" "12 runs: 12 done."

other() { # NAME PART WORDS...
    run sweep cloth.lua "${@:3}" --out o
    equals "$1: status" "$status" 1
    contains "$1: message" "$err" "$2"
    equals "$1: one line" "$(wc -l <.err)" 1
}
other "another sweep in the folder" "o holds another sweep: \`frames 6\` there, \`frames 7\` here" \
    --vary stiffness=10:1000:log:3 --vary iterations=5,10 --solvers local_global,lbfgs --frames 7 --measure measure.lua
echo "-- changed" >>measure.lua
other "a changed file of measures" "measure.lua has changed since" \
    --vary stiffness=10:1000:log:3 --vary iterations=5,10 --solvers local_global,lbfgs --frames 6 --measure measure.lua

# --- killed in the middle ---------------------------------------------------------------------------------------------
slow='function scene.update() local x = 0 for i = 1, 300000 do x = x + i end end'
write_cloth_with slow.lua "$slow"
words=(sweep slow.lua --vary stiffness=1:50:50 --frames 3 --out k --jobs 2)
stop_when KILL '[ "$(ls k/runs/*.run 2>/dev/null | wc -l)" -ge 10 ]' "${words[@]}"
# Runs that it left may end by themselves; no other sweep works there before.
until flock -n k/lock true; do sleep 0.05; done
before=$(results k)
count=$(wc -l <<<"$before")
passes "killed: some runs were done, and some not" test "$count" -ge 10 -a "$count" -lt 50
run "${words[@]}"
equals "started again: status" "$status" 0
contains "started again: it goes on" "$out" "$count of 50 runs are done already"
contains "started again: no run is lost" "$out" "50 runs: 50 done."
equals "started again: none is taken twice" "$(results k | head -n "$count" | sort)" \
    "$(sort <<<"$before" | head -n "$count")"
equals "started again: a row for each" "$(column k/sweep.csv run | xargs)" "$(seq 50 | xargs)"
equals "started again: all hashes" "$(column k/sweep.csv hash | sort -u | wc -l)" 50
flock k/lock sh -c 'touch held; until [ -e seen ]; do sleep 0.05; done' &
until [ -e held ]; do sleep 0.05; done
run "${words[@]}"
touch seen
wait
equals "two at once: status" "$status" 1
contains "two at once: message" "$err" "another sweep is at work there"

# --- runs that do not end well ----------------------------------------------------------------------------------------
cat >bad.lua <<'LUA'
local tide = require "springtide"
local way = tide.param("way", 1, { min = 1, max = 5 })
local scene = tide.scene { timestep = 1 / 60, solver = { "explicit_euler", substep = way == 2 and 1 / 60 or "auto" } }
local cloth = scene:body("cloth", {
  mesh = tide.mesh.grid { columns = 5, rows = 5, width = 1, height = 1 }, mass = 0.2,
  stiffness = way == 2 and 1e12 or 10,
})
cloth:pin { 1 }
if way == 5 then error "not like this, \"quoted\"" end
function scene.update()
  if way == 3 and scene.frame == 4 then error "on purpose" end
  while way == 4 do end
end
return scene
LUA
run sweep bad.lua --vary way=1,2,3,4,5 --frames 30 --out b --time-limit 2
equals "ends: status" "$status" 0
contains "ends: the summary" "$out" "5 runs: 1 done, 1 diverged, 2 failed, 1 killed."
equals "ends: in order" "$(cut -d, -f4 b/sweep.csv | tail -n +2 | xargs)" "done diverged failed killed failed"
contains "ends: a run that diverges tells where" "$(sed -n 3p b/sweep.csv)" "bad.lua:"
contains "ends: a script that fails tells where" "$(sed -n 4p b/sweep.csv)" "on purpose"
equals "ends: frames until then" "$(sed -n 4p b/sweep.csv | grep -o ',4,[0-9.]*,[0-9a-f]\{16\},' | cut -d, -f2)" 4
contains "ends: the limit of time" "$(sed -n 5p b/sweep.csv)" "killed,the time limit of 2 s"
contains "ends: a scene that does not open" "$(sed -n 6p b/sweep.csv)" '""quoted""'
run sweep bad.lua --vary way=1,2,3,4,5 --frames 30 --out b --time-limit 2
contains "ends: none is tried again" "$out" "5 runs: 1 done, 1 diverged, 2 failed, 1 killed."

stop_run() { # SIGNAL: sends it to the process of run 1 alone, when that runs
    local process words
    while sleep 0.05; do
        for process in /proc/[0-9]*; do
            words=$(tr '\0' ' ' 2>/dev/null <"$process/cmdline")
            if [[ "$words" == "$build/springtide sweep --out $folder/s "*"--run 1 " ]]; then
                kill -s "$1" "${process#/proc/}"
                return
            fi
        done
    done
}
stop_run KILL &
run sweep bad.lua --vary way=4,1 --frames 5 --out "$folder/s"
equals "a killed run: status" "$status" 0
contains "a killed run: the reason" "$(sed -n 2p s/sweep.csv)" 'killed,"signal KILL'
contains "a killed run: the other goes on" "$(sed -n 3p s/sweep.csv)" ",done,"
rm -r s
stop_run TERM &
run sweep bad.lua --vary way=4,1 --frames 5 --out "$folder/s"
equals "a stopped run: status" "$status" 1
contains "a stopped run: it is to be taken again" "$err" "1 runs have no result"
contains "a stopped run: its row" "$(sed -n 2p s/sweep.csv)" ",missing,"

cat >wrong.lua <<'LUA'
return { good = function() return 1 end, wrong = function() return "two" end }
LUA
run sweep cloth.lua --measure wrong.lua --frames 2 --out w
contains "a measure that is no number" "$(sed -n 2p w/sweep.csv)" "measure wrong: expected a number from its function, got string"

# Names that are no parts of a path in HDF5, or columns of the table.
cat >names.lua <<'LUA'
local tide = require "springtide"
tide.param("status", 1)
local scene = tide.scene {}
for _, name in ipairs { "a/b", "a_b", ".." } do
  scene:body(name, { mesh = tide.mesh.strand { points = 2, from = { 0, 0, 0 }, to = { 1, 0, 0 } }, mass = 1, stiffness = 1 })
end
return scene
LUA
run sweep names.lua --vary status=1,2 --frames 1 --out names
equals "names: status" "$status" 0
equals "names: columns" "$(head -n 1 names/sweep.csv | cut -d, -f1-4)" "run,solver,status_2,status"
equals "names: bodies" "$(/usr/bin/python3 -c 'import h5py; print(*sorted(h5py.File("names/sweep.h5")["runs/000002/positions"]))')" \
    "_ a_b a_b_"

# --- a table of points ------------------------------------------------------------------------------------------------
printf 'stiffness,bogus\n1,2\n' >bogus.csv
printf 'stiffness, timestep\n10,0.01\n30,0.02\n' >points.csv
run sweep cloth.lua --points points.csv --frames 2 --out p --seed 7 --set stiffness=5
equals "points: status" "$status" 0
equals "points: the columns" "$(head -n 1 p/sweep.csv | cut -d, -f1-4)" "run,solver,stiffness,timestep"
equals "points: a run for each row" "$(column p/sweep.csv stiffness | xargs) $(column p/sweep.csv timestep | wc -l)" "10 30 2"
equals "points: a run is that of the command run" "$(column p/sweep.csv hash | tail -n 1)" \
    "$(springtide run cloth.lua --set stiffness=30 --timestep 0.02 --frames 2 --seed 7 --headless --hash | tail -n 1)"

# --- Slurm, by a stand-in of its commands ------------------------------------------------------------------------------
mkdir bin
cat >bin/sbatch <<'SH'
#!/bin/sh
# Takes each element of the array one after the other, at once. Keeps what it was given.
for script; do :; done
echo "$*" >>"$SLURM_SEEN"
last=$(sed -n 's/^#SBATCH --array=1-\([0-9]*\).*/\1/p' "$script")
for element in $(seq "${last:-1}"); do SLURM_ARRAY_TASK_ID=$element sh "$script" >>"$SLURM_SEEN.out" || exit 1; done
grep -c . "$SLURM_SEEN"
SH
printf '#!/bin/sh\n[ -z "$SLURM_BUSY" ] || echo 1 busy\n' >bin/squeue
chmod +x bin/*
export SLURM_SEEN=$folder/slurm
slurm() { PATH=$folder/bin:$PATH run sweep cloth.lua --vary "stiffness=1:12:12" --frames 2 --out 'a b' --slurm "$@"; }
slurm --jobs 3
equals "Slurm: status" "$status" 0
contains "Slurm: the jobs" "$out" "12 of 12 runs submitted to Slurm as job 1; job 2 collects them"
passes "Slurm: the array" grep -q '^#SBATCH --array=1-12%3$' 'a b/slurm.sh'
contains "Slurm: the second job waits for the first" "$(tail -n 1 slurm)" "--dependency=afterany:1"
equals "Slurm: all is done and collected" "$(column 'a b/sweep.csv' status | uniq -c | xargs)" "12 done"
rm 'a b/runs/000003.run'
SLURM_BUSY=1 slurm
equals "Slurm, a job that is queued: status" "$status" 1
contains "Slurm, a job that is queued: message" "$err" "its job 1 is still in the queue"
slurm
contains "Slurm, again: what is missing" "$out" "1 of 12 runs submitted"
equals "Slurm, again: all is done" "$(column 'a b/sweep.csv' status | uniq -c | xargs)" "12 done"
printf '#!/bin/sh\necho "no partition" >&2\nexit 1\n' >bin/sbatch
rm 'a b/runs/000003.run'
slurm
equals "Slurm refuses: status" "$status" 1
contains "Slurm refuses: message" "$err" "sbatch refused the job: no partition"

# --- what is refused --------------------------------------------------------------------------------------------------
rm -rf o k b s w p 'a b'
refused "no scene" "expected SCENE.lua" sweep
refused "an unknown name" "did you mean stiffness?" sweep cloth.lua --vary stifness=1,2
refused "a value out of range" "from 1 to 1000" sweep cloth.lua --vary stiffness=1,2000
refused "one name twice" "each name once" sweep cloth.lua --vary stiffness=1,2 --vary stiffness=3,4
refused "no value" "expected NAME=A,B,C" sweep cloth.lua --vary stiffness
refused "an empty one" "expected NAME=A,B,C" sweep cloth.lua --vary ""
refused "an unknown solver" 'did you mean "newton"?' sweep cloth.lua --solvers newtn
refused "too many runs" "more than 100000 runs" sweep cloth.lua --vary stiffness=1:2:1000 --vary timestep=0.01:0.02:1000
refused "a map of one axis" "needs 2 of --vary" sweep cloth.lua --vary stiffness=1,2 --plot heatmap
refused "an unknown plot" "expected heatmap or lines" sweep cloth.lua --plot pie
refused "points and axes" "not both" sweep cloth.lua --points points.csv --vary stiffness=1,2
refused "points of an unknown name" "bogus: expected a parameter" sweep cloth.lua --points bogus.csv
printf 'stiffness\n1\nx\n' >bogus.csv
refused "points that are no numbers" "line 3: stiffness = x: expected a number" sweep cloth.lua --points bogus.csv
printf 'stiffness\n' >bogus.csv
refused "no points" "expected a row" sweep cloth.lua --points bogus.csv
printf 'stiffness\n1,2\n' >bogus.csv
refused "points with a cell too many" "line 2: expected 1 numbers" sweep cloth.lua --points bogus.csv
refused "a folder like an option" "does not begin with a hyphen" sweep cloth.lua --out -o
refused "--jobs 0" "--jobs" sweep cloth.lua --jobs 0
refused "--set unknown" "no such parameter" sweep cloth.lua --set stifness=3
measure_refused() { # NAME PART LUA
    echo "$3" >refused.lua
    run sweep cloth.lua --vary stiffness=1,2 --measure refused.lua --out o
    equals "$1: status" "$status" 1
    contains "$1: message" "$err" "$2"
    equals "$1: one line" "$(wc -l <.err)" 1
}
measure_refused "measures: a syntax error" "refused.lua:2:" 'return {'
measure_refused "measures: no table" "expected \`return {" 'return 1'
measure_refused "measures: none" "it measures nothing" 'return {}'
measure_refused "measures: an unknown field" "measure a: unti: there is no such field" 'return { a = { unti = "m" } }'
measure_refused "measures: neither" "measure a: expected one of at_end and each" 'return { a = {} }'
measure_refused "measures: half a frame" "every: expected a whole number" \
    'return { a = { each = function() end, every = 0.5 } }'
measure_refused "measures: an unknown reduction" "of: expected first, last" \
    'return { a = { each = function() end, of = "worst" } }'
measure_refused "measures: the name of a column" "measure status: expected another name" 'return { status = function() end }'
measure_refused "measures: the name of an axis" "measure stiffness: expected another name" \
    'return { stiffness = function() end }'
measure_refused "measures: no files" "io: unknown" 'return { a = io.open "x" }'
measure_refused "measures: an error" "on purpose" 'error "on purpose"'
passes "no folder is made for these" test ! -e o -a ! -e sweep
run sweep cloth.lua --measure nothing.lua --out o
equals "no file of measures: status" "$status" 1
contains "no file of measures: message" "$err" "nothing.lua"
mkdir x && echo "something else" >x/sweep.txt
run sweep cloth.lua --out x --vary stiffness=1,2
equals "a folder with another file: status" "$status" 1
contains "a folder with another file: message" "$err" "x holds another sweep"
run sweep --run 1 --out x
contains "a run of no sweep" "$err" "not the definition of a sweep"
ln -s "$(command -v sh)" bin/sh && rm bin/sbatch bin/squeue
PATH=$folder/bin "$build/springtide" sweep cloth.lua --frames 1 --out n >.out 2>.err
equals "without parallel: status" $? 1
contains "without parallel: message" "$(<.err)" "install it (Debian: parallel)"
finish
