// Clocks, to measure durations. A simulation's state never depends on them.
//
//     double start = tide_clock_seconds();
//     tide_status status = tide_world_step(world, &error);
//     double seconds = tide_clock_seconds() - start;
//
// Units: s. Threads: any. Nothing fails.
#ifndef TIDE_BASE_CLOCK_H
#define TIDE_BASE_CLOCK_H

double tide_clock_seconds(void);     // of a clock that never goes back
double tide_processor_seconds(void); // processor time of all threads of the program

#endif
