// Solves by panels with one right-hand side against CHOLMOD's own.
#include "../linear/failing.h"
#include "base/parallel.h"
#include "base/random.h"
#include "factor/cholesky.h"
#include "factor/sweeps.h"
#include "factoring.h"

#include <math.h>
#include <string.h>

enum { SIDES = 1 };

// Adds a spring of any direction: stiffness along it, and a fraction of it across.
static void join(tide_triplets *triplets, tide_random *random, uint32_t i, uint32_t j, double stiffness, double across)
{
    double d[3], squared = 0;
    for (int k = 0; k < 3; k++) {
        d[k] = uniform(random, -1, 1);
        squared += d[k] * d[k];
    }
    for (uint32_t r = 0; r < 3; r++)
        for (uint32_t c = 0; c < 3; c++) {
            double value = stiffness * ((1 - across) * d[r] * d[c] / squared + (r == c ? across : 0));
            tide_triplets_add(triplets, 3 * i + r, 3 * i + c, value);
            tide_triplets_add(triplets, 3 * j + r, 3 * j + c, value);
            tide_triplets_add(triplets, 3 * (i > j ? i : j) + r, 3 * (i > j ? j : i) + c, -value);
        }
}

static void add_masses(tide_triplets *triplets, uint32_t vertices, double mass)
{
    for (uint32_t i = 0; i < 3 * vertices; i++)
        for (uint32_t j = i / 3 * 3; j < i / 3 * 3 + 3; j++)
            tide_triplets_add(triplets, i, j, i == j ? mass : 0);
}

// A Newton step's matrix, of springs between neighbours in a grid.
static tide_sparse grid(uint32_t nx, uint32_t ny, uint32_t nz, double mass, double low, double high)
{
    tide_triplets triplets = { 0 };
    tide_random random = tide_random_seed(nx + ny + nz);
    add_masses(&triplets, nx * ny * nz, mass);
    for (uint32_t z = 0; z < nz; z++)
        for (uint32_t y = 0; y < ny; y++)
            for (uint32_t x = 0; x < nx; x++)
                for (uint32_t k = 1; k < 8; k++) {
                    uint32_t other[3] = { x + (k & 1), y + (k >> 1 & 1), z + (k >> 2) };
                    double stiffness = exp(uniform(&random, log(low), log(high)));
                    if (other[0] < nx && other[1] < ny && other[2] < nz)
                        join(&triplets, &random, x + nx * (y + ny * z), other[0] + nx * (other[1] + ny * other[2]),
                             stiffness, 0.1);
                }
    return finish(&triplets, 3 * nx * ny * nz);
}

enum shape { CHAIN, STAR, TREE, LOOSE, RANDOM, PIECES, SHAPES };

static tide_sparse make_shape(enum shape shape, uint32_t vertices)
{
    tide_triplets triplets = { 0 };
    tide_random random = tide_random_seed(vertices);
    add_masses(&triplets, vertices, 2);
    for (uint32_t i = 1; i < vertices && shape != LOOSE; i++) {
        uint32_t any = tide_random_next(&random) % i;
        uint32_t other = shape == CHAIN ? i - 1 : shape == STAR ? 0 : shape == TREE ? (i - 1) / 3 : any;
        if (shape == PIECES && i % 7 == 0)
            continue;
        if (shape == PIECES)
            other = i - 1 - tide_random_next(&random) % (i % 7);
        join(&triplets, &random, i, other, uniform(&random, 0.1, 10), 0.2);
        for (uint32_t k = 0; shape == RANDOM && k < 2; k++)
            if ((other = tide_random_next(&random) % vertices) != i)
                join(&triplets, &random, i, other, uniform(&random, 0.1, 10), 0.2);
    }
    return finish(&triplets, 3 * vertices);
}

// A matrix that has no blocks.
static tide_sparse laplacian(uint32_t n)
{
    tide_triplets triplets = { 0 };
    tide_random random = tide_random_seed(n);
    for (uint32_t i = 0; i < n; i++)
        tide_triplets_add(&triplets, i, i, 0.5);
    for (uint32_t e = 0; e < 2 * n; e++) {
        uint32_t i = tide_random_next(&random) % n, j = tide_random_next(&random) % n;
        double weight = uniform(&random, 0.1, 3);
        if (i == j)
            continue;
        tide_triplets_add(&triplets, i, i, weight);
        tide_triplets_add(&triplets, j, j, weight);
        tide_triplets_add(&triplets, i > j ? i : j, i > j ? j : i, -weight);
    }
    return finish(&triplets, n);
}

