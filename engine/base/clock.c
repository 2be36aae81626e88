#define _POSIX_C_SOURCE 200809L
#include "base/clock.h"

#include <time.h>

static double read_clock(clockid_t clock)
{
    struct timespec now;
    if (clock_gettime(clock, &now) != 0) // browsers do not tell the processor's time
        clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

double tide_clock_seconds(void)
{
    return read_clock(CLOCK_MONOTONIC);
}

double tide_processor_seconds(void)
{
    return read_clock(CLOCK_PROCESS_CPUTIME_ID);
}
