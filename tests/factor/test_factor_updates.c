// Factors of matrices that change by little: rows that are pinned and set free, springs that are cut and mended, put
// back to what a factorisation of the whole makes, bit by bit.
#include "../linear/failing.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "base/random.h"
#include "factor/cholesky.h"
#include "factor/sweeps.h"
#include "factoring.h"
#include "tests.h"

#include <math.h>
#include <string.h>

// A sheet or block of springs whose entries of the matrix are made from what is pinned, and how stiff each one is.
typedef struct net {
    tide_sparse matrix;
    uint32_t count, spring_count;
    bool *pinned;      // (count)
    uint32_t *ends;    // (2 * spring_count)
    double *stiffness; // (spring_count)
    double *b, *x, *expected;
} net;

static uint32_t join(net *n, uint32_t a, uint32_t b)
{
    n->ends[2 * n->spring_count] = a > b ? a : b;
    n->ends[2 * n->spring_count + 1] = a > b ? b : a;
    n->stiffness[n->spring_count] = 5 + n->spring_count % 7;
    return n->spring_count++;
}

static double *entry(net *n, uint32_t row, uint32_t column)
{
    for (int32_t k = n->matrix.column_start[column]; k < n->matrix.column_start[column + 1]; k++)
        if (n->matrix.row[k] == (int32_t)row)
            return &n->matrix.value[k];
    fail();
    return NULL;
}

static void fill(net *n)
{
    memset(n->matrix.value, 0, (size_t)n->matrix.column_start[n->count] * sizeof *n->matrix.value);
    for (uint32_t p = 0; p < n->count; p++)
        *entry(n, p, p) = 1;
    for (uint32_t s = 0; s < n->spring_count; s++) {
        uint32_t a = n->ends[2 * s], b = n->ends[2 * s + 1];
        *entry(n, a, a) += n->stiffness[s];
        *entry(n, b, b) += n->stiffness[s];
        if (!n->pinned[a] && !n->pinned[b])
            *entry(n, a, b) -= n->stiffness[s];
    }
    for (size_t i = 0; i < 3 * (size_t)n->count; i++)
        n->b[i] = n->pinned[i / 3] ? 0 : sin((double)(i % 97));
}

static net make(uint32_t nx, uint32_t ny, uint32_t nz)
{
    net n = { .count = nx * ny * nz };
    tide_triplets triplets = { 0 };
    tide_error error;
    n.pinned = tide_allocate_zeroed(n.count, sizeof *n.pinned);
    n.ends = tide_allocate_array(n.count, 14 * sizeof *n.ends);
    n.stiffness = tide_allocate_array(n.count, 7 * sizeof *n.stiffness);
    n.b = tide_allocate_array(n.count, 3 * sizeof *n.b);
    n.x = tide_allocate_array(n.count, 3 * sizeof *n.x);
    n.expected = tide_allocate_array(n.count, 3 * sizeof *n.expected);
    assert_true(n.pinned && n.ends && n.stiffness && n.b && n.x && n.expected);
    for (uint32_t p = 0; p < n.count; p++) {
        uint32_t x = p % nx, y = p / nx % ny, z = p / nx / ny;
        tide_triplets_add(&triplets, p, p, 0);
        for (uint32_t k = 1; k < 8; k++) {
            uint32_t other[3] = { x + (k & 1), y + (k >> 1 & 1), z + (k >> 2) };
            if (other[0] >= nx || other[1] >= ny || other[2] >= nz)
                continue;
            uint32_t s = join(&n, p, other[0] + nx * (other[1] + ny * other[2]));
            tide_triplets_add(&triplets, n.ends[2 * s], n.ends[2 * s + 1], 0);
        }
    }
    assert_ok(tide_sparse_from_triplets(&triplets, n.count, n.count, true, &n.matrix, &error), error);
    tide_triplets_free(&triplets);
    fill(&n);
    return n;
}

static void end(net *n)
{
    tide_sparse_free(&n->matrix);
    tide_free(n->pinned);
    tide_free(n->ends);
    tide_free(n->stiffness);
    tide_free(n->b);
    tide_free(n->x);
    tide_free(n->expected);
}

static void factor_and_solve(tide_cholesky *cholesky, const net *n, double *x)
{
    factor(cholesky, &n->matrix);
    solve(3, cholesky, n->b, x);
}

