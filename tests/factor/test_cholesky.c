#include "../linear/dense.h"
#include "../linear/failing.h"
#include "factor/cholesky.h"

enum { LARGEST = 60 };

static tide_cholesky *create(void)
{
    tide_cholesky *cholesky = NULL;
    tide_error error;
    assert_ok(tide_cholesky_create(&cholesky, &error), error);
    return cholesky;
}

static tide_sparse finish(tide_triplets *triplets, uint32_t n)
{
    tide_sparse matrix = { 0 };
    tide_error error;
    assert_ok(tide_sparse_from_triplets(triplets, n, n, true, &matrix, &error), error);
    tide_triplets_free(triplets);
    return matrix;
}

// A random graph's Laplacian with random weights, plus a positive diagonal.
static tide_sparse random_matrix(tide_random *random, uint32_t n, double diagonal)
{
    tide_triplets triplets = { 0 };
    for (uint32_t i = 0; i < n; i++)
        tide_triplets_add(&triplets, i, i, diagonal);
    for (uint32_t e = 0; e < 3 * n; e++) {
        uint32_t i = tide_random_next(random) % n, j = tide_random_next(random) % n;
        double weight = test_uniform(random, 0.1, 10);
        if (i == j)
            continue;
        tide_triplets_add(&triplets, i, i, weight);
        tide_triplets_add(&triplets, j, j, weight);
        tide_triplets_add(&triplets, i, j, -weight);
        tide_triplets_add(&triplets, j, i, -weight);
    }
    return finish(&triplets, n);
}

// B' B + I of a random sparse B: positive definite with entries of either sign.
static tide_sparse random_product(tide_random *random, uint32_t n)
{
    tide_triplets triplets = { 0 };
    for (uint32_t i = 0; i < n; i++)
        tide_triplets_add(&triplets, i, i, 1);
    for (uint32_t r = 0; r < n; r++) {
        uint32_t place[3];
        double value[3];
        for (int k = 0; k < 3; k++) {
            place[k] = tide_random_next(random) % n;
            value[k] = test_uniform(random, -2, 2);
        }
        for (int a = 0; a < 3; a++)
            for (int b = 0; b < 3; b++)
                tide_triplets_add(&triplets, place[a], place[b], value[a] * value[b]);
    }
    return finish(&triplets, n);
}

static void check_solves(tide_cholesky *cholesky, const tide_sparse *matrix, tide_random *random)
{
    tide_error error;
    uint32_t n = matrix->rows;
    double dense[LARGEST * LARGEST], b[5 * LARGEST], x[5 * LARGEST], column[LARGEST];
    assert_ok(tide_cholesky_factor(cholesky, matrix, NULL, &error), error);
    for (uint32_t width = 1; width <= 5; width++) {
        for (uint32_t i = 0; i < width * n; i++)
            b[i] = test_uniform(random, -1, 1);
        assert_ok(tide_cholesky_solve(cholesky, width, b, x, &error), error);
        for (uint32_t w = 0; w < width; w++) {
            dense_from_sparse(matrix, dense);
            for (uint32_t i = 0; i < n; i++)
                column[i] = b[i * width + w];
            assert_true(dense_solve(n, dense, column));
            for (uint32_t i = 0; i < n; i++)
                assert_near(x[i * width + w], column[i], 1e-9);
        }
        assert_ok(tide_cholesky_solve(cholesky, width, b, b, &error), error); // in place
        assert_memory_equal(b, x, width * n * sizeof *x);
    }
}

static void test_solves_against_gaussian_elimination(void **state)
{
    (void)state;
    tide_random random = tide_random_seed(3);
    tide_cholesky *cholesky = create();
    for (uint32_t n = 1; n <= LARGEST; n += 1 + n / 3) {
        tide_sparse laplacian = random_matrix(&random, n, 0.5), product = random_product(&random, n);
        check_solves(cholesky, &laplacian, &random);
        check_solves(cholesky, &product, &random);
        tide_sparse_free(&laplacian);
        tide_sparse_free(&product);
    }
    tide_cholesky_destroy(cholesky);
}

