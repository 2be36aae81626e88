// What `springtide bench` measures of a scene: the seconds of each phase of a step (bench_run.c). The command prints
// them as a table (bench.c).
//
// Machines, and one machine at two times, are compared by the ratio to a reference: a fixed piece of work that is done
// before each run.
#ifndef TIDE_APP_BENCH_H
#define TIDE_APP_BENCH_H

#include "app/command_line.h"

enum { TIDE_BENCH_REFERENCE_COUNT = 1 << 23 }; // numbers of the reference, 64 MB

// How often a scene is run: `warm_up` frames that do not count, then `runs` times the same `frames`.
typedef struct tide_bench_plan {
    uint64_t frames, warm_up, runs;
} tide_bench_plan;

// Times are in seconds. Those of a frame are means over the frames of the run with the least time by the clock.
typedef struct tide_bench_result {
    char scene[64], solver[64]; // scene: the file's name without folder and ending
    double vertices, springs;
    double timestep;
    double iterations;      // a frame
    double iteration;       // local and global step of one iteration; NAN: the solver has no iterations
    double local, global;   // a frame
    double detect, respond; // a frame, of contact
    double frame, median;   // a step without the script's `update`; median: that of the median run
    double processor;       // a frame, of all threads together; the least of all runs
    double draw;            // processor time of a picture of 1280 x 720 by the software renderer; the least
    double prefactor;       // ordering and factoring the system at the start, the least; NAN: the solver has no factor
    double reference;       // the least
    double ratio;           // frame / reference
} tide_bench_result;

// Opens the scene as the command line says and measures it. *refused: a setting or solver of the command line is at
// fault for the failure.
tide_status tide_bench_measure(const tide_arguments *arguments, const char *path, const tide_bench_plan *plan,
                               tide_bench_result *result, bool *refused, tide_error *error);

#endif
