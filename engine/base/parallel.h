// Parallel loops whose results do not depend on the number of threads.
//
// A loop over [0, count) is cut into chunks of `grain` items, whatever the number of threads; a body must write only
// what its own items own. Sums are added chunk by chunk in order. Loops of one chunk, and loops within loops, run in
// the calling thread, and so does a loop while another thread's loop has the helpers. A child of fork(2) starts helpers
// of its own; do not fork within a loop.
#ifndef TIDE_BASE_PARALLEL_H
#define TIDE_BASE_PARALLEL_H

#include <stdint.h>

enum { TIDE_PARALLEL_MAX_CHUNKS = 1024 }; // of a sum; its grain is raised as needed

// How many threads, with the calling one, later loops may use: 1 at first, 64 at most; 0 or less means as many as there
// are processors.
void tide_set_threads(int threads);
int tide_threads(void);

void tide_parallel_for(uint32_t count, uint32_t grain, void (*body)(void *context, uint32_t begin, uint32_t end),
                       void *context);
double tide_parallel_sum(uint32_t count, uint32_t grain, double (*body)(void *context, uint32_t begin, uint32_t end),
                         void *context);

#endif