static void test_work_is_skipped(void **state)
{
    (void)state;
    tide_error error;
    tide_random random = tide_random_seed(4);
    tide_cholesky *cholesky = create();
    tide_sparse matrix = random_matrix(&random, 40, 1), other = random_matrix(&random, 40, 1);
    for (int i = 0; i < 3; i++)
        assert_ok(tide_cholesky_factor(cholesky, &matrix, NULL, &error), error);
    tide_cholesky_info info = tide_cholesky_describe(cholesky);
    assert_int_equal(info.analyses, 1);
    assert_int_equal(info.factorizations, 1);
    assert_int_equal(info.rows, 40);
    assert_true(info.nonzeros >= (size_t)matrix.column_start[40] && info.nonzeros <= 40 * 41 / 2);
    assert_true(info.analyse_seconds >= 0 && info.factor_seconds >= 0);

    matrix.value[matrix.column_start[7]] += 3; // a diagonal entry
    check_solves(cholesky, &matrix, &random);
    info = tide_cholesky_describe(cholesky);
    assert_int_equal(info.analyses, 1);
    assert_int_equal(info.factorizations, 2);

    check_solves(cholesky, &other, &random);
    info = tide_cholesky_describe(cholesky);
    assert_int_equal(info.analyses, 2);
    assert_int_equal(info.factorizations, 3);
    tide_sparse_free(&matrix);
    tide_sparse_free(&other);
    tide_cholesky_destroy(cholesky);
}

// What a Newton method does: new values in one pattern of 3 x 3 blocks, in some of which the matrix is not definite and
// has its diagonal raised until it is.
static tide_sparse random_blocks(tide_random *random, uint32_t vertices)
{
    tide_triplets triplets = { 0 };
    for (uint32_t i = 0; i < 3 * vertices; i++)
        for (uint32_t j = i / 3 * 3; j <= i; j++)
            tide_triplets_add(&triplets, i, j, 0);
    for (uint32_t e = 0; e < 2 * vertices; e++) {
        uint32_t a = tide_random_next(random) % vertices, b = tide_random_next(random) % vertices;
        for (uint32_t k = 0; k < 9 && a != b; k++)
            tide_triplets_add(&triplets, 3 * (a > b ? a : b) + k / 3, 3 * (a > b ? b : a) + k % 3, 0);
    }
    return finish(&triplets, 3 * vertices);
}

static void fill(tide_random *random, double diagonal, tide_sparse *matrix)
{
    for (uint32_t column = 0; column < matrix->columns; column++)
        for (int32_t k = matrix->column_start[column]; k < matrix->column_start[column + 1]; k++)
            matrix->value[k] =
                k == matrix->column_start[column] ? test_uniform(random, 0, diagonal) : test_uniform(random, -1, 1);
}

// Factors the matrix, raising its diagonal as often as it takes; returns how often.
static uint64_t factor_shifted(tide_cholesky *cholesky, tide_sparse *matrix)
{
    tide_error error;
    double shift = 0.5, nothing[LARGEST] = { 0 };
    uint64_t raised = 0;
    uint32_t row = 999;
    for (; tide_cholesky_factor(cholesky, matrix, &row, &error); raised++) {
        assert_int_equal(error.status, TIDE_ERROR_NUMERIC);
        assert_true(row < matrix->rows);
        assert_fails(tide_cholesky_solve(cholesky, 1, nothing, nothing, &error), error, "there is no factor");
        for (uint32_t column = 0; column < matrix->columns; column++)
            matrix->value[matrix->column_start[column]] += shift;
        shift *= 2;
    }
    return raised;
}

static void test_factoring_again_allocates_nothing(void **state)
{
    (void)state;
    tide_random random = tide_random_seed(9);
    tide_cholesky *cholesky = create();
    uint64_t analyses = 0, factorizations = 0, raised = 0;
    for (uint32_t pattern = 0; pattern < 4; pattern++) {
        tide_sparse matrix = pattern % 2 ? random_blocks(&random, LARGEST / 3) : random_product(&random, LARGEST);
        uint64_t allocations = 0;
        for (uint32_t round = 0; round < 12; round++) {
            // The first of a pattern may be one that fails: what follows allocates nothing in any case.
            fill(&random, round % 3 ? 2 : 40, &matrix);
            raised += factor_shifted(cholesky, &matrix);
            factorizations++;
            if (round == 0)
                check_solves(cholesky, &matrix, &random);
            else
                assert_int_equal(tide_memory_count().allocations, allocations);
            check_solves(cholesky, &matrix, &random);
            allocations = tide_memory_count().allocations;
        }
        tide_cholesky_info info = tide_cholesky_describe(cholesky);
        assert_int_equal(info.analyses, ++analyses);
        assert_int_equal(info.factorizations, factorizations);
        assert_int_equal(info.rows, LARGEST);
        tide_sparse_free(&matrix);
    }
    assert_true(raised > 20);
    tide_cholesky_destroy(cholesky);
}

