// Solves by panels of the factor against CHOLMOD's own.
#include "../linear/failing.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "base/processor.h"
#include "base/random.h"
#include "factor/cholesky.h"
#include "factor/sweeps.h"
#include "factoring.h"
#include "tests.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SIDES = 3 };

static void join(tide_triplets *triplets, uint32_t i, uint32_t j, double weight)
{
    tide_triplets_add(triplets, i, i, weight);
    tide_triplets_add(triplets, j, j, weight);
    tide_triplets_add(triplets, i > j ? i : j, i > j ? j : i, -weight);
}

static void add_masses(tide_triplets *triplets, uint32_t n, double mass)
{
    for (uint32_t i = 0; i < n; i++)
        tide_triplets_add(triplets, i, i, mass);
}

// Makes the matrix of a step: masses, and springs between neighbours in a grid of nx * ny * nz, including diagonals.
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
                    if (other[0] < nx && other[1] < ny && other[2] < nz)
                        join(&triplets, x + nx * (y + ny * z), other[0] + nx * (other[1] + ny * other[2]),
                             uniform(&random, low, high));
                }
    return finish(&triplets, nx * ny * nz);
}

enum shape { CHAIN, STAR, TREE, LOOSE, DENSE, RANDOM, PIECES, SHAPES };

static tide_sparse make_shape(enum shape shape, uint32_t n)
{
    tide_triplets triplets = { 0 };
    tide_random random = tide_random_seed(n);
    add_masses(&triplets, n, shape == LOOSE ? 3 : 0.5);
    for (uint32_t i = 1; i < n && shape != LOOSE; i++) {
        uint32_t any = tide_random_next(&random) % i;
        uint32_t other = shape == CHAIN ? i - 1 : shape == STAR ? 0 : shape == TREE ? (i - 1) / 3 : any;
        if (shape == PIECES && i % 7 == 0)
            continue;
        if (shape == PIECES)
            other = i - 1 - tide_random_next(&random) % (i % 7);
        join(&triplets, i, other, uniform(&random, 0.1, 10));
        for (uint32_t j = 0; shape == DENSE && j < i; j++)
            join(&triplets, i, j, uniform(&random, 0.1, 1));
        for (uint32_t k = 0; shape == RANDOM && k < 2; k++)
            if ((other = tide_random_next(&random) % n) != i)
                join(&triplets, i, other, uniform(&random, 0.1, 10));
    }
    return finish(&triplets, n);
}

static void check_method(const tide_sparse *matrix, tide_solve_method method, int bits, const double *b,
                         const double *expected)
{
    uint32_t n = matrix->rows;
    double *x = tide_allocate_array(n, 3 * sizeof *x), *again = tide_copy_bytes(b, 3 * n * sizeof *b);
    assert_true(x && again);
    tide_cholesky *cholesky = create(SIDES, method, bits);
    factor(cholesky, matrix);
    solve(SIDES, cholesky, b, x);
    assert_true(distance(SIDES, n, x, expected) < (method == TIDE_CHOLESKY_FAST ? 1e-6 : 1e-13));
    solve(SIDES, cholesky, again, again); // in place
    assert_memory_equal(again, x, 3 * n * sizeof *x);
    tide_cholesky_info info = tide_cholesky_describe(cholesky);
    const tide_sweeps *sweeps = tide_sweeps_choose(method == TIDE_CHOLESKY_FAST, bits);
    assert_int_equal(info.method, sweeps ? method : TIDE_CHOLESKY_REFERENCE);
    assert_ptr_equal(info.precision, sweeps ? sweeps->name : NULL);
    if (sweeps) {
        assert_true(info.panel_bytes > info.nonzeros * (method == TIDE_CHOLESKY_FAST ? 4 : 8));
        assert_true(info.energy >= 0 && info.energy < (method == TIDE_CHOLESKY_FAST ? 1e-4 : 1e-12));
        assert_true(info.error < (method == TIDE_CHOLESKY_FAST ? 1e-6 : 1e-13) && info.trial_seconds >= 0);
    }
    tide_cholesky_destroy(cholesky);
    tide_free(x);
    tide_free(again);
}

