#include "dense.h"
#include "factor/cholesky.h"
#include "linear/iterative.h"
#include "tests.h"

enum { N = 50 };

typedef struct problem {
    tide_sparse matrix;
    double inverse_diagonal[N];
    uint32_t products;
} problem;

static void apply(void *context, const double *x, double *y)
{
    problem *p = context;
    p->products++;
    tide_sparse_multiply(&p->matrix, 1, x, y);
}

static void scale_by_diagonal(void *context, const double *x, double *y)
{
    const problem *p = context;
    for (int i = 0; i < N; i++)
        y[i] = p->inverse_diagonal[i] * x[i];
}

// The Laplacian of a path of N vertices with `ends` fixed ones, plus a diagonal that grows along it.
static problem path(double ends, double growth)
{
    problem p = { 0 };
    tide_triplets triplets = { 0 };
    tide_error error;
    for (uint32_t i = 0; i < N; i++) {
        tide_triplets_add(&triplets, i, i, (i == 0 || i == N - 1 ? 1 + ends : 2) + growth * i * i);
        if (i)
            tide_triplets_add(&triplets, i, i - 1, -1);
    }
    assert_ok(tide_sparse_from_triplets(&triplets, N, N, true, &p.matrix, &error), error);
    tide_triplets_free(&triplets);
    for (uint32_t i = 0; i < N; i++)
        p.inverse_diagonal[i] = 1 / tide_sparse_get(&p.matrix, i, i);
    return p;
}

static void fill(double *numbers, uint64_t seed)
{
    tide_random random = tide_random_seed(seed);
    for (int i = 0; i < N; i++)
        numbers[i] = test_uniform(&random, -1, 1);
}

static void test_conjugate_gradient_against_cholesky(void **state)
{
    (void)state;
    tide_error error;
    tide_cholesky *cholesky;
    assert_ok(tide_cholesky_create(&cholesky, &error), error);
    problem problems[] = { path(1, 0), path(1, 0.5), path(0, 0.01) };
    for (int k = 0; k < 3; k++) {
        double b[N], exact[N], x[N], work[4 * N];
        fill(b, (uint64_t)k);
        assert_ok(tide_cholesky_factor(cholesky, &problems[k].matrix, NULL, &error), error);
        assert_ok(tide_cholesky_solve(cholesky, 1, b, exact, &error), error);
        uint32_t iterations[2];
        for (int preconditioned = 0; preconditioned < 2; preconditioned++) {
            fill(x, 99); // not from 0
            tide_iterative_result result = tide_conjugate_gradient(apply, preconditioned ? scale_by_diagonal : NULL,
                                                                   &problems[k], N, b, x, 1e-13, 10000, work);
            assert_true(result.converged);
            assert_true(result.residual <= 1e-13 && result.iterations > 0);
            for (int i = 0; i < N; i++)
                assert_near(x[i], exact[i], 1e-10);
            iterations[preconditioned] = result.iterations;
        }
        if (k == 1) // a diagonal of 2 to 1202
            assert_true(iterations[1] < iterations[0]);
        tide_sparse_free(&problems[k].matrix);
    }
    tide_cholesky_destroy(cholesky);
}

static void test_conjugate_gradient_ends(void **state)
{
    (void)state;
    double b[N] = { 0 }, x[N], work[4 * N];
    problem p = path(1, 0);
    fill(x, 1);
    tide_iterative_result result = tide_conjugate_gradient(apply, NULL, &p, N, b, x, 1e-10, 100, work);
    assert_true(result.converged && result.iterations == 0 && result.residual == 0);
    for (int i = 0; i < N; i++)
        assert_true(x[i] == 0);

    fill(b, 2);
    result = tide_conjugate_gradient(apply, NULL, &p, N, b, x, 1e-10, 3, work);
    assert_true(!result.converged && result.iterations == 3 && result.residual > 1e-10);
    // The residual reported is that of x.
    double ax[N], difference = 0, length = 0;
    tide_sparse_multiply(&p.matrix, 1, x, ax);
    for (int i = 0; i < N; i++) {
        difference += (b[i] - ax[i]) * (b[i] - ax[i]);
        length += b[i] * b[i];
    }
    assert_near(result.residual, sqrt(difference / length), 1e-14);

    // More than doubles can give: it stops by itself, long before the limit, and says so.
    result = tide_conjugate_gradient(apply, NULL, &p, N, b, x, 1e-18, 1000000, work);
    assert_true(!result.converged && result.residual < 1e-13 && p.products < 5000);

    // An indefinite matrix.
    for (int32_t k = 0; k < p.matrix.column_start[N]; k++)
        p.matrix.value[k] = -p.matrix.value[k];
    result = tide_conjugate_gradient(apply, NULL, &p, N, b, x, 1e-10, 100, work);
    assert_false(result.converged);
    tide_sparse_free(&p.matrix);
}

