// Factors of matrices to which springs were added, in the order of the matrix without them.
#include "../linear/failing.h"
#include "base/parallel.h"
#include "factor/graft.h"
#include "factoring.h"

#include <string.h>

// What springs of stiffness 5 between neighbours of a block of vertices make, and `added` ones of other stiffnesses
// between any two, `near` another in the numbering or not.
typedef struct block {
    uint32_t nx, ny, nz, added, near;
} block;

static void add_spring(tide_triplets *triplets, uint32_t a, uint32_t b, double stiffness)
{
    tide_triplets_add(triplets, a, a, stiffness);
    tide_triplets_add(triplets, b, b, stiffness);
    tide_triplets_add(triplets, a > b ? a : b, a > b ? b : a, -stiffness);
}

static tide_sparse make(block s, uint64_t seed)
{
    tide_triplets triplets = { 0 };
    tide_random random = tide_random_seed(seed);
    uint32_t n = s.nx * s.ny * s.nz;
    for (uint32_t p = 0; p < n; p++) {
        uint32_t x = p % s.nx, y = p / s.nx % s.ny, z = p / s.nx / s.ny;
        tide_triplets_add(&triplets, p, p, 1);
        for (uint32_t k = 1; k < 8; k++) {
            uint32_t q[3] = { x + (k & 1), y + (k >> 1 & 1), z + (k >> 2) };
            if (q[0] < s.nx && q[1] < s.ny && q[2] < s.nz)
                add_spring(&triplets, p, q[0] + s.nx * (q[1] + s.ny * q[2]), 5);
        }
    }
    for (uint32_t i = 0; i < s.added; i++) {
        uint32_t a = tide_random_next(&random) % n, by = 1 + tide_random_next(&random) % (s.near ? s.near : n - 1);
        add_spring(&triplets, a, (a + by) % n, 1 + i % 9);
    }
    return finish(&triplets, n);
}

static void graft(tide_cholesky *cholesky, const tide_sparse *base, const tide_sparse *matrix)
{
    tide_error error;
    assert_ok(tide_cholesky_factor_grafted(cholesky, base, matrix, NULL, &error), error);
}

static const block blocks[] = { { 45, 44, 1, 0, 0 }, { 11, 12, 13, 0, 0 }, { 300, 2, 1, 0, 0 }, { 3, 1, 1, 0, 0 } };
enum { BLOCKS = sizeof blocks / sizeof blocks[0] };

static void test_solutions_are_those_of_a_whole_factorisation(void **state)
{
    (void)state;
    static const uint32_t added[] = { 1, 4, 16, 64, 400 }, near[] = { 0, 3, 50 };
    bool grafted = false, anew = false;
    for (int i = 0; i < BLOCKS; i++)
        for (int k = 0; k < 5; k++)
            for (int method = TIDE_CHOLESKY_REFERENCE; method <= TIDE_CHOLESKY_DOUBLE; method++) {
                block joined = blocks[i];
                joined.added = added[k];
                joined.near = near[(i + k) % 3];
                tide_sparse base = make(blocks[i], 1), matrix = make(joined, (uint64_t)k);
                double *b = right_hand_sides(matrix.rows, 3), *x = right_hand_sides(matrix.rows, 3),
                       *expected = right_hand_sides(matrix.rows, 3);
                tide_cholesky *one = create(3, (tide_solve_method)method, 0),
                              *reference = create(3, TIDE_CHOLESKY_REFERENCE, 0);
                graft(one, &base, &matrix);
                solve(3, one, b, x);
                factor(reference, &matrix);
                solve(3, reference, b, expected);
                tide_cholesky_info info = tide_cholesky_describe(one);
                assert_true(distance(3, matrix.rows, x, expected) < (info.method == TIDE_CHOLESKY_FAST ? 1e-6 : 1e-12));
                factor(reference, &base);
                size_t nonzeros = tide_cholesky_describe(reference).nonzeros;
                if (method == TIDE_CHOLESKY_REFERENCE) // the others try METIS's ordering
                    assert_true(!info.grafted || (double)info.nonzeros <= 1.25 * (double)nonzeros);
                grafted = grafted || info.grafted;
                anew = anew || !info.grafted;
                tide_cholesky_destroy(one);
                tide_cholesky_destroy(reference);
                tide_sparse_free(&base);
                tide_sparse_free(&matrix);
                tide_free(b);
                tide_free(x);
                tide_free(expected);
            }
    assert_true(grafted && anew);
}

