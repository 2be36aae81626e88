// Conjugate gradients with multigrid against the factor's solutions.
#include "base/megabytes.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "base/random.h"
#include "factor/cholesky.h"
#include "failing.h"
#include "linear/coarsening.h"
#include "linear/multigrid.h"
#include "tests.h"

#include <math.h>
#include <string.h>

static void join(tide_triplets *triplets, uint32_t i, uint32_t j, double weight)
{
    tide_triplets_add(triplets, i, i, weight);
    tide_triplets_add(triplets, j, j, weight);
    tide_triplets_add(triplets, i > j ? i : j, i > j ? j : i, -weight);
}

// Masses, and springs of some stiffness along the edges and one diagonal of a grid; `across` times as stiff along y.
static tide_sparse grid(uint32_t nx, uint32_t ny, double mass, double stiffness, double across)
{
    tide_triplets triplets = { 0 };
    tide_sparse matrix = { 0 };
    tide_error error;
    tide_random random = tide_random_seed(nx);
    for (uint32_t y = 0; y < ny; y++)
        for (uint32_t x = 0; x < nx; x++) {
            uint32_t at = y * nx + x;
            tide_triplets_add(&triplets, at, at, mass);
            double weight = stiffness * (0.5 + tide_random_uniform(&random));
            if (x + 1 < nx)
                join(&triplets, at, at + 1, weight);
            if (y + 1 < ny)
                join(&triplets, at, at + nx, across * weight);
            if (x + 1 < nx && y + 1 < ny)
                join(&triplets, at, at + nx + 1, weight);
        }
    assert_ok(tide_sparse_from_triplets(&triplets, nx * ny, nx * ny, true, &matrix, &error), error);
    tide_triplets_free(&triplets);
    return matrix;
}

static double *right_hand_sides(uint32_t n)
{
    tide_random random = tide_random_seed(n);
    double *b = tide_allocate_array(n, 3 * sizeof *b);
    assert_non_null(b);
    for (size_t i = 0; i < 3 * (size_t)n; i++)
        b[i] = tide_random_uniform(&random) - (i % 3 == 0 ? 0 : 0.5);
    return b;
}

static double residual(const tide_sparse *a, const double *b, const double *x)
{
    size_t n = 3 * (size_t)a->rows;
    double *product = tide_allocate_array(n, sizeof *product), left = 0, whole = 0;
    assert_non_null(product);
    tide_sparse_multiply(a, 3, x, product);
    for (size_t i = 0; i < n; i++) {
        left += (b[i] - product[i]) * (b[i] - product[i]);
        whole += b[i] * b[i];
    }
    tide_free(product);
    return sqrt(left / whole);
}

static tide_multigrid *create(const tide_sparse *matrix)
{
    tide_multigrid *multigrid = NULL;
    tide_error error;
    uint32_t bad;
    assert_ok(tide_multigrid_create(&multigrid, matrix, &tide_cholesky_coarse, &bad, &error), error);
    return multigrid;
}

// The same few iterations however large the grid; without levels below it they would double with each doubling.
static void test_iterations_do_not_grow(void **state)
{
    (void)state;
    for (uint32_t n = 20; n <= 320; n *= 2) {
        tide_sparse matrix = grid(n, n, 1e-4, 50, 1);
        double *b = right_hand_sides(n * n), *x = tide_allocate_array(n * n, 3 * sizeof *x);
        tide_multigrid *multigrid = create(&matrix);
        assert_true(n < 40 || tide_multigrid_levels(multigrid) > 1);
        assert_true(n < 320 || tide_multigrid_levels(multigrid) > 2);
        uint64_t allocations = tide_memory_count().allocations;
        tide_iterative_result result = tide_multigrid_solve(multigrid, b, x, 1e-10, 100);
        assert_int_equal(tide_memory_count().allocations, allocations);
        assert_true(result.converged && result.iterations < 30);
        assert_near(residual(&matrix, b, x), 0, 1e-9);
        assert_true(tide_multigrid_bytes(multigrid) > 12 * sizeof(double) * n * n);
        tide_multigrid_destroy(multigrid);
        tide_sparse_free(&matrix);
        tide_free(b);
        tide_free(x);
    }
}

static void test_hard_matrices(void **state)
{
    (void)state;
    tide_sparse matrices[] = { grid(150, 90, 1e-6, 50, 1e-4), grid(150, 90, 1, 50, 1e5), grid(3000, 2, 1e-3, 1, 1),
                               grid(60, 60, 1e6, 1e-3, 1), grid(1, 1, 3, 1, 1) };
    for (size_t m = 0; m < sizeof matrices / sizeof *matrices; m++) {
        uint32_t n = matrices[m].rows;
        double *b = right_hand_sides(n), *x = tide_copy_bytes(b, 3 * n * sizeof *b);
        tide_multigrid *multigrid = create(&matrices[m]);
        assert_true(tide_multigrid_solve(multigrid, x, x, 1e-9, 1000).converged); // in place
        assert_near(residual(&matrices[m], b, x), 0, m == 0 ? 1e-7 : 1e-8); // rounding, of x that is large, for one
        tide_multigrid_destroy(multigrid);
        tide_sparse_free(&matrices[m]);
        tide_free(b);
        tide_free(x);
    }
}