// Some of: a vertex pinned or set free, a spring cut, mended, made stiffer by much (its rows get other scales).
static void change(net *n, tide_random *random)
{
    uint32_t many = 1 + tide_random_next(random) % 4;
    for (uint32_t i = 0; i < many; i++) {
        uint32_t p = tide_random_next(random) % n->count, s = tide_random_next(random) % n->spring_count;
        switch (tide_random_next(random) % 5) {
        case 0:
        case 1:
            n->pinned[p] = !n->pinned[p];
            break;
        case 2:
            n->stiffness[s] = 0;
            break;
        case 3:
            n->stiffness[s] = 6;
            break;
        default:
            n->stiffness[s] = 300;
            break;
        }
    }
    fill(n);
}

static double error_of(const net *n)
{
    double wrong = 0, all = 0;
    for (size_t i = 0; i < 3 * (size_t)n->count; i++) {
        wrong += (n->x[i] - n->expected[i]) * (n->x[i] - n->expected[i]);
        all += n->expected[i] * n->expected[i];
    }
    return wrong == 0 ? 0 : sqrt(wrong / all); // all may be pinned
}

static void test_changes_give_what_a_new_factor_gives(void **state)
{
    (void)state;
    static const uint32_t sizes[][3] = { { 45, 44, 1 }, { 11, 12, 13 }, { 300, 2, 1 }, { 3, 1, 1 } };
    static const int threads[] = { 1, 2, 4 };
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
        for (int method = TIDE_CHOLESKY_FAST; method <= TIDE_CHOLESKY_DOUBLE; method++) {
            net n = make(sizes[i][0], sizes[i][1], sizes[i][2]);
            tide_random random = tide_random_seed(7 + i);
            tide_cholesky *kept = create(3, (tide_solve_method)method, 0),
                          *reference = create(3, TIDE_CHOLESKY_REFERENCE, 0);
            bool partly = false;
            for (int round = 0; round < 25; round++) {
                if (round)
                    change(&n, &random);
                tide_set_threads(threads[round % 3]);
                factor_and_solve(kept, &n, n.x);
                tide_cholesky_info info = tide_cholesky_describe(kept);
                assert_int_equal(info.analyses, 1);
                partly = partly || (info.redone > 0 && info.redone < 0.9);
                assert_true(round > 0 || info.redone == 1 || info.method == TIDE_CHOLESKY_REFERENCE);
                tide_set_threads(1);
                tide_cholesky *fresh = create(3, (tide_solve_method)method, 0);
                factor_and_solve(fresh, &n, n.expected);
                assert_memory_equal(n.x, n.expected, 3 * n.count * sizeof *n.x);
                tide_cholesky_destroy(fresh);
                factor_and_solve(reference, &n, n.expected);
                assert_true(error_of(&n) < (info.method == TIDE_CHOLESKY_FAST ? 1e-6 : 1e-12));
                for (uint32_t p = 0; p < n.count; p++)
                    assert_true(!n.pinned[p] || (n.x[3 * p] == 0 && n.x[3 * p + 1] == 0 && n.x[3 * p + 2] == 0));
            }
            assert_true(partly || i == 3 || !tide_sweeps_choose(method == TIDE_CHOLESKY_FAST, 0));
            tide_cholesky_destroy(kept);
            tide_cholesky_destroy(reference);
            end(&n);
        }
}

// Rows that are 0 except on the diagonal do not change the solution of the others.
static void test_a_pinned_row_is_as_if_taken_out(void **state)
{
    (void)state;
    net n = make(20, 21, 1);
    tide_error error;
    uint32_t *row = tide_allocate_array(n.count, sizeof *row), rows = 0;
    for (uint32_t p = 0; p < n.count; p += 29)
        n.pinned[p] = true;
    fill(&n);
    for (uint32_t p = 0; p < n.count; p++)
        row[p] = n.pinned[p] ? UINT32_MAX : rows++;
    tide_triplets triplets = { 0 };
    for (uint32_t j = 0; j < n.count; j++)
        for (int32_t k = n.matrix.column_start[j]; k < n.matrix.column_start[j + 1]; k++)
            if (row[j] != UINT32_MAX && row[n.matrix.row[k]] != UINT32_MAX)
                tide_triplets_add(&triplets, row[n.matrix.row[k]], row[j], n.matrix.value[k]);
    tide_sparse taken = { 0 };
    assert_ok(tide_sparse_from_triplets(&triplets, rows, rows, true, &taken, &error), error);
    tide_triplets_free(&triplets);
    for (uint32_t p = 0; p < n.count; p++)
        if (row[p] != UINT32_MAX)
            memcpy(n.expected + 3 * row[p], n.b + 3 * p, 3 * sizeof *n.b);
    tide_cholesky *whole = create(3, TIDE_CHOLESKY_DOUBLE, 0), *part = create(3, TIDE_CHOLESKY_REFERENCE, 0);
    factor_and_solve(whole, &n, n.x);
    factor(part, &taken);
    solve(3, part, n.expected, n.expected);
    for (uint32_t i = 0; i < 3 * n.count; i++)
        assert_near(n.x[i], row[i / 3] == UINT32_MAX ? 0 : n.expected[3 * row[i / 3] + i % 3], 1e-12);
    tide_cholesky_destroy(whole);
    tide_cholesky_destroy(part);
    tide_sparse_free(&taken);
    tide_free(row);
    end(&n);
}

