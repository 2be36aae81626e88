// The elementary functions of the portable mode beside those of the C library.
#include "bench/bench.h"

#include "base/portable_functions.h"
#include "base/random.h"

#include <math.h>
#include <stdio.h>
#include <time.h>

enum { ARGUMENTS = 1024, ROUNDS = 200 };

typedef struct pair {
    const char *name;
    double (*own)(double), (*library)(double);
    double (*own_of_two)(double, double), (*library_of_two)(double, double);
} pair;

static const pair functions[] = {
    { "exp", tide_portable_exp, exp, NULL, NULL },       { "log", tide_portable_log, log, NULL, NULL },
    { "log1p", tide_portable_log1p, log1p, NULL, NULL }, { "expm1", tide_portable_expm1, expm1, NULL, NULL },
    { "sin", tide_portable_sin, sin, NULL, NULL },       { "cos", tide_portable_cos, cos, NULL, NULL },
    { "tan", tide_portable_tan, tan, NULL, NULL },       { "atan", tide_portable_atan, atan, NULL, NULL },
    { "cbrt", tide_portable_cbrt, cbrt, NULL, NULL },    { "pow", NULL, NULL, tide_portable_pow, pow },
    { "atan2", NULL, NULL, tide_portable_atan2, atan2 }, { "hypot", NULL, NULL, tide_portable_hypot, hypot },
};

static double nanoseconds(double (*of_one)(double), double (*of_two)(double, double), const double *x, uint32_t runs)
{
    double best = INFINITY, sum = 0;
    for (uint32_t run = 0; run < runs; run++) {
        clock_t start = clock();
        for (int round = 0; round < ROUNDS; round++)
            for (int i = 0; i < ARGUMENTS; i++)
                sum += of_one ? of_one(x[i]) : of_two(x[i], x[(5 * i + 1) % ARGUMENTS]);
        best = fmin(best, 1e9 * (double)(clock() - start) / CLOCKS_PER_SEC / ROUNDS / ARGUMENTS);
    }
    volatile double kept = sum; // keeps the compiler from leaving the calls out
    (void)kept;
    return best;
}

void bench_functions(uint32_t runs)
{
    double x[ARGUMENTS];
    tide_random random = tide_random_seed(1);
    for (int i = 0; i < ARGUMENTS; i++)
        x[i] = 0.05 + 3 * tide_random_uniform(&random);
    printf("function,portable_ns,library_ns\n");
    for (size_t f = 0; f < sizeof functions / sizeof *functions; f++)
        printf("%s,%.4g,%.4g\n", functions[f].name, nanoseconds(functions[f].own, functions[f].own_of_two, x, runs),
               nanoseconds(functions[f].library, functions[f].library_of_two, x, runs));
}