static void test_largest_eigenvalue_of_a_path(void **state)
{
    (void)state;
    const double pi = 3.14159265358979323846;
    const double expected[] = { 2 - 2 * cos(pi * (N - 1) / N), 2 - 2 * cos(pi * N / (N + 1.0)) };
    for (int ends = 0; ends < 2; ends++) {
        problem p = path(ends, 0);
        double vector[N] = { 0 }, work[N], eigenvalue;
        tide_iterative_result result = tide_largest_eigenvalue(apply, &p, N, vector, 1e-14, 100000, &eigenvalue, work);
        assert_true(result.converged && result.residual <= 1e-14);
        assert_near(eigenvalue, expected[ends], 1e-9);
        double length = 0;
        tide_sparse_multiply(&p.matrix, 1, vector, work);
        for (int i = 0; i < N; i++) {
            length += vector[i] * vector[i];
            assert_near(work[i], eigenvalue * vector[i], 1e-4);
        }
        assert_near(length, 1, 1e-12);

        // From the eigenvector itself it is there at once.
        result = tide_largest_eigenvalue(apply, &p, N, vector, 1e-10, 100, &eigenvalue, work);
        assert_true(result.converged && result.iterations <= 3);
        assert_near(eigenvalue, expected[ends], 1e-9);
        result = tide_largest_eigenvalue(apply, &p, N, (double[N]) { 1 }, 1e-14, 4, &eigenvalue, work);
        assert_true(!result.converged && result.iterations == 4);
        tide_sparse_free(&p.matrix);
    }
}

static void test_largest_eigenvalue_by_magnitude(void **state)
{
    (void)state;
    problem p = path(1, 0);
    for (int32_t k = 0; k < p.matrix.column_start[N]; k++)
        p.matrix.value[k] = -p.matrix.value[k];
    double vector[N] = { 0 }, work[N], eigenvalue;
    assert_true(tide_largest_eigenvalue(apply, &p, N, vector, 1e-12, 100000, &eigenvalue, work).converged);
    assert_near(eigenvalue, -4, 0.01);
    for (int32_t k = 0; k < p.matrix.column_start[N]; k++)
        p.matrix.value[k] = 0;
    assert_true(tide_largest_eigenvalue(apply, &p, N, vector, 1e-12, 100, &eigenvalue, work).converged);
    assert_true(eigenvalue == 0);
    assert_true(tide_largest_eigenvalue(apply, &p, 0, vector, 1e-12, 100, &eigenvalue, work).converged);
    tide_sparse_free(&p.matrix);
}

static void exchange(void *context, const double *x, double *y)
{
    (void)context;
    y[0] = x[1];
    y[1] = x[0] + x[1];
}

// x'Ax is 0 for the start and for no other vector on the way.
static void test_largest_eigenvalue_from_an_unlucky_start(void **state)
{
    (void)state;
    double vector[2] = { 1, 0 }, work[2], eigenvalue;
    assert_true(tide_largest_eigenvalue(exchange, NULL, 2, vector, 1e-14, 1000, &eigenvalue, work).converged);
    assert_near(eigenvalue, (1 + sqrt(5)) / 2, 1e-12);
}

