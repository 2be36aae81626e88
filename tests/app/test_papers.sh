#!/usr/bin/env bash
# The figures of scenes/papers: every command line of scripts/papers.sh, made small; and what the modes --cost,
# --pictures and --velocities of `springtide convergence` measure.
. "$(dirname "$0")/checks.sh"

has_plots=false
if command -v gnuplot >/dev/null; then has_plots=true; fi

column() { # NAME FILE: the cells of a column of a CSV file without commas in its cells
    awk -F, -v name="$1" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) c = i } NR > 1 && NF { print $c }' "$2"
}

sized() { # FILE: width and height of a PNG file
    od -An -t u1 -j 16 -N 8 "$1" | awk '{ print $3 * 256 + $4 "x" $7 * 256 + $8 }'
}

# --- all figures
SPRINGTIDE=$build/springtide OUT=$folder/papers "$root/scripts/papers.sh" --quick >.out 2>.err
equals "papers.sh --quick: status" "$?" 0
equals "papers.sh --quick: no messages" "$(<.err)" ""
mapfile -t figures < <("$root/scripts/papers.sh" --list)
passes "papers.sh --list: there are figures" test ${#figures[@]} -gt 10
for figure in "${figures[@]}"; do
    passes "$figure: a table" test -s "papers/$figure/table.txt"
    passes "$figure: a CSV file with rows" awk 'END { exit NR < 2 }' "papers/$figure"/*.csv
    passes "$figure: the page tells how to make it" grep -q "papers.sh $figure\$" "$root/scenes/papers/README.md"
    ! $has_plots || passes "$figure: a picture" test -n "$(find "papers/$figure" -name "*.png")"
done
equals "papers.sh --quick: nothing half done" "$(find papers -name '*.part')" ""
OUT=$folder/papers "$root/scripts/papers.sh" liu-5 >.out 2>.err
equals "papers.sh of an unknown figure: status" "$?" 2
contains "papers.sh of an unknown figure: message" "$(<.err)" 'there is no figure "liu-5"; there are liu-2 '

page=$root/scenes/papers/README.md
for picture in "$root"/scenes/papers/figures/*.png; do
    passes "${picture##*/}: is on the page" grep -qF "(figures/${picture##*/})" "$page"
    passes "${picture##*/}: is below 60 KB" test "$(wc -c <"$picture")" -lt 60000
done
while IFS= read -r picture; do
    passes "$picture of the page is there" test -s "$root/scenes/papers/$picture"
done < <(grep -o 'figures/[^)]*png' "$page" | sort -u)

# --- --cost
drape=$root/scenes/papers/drape.lua
run convergence "$drape" --cost --frames 2 --out cost --sweep k0=1e4,1e6 --across side=4,16 \
    --solvers semi_implicit,symplectic_euler,substep=0.01
equals "--cost: status" "$status" 0
equals "--cost: a row for each solver and value" "$(column particles cost/cost.csv 2>/dev/null | wc -l)" 8
contains "--cost: the step that diverges" "$out" "diverged"
contains "--cost: slopes" "$out" "slope of log seconds against log of"
contains "--cost: a slope for each value across" "$out" "side = 16"
passes "--cost: k0 is what the scene was asked for" awk -F, '
    NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i - NF }
    NR > 1 && $(NF + at["side"]) == 16 { n++; ratio = $(NF + at["largest_eigenvalue"]) / $(NF + at["k0"])
                                        if (ratio < 0.99 || ratio > 1.01) exit 1 }
    END { if (n != 4) exit 1 }' cost/cost.csv
run convergence "$drape" --cost --frames 1 --out filter --set side=4 --sweep filter.lambda=1,8 \
    --solvers symplectic_euler,filter=exponential
equals "--cost over an option of the solver: status" "$status" 0
passes "--cost: a filter allows a longer substep; algorithm 1 of Ahmad 2007 has too long a one" awk -F, '
    NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i - NF }
    NR > 1 { stable = $(NF + at["substep_stable"]); k0 = $(NF + at["largest_eigenvalue"])
             if (stable <= 2 / sqrt(k0) || $(NF + at["substep_algorithm_1"]) < stable) exit 1 }' filter/cost.csv

# --- --pictures
run convergence "$root/scenes/papers/curtain.lua" --pictures --frame 2 --size 64x48 --set side=5 --out pictures \
    --solvers local_global,iterations=1,local_global,iterations=2,symplectic_euler,substep=1,newton
equals "--pictures: status" "$status" 0
equals "--pictures: side by side" "$(sized pictures/pictures.png)" "304x113"
equals "--pictures: the last is where it is compared with" "$(column rms_distance pictures/pictures.csv | tail -n 1)" 0
run convergence "$root/scenes/papers/curtain.lua" --pictures --frame 2 --size 64x48 --set side=5 --out swept \
    --solvers local_global,newton --sweep stiffness=20,80,320
equals "--pictures with a sweep: a row for each value" "$(sized swept/pictures.png)" "160x291"

# --- --velocities
run convergence "$drape" --velocities --frame 2 --frames 4 --set side=5 --out velocities --solvers verlet,newton
equals "--velocities: status" "$status" 0
for picture in velocities spectra velocities_verlet spectra_newton; do
    passes "--velocities: $picture.png" test -s "velocities/$picture.png"
done
passes "--velocities: the spectrum holds the energy of the frame" awk -F, '
    FNR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
    FILENAME ~ /spectrum/ && FNR > 1 { energy[$1] += $at["energy"] }
    FILENAME ~ /velocities/ && FNR > 1 && $at["time"] == 0.02 {
        n++; d = energy[$1] / ($at["speed"] * $at["speed"]) - 1; if (d > 1e-9 || d < -1e-9) exit 1 }
    END { if (n != 2) exit 1 }' velocities/spectrum.csv velocities/velocities.csv
write_cloth cloth.lua
sed -i 's/tide.mesh.grid {/tide.mesh.box { size = { 1, 1, 1 }, cells = { 2, 2, 2 } }, --[[/; s/height = 0.75 },/]]/' cloth.lua
run convergence cloth.lua --velocities --frames 3 --out box --solvers newton
equals "--velocities of what is no grid: status" "$status" 0
contains "--velocities of what is no grid: told" "$out" 'body "cloth" are not those of a grid'
fails "--velocities of what is no grid: no spectra" test -e box/spectra.png
printf 'return require("springtide").scene { title = "Empty" }\n' >empty.lua
run convergence empty.lua --velocities --frames 3 --out empty --solvers newton
equals "--velocities without a body: status" "$status" 1
contains "--velocities without a body: message" "$err" "the scene has no body"
finish
