#!/usr/bin/env bash
# Makes the figures of scenes/papers/README.md again, with tables and CSV files, in build/papers/<figure>/.
#     scripts/papers.sh                    all of them; about half an hour
#     scripts/papers.sh liu-2 ahmad-6      these
#     scripts/papers.sh --quick            all of them small: in seconds, to see that everything works
#     scripts/papers.sh --list             their names
# Every command line is shown as it is run. Pictures need gnuplot. SPRINGTIDE names another program than the one that
# this builds, OUT another folder than build/papers.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
figures=(liu-2 liu-3-stiffness liu-3-resolution liu-4 shinya-1 shinya-2 shinya-3 shinya-5 shinya-6 shinya-7
    ahmad-4 ahmad-6 ahmad-8-particles ahmad-8-stiffness)
quick=false
chosen=()

for word in "$@"; do
    case "$word" in
    --quick) quick=true ;;
    --list)
        printf '%s\n' "${figures[@]}"
        exit
        ;;
    -h | --help)
        sed -n '2,8s/^# //p' "${BASH_SOURCE[0]}"
        exit
        ;;
    *)
        if ! printf '%s\n' "${figures[@]}" | grep -qxF -- "$word"; then
            echo "scripts/papers.sh: there is no figure \"$word\"; there are ${figures[*]}" >&2
            exit 2
        fi
        chosen+=("$word")
        ;;
    esac