// However a factorisation comes about, its result is that of a new object, to the last bit.
static void test_history_leaves_no_trace(void **state)
{
    (void)state;
    tide_error error;
    tide_random random = tide_random_seed(10);
    tide_cholesky *old = create();
    tide_sparse matrix = random_blocks(&random, LARGEST / 3);
    for (uint32_t round = 0; round < 6; round++) {
        double b[LARGEST], again[LARGEST];
        fill(&random, 2, &matrix);
        factor_shifted(old, &matrix);
        for (uint32_t i = 0; i < LARGEST; i++)
            b[i] = again[i] = test_uniform(&random, -1, 1);
        assert_ok(tide_cholesky_solve(old, 1, b, b, &error), error);
        tide_cholesky *fresh = create();
        assert_ok(tide_cholesky_factor(fresh, &matrix, NULL, &error), error);
        assert_ok(tide_cholesky_solve(fresh, 1, again, again, &error), error);
        assert_memory_equal(b, again, sizeof b);
        tide_cholesky_destroy(fresh);
    }
    tide_sparse_free(&matrix);
    tide_cholesky_destroy(old);
}

static void test_bad_row_is_the_callers(void **state)
{
    (void)state;
    tide_error error;
    tide_random random = tide_random_seed(5);
    tide_cholesky *cholesky = create();
    for (uint32_t bad = 0; bad < 30; bad++) {
        // Only this row's block is indefinite: it is joined to nothing, so that no other pivot can fail.
        tide_triplets triplets = { 0 };
        for (uint32_t i = 0; i < 30; i++)
            tide_triplets_add(&triplets, i, i, i == bad ? -1e-3 : 20);
        for (uint32_t e = 0; e < 60; e++) {
            uint32_t i = tide_random_next(&random) % 30, j = tide_random_next(&random) % 30;
            if (i != bad && j != bad && i != j)
                tide_triplets_add(&triplets, i > j ? i : j, i > j ? j : i, 0.1);
        }
        tide_sparse matrix = finish(&triplets, 30);
        uint32_t row = 999;
        assert_fails(tide_cholesky_factor(cholesky, &matrix, &row, &error), error, "not positive definite");
        assert_int_equal(error.status, TIDE_ERROR_NUMERIC);
        assert_int_equal(row, bad);
        double b[30] = { 0 };
        assert_fails(tide_cholesky_solve(cholesky, 1, b, b, &error), error, "there is no factor");

        // The same object and analysis serve the matrix put right.
        uint64_t analyses = tide_cholesky_describe(cholesky).analyses;
        matrix.value[matrix.column_start[bad]] = 5;
        check_solves(cholesky, &matrix, &random);
        assert_int_equal(tide_cholesky_describe(cholesky).analyses, analyses);
        tide_sparse_free(&matrix);
    }
    tide_cholesky_destroy(cholesky);
}

static void test_singular_laplacian_is_refused(void **state)
{
    (void)state;
    tide_error error;
    tide_cholesky *cholesky = create();
    tide_triplets triplets = { 0 };
    for (uint32_t i = 0; i < 4; i++)
        tide_triplets_add(&triplets, i, i, i == 0 || i == 3 ? 1 : 2);
    for (uint32_t i = 1; i < 4; i++)
        tide_triplets_add(&triplets, i, i - 1, -1);
    tide_sparse matrix = finish(&triplets, 4); // of a path: its pivots are 1, 1, 1 and 0
    uint32_t row = 999;
    assert_fails(tide_cholesky_factor(cholesky, &matrix, &row, &error), error, "Cholesky factorisation: row = ");
    assert_true(row < 4);
    assert_int_equal(tide_cholesky_factor(cholesky, &matrix, NULL, NULL), TIDE_ERROR_NUMERIC);
    tide_sparse_free(&matrix);
    tide_cholesky_destroy(cholesky);
}

