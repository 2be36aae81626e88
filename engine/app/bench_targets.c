// What the program is held to, beside what was measured: ratios within one run.
#include "app/bench.h"

#include <math.h>

static const struct target {
    const char *scene, *what, *figure;
    double most;
    int threads;
} targets[] = {
    { "curtain", "solve, of CHOLMOD's", "solve_of_cholmod", 0.28, 1 },
    { "hippo", "solve, of CHOLMOD's", "solve_of_cholmod", 0.35, 1 },
    { "frog", "solve, of CHOLMOD's", "solve_of_cholmod", 0.30, 1 },
    { "dog", "solve, of CHOLMOD's", "solve_of_cholmod", 0.30, 1 },
    { "curtain", "solve, of CHOLMOD's on one", "solve_of_cholmod", 0.18, 2 },
    { "dog", "solve, of CHOLMOD's on one", "solve_of_cholmod", 0.18, 2 },
    { "curtain", "solve, of reading the factor twice", "solve_of_stream", 1.5, 1 },
    { "dog", "solve, of reading the factor twice", "solve_of_stream", 1.5, 1 },
    { "curtain", "local step, of the solve", "local_of_solve", 0.35, 1 },
    { "hippo", "local step, of the solve", "local_of_solve", 0.35, 1 },
    { "frog", "local step, of the solve", "local_of_solve", 0.35, 1 },
    { "dog", "local step, of the solve", "local_of_solve", 0.35, 1 },
    { "curtain", "iteration, of CHOLMOD's solve on one", "iteration_of_cholmod", 0.25, 2 },
    { "curtain", "time to error 1e-2, of CHOLMOD's", "time_to_1e-2_of_cholmod", 0.1, 1 },
    { "hippo", "time to error 1e-2, of CHOLMOD's", "time_to_1e-2_of_cholmod", 0.1, 1 },
    // 16.7 ms where CHOLMOD's solve takes 2.7 ms
    { "dog", "frame, of CHOLMOD's solve on one", "frame_of_cholmod", 16.7 / 2.7, 2 },
    { "dog", "memory of the process, MB", "process_mb", 200, 1 },
    { "curtain", "reload without a change, ms", "reload_ms", 50, 1 },
    { "brush", "collision, ms", "collision_ms", 0.99, 1 },
    { "dress", "collision, ms", "collision_ms", 48, 1 },
    { "cloth_1000000", "memory of the process, MB", "process_mb", 4096, 1 },
};

void tide_bench_add_targets(tide_bench_report *report)
{
    static const char *const columns[] = { "scene", "threads", "held_to", "at_most", "measured", "met" };
    tide_bench_table *table =
        tide_bench_report_table(report, "what the program is held to:", columns, sizeof columns / sizeof *columns);
    for (size_t i = 0; i < sizeof targets / sizeof *targets; i++) {
        const struct target *t = &targets[i];
        double value = tide_bench_figure_find(&report->figures, t->scene, t->threads, t->figure);
        if (isnan(value))
            continue;
        tide_bench_text(table, t->scene);
        tide_bench_count(table, (uint64_t)t->threads);
        tide_bench_text(table, t->what);
        tide_bench_value(table, t->most);
        tide_bench_value(table, value);
        tide_bench_text(table, value <= t->most ? "yes" : "no");
    }
}
