// springtide-bench: what the scripts of tests/bench measure in C, as neither the program nor Lua reaches it.
//
// All print lines "FIGURE,UNIT,VALUE" on standard output, where a time is the least of several. A figure that is not
// measured is left out.
#ifndef TIDE_TESTS_BENCH_H
#define TIDE_TESTS_BENCH_H

#include "script/script.h"

void bench_print(const char *figure, const char *unit, double value); // nothing where the value is not finite

// A scene: building it, its frames, memory, reloading, and then bench_solve and bench_updates (scene.c).
typedef struct bench_plan {
    const char *scene;
    uint32_t frames, runs;
    tide_script_options options;
} bench_plan;
tide_status bench_scene(const bench_plan *plan, tide_error *error);

// The parts of a local/global iteration in the world's state, with CHOLMOD's solve beside the engine's (solve.c).
tide_status bench_solve(tide_world *world, uint32_t runs, tide_error *error);
// Measures the time from a change of the matrix to the next solve, including the trial of the factor (updates.c).
tide_status bench_updates(tide_world *world, uint32_t runs, tide_error *error);

// Broad phases on points at random, one a cubic metre, up to so many of them (broad_phase.c). Prints a CSV table:
// processor time, the least total of all runs.
tide_status bench_broad_phase(uint32_t runs, uint32_t most, tide_error *error);

// The functions of base/portable_functions.h beside the C library's (functions.c). Prints a CSV table: ns of a call.
void bench_functions(uint32_t runs);

#endif
