#include "base/parallel.h"

#include <omp.h>

static int thread_count = 1;

void tide_set_threads(int threads)
{
    thread_count = threads > 0 ? threads : omp_get_num_procs();
}

int tide_threads(void)
{
    return thread_count;
}

static uint32_t end_of_chunk(uint32_t begin, uint32_t grain, uint32_t count)
{
    return count - begin < grain ? count : begin + grain;
}

void tide_parallel_for(uint32_t count, uint32_t grain, void (*body)(void *, uint32_t, uint32_t), void *context)
{
    if (count <= grain || thread_count == 1 || omp_in_parallel()) {
        if (count)
            body(context, 0, count);
        return;
    }
    int64_t chunks = ((int64_t)count + grain - 1) / grain;
#pragma omp parallel for num_threads(thread_count) schedule(static)
    for (int64_t chunk = 0; chunk < chunks; chunk++) {
        uint32_t begin = (uint32_t)chunk * grain;
        body(context, begin, end_of_chunk(begin, grain, count));
    }
}

double tide_parallel_sum(uint32_t count, uint32_t grain, double (*body)(void *, uint32_t, uint32_t), void *context)
{
    double partial[TIDE_PARALLEL_MAX_CHUNKS];
    if (count / grain >= TIDE_PARALLEL_MAX_CHUNKS)
        grain = count / TIDE_PARALLEL_MAX_CHUNKS + 1;
    int64_t chunks = ((int64_t)count + grain - 1) / grain;
#pragma omp parallel for num_threads(thread_count) schedule(static) if (chunks > 1 && thread_count > 1)
    for (int64_t chunk = 0; chunk < chunks; chunk++) {
        uint32_t begin = (uint32_t)chunk * grain;
        partial[chunk] = body(context, begin, end_of_chunk(begin, grain, count));
    }
    double sum = 0;
    for (int64_t chunk = 0; chunk < chunks; chunk++)
        sum += partial[chunk];
    return sum;
}
