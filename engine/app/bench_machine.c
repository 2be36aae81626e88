// What the machine can do at best, and what memory a scene takes.
#define _POSIX_C_SOURCE 200809L
#include "app/bench.h"

#include "base/memory.h"
#include "linear/sweeps.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

enum { READ_REPETITIONS = 12 };

static double thread_seconds(void)
{
    struct timespec time;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

double tide_bench_read_speed(size_t bytes)
{
    const tide_sweeps *sweeps = tide_sweeps_choose(true, 0);
    size_t count = bytes / sizeof(float), rounds = ((size_t)64 << 20) / bytes + 1;
    float *values = tide_allocate_array(count, sizeof *values);
    if (!values)
        return NAN;
    for (size_t i = 0; i < count; i++)
        values[i] = 1; // zeros would be one page of memory
    double best = INFINITY, sum = 0;
    for (int i = 0; i < READ_REPETITIONS; i++) {
        double start = thread_seconds();
        for (size_t round = 0; round < rounds; round++)
            sum += sweeps->read(values, count);
        best = fmin(best, (thread_seconds() - start) / (double)rounds);
    }
    volatile double kept = sum; // or the compiler might leave the reading out
    (void)kept;
    tide_free(values);
    return (double)bytes / best;
}

double tide_bench_process_peak(void)
{
    char line[128];
    double kilobytes = NAN;
    FILE *file = fopen("/proc/self/status", "r");
    while (file && fgets(line, sizeof line, file))
        if (strncmp(line, "VmHWM:", 6) == 0)
            kilobytes = strtod(line + 6, NULL);
    if (file)
        fclose(file);
    return 1024 * kilobytes;
}

void tide_bench_reset_peak(void)
{
#ifdef __GLIBC__
    malloc_trim(0); // what was measured before is given back
#endif
    FILE *file = fopen("/proc/self/clear_refs", "w");
    if (file) {
        fputs("5", file);
        fclose(file);
    }
}