static void check_matrix(tide_sparse matrix)
{
    uint32_t n = matrix.rows;
    double *b = right_hand_sides(n, SIDES), *expected = tide_allocate_array(n, 3 * sizeof *expected);
    tide_cholesky *reference = create(SIDES, TIDE_CHOLESKY_REFERENCE, 0);
    factor(reference, &matrix);
    solve(SIDES, reference, b, expected);
    assert_int_equal(tide_cholesky_describe(reference).method, TIDE_CHOLESKY_REFERENCE);
    assert_null(tide_cholesky_describe(reference).precision);
    for (int w = 0; w < WIDTHS; w++) {
        check_method(&matrix, TIDE_CHOLESKY_FAST, widths[w], b, expected);
        check_method(&matrix, TIDE_CHOLESKY_DOUBLE, widths[w], b, expected);
    }
    tide_cholesky_destroy(reference);
    tide_sparse_free(&matrix);
    tide_free(b);
    tide_free(expected);
}

static void test_every_way_and_width_agrees(void **state)
{
    (void)state;
    for (int shape = 0; shape < SHAPES; shape++)
        for (uint32_t n = 1; n < 150; n += 1 + n / 3)
            check_matrix(make_shape((enum shape)shape, n));
    check_matrix(make_shape(STAR, 2000));
    check_matrix(make_shape(RANDOM, 700));
    check_matrix(grid(9, 7, 1, 0.1, 5, 50));
    check_matrix(grid(70, 61, 1, 0.1, 5, 50));
    check_matrix(grid(14, 13, 12, 0.1, 5, 50));
}

static void test_names_of_widths(void **state)
{
    (void)state;
    assert_string_equal(tide_sweeps_choose(true, 128)->name, "single precision, 4 numbers at a time");
    assert_null(tide_sweeps_choose(false, 128));
    assert_ptr_equal(tide_sweeps_choose(true, 0), tide_sweeps_choose(true, 512));
#if defined(__x86_64__)
    if (tide_vector_bits(0) >= 256) {
        assert_string_equal(tide_sweeps_choose(true, 256)->name, "single precision, 8 numbers at a time");
        assert_string_equal(tide_sweeps_choose(false, 256)->name, "double precision, 4 numbers at a time");
    }
    if (tide_vector_bits(0) == 512)
        assert_string_equal(tide_sweeps_choose(true, 0)->name, "single precision, 16 numbers at a time");
#endif
    for (int i = 0; i < 4; i++)
        assert_non_null(tide_solve_methods[i]);
    assert_null(tide_solve_methods[4]);
    assert_string_equal(tide_solve_methods[TIDE_CHOLESKY_FAST], "fast");
}

static void test_threads_change_nothing(void **state)
{
    (void)state;
    static const int threads[] = { 1, 2, 3, 4, 8 };
    tide_sparse matrices[] = { grid(90, 80, 1, 0.1, 5, 50), grid(14, 13, 14, 0.1, 5, 50) };
    for (int m = 0; m < 2; m++)
        for (int method = TIDE_CHOLESKY_FAST; method <= TIDE_CHOLESKY_DOUBLE; method++) {
            uint32_t n = matrices[m].rows;
            double *b = right_hand_sides(n, SIDES), *x = tide_allocate_array(n, 3 * sizeof *x), *first = NULL;
            tide_cholesky *cholesky = create(SIDES, (tide_solve_method)method, 0);
            factor(cholesky, &matrices[m]);
            for (int round = 0; round < 40; round++) {
                tide_set_threads(threads[round % 5]);
                solve(SIDES, cholesky, b, x);
                if (!first)
                    first = tide_copy_bytes(x, 3 * n * sizeof *x);
                assert_memory_equal(x, first, 3 * n * sizeof *x);
            }
            tide_set_threads(1);
            tide_cholesky_destroy(cholesky);
            tide_free(b);
            tide_free(x);
            tide_free(first);
        }
    tide_sparse_free(&matrices[0]);
    tide_sparse_free(&matrices[1]);
}