static void test_a_pin_takes_little_and_allocates_nothing(void **state)
{
    (void)state;
    net n = make(60, 60, 1);
    tide_cholesky *cholesky = create(3, TIDE_CHOLESKY_FAST, 0);
    factor_and_solve(cholesky, &n, n.x);
    if (tide_cholesky_describe(cholesky).method == TIDE_CHOLESKY_FAST)
        for (int round = 0; round < 8; round++) {
            n.pinned[1830] = !n.pinned[1830];
            fill(&n);
            uint64_t allocations = tide_memory_count().allocations;
            factor_and_solve(cholesky, &n, n.x);
            assert_int_equal(tide_memory_count().allocations, allocations);
            double redone = tide_cholesky_describe(cholesky).redone;
            assert_true(redone > 0 && redone < 0.75);
        }
    tide_cholesky_destroy(cholesky);
    end(&n);
}

// After a matrix that is not definite, and after one that needed double precision, nothing old is left in the factor.
static void test_failures_and_other_precisions_between(void **state)
{
    (void)state;
    net n = make(30, 30, 2);
    tide_error error;
    tide_cholesky *kept = create(3, TIDE_CHOLESKY_FAST, 0);
    factor_and_solve(kept, &n, n.x);
    for (int round = 0; round < 3; round++) {
        double *bad = entry(&n, 700 + (uint32_t)round, 700 + (uint32_t)round), before = *bad;
        uint32_t row = 0;
        *bad = -1;
        assert_fails(tide_cholesky_factor(kept, &n.matrix, &row, &error), error, "not positive definite");
        assert_int_equal(row, 700 + round);
        *bad = before;
        if (round == 1) {
            n.stiffness[40] = 1e9;
            n.stiffness[41] = 1e-9;
        }
        n.pinned[11 * round + 5] = true;
        for (int settled = 0; settled < 2; settled++) {
            fill(&n);
            factor_and_solve(kept, &n, n.x);
            tide_cholesky *fresh = create(3, TIDE_CHOLESKY_FAST, 0);
            factor_and_solve(fresh, &n, n.expected);
            assert_memory_equal(n.x, n.expected, 3 * n.count * sizeof *n.x);
            assert_int_equal(tide_cholesky_describe(kept).method, tide_cholesky_describe(fresh).method);
            tide_cholesky_destroy(fresh);
            n.stiffness[40] = n.stiffness[41] = 5;
        }
    }
    tide_cholesky_destroy(kept);
    end(&n);
}

typedef struct attempt {
    const net *net, *changed;
} attempt;

static tide_status factor_twice(void *context, tide_error *error)
{
    const attempt *a = context;
    tide_cholesky *cholesky = NULL;
    tide_status status = tide_cholesky_create(&cholesky, error);
    if (!status) {
        tide_cholesky_choose(cholesky, TIDE_CHOLESKY_FAST, 0);
        status = tide_cholesky_factor(cholesky, &a->net->matrix, NULL, error);
    }
    if (!status)
        status = tide_cholesky_factor(cholesky, &a->changed->matrix, NULL, error);
    if (!status)
        status = tide_cholesky_solve(cholesky, 3, a->changed->b, a->changed->x, error);
    tide_cholesky_destroy(cholesky);
    return status;
}

static void test_out_of_memory(void **state)
{
    (void)state;
    net n = make(12, 12, 1), changed = make(12, 12, 1);
    changed.pinned[60] = true;
    fill(&changed);
    attempt a = { &n, &changed };
    assert_true(fail_each_allocation_at_most(factor_twice, &a) > 40);
    end(&n);
    end(&changed);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_changes_give_what_a_new_factor_gives),
    cmocka_unit_test(test_a_pinned_row_is_as_if_taken_out),
    cmocka_unit_test(test_a_pin_takes_little_and_allocates_nothing),
    cmocka_unit_test(test_failures_and_other_precisions_between),
    cmocka_unit_test(test_out_of_memory),
};
TIDE_TEST_SUITE(factor_updates, tests)
