# Seconds and memory of the growth series against its vertices, from the figures of
#     tests/bench/run.sh growth --csv growth.csv
#     gnuplot -e "csv = 'growth.csv'" tests/bench/growth.gp
set terminal pngcairo size 1000,400 font ',10'
set output 'growth.png'
set multiplot layout 1, 2
set logscale xy
set format '10^{%L}'
set xlabel 'vertices'
set xrange [500:2e6]
set key top left

# vertices and one figure, times a factor, of the systems of a shape
of(shape, figure, factor) = sprintf("< awk -F, '$1 ~ /^%s_/ && $2 == 1 && $3 == \"%s\" { split($1, n, \"_\"); ".\
    "print n[2], $4 * %g }' %s | sort -n", shape, figure, factor, csv)

set title 'seconds (cloth: full, block: dashed)'
set yrange [1e-4:1e2]
plot of('cloth', 'prepare_ms', 1e-3) with linespoints lt 1 pt 7 title 'make ready', \
     of('volume', 'prepare_ms', 1e-3) with linespoints lt 1 pt 6 dt 2 notitle, \
     of('cloth', 'frame_ms', 1e-3) with linespoints lt 2 pt 7 title 'ten iterations', \
     of('volume', 'frame_ms', 1e-3) with linespoints lt 2 pt 6 dt 2 notitle, \
     of('cloth', 'build_ms', 1e-3) with linespoints lt 3 pt 7 title 'build the scene', \
     of('volume', 'build_ms', 1e-3) with linespoints lt 3 pt 6 dt 2 notitle, \
     2e-6 * x with lines dt 3 lc 'grey' title 'in proportion'

set title 'memory of the process, MB'
set yrange [10:1e4]
plot of('cloth', 'process_mb', 1) with linespoints lt 4 pt 7 title 'cloth', \
     of('volume', 'process_mb', 1) with linespoints lt 4 pt 6 dt 2 title 'block', \
     4096 with lines dt 3 lc 'grey' title '4 GB'
