#!/usr/bin/env bash
# `convergence`: errors, orders and stability against theory, and refused arguments.
. "$(dirname "$0")/checks.sh"

write_cloth cloth.lua
scenes=$root/scenes

# The cells of a column of a CSV file, in the rows of a curve; all rows without one. Curves have no commas or quotes.
column() { # FILE COLUMN [CURVE]
    awk -F, -v name="$2" -v curve="${3-}" '
        NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) at = NF - i; next }
        NF && (curve == "" || $1 == curve) { print $(NF - at) }' "$1"
}
# Whether a condition of awk over numbers a, b, c holds.
holds() { # CONDITION A [B [C]]
    awk -v a="$2" -v b="${3-0}" -v c="${4-0}" "BEGIN { exit !($1) }"
}

# --- errors -----------------------------------------------------------------------------------------------------------
run convergence cloth.lua --frame 5 --iterations 12 --solvers local_global,newton,newton,linear=pcg,semi_implicit --out e
equals "errors: status" "$status" 0
equals "errors: no message" "$err" ""
contains "errors: the table" "$out" "newton linear=pcg"
equals "errors: columns" "$(head -n 1 e/convergence.csv)" \
    "curve,solver,method,iterations,error,gradient,g,kinetic,elastic,seconds,prepare_seconds,frames"
equals "errors: iterations" "$(column e/convergence.csv iterations local_global | xargs)" "1 2 3 5 8 10 12"
equals "errors: one row for a solver without iterations" "$(column e/convergence.csv error semi_implicit | wc -l)" 1
local_global=$(column e/convergence.csv error local_global)
passes "errors: they fall" sort -grc <(echo "$local_global")
passes "errors: the first is below 1, the last above 0" holds "a < 1 && b > 0" \
    "$(head -n 1 <<<"$local_global")" "$(tail -n 1 <<<"$local_global")"
for curve in newton "newton linear=pcg"; do
    passes "errors: $curve goes down to rounding" holds "a < 1e-12 && a > -1e-12" \
        "$(column e/convergence.csv error "$curve" | tail -n 1)"
done
passes "errors: seconds" holds "a > 0 && a < 5" "$(column e/convergence.csv seconds local_global | tail -n 1)"
for name in error_iterations error_seconds gradient_iterations; do
    passes "errors: $name.gnuplot" test -s e/$name.gnuplot
    if command -v gnuplot >/dev/null; then
        passes "errors: $name.png" test -s e/$name.png
    fi
done
equals "errors: nothing half done" "$(ls e | grep -c 'part$')" 0

run convergence cloth.lua --frame 3 --frames 2 --iterations 3 --solvers local_global --sweep stiffness=10:1000:3:log --out s
equals "sweep: status" "$status" 0
equals "sweep: values" "$(column s/convergence.csv stiffness | uniq | xargs)" "10 100 1000"
equals "sweep: curves" "$(column s/convergence.csv curve | uniq | tail -n 1)" "local_global stiffness=1000"
equals "sweep: frames" "$(column s/convergence.csv frames | uniq)" 2
run convergence cloth.lua --frame 3 --iterations 3 --solvers newton,local_global --sweep damping.mass=0,5 --out d
equals "sweep of an option: status" "$status" 0
equals "sweep of an option: curves" "$(column d/convergence.csv curve | uniq | wc -l)" 4

# The scene's update goes before the step: a pin that it moves is where it is to be, for all solvers.
write_cloth_with moved.lua 'function scene.update() cloth:move_pin(1, 0, 0.01 * scene.frame, 0) end'
run convergence moved.lua --frame 10 --frames 2 --iterations 40 --solvers newton,local_global --out m
equals "update: status" "$status" 0
passes "update: newton's error" holds "a < 1e-12 && a > -1e-12" "$(column m/convergence.csv error newton | tail -n 1)"
passes "update: local_global's error" holds "a < 1e-2 && a > -1e-12" \
    "$(column m/convergence.csv error local_global | tail -n 1)"

# A solver in Lua that does not report its iterations goes through all of them nevertheless, and tells what fails.
write_cloth_with scripted.lua 'tide.solver { name = "quiet", options = { iterations = { 10, min = 1, integer = true } },
    step = function(system, state, h)
        local y, A = state.inertial, tide.linear.cholesky(system:matrix(h))
        local x = y:copy()
        for _ = 1, state.options.iterations do
            local gradient = (x - y):times(system:masses()) + h ^ 2 * system:gradient(x)
            x:add(system:scatter(A:solve(system:gather(gradient))), -1)
        end
        return x
    end }
