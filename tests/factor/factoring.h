// Shared by tests of factors: matrices and solves with a number of right-hand sides.
#ifndef TIDE_TESTS_FACTORING_H
#define TIDE_TESTS_FACTORING_H

#include "base/memory.h"
#include "base/random.h"
#include "factor/cholesky.h"
#include "tests.h"

#include <math.h>

static const int widths[] = { 128, 256, 512, 0 };
enum { WIDTHS = sizeof widths / sizeof widths[0] };

static inline double uniform(tide_random *random, double low, double high)
{
    return low + (high - low) * tide_random_uniform(random);
}

static inline tide_cholesky *create(uint32_t sides, tide_solve_method method, int bits)
{
    tide_cholesky *cholesky = NULL;
    tide_error error;
    assert_ok(tide_cholesky_create(&cholesky, &error), error);
    tide_cholesky_choose(cholesky, method, bits);
    tide_cholesky_expect(cholesky, sides);
    return cholesky;
}

static inline void factor(tide_cholesky *cholesky, const tide_sparse *matrix)
{
    tide_error error;
    assert_ok(tide_cholesky_factor(cholesky, matrix, NULL, &error), error);
}

static inline void solve(uint32_t sides, tide_cholesky *cholesky, const double *b, double *x)
{
    tide_error error;
    assert_ok(tide_cholesky_solve(cholesky, sides, b, x, &error), error);
}

static inline tide_sparse finish(tide_triplets *triplets, uint32_t n)
{
    tide_sparse matrix = { 0 };
    tide_error error;
    assert_ok(tide_sparse_from_triplets(triplets, n, n, true, &matrix, &error), error);
    tide_triplets_free(triplets);
    return matrix;
}

static inline double *right_hand_sides(uint32_t n, uint32_t sides)
{
    tide_random random = tide_random_seed(n + 17);
    double *b = tide_allocate_array(n, sides * sizeof *b);
    assert_non_null(b);
    for (size_t i = 0; i < sides * (size_t)n; i++)
        b[i] = uniform(&random, -1, 1.5);
    return b;
}

// |a - b| / |b|, the worst of the right-hand sides.
static inline double distance(uint32_t sides, uint32_t n, const double *a, const double *b)
{
    double worst = 0;
    for (uint32_t e = 0; e < sides; e++) {
        double wrong = 0, all = 0;
        for (size_t i = e; i < sides * (size_t)n; i += sides) {
            wrong += (a[i] - b[i]) * (a[i] - b[i]);
            all += b[i] * b[i];
        }
        double one = sqrt(wrong / all);
        worst = isnan(worst) || worst > one ? worst : one;
    }
    return worst;
}

#endif