// For any earlier factorisation and any number of threads.
static void test_bits_do_not_depend_on_what_was_before(void **state)
{
    (void)state;
    static const int turns[] = { 0, 1, 2, 1, 0, 3, 2, 3, 1 }, threads[] = { 1, 2, 4 };
    for (int i = 0; i < 2; i++) {
        tide_sparse matrices[4];
        for (uint32_t k = 0; k < 4; k++)
            matrices[k] = make((block) { blocks[i].nx, blocks[i].ny, blocks[i].nz, 5 * k * k, 0 }, 1);
        double *b = right_hand_sides(matrices[0].rows, 3), *x = right_hand_sides(matrices[0].rows, 3),
               *expected = right_hand_sides(matrices[0].rows, 3);
        tide_cholesky *kept = create(3, TIDE_CHOLESKY_FAST, 0);
        for (size_t turn = 0; turn < sizeof turns / sizeof turns[0]; turn++) {
            const tide_sparse *base = turns[turn] ? &matrices[0] : NULL, *matrix = &matrices[turns[turn]];
            tide_set_threads(threads[turn % 3]);
            graft(kept, base, matrix);
            solve(3, kept, b, x);
            tide_set_threads(1);
            tide_cholesky *fresh = create(3, TIDE_CHOLESKY_FAST, 0);
            graft(fresh, base, matrix);
            solve(3, fresh, b, expected);
            assert_memory_equal(x, expected, 3 * (size_t)matrix->rows * sizeof *x);
            assert_int_equal(tide_cholesky_describe(kept).grafted, turns[turn] > 0);
            tide_cholesky_destroy(fresh);
        }
        tide_cholesky_destroy(kept);
        for (int k = 0; k < 4; k++)
            tide_sparse_free(&matrices[k]);
        tide_free(b);
        tide_free(x);
        tide_free(expected);
    }
}

// A spring adds only the entries on the paths from its ends to the root of the tree.
static void test_a_spring_across_a_sheet_fills_in_little(void **state)
{
    (void)state;
    tide_sparse base = make((block) { 80, 80, 1, 0, 0 }, 1), matrix = make((block) { 80, 80, 1, 0, 0 }, 1);
    tide_cholesky *cholesky = create(3, TIDE_CHOLESKY_FAST, 0);
    factor(cholesky, &base);
    double nonzeros = (double)tide_cholesky_describe(cholesky).nonzeros;
    for (uint32_t p = 0; p < 6400; p += 401) {
        tide_triplets triplets = { 0 };
        for (uint32_t j = 0; j < base.columns; j++)
            for (int32_t k = base.column_start[j]; k < base.column_start[j + 1]; k++)
                tide_triplets_add(&triplets, (uint32_t)base.row[k], j, base.value[k]);
        add_spring(&triplets, p, 6399 - p * 7 % 6399, 3);
        tide_sparse_free(&matrix);
        matrix = finish(&triplets, 6400);
        graft(cholesky, &base, &matrix);
        tide_cholesky_info info = tide_cholesky_describe(cholesky);
        assert_true(info.grafted);
        assert_true((double)info.nonzeros < nonzeros + 2 * 1200); // columns on a path of such a sheet
    }
    tide_cholesky_destroy(cholesky);
    tide_sparse_free(&base);
    tide_sparse_free(&matrix);
}