// Consumes the matrix.
static void check_matrix(tide_sparse matrix, double tolerance)
{
    uint32_t n = matrix.rows;
    double *b = right_hand_sides(n, SIDES), *expected = tide_allocate_array(n, sizeof *expected);
    double *x = tide_allocate_array(n, sizeof *x);
    tide_cholesky *reference = create(SIDES, TIDE_CHOLESKY_REFERENCE, 0);
    factor(reference, &matrix);
    solve(SIDES, reference, b, expected);
    assert_int_equal(tide_cholesky_describe(reference).method, TIDE_CHOLESKY_REFERENCE);
    for (int w = 0; w < WIDTHS; w++) {
        tide_cholesky *one = create(SIDES, TIDE_CHOLESKY_DOUBLE, widths[w]);
        factor(one, &matrix);
        solve(SIDES, one, b, x);
        assert_true(distance(SIDES, n, x, expected) < tolerance);
        double *again = tide_copy_bytes(b, n * sizeof *b);
        solve(SIDES, one, again, again); // in place
        assert_memory_equal(again, x, n * sizeof *x);
        tide_cholesky_info info = tide_cholesky_describe(one);
        assert_int_equal(info.method, TIDE_CHOLESKY_DOUBLE);
        assert_int_equal(info.rows, n);
        assert_ptr_equal(info.precision, tide_sweeps_choose_one(widths[w])->name);
        assert_true(info.error < 1e-14 && info.energy == 0 && info.operations >= (double)info.nonzeros);
        assert_true(info.panel_bytes >= 8 * info.nonzeros);
        tide_cholesky_destroy(one);
        tide_free(again);
    }
    tide_cholesky_destroy(reference);
    tide_sparse_free(&matrix);
    tide_free(b);
    tide_free(x);
    tide_free(expected);
}

static void test_every_width_agrees(void **state)
{
    (void)state;
    for (int shape = 0; shape < SHAPES; shape++)
        for (uint32_t vertices = 1; vertices < 100; vertices += 1 + vertices / 3)
            check_matrix(make_shape((enum shape)shape, vertices), 1e-13);
    for (uint32_t n = 1; n < 300; n += 1 + n / 2)
        check_matrix(laplacian(n), 1e-13);
    check_matrix(make_shape(STAR, 700), 1e-12);
    check_matrix(make_shape(RANDOM, 300), 1e-12);
    check_matrix(grid(30, 41, 1, 0.1, 5, 50), 1e-12);
    check_matrix(grid(9, 8, 7, 0.1, 5, 50), 1e-12);
}

// Stiffnesses from 1 to 1e8 side by side, and masses of 1e-6: what is lost is lost by CHOLMOD, too; the residual is
// down to rounding.
static void test_ill_conditioned(void **state)
{
    (void)state;
    check_matrix(grid(25, 24, 1, 1e-3, 1, 1e8), 1e-4);
    check_matrix(grid(25, 24, 1, 1e-6, 1, 100), 1e-5);
    check_matrix(grid(7, 6, 7, 1e-6, 1, 1e6), 1e-3);
}

static void test_threads_change_nothing(void **state)
{
    (void)state;
    static const int threads[] = { 1, 2, 3, 4, 8 };
    tide_sparse matrices[] = { grid(50, 45, 1, 0.1, 5, 50), grid(9, 10, 9, 0.1, 5, 50) };
    for (int m = 0; m < 2; m++) {
        uint32_t n = matrices[m].rows;
        double *b = right_hand_sides(n, SIDES), *x = tide_allocate_array(n, sizeof *x), *first = NULL;
        for (int round = 0; round < 10; round++) {
            tide_set_threads(threads[round % 5]);
            tide_cholesky *cholesky = create(SIDES, TIDE_CHOLESKY_DOUBLE, 0);
            factor(cholesky, &matrices[m]);
            for (int solves = 0; solves < 4; solves++) {
                tide_set_threads(threads[(round + solves) % 5]);
                solve(SIDES, cholesky, b, x);
                if (!first)
                    first = tide_copy_bytes(x, n * sizeof *x);
                assert_memory_equal(x, first, n * sizeof *x);
            }
            tide_cholesky_destroy(cholesky);
        }
        tide_set_threads(1);
        tide_free(b);
        tide_free(x);
        tide_free(first);
        tide_sparse_free(&matrices[m]);
    }
}