static void test_bad_matrices(void **state)
{
    (void)state;
    tide_error error;
    tide_cholesky *cholesky = create();
    tide_triplets triplets = { 0 };
    tide_sparse matrix = { 0 };
    tide_triplets_add(&triplets, 0, 0, 1);
    tide_triplets_add(&triplets, 1, 0, 1);
    assert_ok(tide_sparse_from_triplets(&triplets, 2, 2, false, &matrix, &error), error);
    assert_fails(tide_cholesky_factor(cholesky, &matrix, NULL, &error), error,
                 "matrix = 2 x 2, not marked symmetric: expected a symmetric matrix");
    tide_triplets_add(&triplets, 1, 1, NAN);
    assert_ok(tide_sparse_from_triplets(&triplets, 2, 2, true, &matrix, &error), error);
    uint32_t row = 999;
    assert_fails(tide_cholesky_factor(cholesky, &matrix, &row, &error), error,
                 "in row 1 and column 1: expected finite numbers");
    assert_int_equal(row, 1);
    tide_sparse_free(&matrix);
    tide_triplets_free(&triplets);
    tide_cholesky_destroy(cholesky);
    tide_cholesky_destroy(NULL);
}

// Numbers so large that a difference of infinities would stand in L where a pivot should be. Rows 0 and 1 are
// eliminated first, as they have fewer neighbours.
static void test_overflow_is_refused(void **state)
{
    (void)state;
    tide_error error;
    tide_cholesky *cholesky = create();
    const double last[] = { 1e160, 1e150 };
    for (int i = 0; i < 2; i++) { // whichever of rows 2 and 3 comes last
        double a = last[i], b = last[1 - i];
        tide_triplets triplets = { 0 };
        const tide_triplet items[] = { { 0, 0, 1 },  { 1, 1, 1 }, { 2, 2, 1e308 }, { 3, 3, 1e308 }, { 2, 0, b },
                                       { 2, 1, -b }, { 3, 0, a }, { 3, 1, a },     { 3, 2, 1 } };
        for (size_t k = 0; k < sizeof items / sizeof items[0]; k++)
            tide_triplets_add(&triplets, items[k].row, items[k].column, items[k].value);
        tide_sparse matrix = finish(&triplets, 4);
        assert_fails(tide_cholesky_factor(cholesky, &matrix, NULL, &error), error, "not positive definite");
        tide_sparse_free(&matrix);
    }
    tide_cholesky_destroy(cholesky);
}

static void test_refused_matrix_leaves_the_analysis(void **state)
{
    (void)state;
    tide_error error;
    tide_random random = tide_random_seed(11);
    tide_cholesky *cholesky = create();
    tide_sparse matrix = random_matrix(&random, 20, 1);
    double b[20] = { 0 }, right = matrix.value[5];
    check_solves(cholesky, &matrix, &random);
    matrix.value[5] = INFINITY;
    assert_fails(tide_cholesky_factor(cholesky, &matrix, NULL, &error), error, "expected finite numbers");
    assert_fails(tide_cholesky_solve(cholesky, 1, b, b, &error), error, "there is no factor");
    matrix.value[5] = right;
    check_solves(cholesky, &matrix, &random);
    assert_int_equal(tide_cholesky_describe(cholesky).analyses, 1);
    assert_int_equal(tide_cholesky_describe(cholesky).factorizations, 2);
    tide_sparse_free(&matrix);
    tide_cholesky_destroy(cholesky);
}