tide.solver { name = "failing", options = { iterations = { 10, min = 1, integer = true } },
    step = function(_, state) if state.options.iterations > 2 then error "on purpose" end end }'
run convergence scripted.lua --frame 5 --iterations 8 --solvers local_global,quiet,failing --out l
equals "in Lua: status" "$status" 0
equals "in Lua: all iterations" "$(column l/convergence.csv error quiet | wc -l)" 5
passes "in Lua: the errors of local_global" holds "a > 0 && a < b * 1.000001 && a > b * 0.999999" \
    "$(column l/convergence.csv error quiet | tail -n 1)" "$(column l/convergence.csv error local_global | tail -n 1)"
contains "in Lua: what fails" "$out" "on purpose"

mkdir empty
PATH=$folder/empty "$build/springtide" convergence cloth.lua --frame 3 --iterations 2 --solvers local_global --out n >.out
equals "without gnuplot: status" "$?" 0
contains "without gnuplot: a note" "$(<.out)" "gnuplot is not there"
passes "without gnuplot: the table" test -s n/convergence.csv
passes "without gnuplot: what would draw" test -s n/error_seconds.gnuplot
fails "without gnuplot: no picture" test -e n/error_seconds.png

# --- orders -----------------------------------------------------------------------------------------------------------
run convergence "$scenes/pendulum.lua" --order --frames 8 --halvings 4 --out o \
    --solvers symplectic_euler,newton,verlet,bdf2,implicit_midpoint,rk4
equals "orders: status" "$status" 0
while read -r solver order; do
    passes "orders: $solver has $order" holds "a > b - 0.2 && a < b + 0.2" \
        "$(column o/order.csv order "$solver" | head -n 1)" "$order"
    equals "orders: $solver says so" "$(column o/order.csv theory "$solver" | head -n 1)" "$order"
    equals "orders: $solver has all timesteps" "$(column o/order.csv timestep "$solver" | wc -l)" 5
done <<'TABLE'
symplectic_euler 1
newton 1
verlet 2
bdf2 2
implicit_midpoint 2
rk4 4
TABLE
# above h_max = 2 / sqrt(5000) = 0.028 s nothing is measured
run convergence "$scenes/pendulum.lua" --order --frames 4 --halvings 3 --timestep 0.05 --solvers verlet --out o
equals "orders: unstable timesteps are left out" "$(column o/order.csv timestep | xargs)" "0.025 0.0125 0.00625"
contains "orders: and told" "$out" "1 unstable"

# --- stability --------------------------------------------------------------------------------------------------------
run convergence "$scenes/papers/oscillator.lua" --stability --frames 400 --solvers explicit_euler,newton --out t \
    --sweep damping.mass=0.05:4.55:10 --across stiffness=0.2:4.7:10
equals "stability: status" "$status" 0
equals "stability: cells" "$(column t/stability_explicit_euler.csv stable | wc -l)" 100
# Shinya 2005, eq. 22 to 24: stable where 2 X - 4 < Y < X
equals "stability: Shinya's region" "$(awk -F, 'NR > 1 {
        stable = ($4 < $3 && $4 > 2 * $3 - 4); if (stable != $5) print }' t/stability_explicit_euler.csv)" ""
equals "stability: the line is that region's edge" "$(awk -F, 'NR > 1 && NF {
        a = $4 - $3; b = $4 - 2 * $3 + 4; if (a * a > 0.01 && b * b > 0.01) print }' t/stability_explicit_euler_line.csv)" ""
passes "stability: the line has points" test "$(grep -c . t/stability_explicit_euler_line.csv)" -gt 20
equals "stability: backward Euler is stable everywhere" "$(column t/stability_newton.csv stable | sort -u)" 1
fails "stability: and has no line" test -e t/stability_newton_line.csv

# A substep that is given or swept is the one of the theory, and of one that the solver chooses the theory says nothing.
run convergence "$scenes/papers/oscillator.lua" --stability --frames 400 --solvers symplectic_euler --out t \
    --sweep substep=0.2:3.2:6 --timestep 3.2 --across stiffness=0.7,5
equals "stability of substeps: status" "$status" 0
contains "stability of substeps: theory and measurement agree" "$out" "theory differs in 0"
fails "stability of substeps: they are not the timestep" grep -q "substep is" <<<"$out"
run convergence "$scenes/papers/oscillator.lua" --stability --frames 20 --solvers symplectic_euler,substep=auto --out t \
    --sweep stiffness=1,2 --across damping.mass=0,1
equals "stability of automatic substeps: status" "$status" 0
fails "stability of automatic substeps: no theory" grep -q theory <<<"$out"