// As the Newton method does: what is not definite has its diagonal raised until it is; where CHOLMOD finds it definite,
// so do the panels. Nothing is allocated, and the analysis stays.
static void test_definite_where_the_reference_finds_it(void **state)
{
    (void)state;
    tide_error error;
    tide_sparse matrix = grid(20, 17, 1, 0.1, 5, 50);
    uint32_t n = matrix.rows;
    tide_random random = tide_random_seed(9);
    double *b = right_hand_sides(n, SIDES), *x = tide_allocate_array(n, sizeof *x),
           *y = tide_allocate_array(n, sizeof *y);
    tide_cholesky *reference = create(SIDES, TIDE_CHOLESKY_REFERENCE, 0);
    for (int w = 0; w < WIDTHS; w++) {
        tide_cholesky *one = create(SIDES, TIDE_CHOLESKY_DOUBLE, widths[w]);
        factor(one, &matrix);
        factor(reference, &matrix);
        solve(SIDES, one, b, x);
        solve(SIDES, reference, b, y);
        int refused = 0;
        for (int round = 0; round < 12; round++) {
            uint32_t column = tide_random_next(&random) % n, rows[2] = { UINT32_MAX, UINT32_MAX };
            double *value = &matrix.value[matrix.column_start[column]], before = *value;
            *value = round % 3 == 0 ? -1 : round % 3 == 1 ? 0 : before / 16;
            tide_status status;
            uint64_t allocations = tide_memory_count().allocations;
            do {
                status = tide_cholesky_factor(reference, &matrix, &rows[0], &error);
                tide_status own = tide_cholesky_factor(one, &matrix, &rows[1], &error);
                assert_int_equal(own, status);
                refused += status != TIDE_OK;
                if (status)
                    assert_true(rows[1] < n && strstr(error.remedy, "not positive definite"));
                *value += before / 16;
            } while (status);
            *value -= before / 16;
            solve(SIDES, one, b, x);
            solve(SIDES, reference, b, y);
            assert_int_equal(tide_memory_count().allocations, allocations);
            assert_true(distance(SIDES, n, x, y) < 1e-9);
            *value = before;
        }
        assert_true(refused > 12);
        assert_int_equal(tide_cholesky_describe(one).analyses, 1);
        tide_cholesky_destroy(one);
    }
    tide_cholesky_destroy(reference);
    tide_sparse_free(&matrix);
    tide_free(b);
    tide_free(x);
    tide_free(y);
}

// In a chain only one row can fail.
static void test_bad_row_is_named(void **state)
{
    (void)state;
    tide_error error;
    tide_sparse matrix = make_shape(LOOSE, 40);
    tide_cholesky *one = create(SIDES, TIDE_CHOLESKY_DOUBLE, 0);
    for (uint32_t row = 0; row < matrix.rows; row += 7) {
        double *value = &matrix.value[matrix.column_start[row]], before = *value;
        uint32_t bad = UINT32_MAX;
        *value = -1;
        assert_fails(tide_cholesky_factor(one, &matrix, &bad, &error), error, "not positive definite");
        assert_int_equal(bad, row);
        double b[120] = { 0 };
        assert_fails(tide_cholesky_solve(one, 1, b, b, &error), error, "there is no factor");
        *value = before;
    }
    tide_cholesky_destroy(one);
    tide_sparse_free(&matrix);
}

static void test_sides_that_were_not_expected(void **state)
{
    (void)state;
    tide_error error;
    tide_sparse matrix = make_shape(CHAIN, 10);
    double b[90] = { 0 };
    tide_cholesky *cholesky = create(SIDES, TIDE_CHOLESKY_DOUBLE, 0);
    factor(cholesky, &matrix);
    assert_fails(tide_cholesky_solve(cholesky, 3, b, b, &error), error, "or one if it was set up for one");
    tide_cholesky_expect(cholesky, 1);
    solve(SIDES, cholesky, b, b);
    tide_cholesky_expect(cholesky, 3);
    assert_fails(tide_cholesky_solve(cholesky, 3, b, b, &error), error, "there is no factor");
    factor(cholesky, &matrix);
    assert_ok(tide_cholesky_solve(cholesky, 3, b, b, &error), error);
    assert_fails(tide_cholesky_solve(cholesky, 1, b, b, &error), error, "three right-hand sides");
    tide_cholesky_destroy(cholesky);
    tide_sparse_free(&matrix);
}

// The block by block analysis finds no more entries than that of the rows one by one does.
static void test_blocks_are_dense(void **state)
{
    (void)state;
    tide_sparse matrix = make_shape(TREE, 300);
    tide_cholesky *one = create(SIDES, TIDE_CHOLESKY_DOUBLE, 0), *reference = create(SIDES, TIDE_CHOLESKY_REFERENCE, 0);
    factor(one, &matrix);
    factor(reference, &matrix);
    assert_int_equal(matrix.block, 3);
    assert_int_equal(tide_cholesky_describe(one).nonzeros, tide_cholesky_describe(reference).nonzeros);
    assert_int_equal(tide_cholesky_describe(one).nonzeros, 300 * 6 + 299 * 9); // a tree fills nothing in
    tide_cholesky_destroy(one);
    tide_cholesky_destroy(reference);
    tide_sparse_free(&matrix);
}