static void test_empty_matrix(void **state)
{
    (void)state;
    tide_error error;
    tide_cholesky *cholesky = create();
    tide_triplets none = { 0 };
    tide_sparse matrix = finish(&none, 0);
    double nothing = 0;
    assert_ok(tide_cholesky_factor(cholesky, &matrix, NULL, &error), error);
    assert_ok(tide_cholesky_solve(cholesky, 3, &nothing, &nothing, &error), error);
    assert_int_equal(tide_cholesky_describe(cholesky).rows, 0);
    tide_random random = tide_random_seed(6);
    tide_sparse other = random_matrix(&random, 10, 1);
    check_solves(cholesky, &other, &random);
    assert_ok(tide_cholesky_factor(cholesky, &matrix, NULL, &error), error);
    check_solves(cholesky, &other, &random);
    tide_sparse_free(&matrix);
    tide_sparse_free(&other);
    tide_cholesky_destroy(cholesky);
}

static void test_steady_solves_allocate_nothing(void **state)
{
    (void)state;
    tide_error error;
    tide_random random = tide_random_seed(7);
    tide_cholesky *cholesky = create();
    tide_sparse matrix = random_matrix(&random, 50, 1);
    double b[6 * 50], x[6 * 50];
    for (int i = 0; i < 300; i++)
        b[i] = test_uniform(&random, -1, 1);
    assert_ok(tide_cholesky_factor(cholesky, &matrix, NULL, &error), error);
    for (uint32_t width = 1; width <= 6; width++)
        assert_ok(tide_cholesky_solve(cholesky, width, b, x, &error), error);
    uint64_t allocations = tide_memory_count().allocations;
    for (int round = 0; round < 3; round++)
        for (uint32_t width = 1; width <= 6; width++) {
            assert_ok(tide_cholesky_solve(cholesky, width, b, x, &error), error);
            assert_ok(tide_cholesky_solve(cholesky, 3, b, x, &error), error);
        }
    assert_ok(tide_cholesky_factor(cholesky, &matrix, NULL, &error), error);
    assert_int_equal(tide_memory_count().allocations, allocations);
    tide_sparse_free(&matrix);
    tide_cholesky_destroy(cholesky);
}

static tide_status whole_life(void *context, tide_error *error)
{
    double b[3 * 30] = { 1 };
    tide_cholesky *cholesky = NULL;
    tide_status status = tide_cholesky_create(&cholesky, error);
    if (!status)
        status = tide_cholesky_factor(cholesky, context, NULL, error);
    if (!status)
        status = tide_cholesky_solve(cholesky, 3, b, b, error);
    tide_cholesky_destroy(cholesky);
    return status;
}

typedef struct factoring {
    tide_cholesky *cholesky;
    const tide_sparse *matrix;
} factoring;

static tide_status factor_only(void *context, tide_error *error)
{
    const factoring *f = context;
    return tide_cholesky_factor(f->cholesky, f->matrix, NULL, error);
}

static tide_status solve_only(void *context, tide_error *error)
{
    const factoring *f = context;
    double b[3 * 30] = { 1 };
    return tide_cholesky_solve(f->cholesky, 3, b, b, error);
}

static void test_allocation_failures(void **state)
{
    (void)state;
    tide_random random = tide_random_seed(8);
    tide_sparse matrix = random_matrix(&random, 30, 1);
    assert_true(fail_each_allocation(whole_life, &matrix) > 10);
    // Every block is under the counting allocator, and the object is as good as new after each failure.
    factoring f = { create(), &matrix };
    assert_true(fail_each_allocation(factor_only, &f) > 5);
    assert_true(fail_each_allocation(solve_only, &f) >= 4);
    check_solves(f.cholesky, &matrix, &random);
    tide_cholesky_destroy(f.cholesky);
    tide_sparse_free(&matrix);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_solves_against_gaussian_elimination),
    cmocka_unit_test(test_work_is_skipped),
    cmocka_unit_test(test_factoring_again_allocates_nothing),
    cmocka_unit_test(test_history_leaves_no_trace),
    cmocka_unit_test(test_bad_row_is_the_callers),
    cmocka_unit_test(test_singular_laplacian_is_refused),
    cmocka_unit_test(test_bad_matrices),
    cmocka_unit_test(test_overflow_is_refused),
    cmocka_unit_test(test_refused_matrix_leaves_the_analysis),
    cmocka_unit_test(test_empty_matrix),
    cmocka_unit_test(test_steady_solves_allocate_nothing),
    cmocka_unit_test(test_allocation_failures),
};
TIDE_TEST_SUITE(factor_cholesky, tests)