static void test_threads_factor_the_same(void **state)
{
    (void)state;
    static const int threads[] = { 1, 2, 3, 4, 8 };
    tide_sparse matrices[] = { grid(90, 80, 1, 0.1, 5, 50), grid(14, 13, 14, 0.1, 5, 50) };
    for (int m = 0; m < 2; m++) {
        uint32_t n = matrices[m].rows;
        double *b = right_hand_sides(n, SIDES), *x = tide_allocate_array(n, 3 * sizeof *x), *first = NULL;
        for (int method = TIDE_CHOLESKY_FAST; method <= TIDE_CHOLESKY_DOUBLE; method++) {
            tide_free(first);
            first = NULL;
            for (int round = 0; round < 5; round++) {
                tide_set_threads(threads[round]);
                tide_cholesky *cholesky = create(SIDES, (tide_solve_method)method, 0);
                factor(cholesky, &matrices[m]);
                solve(SIDES, cholesky, b, x);
                if (!first)
                    first = tide_copy_bytes(x, 3 * n * sizeof *x);
                assert_memory_equal(x, first, 3 * n * sizeof *x);
                tide_cholesky_destroy(cholesky);
            }
        }
        tide_set_threads(1);
        tide_free(b);
        tide_free(x);
        tide_free(first);
        tide_sparse_free(&matrices[m]);
    }
}

// The row where the first pivot fails is CHOLMOD's, whichever way it is factored, and the analysis stays.
static void test_bad_rows_are_those_of_the_reference(void **state)
{
    (void)state;
    tide_error error;
    tide_sparse matrix = grid(40, 30, 1, 0.1, 5, 50);
    tide_random random = tide_random_seed(9);
    for (int round = 0; round < 12; round++) {
        uint32_t column = tide_random_next(&random) % matrix.rows, rows[2] = { 0 };
        double *value = &matrix.value[matrix.column_start[column]], before = *value;
        *value = round % 3 == 0 ? -1 : round % 3 == 1 ? 0 : before / 4;
        for (int w = 0; w < WIDTHS; w++) {
            tide_cholesky *reference = create(SIDES, TIDE_CHOLESKY_REFERENCE, 0),
                          *fast = create(SIDES, TIDE_CHOLESKY_FAST, widths[w]);
            assert_fails(tide_cholesky_factor(reference, &matrix, &rows[0], &error), error, "not positive definite");
            assert_fails(tide_cholesky_factor(fast, &matrix, &rows[1], &error), error, "not positive definite");
            assert_int_equal(rows[0], rows[1]);
            *value = before;
            factor(fast, &matrix);
            assert_int_equal(tide_cholesky_describe(fast).analyses, 1);
            *value = round % 3 == 0 ? -1 : round % 3 == 1 ? 0 : before / 4;
            tide_cholesky_destroy(reference);
            tide_cholesky_destroy(fast);
        }
        *value = before;
    }
    tide_sparse_free(&matrix);
}

static void test_one_right_hand_side_is_cholmods(void **state)
{
    (void)state;
    tide_error error;
    tide_sparse matrix = grid(10, 10, 1, 0.1, 5, 50);
    double b[100] = { 1 };
    tide_cholesky *cholesky = create(SIDES, TIDE_CHOLESKY_FAST, 0);
    factor(cholesky, &matrix);
    assert_fails(tide_cholesky_solve(cholesky, 1, b, b, &error), error, "three right-hand sides");
    tide_cholesky_destroy(cholesky);
    tide_sparse_free(&matrix);
}