done
[ ${#chosen[@]} -gt 0 ] || chosen=("${figures[@]}")

program=${SPRINGTIDE:-}
if [ -z "$program" ]; then
    "$root/scripts/setup.sh"
    "$root/scripts/build.sh" release springtide
    program=$root/build/release/springtide
fi
out=${OUT:-$root/build/papers}
mkdir -p "$out"
out=$(cd "$out" && pwd)
cd "$root"

# The first in full, the second with --quick.
either() {
    if $quick; then echo "$2"; else echo "$1"; fi
}

convergence() { # FOLDER SCENE WORDS...
    local folder=$1 scene=$2
    shift 2
    mkdir -p "$out/$folder"
    echo "springtide convergence scenes/papers/$scene.lua $* --out $folder"
    "$program" convergence "scenes/papers/$scene.lua" "$@" --out "$out/$folder" | tee "$out/$folder/table.txt"
    echo
}

# --- Liu et al. 2013: the swinging curtain ----------------------------------------------------------------------------

liu_solvers=local_global,newton,newton,linear=pcg,lbfgs,local_global,acceleration=anderson,pbd,xpbd

liu-2() {
    convergence liu-2 curtain --frame "$(either 25 3)" --iterations "$(either 1000 5)" --set side="$(either 41 9)" \
        --solvers "$liu_solvers"
}

liu-3-stiffness() {
    convergence liu-3-stiffness curtain --frame "$(either 30 2)" --frames "$(either 50 2)" \
        --iterations "$(either 1000 5)" --set side="$(either 21 7)" --sweep "stiffness=$(either 20,80,320,1280 20,80)" \
        --solvers local_global
}

liu-3-resolution() {
    convergence liu-3-resolution curtain --frame "$(either 30 2)" --frames "$(either 50 2)" \
        --iterations "$(either 1000 5)" --sweep "side=$(either 11,21,41 5,9)" --solvers local_global
}

liu-4() {
    local solvers=newton,iterations=50,tolerance=1e-8 iterations
    for iterations in 1000 100 10 1; do
        solvers=local_global,iterations=$iterations,$solvers
    done
    convergence liu-4 curtain --pictures --frame "$(either 60 2)" --size "$(either 240x270 64x64)" \
        --set side="$(either 81 7)" --solvers "$solvers"
}

# --- Shinya 2005: where methods are stable, and what they cost --------------------------------------------------------

# Y = 0 is no spring at all, which a scene refuses: values are those in the middle of cells that begin at 0.
stability() { # FIGURE SOLVER H_D H_H_K
    convergence "$1" oscillator --stability --solvers "$2" --frames "$(either 1000 100)" \
        --sweep "damping.mass=$(either "$3" 0.5,2.5,4.5)" --across "stiffness=$(either "$4" 0.5,2.5,4.5)"
}

shinya-1() { stability shinya-1 explicit_euler,substep=1 0.05:4.95:50 0.05:4.95:50; }
shinya-2() { stability shinya-2 rk4,substep=1 0.05:5.95:60 0.1:9.9:50; }
shinya-3() { stability shinya-3 newton 0.25:4.75:10 0.5:9.5:10; }

shinya_solvers=semi_implicit,explicit_euler,damping=auto,linearized_explicit,rk4,symplectic_euler

shinya-5() {
    convergence shinya-5 drape --cost --frame "$(either 20 1)" --frames "$(either 100 2)" --set k0=1e6 \
        --sweep "side=$(either 8,11,16,23,32,45,64 4,6)" --solvers $shinya_solvers
}

shinya-6() {
    convergence shinya-6 drape --cost --frame "$(either 20 1)" --frames "$(either 100 2)" --set side="$(either 16 5)" \
        --sweep "k0=1e4:1e9:$(either 11 2):log" --solvers $shinya_solvers
}

shinya-7() {
    convergence shinya-7 drape --cost --frame "$(either 20 1)" --frames "$(either 100 2)" --set side="$(either 16 5)" \
        --set k0=1e6 --sweep "timestep=$(either 0.0005:0.032:13:log 0.005,0.01)" \
        --solvers semi_implicit,semi_implicit,cg_tolerance=0.01,newton,linear=pcg
}

# --- Ahmad et al. 2007: filtered velocities ---------------------------------------------------------------------------

ahmad-4() {
    convergence ahmad-4 drape --velocities --frame "$(either 80 3)" --frames "$(either 200 4)" \
        --set k0=1e5 --set side="$(either 12 5)" \
        --solvers symplectic_euler,semi_implicit,symplectic_euler,filter=exponential,filter.lambda=1
}

# Over the theory's curves what was measured: the longest substep that stays stable, with the filter made symmetric and
# with it as it is in eq. 10.
ahmad-6() {
    local lambdas symmetric=symplectic_euler,filter=exponential
    local plain=$symmetric,filter.symmetric=false
    lambdas=filter.lambda=0.25:16:$(either 25 2):log
    convergence ahmad-6 drape --cost --frames 1 --set k0=1e6 --set side="$(either 16 5)" --sweep "$lambdas" \
        --solvers "$symmetric,$plain"
    convergence ahmad-6 drape --stability --frames "$(either 1000 5)" --set k0=1e6 --set side="$(either 16 5)" \
        --sweep "$lambdas" --across "timestep=0.0018:0.0028:$(either 41 3)" --solvers "$symmetric"
    convergence ahmad-6 drape --stability --frames "$(either 1000 5)" --set k0=1e6 --set side="$(either 16 5)" \
        --sweep "$lambdas" --across "timestep=0.0004:0.0048:$(either 45 3)" --solvers "$plain"
    draw_ahmad-6
}

draw_ahmad-6() {
    cat >"$out/ahmad-6/ahmad-6.gnuplot" <<'GNUPLOT'
set terminal pngcairo size 1100,560 font ',11' linewidth 1.2 background rgb 'white'
set output 'ahmad-6.png'
set datafile separator ','
set xlabel 'lambda'
set ylabel 'substep (ms)'
set logscale x
set format x '%g'
set xrange [0.23:17.4]
set style fill solid 1 noborder
set tics nomirror
set key below Left reverse maxrows 2
half = sqrt(64 ** (1.0 / 24)) # of a cell
lambda(stable) = column('stable') == stable ? column('filter.lambda') : NaN
line(name) = strcol('line') eq name ? column('filter.lambda') : NaN
ms(name) = 1e3 * column(name)
symmetric = 'symplectic_euler filter=exponential'
plain = symmetric.' filter.symmetric=false'
set multiplot layout 1,2
set title 'the filter made symmetric'
set yrange [1.8:2.8]
map = 'stability_symplectic_euler-filter-exponential.csv'
plot map using (lambda(1)):(ms('timestep')):(lambda(1) / half):(lambda(1) * half):(ms('timestep') - 0.0125): \
        (ms('timestep') + 0.0125) with boxxyerror linecolor rgb '#8ec9e8' title 'measured: stable', \
     map using (lambda(0)):(ms('timestep')):(lambda(0) / half):(lambda(0) * half):(ms('timestep') - 0.0125): \
        (ms('timestep') + 0.0125) with boxxyerror linecolor rgb '#ececec' title 'unstable', \
     'cost.csv' using (line(symmetric)):(ms('substep_stable')) \
        with lines linewidth 2 linecolor rgb 'black' title 'theory of the filter', \
     'cost.csv' using (line(symmetric)):(ms('substep_algorithm_1')) \
        with lines linewidth 2 dashtype 2 linecolor rgb '#d55e00' title 'algorithm 1'
set title 'as in eq. 10'
set yrange [0.4:4.8]
map = 'stability_symplectic_euler-filter-exponential-filter.symmetric-false.csv'
plot map using (lambda(1)):(ms('timestep')):(lambda(1) / half):(lambda(1) * half):(ms('timestep') - 0.05): \
        (ms('timestep') + 0.05) with boxxyerror linecolor rgb '#8ec9e8' title 'measured: stable', \
     map using (lambda(0)):(ms('timestep')):(lambda(0) / half):(lambda(0) * half):(ms('timestep') - 0.05): \
        (ms('timestep') + 0.05) with boxxyerror linecolor rgb '#ececec' title 'unstable', \
     'cost.csv' using (line(plain)):(ms('substep_algorithm_1')) \
        with lines linewidth 2 dashtype 2 linecolor rgb '#d55e00' title 'algorithm 1'
unset multiplot
GNUPLOT
    if command -v gnuplot >/dev/null; then
        (cd "$out/ahmad-6" && gnuplot ahmad-6.gnuplot)
    fi
}

ahmad_solvers=symplectic_euler,symplectic_euler,filter=exponential,filter.lambda=1,rk4
ahmad_solvers+=,semi_implicit,cg_tolerance=0.01,imex

ahmad-8-particles() {
    convergence ahmad-8-particles drape --cost --frame "$(either 20 1)" --frames "$(either 100 2)" --set k0=1e6 \
        --sweep "side=$(either 8,11,16,23,32,45,64 4,6)" --solvers $ahmad_solvers
}

ahmad-8-stiffness() {
    convergence ahmad-8-stiffness drape --cost --frame "$(either 20 1)" --frames "$(either 100 2)" \
        --set side="$(either 16 5)" --sweep "k0=1e4:1e9:$(either 11 2):log" --solvers $ahmad_solvers
}

for figure in "${chosen[@]}"; do
    $figure
done
echo "The figures are in $out"