static void test_threads_change_nothing(void **state)
{
    (void)state;
    static const int threads[] = { 1, 2, 3, 4, 8 };
    tide_sparse matrix = grid(150, 120, 1e-3, 50, 1);
    uint32_t n = matrix.rows;
    double *b = right_hand_sides(n), *x = tide_allocate_array(n, 3 * sizeof *x), *first = NULL;
    for (int t = 0; t < 5; t++) {
        tide_set_threads(threads[t]);
        tide_multigrid *multigrid = create(&matrix);
        for (int round = 0; round < 2; round++) { // what a solve leaves behind is nothing to the next
            tide_multigrid_solve(multigrid, b, x, 1e-6, 100);
            if (!first)
                first = tide_copy_bytes(x, 3 * n * sizeof *x);
            assert_memory_equal(x, first, 3 * n * sizeof *x);
        }
        tide_multigrid_destroy(multigrid);
    }
    tide_set_threads(1);
    tide_sparse_free(&matrix);
    tide_free(b);
    tide_free(x);
    tide_free(first);
}

static void test_odd_right_hand_sides(void **state)
{
    (void)state;
    static const double sizes[] = { 1e-300, 1e-160, 1, 1e160, 1e300 };
    tide_sparse matrix = grid(60, 60, 1e-2, 5, 1);
    uint32_t n = matrix.rows;
    double *b = right_hand_sides(n), *x = tide_allocate_array(n, 3 * sizeof *x);
    double *good = tide_allocate_array(n, 3 * sizeof *x);
    tide_multigrid *multigrid = create(&matrix);
    tide_multigrid_solve(multigrid, b, good, 1e-8, 100);
    for (int s = 0; s < 5; s++) {
        for (size_t i = 0; i < 3 * (size_t)n; i++)
            x[i] = sizes[s] * b[i];
        assert_true(tide_multigrid_solve(multigrid, x, x, 1e-8, 100).converged);
        for (size_t i = 0; i < 3 * (size_t)n; i += 97)
            assert_near(x[i] / sizes[s], good[i], 1e-6 * fabs(good[i]) + 1e-9);
    }
    memset(x, 0, 3 * n * sizeof *x);
    assert_true(tide_multigrid_solve(multigrid, x, x, 1e-8, 100).converged && x[5] == 0);
    b[7] = NAN;
    tide_iterative_result result = tide_multigrid_solve(multigrid, b, x, 1e-8, 100);
    assert_true(!result.converged && isnan(result.residual) && isnan(x[0]) && isnan(x[7]));
    tide_multigrid_destroy(multigrid);
    tide_sparse_free(&matrix);
    tide_free(b);
    tide_free(x);
    tide_free(good);
}

static void test_not_positive_definite(void **state)
{
    (void)state;
    tide_error error;
    tide_multigrid *multigrid = NULL;
    uint32_t bad = 0;
    tide_sparse matrix = grid(60, 60, 1e-2, 5, 1);
    matrix.value[matrix.column_start[77]] = -1;
    assert_fails(tide_multigrid_create(&multigrid, &matrix, &tide_cholesky_coarse, &bad, &error), error,
                 "not positive definite");
    assert_int_equal(bad, 77);
    assert_null(multigrid);
    matrix.value[matrix.column_start[77]] = 1e-3; // positive, but less than its row
    double *b = right_hand_sides(matrix.rows);
    if (tide_multigrid_create(&multigrid, &matrix, &tide_cholesky_coarse, &bad, &error) == TIDE_OK) {
        assert_true(isnan(tide_multigrid_solve(multigrid, b, b, 1e-10, 1000).residual));
        tide_multigrid_destroy(multigrid);
    } else
        assert_int_equal(bad, matrix.rows);
    tide_sparse_free(&matrix);
    tide_free(b);
}