static void test_new_values_keep_the_analysis(void **state)
{
    (void)state;
    tide_sparse matrix = grid(30, 30, 2, 0.1, 5, 50);
    uint32_t n = matrix.rows;
    double *b = right_hand_sides(n, SIDES), *x = tide_allocate_array(n, 3 * sizeof *x);
    double *fresh = tide_allocate_array(n, 3 * sizeof *fresh);
    tide_cholesky *old = create(SIDES, TIDE_CHOLESKY_FAST, 0);
    uint64_t allocations = 0;
    for (int round = 0; round < 5; round++) {
        for (int32_t k = 0; k < matrix.column_start[n]; k++)
            matrix.value[k] *= 1.25 + (round == 3);
        allocations = tide_memory_count().allocations;
        factor(old, &matrix);
        solve(SIDES, old, b, x);
        if (round > 0)
            assert_int_equal(tide_memory_count().allocations, allocations);
        assert_int_equal(tide_cholesky_describe(old).analyses, 1);
        assert_int_equal(tide_cholesky_describe(old).factorizations, round + 1);
        tide_cholesky *other = create(SIDES, TIDE_CHOLESKY_FAST, 0);
        factor(other, &matrix);
        solve(SIDES, other, b, fresh);
        assert_memory_equal(x, fresh, 3 * n * sizeof *x);
        tide_cholesky_destroy(other);
    }
    tide_cholesky_destroy(old);
    tide_sparse_free(&matrix);
    tide_free(b);
    tide_free(x);
    tide_free(fresh);
}

// Steps x <- x - A^-1 (A x - b), the residual in double precision, end where double precision does.
static void test_iterated_it_is_exact(void **state)
{
    (void)state;
    tide_sparse matrix = grid(60, 60, 1, 1e-3, 5, 50);
    uint32_t n = matrix.rows;
    double *b = right_hand_sides(n, SIDES), *x = tide_allocate_zeroed(n, 3 * sizeof *x);
    double *expected = tide_allocate_array(n, 3 * sizeof *x), *step = tide_allocate_array(n, 3 * sizeof *x);
    tide_cholesky *reference = create(SIDES, TIDE_CHOLESKY_REFERENCE, 0), *fast = create(SIDES, TIDE_CHOLESKY_FAST, 0);
    factor(reference, &matrix);
    factor(fast, &matrix);
    solve(SIDES, reference, b, expected);
    for (int round = 0; round < 4; round++) {
        tide_sparse_multiply(&matrix, 3, x, step);
        for (size_t i = 0; i < 3 * (size_t)n; i++)
            step[i] -= b[i];
        solve(SIDES, fast, step, step);
        for (size_t i = 0; i < 3 * (size_t)n; i++)
            x[i] -= step[i];
    }
    assert_int_equal(tide_cholesky_describe(fast).method, TIDE_CHOLESKY_FAST);
    assert_near(distance(SIDES, n, x, expected), 0,
                1e-11); // rounding of the residual, times the condition number of 4e5
    tide_cholesky_destroy(reference);
    tide_cholesky_destroy(fast);
    tide_sparse_free(&matrix);
    tide_free(b);
    tide_free(x);
    tide_free(expected);
    tide_free(step);
}

