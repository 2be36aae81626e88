#define _POSIX_C_SOURCE 200809L
#include "bench/bench.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "factor/sweeps.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MOST_SETTINGS = 32 };

static const char usage[] = "springtide-bench machine\n"
                            "springtide-bench scene SCENE.lua FRAMES RUNS THREADS [NAME=VALUE ...]\n"
                            "springtide-bench broad_phase RUNS POINTS\n"
                            "springtide-bench functions RUNS\n"
                            "tests/bench/run.sh calls it.\n";

void bench_print(const char *figure, const char *unit, double value)
{
    if (isfinite(value))
        printf("%s,%s,%.9g\n", figure, unit, value);
}

// --- the machine -----------------------------------------------------------------------------------------------------

// Bytes a second that one thread reads of an array, again and again, as solves read a factor.
static double read_speed(size_t bytes)
{
    enum { REPETITIONS = 12 };
    const tide_sweeps *sweeps = tide_sweeps_choose(true, 0);
    size_t count = bytes / sizeof(float), rounds = ((size_t)64 << 20) / bytes + 1;
    float *values = tide_allocate_array(count, sizeof *values);
    if (!values)
        return NAN;
    for (size_t i = 0; i < count; i++)
        values[i] = 1; // zeros would all share one page of memory
    double best = INFINITY, sum = 0;
    for (int i = 0; i < REPETITIONS; i++) {
        clock_t start = clock();
        for (size_t round = 0; round < rounds; round++)
            sum += sweeps->read(values, count);
        best = fmin(best, (double)(clock() - start) / CLOCKS_PER_SEC / (double)rounds);
    }
    volatile double kept = sum; // keeps the compiler from leaving the reading out
    (void)kept;
    tide_free(values);
    return (double)bytes / best;
}

static void bench_machine(void)
{
    bench_print("read_cache_gb_s", "GB/s", 1e-9 * read_speed((size_t)512 << 10));
    bench_print("read_memory_gb_s", "GB/s", 1e-9 * read_speed((size_t)256 << 20));
}

// --- the command line ------------------------------------------------------------------------------------------------

// A whole number from 1 to `most`, or 0.
static uint32_t read_number(const char *text, unsigned long most)
{
    char *end;
    unsigned long number = strtoul(text, &end, 10);
    return *end || end == text || *text == '-' || number > most ? 0 : (uint32_t)number;
}

// words: SCENE.lua FRAMES RUNS THREADS [NAME=VALUE ...]
static int run_scene(int count, char **words, tide_error *error)
{
    tide_setting settings[MOST_SETTINGS];
    bench_plan plan = { .scene = words[0],
                        .frames = read_number(words[1], 1000000),
                        .runs = read_number(words[2], 1000),
                        .options = { .settings = settings } };
    uint32_t threads = read_number(words[3], 256);
    if (!plan.frames || !plan.runs || !threads || count - 4 > MOST_SETTINGS)
        return 2;
    for (int i = 4; i < count; i++) {
        char *equals = strchr(words[i], '=');
        if (!equals)
            return 2;
        *equals = '\0';
        settings[plan.options.setting_count++] = (tide_setting) { .name = words[i], .value = equals + 1 };
    }
    tide_set_threads((int)threads);
    return bench_scene(&plan, error) != TIDE_OK;
}

static int run(int count, char **words, tide_error *error)
{
    if (count == 1 && strcmp(words[0], "machine") == 0)
        bench_machine();
    else if (count == 3 && strcmp(words[0], "broad_phase") == 0) {
        uint32_t runs = read_number(words[1], 1000), most = read_number(words[2], 1000000);
        return runs && most ? bench_broad_phase(runs, most, error) != TIDE_OK : 2;
    } else if (count == 2 && strcmp(words[0], "functions") == 0) {
        uint32_t runs = read_number(words[1], 1000);
        if (!runs)
            return 2;
        bench_functions(runs);
    } else if (count >= 5 && strcmp(words[0], "scene") == 0)
        return run_scene(count - 1, words + 1, error);
    else
        return 2;
    return 0;
}

int main(int count, char **words)
{
    tide_error error;
    char text[1200];
    int status = run(count - 1, words + 1, &error);
    if (status == 2)
        fputs(usage, stderr);
    else if (status)
        fprintf(stderr, "springtide-bench: %s\n", tide_error_text(&error, text, sizeof text));
    return status;
}
