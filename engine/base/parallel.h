// Parallel loops whose results do not depend on the number of threads.
//
// A loop over [0, count) is divided into chunks of `grain` items, for any number of threads. A body must write only to
// data of its own items. Sums are added chunk by chunk, in order. Loops of one chunk and nested loops run in the
// calling thread, and so does a loop while another thread's loop uses the helpers. A child of fork(2) starts helpers of
// its own; do not fork within a loop.
//
//     static void scale(void *context, uint32_t begin, uint32_t end)
//     {
//         for (uint32_t i = begin; i < end; i++)
//             ((double *)context)[i] *= 2;
//     }
//     tide_parallel_for(count, 4096, scale, values);
//
// Threads: any thread may call the loops. Nothing fails: without helper threads the calling thread does all the work.
#ifndef TIDE_BASE_PARALLEL_H
#define TIDE_BASE_PARALLEL_H

#include <stdint.h>

enum { TIDE_PARALLEL_MAX_CHUNKS = 1024 }; // for sums and largest terms; the grain is raised as needed

// Sets the number of threads, including the calling one, for later loops: 1 at first, at most 64; 0 or less means one
// for each processor.
void tide_set_threads(int threads);
int tide_threads(void);
// Returns seconds of computation: processor time of the program, which other programs do not affect; with several
// threads, the time of the clock.
double tide_computing_seconds(void);

void tide_parallel_for(uint32_t count, uint32_t grain, void (*body)(void *context, uint32_t begin, uint32_t end),
                       void *context);
double tide_parallel_sum(uint32_t count, uint32_t grain, double (*term)(void *context, uint32_t begin, uint32_t end),
                         void *context);
// Returns the largest term; 0 where none is above 0.
double tide_parallel_most(uint32_t count, uint32_t grain, double (*term)(void *context, uint32_t begin, uint32_t end),
                          void *context);

#endif