// Stiffnesses of 1 and 1e8 side by side, masses of 1e-6: single precision leaves a residual that is seen.
static void test_ill_conditioned_is_done_in_double(void **state)
{
    (void)state;
    tide_sparse matrix = grid(40, 40, 1, 1e-6, 1, 1);
    uint32_t n = matrix.rows;
    tide_random random = tide_random_seed(3);
    tide_triplets triplets = { 0 };
    for (uint32_t j = 0; j < n; j++)
        for (int32_t k = matrix.column_start[j]; k < matrix.column_start[j + 1]; k++)
            if ((uint32_t)matrix.row[k] != j)
                join(&triplets, (uint32_t)matrix.row[k], j, tide_random_next(&random) % 2 ? 1 : 1e8);
    add_masses(&triplets, n, 1e-6);
    tide_sparse stiff = finish(&triplets, n);
    double *b = right_hand_sides(n, SIDES), *x = tide_allocate_array(n, 3 * sizeof *x);
    double *expected = tide_allocate_array(n, 3 * sizeof *x);
    tide_cholesky *reference = create(SIDES, TIDE_CHOLESKY_REFERENCE, 0);
    factor(reference, &stiff);
    solve(SIDES, reference, b, expected);
    for (int w = 0; w < WIDTHS; w++) {
        tide_cholesky *cholesky = create(SIDES, TIDE_CHOLESKY_FAST, widths[w]);
        factor(cholesky, &stiff);
        solve(SIDES, cholesky, b, x);
        tide_cholesky_info info = tide_cholesky_describe(cholesky);
        assert_int_not_equal(info.method, TIDE_CHOLESKY_FAST);
        assert_true(info.error > 1e-6 || info.energy > 1e-3);
        assert_true(distance(SIDES, n, x, expected) < 1e-6);
        // The next matrix of the pattern has its own chance.
        memcpy(stiff.value, matrix.value, (size_t)matrix.column_start[n] * sizeof *matrix.value);
        for (uint32_t j = 0; j < n; j++)
            stiff.value[stiff.column_start[j]] += 1;
        factor(cholesky, &stiff);
        solve(SIDES, cholesky, b, x);
        assert_int_equal(tide_cholesky_describe(cholesky).method, TIDE_CHOLESKY_FAST);
        tide_cholesky_destroy(cholesky);
        tide_sparse_free(&stiff);
        for (uint32_t j = 0; j < n; j++)
            for (int32_t k = matrix.column_start[j]; k < matrix.column_start[j + 1]; k++)
                if ((uint32_t)matrix.row[k] != j)
                    join(&triplets, (uint32_t)matrix.row[k], j, tide_random_next(&random) % 2 ? 1 : 1e8);
        add_masses(&triplets, n, 1e-6);
        stiff = finish(&triplets, n);
        factor(reference, &stiff);
        solve(SIDES, reference, b, expected);
    }
    tide_cholesky_destroy(reference);
    tide_sparse_free(&matrix);
    tide_sparse_free(&stiff);
    tide_free(b);
    tide_free(x);
    tide_free(expected);
}

// Single precision ends at 1e38 and 1e-38; right-hand sides and rows of the matrix may go far beyond.
static void test_sizes_beyond_single_precision(void **state)
{
    (void)state;
    static const double sizes[] = { 1e-300, 1e-60, 1e-20, 1, 1e20, 1e60, 1e280 };
    tide_sparse matrix = grid(20, 20, 1, 0.1, 5, 50);
    uint32_t n = matrix.rows;
    double *b = right_hand_sides(n, SIDES), *x = tide_allocate_array(n, 3 * sizeof *x);
    double *expected = tide_allocate_array(n, 3 * sizeof *x), *scaled = tide_allocate_array(n, 3 * sizeof *x);
    tide_cholesky *reference = create(SIDES, TIDE_CHOLESKY_REFERENCE, 0), *fast = create(SIDES, TIDE_CHOLESKY_FAST, 0);
    factor(reference, &matrix);
    factor(fast, &matrix);
    solve(SIDES, reference, b, expected);
    for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++) {
        for (size_t i = 0; i < 3 * (size_t)n; i++)
            scaled[i] = sizes[s] * b[i];
        solve(SIDES, fast, scaled, x);
        for (size_t i = 0; i < 3 * (size_t)n; i++)
            x[i] /= sizes[s];
        assert_true(distance(SIDES, n, x, expected) < 1e-6);
    }
    // The unit of each row and column another: from 1e-12 to 1e12.
    for (uint32_t j = 0; j < n; j++)
        for (int32_t k = matrix.column_start[j]; k < matrix.column_start[j + 1]; k++)
            matrix.value[k] *= pow(10, j % 25 - 12.0) * pow(10, matrix.row[k] % 25 - 12.0);
    factor(fast, &matrix);
    for (size_t i = 0; i < 3 * (size_t)n; i++)
        scaled[i] = b[i] * pow(10, (double)(i / 3 % 25) - 12);
    solve(SIDES, fast, scaled, x);
    for (size_t i = 0; i < 3 * (size_t)n; i++)
        x[i] *= pow(10, (double)(i / 3 % 25) - 12);
    assert_true(distance(SIDES, n, x, expected) < 1e-6);
    memset(scaled, 0, 3 * n * sizeof *scaled);
    solve(SIDES, fast, scaled, x);
    assert_memory_equal(x, scaled, 3 * n * sizeof *x);
    tide_cholesky_destroy(reference);
    tide_cholesky_destroy(fast);
    tide_sparse_free(&matrix);
    tide_free(b);
    tide_free(x);
    tide_free(expected);
    tide_free(scaled);
}