// If squares overflow or underflow, the residual is unknown: convergence is not claimed and x stays.
static void test_conjugate_gradient_beyond_the_range_of_squares(void **state)
{
    (void)state;
    problem p = path(1, 0.5);
    const double scales[] = { 1e200, 1e-200, NAN };
    for (int k = 0; k < 3; k++) {
        double b[N] = { 0 }, x[N] = { 0 }, work[4 * N];
        b[3] = scales[k];
        tide_iterative_result result = tide_conjugate_gradient(apply, NULL, &p, N, b, x, 1e-10, 1000, work);
        assert_false(result.converged);
        assert_true(isnan(result.residual));
        for (int i = 0; i < N; i++)
            assert_true(x[i] == 0);
    }
    tide_sparse_free(&p.matrix);
}

// The eigenvalues are (1 + sqrt 5) / 2 and (1 - sqrt 5) / 2: the second direction reveals the negative one.
static void test_conjugate_gradient_tells_of_negative_curvature(void **state)
{
    (void)state;
    double b[2] = { 0.1, 1 }, x[2] = { 0 }, work[8];
    tide_iterative_result result = tide_conjugate_gradient(exchange, NULL, NULL, 2, b, x, 1e-10, 10, work);
    assert_true(result.negative && !result.converged && result.iterations == 1);
    problem p = path(1, 0.5);
    double side[N] = { 1 }, solution[N] = { 0 }, room[4 * N];
    result = tide_conjugate_gradient(apply, NULL, &p, N, side, solution, 1e-10, 1000, room);
    assert_true(result.converged && !result.negative);
    tide_sparse_free(&p.matrix);
}

// A Laplacian makes a constant vector zero; that must not pass for its largest eigenvalue.
static void test_largest_eigenvalue_from_the_null_space(void **state)
{
    (void)state;
    problem p = path(0, 0);
    double vector[N], work[N], eigenvalue;
    for (int i = 0; i < N; i++)
        vector[i] = 1;
    tide_iterative_result result = tide_largest_eigenvalue(apply, &p, N, vector, 1e-14, 200000, &eigenvalue, work);
    assert_true(result.converged);
    assert_near(eigenvalue, 2 + 2 * cos(acos(-1) / N), 1e-6);
    tide_sparse_free(&p.matrix);
}

// A stop at a small change of the eigenvalue would mistake this for convergence.
enum { MANY = 2000 };

static void apply_path(void *context, const double *x, double *y)
{
    (void)context;
    for (uint32_t i = 0; i < MANY; i++)
        y[i] = 2 * x[i] - (i ? x[i - 1] : 0) - (i + 1 < MANY ? x[i + 1] : 0);
}

static void test_clustered_eigenvalues(void **state)
{
    (void)state;
    const double exact = 2 + 2 * cos(acos(-1) / (MANY + 1));
    const double tolerances[] = { 1e-2, 1e-3, 1e-4 };
    for (int t = 0; t < 3; t++) {
        double tolerance = tolerances[t];
        static double vector[MANY], work[2 * MANY];
        double eigenvalue, length = 0, residual = 0;
        memset(vector, 0, sizeof vector);
        tide_iterative_result result =
            tide_largest_eigenvalue_momentum(apply_path, NULL, MANY, vector, tolerance, 100000, &eigenvalue, work);
        assert_true(result.converged && result.iterations < 12 / sqrt(tolerance));
        assert_near(eigenvalue, exact, tolerance * exact);
        apply_path(NULL, vector, work);
        for (uint32_t i = 0; i < MANY; i++) {
            length += vector[i] * vector[i];
            residual += (work[i] - eigenvalue * vector[i]) * (work[i] - eigenvalue * vector[i]);
        }
        assert_near(length, 1, 1e-12);
        assert_near(result.residual, sqrt(residual) / eigenvalue, 1e-7);
        memset(vector, 0, sizeof vector);
        result = tide_largest_eigenvalue(apply_path, NULL, MANY, vector, tolerance, 100000, &eigenvalue, work);
        assert_true(result.converged);
        assert_near(eigenvalue, exact, tolerance * exact);
    }
}

// One eigenvalue a little above very many that are 1: for long nothing seems to change.
static void apply_outlier(void *context, const double *x, double *y)
{
    for (uint32_t i = 0; i < MANY; i++)
        y[i] = i == MANY / 3 ? *(double *)context * x[i] : x[i];
}