// Galerkin's coarse matrix P' A P, entry by entry, and that P reproduces constants where there are no masses.
static void test_coarse_matrix(void **state)
{
    (void)state;
    tide_sparse matrix = grid(17, 13, 0, 5, 1);
    uint32_t n = matrix.rows;
    tide_rows a, p, r, product, coarse;
    assert_true(tide_rows_from_symmetric(&matrix, &a) && tide_coarsen(&a, 0.08, 2.0 / 3, &p));
    assert_true(tide_rows_transpose(&p, &r) && tide_rows_multiply(&a, &p, &product));
    assert_true(tide_rows_multiply(&r, &product, &coarse));
    uint32_t m = coarse.count;
    assert_true(m > 4 && m < n / 3);
    double *dense = tide_allocate_zeroed((size_t)n * m, sizeof *dense), *sums = tide_allocate_zeroed(m, sizeof *sums);
    for (uint32_t i = 0; i < n; i++) {
        double sum = 0;
        for (size_t k = p.start[i]; k < p.start[i + 1]; k++) {
            dense[i * m + p.column[k]] += p.value[k];
            sum += p.value[k];
        }
        assert_near(sum, 1, 1e-12);
    }
    for (uint32_t i = 0; i < m; i++) {
        memset(sums, 0, m * sizeof *sums);
        for (size_t k = coarse.start[i]; k < coarse.start[i + 1]; k++)
            sums[coarse.column[k]] += coarse.value[k];
        for (uint32_t j = 0; j < m; j++) {
            double expected = 0;
            for (uint32_t c = 0; c < n; c++)
                for (int32_t k = matrix.column_start[c]; k < matrix.column_start[c + 1]; k++) {
                    uint32_t row = (uint32_t)matrix.row[k];
                    expected += dense[row * m + i] * matrix.value[k] * dense[c * m + j];
                    if (row != c)
                        expected += dense[c * m + i] * matrix.value[k] * dense[row * m + j];
                }
            assert_near(sums[j], expected, 1e-10);
        }
    }
    tide_free(dense);
    tide_free(sums);
    tide_rows_free(&a);
    tide_rows_free(&p);
    tide_rows_free(&r);
    tide_rows_free(&product);
    tide_rows_free(&coarse);
    tide_sparse_free(&matrix);
}

// A factor that is not allowed so much memory gives way to iterating, and says so.
static void test_memory_limit(void **state)
{
    (void)state;
    tide_error error;
    tide_sparse matrix = grid(100, 100, 1e-3, 50, 1);
    uint32_t n = matrix.rows;
    double *b = right_hand_sides(n), *x = tide_allocate_array(n, 3 * sizeof *x);
    for (int way = TIDE_CHOLESKY_FAST; way <= TIDE_CHOLESKY_ITERATIVE; way++)
        for (int small = 0; small < 2; small++) {
            tide_cholesky *cholesky = NULL;
            assert_ok(tide_cholesky_create(&cholesky, &error), error);
            tide_cholesky_choose(cholesky, (tide_solve_method)way, 0);
            tide_cholesky_allow(cholesky, small ? 1 << 20 : tide_megabytes(TIDE_CHOLESKY_MEGABYTES));
            assert_ok(tide_cholesky_factor(cholesky, &matrix, NULL, &error), error);
            assert_ok(tide_cholesky_solve(cholesky, 3, b, x, &error), error);
            tide_cholesky_info info = tide_cholesky_describe(cholesky);
            bool iterates = small || way == TIDE_CHOLESKY_ITERATIVE;
            assert_int_equal(info.method == TIDE_CHOLESKY_ITERATIVE, iterates);
            assert_int_equal(info.iterations > 0, iterates);
            assert_true(way == TIDE_CHOLESKY_ITERATIVE || info.predicted_bytes > 1 << 20);
            assert_true(iterates || info.predicted_bytes > (double)info.panel_bytes);
            assert_true(!info.unsettled && (tide_cholesky_read(cholesky) == 0) == iterates);
            // Single precision leaves up to its rounding times the condition: 6e-8 * 400 / 1e-3.
            double limit = !iterates ? 2.4e-2 : way == TIDE_CHOLESKY_DOUBLE ? 1.1e-10 : 1.1e-5;
            double left = residual(&matrix, b, x);
            if (!(left < limit))
                fail_msg("way %d, small %d: a residual of %g is left, more than %g", way, small, left, limit);
            b[4] = NAN;
            assert_ok(tide_cholesky_solve(cholesky, 3, b, x, &error), error);
            b[4] = 1;
            tide_cholesky_destroy(cholesky);
        }
    tide_sparse_free(&matrix);
    tide_free(b);
    tide_free(x);
}

static tide_status whole_life(void *context, tide_error *error)
{
    tide_multigrid *multigrid = NULL;
    uint32_t bad;
    tide_status status = tide_multigrid_create(&multigrid, context, &tide_cholesky_coarse, &bad, error);
    tide_multigrid_destroy(multigrid);
    return status;
}

static void test_out_of_memory(void **state)
{
    (void)state;
    tide_sparse matrix = grid(70, 70, 0.1, 5, 1);
    assert_true(fail_each_allocation(whole_life, &matrix) > 30);
    tide_sparse_free(&matrix);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_iterations_do_not_grow), cmocka_unit_test(test_hard_matrices),
    cmocka_unit_test(test_threads_change_nothing), cmocka_unit_test(test_odd_right_hand_sides),
    cmocka_unit_test(test_not_positive_definite),  cmocka_unit_test(test_coarse_matrix),
    cmocka_unit_test(test_memory_limit),           cmocka_unit_test(test_out_of_memory),
};
TIDE_TEST_SUITE(linear_multigrid, tests)