// L L' + more I, where the numbers of L are at random and those on its diagonal as small as 1e-5. With nothing more
// the inverse of its blocks is so large that panels lose digits by it, though every pivot is sound.
static tide_sparse graded(uint32_t rows, double more)
{
    tide_triplets triplets = { 0 };
    tide_random random = tide_random_seed(3);
    double l[27][27];
    for (uint32_t i = 0; i < rows; i++)
        for (uint32_t j = 0; j <= i; j++)
            l[i][j] = i == j ? pow(10, -5 * tide_random_uniform(&random)) : uniform(&random, -1, 1);
    for (uint32_t i = 0; i < rows; i++)
        for (uint32_t j = 0; j <= i; j++) {
            double sum = i == j ? more : 0;
            for (uint32_t k = 0; k <= j; k++)
                sum += l[i][k] * l[j][k];
            tide_triplets_add(&triplets, i, j, sum);
        }
    return finish(&triplets, rows);
}

// |b - A x| against |A| |x| and |b|, of the largest numbers.
static double residual_of(const tide_sparse *matrix, const double *b, const double *x, double *work)
{
    double left = 0, size = 0;
    tide_sparse_multiply(matrix, 1, x, work);
    for (uint32_t i = 0; i < matrix->rows; i++) {
        left = fmax(left, fabs(b[i] - work[i]));
        size = fmax(size, fmax(fabs(b[i]), fabs(x[i])));
    }
    return left / size;
}

static void test_what_panels_cannot_is_left_to_cholmod(void **state)
{
    (void)state;
    enum { ROWS = 27 };
    double b[ROWS], x[ROWS], work[ROWS];
    tide_sparse bad = graded(ROWS, 0), good = graded(ROWS, 1);
    for (int w = 0; w < WIDTHS; w++) {
        tide_cholesky *one = create(SIDES, TIDE_CHOLESKY_DOUBLE, widths[w]);
        uint64_t allocations = 0;
        for (int round = 0; round < 6; round++) {
            const tide_sparse *matrix = round % 2 ? &good : &bad;
            for (uint32_t i = 0; i < ROWS; i++)
                b[i] = cos(i + 1.0 * round);
            factor(one, matrix);
            solve(SIDES, one, b, x);
            tide_cholesky_info info = tide_cholesky_describe(one);
            assert_int_equal(info.method, round % 2 ? TIDE_CHOLESKY_DOUBLE : TIDE_CHOLESKY_REFERENCE);
            assert_true((info.error <= 1e-12) == (round % 2 == 1));
            assert_true((info.precision == NULL) == (round % 2 == 0));
            assert_true(residual_of(matrix, b, x, work) < 1e-14);
            assert_int_equal(info.analyses, 1);
            assert_true(round < 2 || tide_memory_count().allocations == allocations);
            allocations = tide_memory_count().allocations;
        }
        tide_cholesky_destroy(one);
    }
    tide_sparse_free(&bad);
    tide_sparse_free(&good);
}

static tide_status whole_life(void *context, tide_error *error)
{
    const tide_sparse *matrix = context;
    static double b[3 * 900];
    tide_cholesky *cholesky = NULL;
    tide_status status = tide_cholesky_create(&cholesky, error);
    if (status)
        return status;
    tide_cholesky_choose(cholesky, TIDE_CHOLESKY_DOUBLE, 0);
    tide_cholesky_expect(cholesky, 1);
    status = tide_cholesky_factor(cholesky, matrix, NULL, error);
    if (!status)
        status = tide_cholesky_solve(cholesky, 1, b, b, error);
    tide_cholesky_destroy(cholesky);
    return status;
}

static void test_out_of_memory(void **state)
{
    (void)state;
    tide_sparse matrix = grid(30, 30, 1, 0.1, 5, 50);
    assert_true(fail_each_allocation(whole_life, &matrix) > 30);
    tide_sparse_free(&matrix);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_every_width_agrees),     cmocka_unit_test(test_ill_conditioned),
    cmocka_unit_test(test_threads_change_nothing), cmocka_unit_test(test_definite_where_the_reference_finds_it),
    cmocka_unit_test(test_bad_row_is_named),       cmocka_unit_test(test_sides_that_were_not_expected),
    cmocka_unit_test(test_blocks_are_dense),       cmocka_unit_test(test_what_panels_cannot_is_left_to_cholmod),
    cmocka_unit_test(test_out_of_memory),
};
TIDE_TEST_SUITE(factor_cholesky_one, tests)