// A path of 7 rows, in an order that takes the middle one last: its halves are the branches of the tree.
static void test_a_row_moves_to_where_the_branches_meet(void **state)
{
    (void)state;
    static const int32_t bisected[7] = { 0, 2, 1, 4, 6, 5, 3 };
    static const uint32_t parents[8] = { 2, 2, 6, 5, 5, 6, 7, 7 };
    static const struct {
        uint32_t joined[2][2];
        int32_t order[7];
    } cases[] = {
        { { { 0, 1 }, { 5, 6 } }, { 0, 2, 1, 4, 6, 5, 3 } }, // that were joined before
        { { { 0, 3 }, { 6, 3 } }, { 0, 2, 1, 4, 6, 5, 3 } }, // with what they hang from
        { { { 0, 6 }, { 0, 6 } }, { 0, 2, 1, 4, 5, 6, 3 } }, // across the whole
        { { { 0, 2 }, { 4, 6 } }, { 0, 2, 1, 4, 6, 5, 3 } }, // before 1, and before 5: where they are
        { { { 1, 4 }, { 6, 2 } }, { 0, 2, 1, 5, 4, 6, 3 } },
        { { { 2, 6 }, { 0, 6 } }, { 0, 2, 1, 4, 5, 6, 3 } }, // what was moved is not moved again
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        tide_triplets plain = { 0 }, more = { 0 };
        for (uint32_t p = 0; p < 7; p++)
            for (int k = 0; k < 2; k++) {
                tide_triplets_add(k ? &more : &plain, p, p, 1);
                if (p)
                    add_spring(k ? &more : &plain, p, p - 1, 1);
            }
        for (int k = 0; k < 2; k++)
            add_spring(&more, cases[i].joined[k][0], cases[i].joined[k][1], 1);
        tide_sparse base = finish(&plain, 7), matrix = finish(&more, 7);
        int32_t order[7];
        memcpy(order, bisected, sizeof order);
        uint32_t *tree = tide_graft_tree(&base, order);
        assert_non_null(tree);
        assert_memory_equal(tree, parents, sizeof parents);
        assert_true(tide_graft_order(&base, tree, &matrix, order));
        tide_free(tree);
        assert_memory_equal(order, cases[i].order, sizeof order);
        tide_sparse_free(&base);
        tide_sparse_free(&matrix);
    }
}

static void test_a_base_of_other_rows_is_refused(void **state)
{
    (void)state;
    tide_error error;
    tide_sparse base = make((block) { 5, 4, 1, 0, 0 }, 1), matrix = make((block) { 5, 5, 1, 0, 0 }, 1);
    tide_cholesky *cholesky = create(3, TIDE_CHOLESKY_FAST, 0);
    assert_fails(tide_cholesky_factor_grafted(cholesky, &base, &matrix, NULL, &error), error, "base");
    double x[75] = { 0 };
    assert_fails(tide_cholesky_solve(cholesky, 3, x, x, &error), error, "no factor");
    tide_cholesky_destroy(cholesky);
    tide_sparse_free(&base);
    tide_sparse_free(&matrix);
}

typedef struct attempt {
    const tide_sparse *base, *matrix;
} attempt;

static tide_status factor_both(void *context, tide_error *error)
{
    const attempt *a = context;
    tide_cholesky *cholesky = NULL;
    tide_status status = tide_cholesky_create(&cholesky, error);
    if (!status) {
        tide_cholesky_choose(cholesky, TIDE_CHOLESKY_FAST, 0);
        status = tide_cholesky_factor(cholesky, a->base, NULL, error);
    }
    if (!status)
        status = tide_cholesky_factor_grafted(cholesky, a->base, a->matrix, NULL, error);
    tide_cholesky_destroy(cholesky);
    return status;
}

static void test_out_of_memory(void **state)
{
    (void)state;
    tide_sparse base = make((block) { 12, 12, 1, 0, 0 }, 1), matrix = make((block) { 12, 12, 1, 3, 0 }, 1);
    attempt a = { &base, &matrix };
    assert_true(fail_each_allocation_at_most(factor_both, &a) > 60);
    tide_sparse_free(&base);
    tide_sparse_free(&matrix);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_solutions_are_those_of_a_whole_factorisation),
    cmocka_unit_test(test_bits_do_not_depend_on_what_was_before),
    cmocka_unit_test(test_a_spring_across_a_sheet_fills_in_little),
    cmocka_unit_test(test_a_row_moves_to_where_the_branches_meet),
    cmocka_unit_test(test_a_base_of_other_rows_is_refused),
    cmocka_unit_test(test_out_of_memory),
};
TIDE_TEST_SUITE(factor_graft, tests)
