// The kernels of factoring, in every width, against plain loops.
#include "base/random.h"
#include "factor/dense_kernel.h"
#include "tests.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

static const int widths[] = { 128, 256, 512, 0 };
enum { WIDTHS = sizeof widths / sizeof widths[0], MOST = 48, ROOM = MOST + 16 };

static void fill(tide_random *random, double *numbers, size_t count)
{
    for (size_t i = 0; i < count; i++)
        numbers[i] = tide_random_uniform(random) - 0.5;
}

static void test_products(void **state)
{
    (void)state;
    static double a[ROOM * ROOM], b[ROOM * ROOM], c[ROOM * ROOM], before[ROOM * ROOM], packed[ROOM * ROOM];
    tide_random random = tide_random_seed(5);
    for (int w = 0; w < WIDTHS; w++)
        for (int round = 0; round < 300; round++) {
            const tide_dense_kernel *kernel = tide_dense_kernel_choose(widths[w]);
            uint32_t m = 1 + tide_random_next(&random) % MOST, n = 8 * (1 + tide_random_next(&random) % (MOST / 8));
            uint32_t k = 1 + tide_random_next(&random) % MOST, used = n - tide_random_next(&random) % 8;
            fill(&random, a, sizeof a / sizeof *a);
            fill(&random, b, sizeof b / sizeof *b);
            fill(&random, c, sizeof c / sizeof *c);
            memcpy(before, c, sizeof c);
            kernel->pack(used, k, b, ROOM, packed);
            kernel->multiply(m, n, k, a, ROOM, packed, c, ROOM);
            for (uint32_t i = 0; i < ROOM; i++)
                for (uint32_t j = 0; j < ROOM; j++) {
                    double expected = before[i * ROOM + j];
                    for (uint32_t p = 0; p < k && i < m && j < used; p++)
                        expected -= a[i * ROOM + p] * b[j * ROOM + p];
                    bool room = i >= m && i < (m + 3) / 4 * 4 && j < n; // may be written to
                    assert_true(room || fabs(c[i * ROOM + j] - expected) < 1e-13);
                }
        }
}

// D^-1 A D^-T = 1 for D D' = A.
static void test_inverse_factors(void **state)
{
    (void)state;
    enum { N = TIDE_DENSE_BLOCK };
    tide_random random = tide_random_seed(6);
    for (int w = 0; w < WIDTHS; w++)
        for (uint32_t n = 1; n <= N; n++) {
            double d[N][N] = { 0 }, a[N][N] = { 0 }, least[N] = { 0 };
            tide_dense_block inverse;
            for (uint32_t i = 0; i < n; i++)
                for (uint32_t j = 0; j <= i; j++)
                    d[i][j] = tide_random_uniform(&random) - 0.5 + (i == j ? 2 : 0);
            for (uint32_t i = 0; i < n; i++)
                for (uint32_t j = 0; j < n; j++)
                    for (uint32_t p = 0; p < n; p++)
                        a[i][j] += j <= i ? d[i][p] * d[j][p] : 0; // of the upper triangle nothing is read
            const tide_dense_kernel *kernel = tide_dense_kernel_choose(widths[w]);
            assert_int_equal(kernel->factor(n, a[0], N, least, inverse), n);
            for (uint32_t i = 0; i < N; i++)
                for (uint32_t j = 0; j < N; j++) {
                    double one = 0;
                    for (uint32_t p = 0; p < N; p++)
                        one += inverse[i][p] * d[p][j];
                    assert_near(one, i == j && i < n ? 1 : 0, 1e-11);
                }
            least[n / 2] = 1e3; // the pivot is not above it
            assert_int_equal(kernel->factor(n, a[0], N, least, inverse), n / 2);
            least[n / 2] = 0;
            a[n - 1][n - 1] = NAN;
            assert_int_equal(kernel->factor(n, a[0], N, least, inverse), n - 1);
        }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_products),
    cmocka_unit_test(test_inverse_factors),
};
TIDE_TEST_SUITE(factor_dense_kernel, tests)