cat >still.lua <<'LUA'
return require "springtide".scene {}
LUA
run convergence still.lua --order --halvings 1 --frames 1 --solvers newton --out still
equals "nothing moves: status" "$status" 1
contains "nothing moves: message" "$err" "nothing in it moves"
rm -rf still still.lua

# --- what is refused --------------------------------------------------------------------------------------------------
rm -rf e s d m n o t l empty scripted.lua
refused "a list that begins with an option" "expected a solver before" convergence cloth.lua --solvers linear=pcg
refused "an empty item" "expected names" convergence cloth.lua --solvers newton,,lbfgs
refused "an unknown solver" 'did you mean "newton"?' convergence cloth.lua --solvers newtn
refused "an option of another solver" "is an option of newton" convergence cloth.lua --solvers local_global,linear=pcg
refused "no value" "expected NAME=A,B,C" convergence cloth.lua --sweep stiffness
refused "an empty list" "expected numbers" convergence cloth.lua --sweep stiffness=
refused "no number" "expected numbers" convergence cloth.lua --sweep stiffness=1,x
refused "no count" "expected a count" convergence cloth.lua --sweep stiffness=1:2
refused "a count of 1" "expected a whole count" convergence cloth.lua --sweep stiffness=1:2:1
refused "half a count" "expected a whole count" convergence cloth.lua --sweep stiffness=1:2:2.5
refused "a word after the count" "expected nothing or" convergence cloth.lua --sweep stiffness=1:2:3:lin
refused "log of 0" "expected ends above 0" convergence cloth.lua --sweep stiffness=0:2:3:log
refused "an unknown axis" "did you mean stiffness?" convergence cloth.lua --sweep stifness=1,2
refused "an unknown axis without a near name" "expected a parameter of the scene" convergence cloth.lua --sweep zzz=1,2
refused "a value out of the parameter's range" "from 1 to 1000" convergence cloth.lua --sweep stiffness=1,2000
refused "an axis that one solver lacks" "newton" convergence cloth.lua --solvers newton,lbfgs --sweep history=3,4
refused "a sweep of iterations" "by itself" convergence cloth.lua --sweep iterations=1,2
refused "a sweep of timesteps in a study of order" "by itself" convergence cloth.lua --order --sweep timestep=0.1,0.2
refused "no axis for a map" "needs it" convergence cloth.lua --stability --sweep stiffness=1,2
refused "a second axis where there is none" "does not take it" convergence cloth.lua --across stiffness=1,2
refused "one axis twice" "another name" convergence cloth.lua --stability --sweep stiffness=1,2 --across stiffness=1,2
refused "two modes" "expected one of" convergence cloth.lua --order --stability
for option in "--frame 0" "--frames 0" "--iterations 0" "--halvings 0" "--halvings 99" "--frame x"; do
    # shellcheck disable=SC2086 # two words
    refused "$option" "${option% *}" convergence cloth.lua $option
done
refused "--halvings of no order" "error does not take it" convergence cloth.lua --halvings 3
refused "--frame of an order" "order does not take it" convergence cloth.lua --order --frame 3
refused "--iterations of a map" "stability does not take it" convergence cloth.lua --stability --iterations 3
refused "--frames of pictures" "pictures does not take it" convergence cloth.lua --pictures --frames 3
refused "--size of costs" "cost does not take it" convergence cloth.lua --cost --size 64x64
refused "an option of run" "takes no such option" convergence cloth.lua --png a.png
refused "an option of convergence" "takes no such option" run cloth.lua --sweep stiffness=1,2
refused "--set unknown" "no such parameter" convergence cloth.lua --set stifness=3
equals "none of these wrote anything" "$(ls)" "$(printf 'cloth.lua\nmoved.lua')"

run convergence nothing.lua
equals "no scene: status" "$status" 1
contains "no scene: message" "$err" "nothing.lua"
touch file
run convergence cloth.lua --frame 2 --iterations 1 --out file
equals "a folder that cannot be: status" "$status" 1
contains "a folder that cannot be: message" "$err" "file"

stop_when INT 'sleep 0.4' convergence cloth.lua --frame 2 --iterations 900000 --out i
equals "interrupted: nothing half done" "$(ls i 2>/dev/null)" ""

echo 'return require("springtide").scene {}' >nobody.lua
run convergence nobody.lua --pictures --frame 2 --size 64x64 --out nobody
equals "pictures of no body: status" "$status" 0
fails "pictures of no body: no distance is not a number" grep -qi nan .out nobody/pictures.csv
finish