// One right-hand side in a corner, whose solution dies away to nothing.
static void test_small_numbers_are_zero_not_slow_or_wrong(void **state)
{
    (void)state;
    tide_sparse matrix = grid(400, 3, 1, 100, 1, 2);
    uint32_t n = matrix.rows;
    double *b = tide_allocate_zeroed(n, 3 * sizeof *b), *x = tide_allocate_array(n, 3 * sizeof *x);
    tide_cholesky *fast = create(SIDES, TIDE_CHOLESKY_FAST, 0);
    factor(fast, &matrix);
    b[0] = b[1] = b[2] = 1;
    solve(SIDES, fast, b, x);
    assert_true(x[0] > 1e-3);
    for (size_t i = 0; i < 3 * (size_t)n; i++)
        assert_true(x[i] == 0 || fabs(x[i]) > 1e-39);
    assert_true(x[3 * (size_t)n - 1] == 0);
    volatile double tiny = 1e-310; // the caller's own small numbers are as before
    assert_true(tiny / 2 > 0);
    tide_cholesky_destroy(fast);
    tide_sparse_free(&matrix);
    tide_free(b);
    tide_free(x);
}

static void test_not_a_number_stays_in_its_column(void **state)
{
    (void)state;
    tide_sparse matrix = grid(30, 20, 1, 0.1, 5, 50);
    uint32_t n = matrix.rows;
    double *b = right_hand_sides(n, SIDES), *x = tide_allocate_array(n, 3 * sizeof *x);
    double *good = tide_allocate_array(n, 3 * sizeof *x);
    tide_cholesky *fast = create(SIDES, TIDE_CHOLESKY_FAST, 0);
    factor(fast, &matrix);
    solve(SIDES, fast, b, good);
    b[3 * 100 + 1] = NAN;
    solve(SIDES, fast, b, x);
    for (size_t i = 0; i < n; i++) {
        assert_true(isnan(x[3 * i + 1]));
        assert_true(x[3 * i] == good[3 * i] && x[3 * i + 2] == good[3 * i + 2]);
    }
    tide_cholesky_destroy(fast);
    tide_sparse_free(&matrix);
    tide_free(b);
    tide_free(x);
    tide_free(good);
}

static void test_dissection_where_minimum_degree_fills_in(void **state)
{
    (void)state;
    tide_sparse matrix = grid(16, 16, 16, 0.1, 5, 50), sparse = make_shape(TREE, 500);
    size_t nonzeros[2][2];
    for (int method = 0; method < 2; method++) {
        tide_cholesky *cholesky = create(SIDES, (tide_solve_method)method, 0);
        factor(cholesky, &matrix);
        nonzeros[0][method] = tide_cholesky_describe(cholesky).nonzeros;
        factor(cholesky, &sparse);
        nonzeros[1][method] = tide_cholesky_describe(cholesky).nonzeros;
        assert_int_equal(tide_cholesky_describe(cholesky).analyses, 2);
        tide_cholesky_destroy(cholesky);
    }
    assert_true(nonzeros[0][TIDE_CHOLESKY_FAST] < nonzeros[0][TIDE_CHOLESKY_REFERENCE]);
    assert_int_equal(nonzeros[1][TIDE_CHOLESKY_FAST], nonzeros[1][TIDE_CHOLESKY_REFERENCE]);
    tide_sparse_free(&matrix);
    tide_sparse_free(&sparse);
}

