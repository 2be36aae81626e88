// The measurements of `springtide bench`: the seconds of each phase of a step (bench_run.c). The command prints them as
// a table (bench.c).
//
// Results of different machines, or of one machine at different times, are compared by their ratio to a reference: a
// fixed piece of work, done before each run.
#ifndef TIDE_APP_BENCH_H
#define TIDE_APP_BENCH_H

#include "session/run_options.h"

enum { TIDE_BENCH_REFERENCE_COUNT = 1 << 23 }; // numbers that the reference processes, 64 MB

// The runs of a scene: `warm_up` frames that do not count, then `frames` frames, `runs` times.
typedef struct tide_bench_options {
    tide_scene_options scene;
    tide_solver_list solvers; // the last one replaces the scene's own
    uint64_t frames, warm_up, runs, threads;
    const char *csv, *markdown; // files to write; NULL: none
} tide_bench_options;

// Times are in seconds. Times per frame are means over the frames of the fastest run (wall clock).
typedef struct tide_bench_result {
    char scene[64], solver[64]; // scene: the file name without folder and extension
    double vertices, springs;
    double timestep;
    double iterations;      // per frame
    double iteration;       // local and global step of one iteration; NAN: the solver has no iterations
    double local, global;   // per frame
    double detect, respond; // of contact, per frame
    double frame, median;   // a step without the script's `update`; median: of the median run
    double processor;       // processor time per frame, all threads together; least of all runs
    double draw;            // processor time of a software-rendered picture of 1280 x 720; least of all runs
    double prefactor; // ordering and factoring the initial system; least of all runs; NAN: the solver has no factor
    double reference; // least of all runs
    double ratio;     // frame / reference
} tide_bench_result;

// Opens the scene at options->scene.path and measures it. *refused: it failed because of a setting or a solver of the
// options.
tide_status tide_bench_measure(const tide_bench_options *options, tide_bench_result *result, bool *refused,
                               tide_error *error);

#endif