static void test_an_eigenvalue_that_hides(void **state)
{
    (void)state;
    const double outliers[] = { 1.5, 1.1, 1.01, 1.003, -1.1 };
    for (int k = 0; k < 5; k++) {
        static double vector[MANY], work[2 * MANY];
        double outlier = outliers[k], eigenvalue;
        memset(vector, 0, sizeof vector);
        tide_iterative_result result =
            tide_largest_eigenvalue_momentum(apply_outlier, &outlier, MANY, vector, 1e-3, 100000, &eigenvalue, work);
        assert_true(result.converged);
        assert_near(eigenvalue, outlier, 1e-3);
        assert_near(fabs(vector[MANY / 3]), 1, 0.05);
    }
}

static void test_momentum_ends(void **state)
{
    (void)state;
    double vector[N] = { 0 }, work[2 * N], eigenvalue;
    problem p = path(1, 0);
    tide_iterative_result result = tide_largest_eigenvalue_momentum(apply, &p, N, vector, 1e-4, 7, &eigenvalue, work);
    assert_true(!result.converged && result.iterations == 7 && eigenvalue > 2);
    for (int32_t k = 0; k < p.matrix.column_start[N]; k++)
        p.matrix.value[k] = -p.matrix.value[k];
    assert_true(tide_largest_eigenvalue_momentum(apply, &p, N, vector, 1e-4, 10000, &eigenvalue, work).converged);
    assert_near(eigenvalue, -2 - 2 * cos(acos(-1) / (N + 1)), 4e-4);
    for (int32_t k = 0; k < p.matrix.column_start[N]; k++)
        p.matrix.value[k] = 0;
    memset(vector, 0, sizeof vector);
    result = tide_largest_eigenvalue_momentum(apply, &p, N, vector, 1e-4, 100, &eigenvalue, work);
    assert_true(result.converged && eigenvalue == 0 && result.iterations == 1);
    assert_true(tide_largest_eigenvalue_momentum(apply, &p, 0, vector, 1e-4, 100, &eigenvalue, work).converged);
    p.matrix.value[0] = NAN;
    assert_false(tide_largest_eigenvalue_momentum(apply, &p, N, vector, 1e-4, 100, &eigenvalue, work).converged);
    tide_sparse_free(&p.matrix);

    p = path(0, 0); // a constant start is in the null space
    for (int i = 0; i < N; i++)
        vector[i] = 1;
    assert_true(tide_largest_eigenvalue_momentum(apply, &p, N, vector, 1e-4, 10000, &eigenvalue, work).converged);
    assert_near(eigenvalue, 2 + 2 * cos(acos(-1) / N), 4e-4);
    tide_sparse_free(&p.matrix);
}

// With eigenvalues 1 and -1 it finds neither and reports this.
static void swap(void *context, const double *x, double *y)
{
    (void)context;
    y[0] = x[1];
    y[1] = x[0];
}

static void test_opposite_eigenvalues(void **state)
{
    (void)state;
    double vector[2] = { 1, 0.5 }, work[4], eigenvalue;
    assert_false(tide_largest_eigenvalue_momentum(swap, NULL, 2, vector, 1e-3, 5000, &eigenvalue, work).converged);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_clustered_eigenvalues),
    cmocka_unit_test(test_an_eigenvalue_that_hides),
    cmocka_unit_test(test_momentum_ends),
    cmocka_unit_test(test_opposite_eigenvalues),
    cmocka_unit_test(test_largest_eigenvalue_from_the_null_space),
    cmocka_unit_test(test_conjugate_gradient_beyond_the_range_of_squares),
    cmocka_unit_test(test_conjugate_gradient_tells_of_negative_curvature),
    cmocka_unit_test(test_conjugate_gradient_against_cholesky),
    cmocka_unit_test(test_conjugate_gradient_ends),
    cmocka_unit_test(test_largest_eigenvalue_of_a_path),
    cmocka_unit_test(test_largest_eigenvalue_by_magnitude),
    cmocka_unit_test(test_largest_eigenvalue_from_an_unlucky_start),
};
TIDE_TEST_SUITE(linear_iterative, tests)