static void test_choosing_forgets_the_factor(void **state)
{
    (void)state;
    tide_error error;
    tide_sparse matrix = grid(10, 10, 1, 0.1, 5, 50);
    double b[300] = { 1 };
    tide_cholesky *cholesky = create(SIDES, TIDE_CHOLESKY_FAST, 0);
    factor(cholesky, &matrix);
    tide_cholesky_choose(cholesky, TIDE_CHOLESKY_FAST, 0);
    solve(SIDES, cholesky, b, b);
    tide_cholesky_choose(cholesky, TIDE_CHOLESKY_DOUBLE, 0);
    assert_fails(tide_cholesky_solve(cholesky, 3, b, b, &error), error, "there is no factor");
    factor(cholesky, &matrix);
    assert_int_equal(tide_cholesky_describe(cholesky).analyses, 2);
    tide_cholesky_destroy(cholesky);
    tide_sparse_free(&matrix);
}

static tide_status whole_life(void *context, tide_error *error)
{
    const tide_sparse *matrix = context;
    static double b[3 * 3600];
    tide_cholesky *cholesky = NULL;
    tide_status status = tide_cholesky_create(&cholesky, error);
    if (status)
        return status;
    tide_cholesky_choose(cholesky, TIDE_CHOLESKY_FAST, 0);
    status = tide_cholesky_factor(cholesky, matrix, NULL, error);
    if (!status)
        status = tide_cholesky_solve(cholesky, 3, b, b, error);
    tide_cholesky_destroy(cholesky);
    return status;
}

static void test_out_of_memory(void **state)
{
    (void)state;
    tide_sparse matrix = grid(60, 60, 1, 0.1, 5, 50);
    assert_true(fail_each_allocation(whole_life, &matrix) > 30);
    tide_sparse_free(&matrix);
}

// All widths and precisions read the same values.
static void test_reading_sums_all_values(void **state)
{
    (void)state;
    tide_sparse matrix = grid(40, 41, 1, 0.1, 5, 50);
    tide_cholesky *cholesky = create(SIDES, TIDE_CHOLESKY_REFERENCE, 0);
    double b[3 * 40 * 41] = { 0 }, expected = 0;
    factor(cholesky, &matrix);
    solve(SIDES, cholesky, b, b);
    assert_true(tide_cholesky_read(cholesky) == 0);
    for (int w = 0; w < 2 * WIDTHS; w++) {
        tide_cholesky_choose(cholesky, w % 2 ? TIDE_CHOLESKY_FAST : TIDE_CHOLESKY_DOUBLE, widths[w / 2]);
        factor(cholesky, &matrix);
        solve(SIDES, cholesky, b, b);
        double sum = tide_cholesky_read(cholesky);
        if (tide_cholesky_describe(cholesky).method == TIDE_CHOLESKY_REFERENCE)
            continue; // in double precision with the narrowest
        expected = expected == 0 ? sum : expected;
        assert_near(sum, expected, 1e-4 * fabs(expected));
        assert_true(fabs(sum) > 100);
    }
    tide_cholesky_destroy(cholesky);
    tide_sparse_free(&matrix);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_every_way_and_width_agrees),
    cmocka_unit_test(test_names_of_widths),
    cmocka_unit_test(test_threads_change_nothing),
    cmocka_unit_test(test_threads_factor_the_same),
    cmocka_unit_test(test_bad_rows_are_those_of_the_reference),
    cmocka_unit_test(test_one_right_hand_side_is_cholmods),
    cmocka_unit_test(test_new_values_keep_the_analysis),
    cmocka_unit_test(test_iterated_it_is_exact),
    cmocka_unit_test(test_ill_conditioned_is_done_in_double),
    cmocka_unit_test(test_sizes_beyond_single_precision),
    cmocka_unit_test(test_small_numbers_are_zero_not_slow_or_wrong),
    cmocka_unit_test(test_not_a_number_stays_in_its_column),
    cmocka_unit_test(test_dissection_where_minimum_degree_fills_in),
    cmocka_unit_test(test_choosing_forgets_the_factor),
    cmocka_unit_test(test_reading_sums_all_values),
    cmocka_unit_test(test_out_of_memory),
};
TIDE_TEST_SUITE(factor_cholesky_ways, tests)
