// Factors of nets that tear: rows that split, in patterns with spare rows.
#include "../linear/failing.h"
#include "base/parallel.h"
#include "factor/inverse_root.h"
#include "factoring.h"

#include <string.h>

enum { SIDE = 30, OTHER = 12, MOST_VERTICES = 2 * SIDE * SIDE, MOST_SPRINGS = 7 * SIDE * SIDE };

// Two sheets, of SIDE and of OTHER vertices a side, of which the first tears. Rows are the vertices of the first sheet,
// its copies, and the vertices of the second sheet. Late springs join the sheets.
typedef struct net {
    uint32_t copies, spring_count, late_count;
    uint32_t ends[MOST_SPRINGS][2]; // vertices of the first sheet from 0, of the second from MOST_VERTICES
    uint32_t root[MOST_VERTICES];   // described vertex of each vertex of the first sheet
    bool tears;                     // copies are expected from the start
} net;

static void join(net *n, uint32_t a, uint32_t b)
{
    n->ends[n->spring_count][0] = a;
    n->ends[n->spring_count++][1] = b;
}

static void add_sheet(net *n, uint32_t first, uint32_t side)
{
    static const uint32_t steps[][2] = { { 1, 0 }, { 0, 1 }, { 1, 1 }, { 2, 0 }, { 0, 2 } };
    for (uint32_t y = 0; y < side; y++)
        for (uint32_t x = 0; x < side; x++)
            for (size_t k = 0; k < sizeof steps / sizeof steps[0]; k++)
                if (x + steps[k][0] < side && y + steps[k][1] < side)
                    join(n, first + y * side + x, first + (y + steps[k][1]) * side + x + steps[k][0]);
}

static net *make_net(bool tears, uint32_t late)
{
    net *n = tide_allocate_zeroed(1, sizeof *n);
    assert_non_null(n);
    n->tears = tears;
    for (uint32_t v = 0; v < MOST_VERTICES; v++)
        n->root[v] = v;
    add_sheet(n, 0, SIDE);
    add_sheet(n, MOST_VERTICES, OTHER);
    for (uint32_t k = 0; k < late; k++)
        join(n, 37 * k + 11, MOST_VERTICES + 5 * k);
    n->late_count = late;
    return n;
}

// Splits a vertex of the first sheet: springs to described vertices that come after it go to the copy.
static void split(net *n, uint32_t vertex)
{
    uint32_t copy = SIDE * SIDE + n->copies++;
    n->root[copy] = n->root[vertex];
    for (uint32_t s = 0; s < n->spring_count; s++)
        for (int e = 0; e < 2; e++) {
            uint32_t other = n->ends[s][1 - e];
            if (n->ends[s][e] == vertex && other < MOST_VERTICES && n->root[other] > n->root[vertex])
                n->ends[s][e] = copy;
        }
}

static uint32_t row_of(const net *n, uint32_t vertex)
{
    return vertex < MOST_VERTICES ? vertex : SIDE * SIDE + n->copies + vertex - MOST_VERTICES;
}

static tide_sparse matrix_of(const net *n, uint32_t springs)
{
    tide_triplets triplets = { 0 };
    uint32_t rows = SIDE * SIDE + n->copies + OTHER * OTHER;
    for (uint32_t row = 0; row < rows; row++)
        tide_triplets_add(&triplets, row, row, 1 + row % 3);
    for (uint32_t s = 0; s < springs; s++) {
        uint32_t a = row_of(n, n->ends[s][0]), b = row_of(n, n->ends[s][1]);
        double stiffness = 20 + s % 7;
        tide_triplets_add(&triplets, a, a, stiffness);
        tide_triplets_add(&triplets, b, b, stiffness);
        tide_triplets_add(&triplets, a > b ? a : b, a > b ? b : a, -stiffness);
    }
    return finish(&triplets, rows);
}

typedef struct system {
    tide_sparse matrix, base; // `base` without the late springs
    uint32_t origin[MOST_VERTICES + OTHER * OTHER];
    bool may_split[MOST_VERTICES + OTHER * OTHER];
    double *b, *x, *expected;
} system;

static system make_system(const net *n)
{
    system s = { .matrix = matrix_of(n, n->spring_count) };
    if (n->late_count)
        s.base = matrix_of(n, n->spring_count - n->late_count);
    for (uint32_t row = 0; row < s.matrix.rows; row++) {
        bool first = row < SIDE * SIDE + n->copies;
        s.origin[row] = first ? n->root[row] : row;
        s.may_split[row] = first && (n->tears || n->copies);
    }
    s.b = right_hand_sides(s.matrix.rows, 3);
    s.x = right_hand_sides(s.matrix.rows, 3);
    s.expected = right_hand_sides(s.matrix.rows, 3);
    return s;
}

static void free_system(system *s)
{
    tide_sparse_free(&s->matrix);
    tide_sparse_free(&s->base);
    tide_free(s->b);
    tide_free(s->x);
    tide_free(s->expected);
}

static tide_status factor_split(tide_cholesky *cholesky, const system *s, tide_error *error)
{
    tide_splits splits = { s->origin, s->may_split };
    return tide_cholesky_factor_split(cholesky, s->base.columns ? &s->base : NULL, &s->matrix, &splits, NULL, error);
}

static tide_cholesky_info solve_split(tide_cholesky *cholesky, const system *s, double *x)
{
    tide_error error;
    assert_ok(factor_split(cholesky, s, &error), error);
    solve(3, cholesky, s->b, x);
    return tide_cholesky_describe(cholesky);
}

static uint32_t vertex_of_tear(uint32_t k) // a rip that runs across the sheet, and single vertices elsewhere
{
    return k % 4 ? SIDE * 13 + k % SIDE : (k * 197) % (SIDE * SIDE);
}

// Against CHOLMOD's factor of the same matrix; to the same bits as a factorisation without history.
static void check(const system *s, tide_cholesky *kept, tide_solve_method method)
{
    tide_cholesky *reference = create(3, TIDE_CHOLESKY_REFERENCE, 0), *fresh = create(3, method, 0);
    tide_cholesky_info info = solve_split(kept, s, s->x);
    factor(reference, &s->matrix);
    solve(3, reference, s->b, s->expected);
    assert_true(info.split);
    assert_true(distance(3, s->matrix.rows, s->x, s->expected) < (info.method == TIDE_CHOLESKY_FAST ? 1e-5 : 1e-11));
    tide_set_threads(2);
    solve_split(fresh, s, s->expected);
    tide_set_threads(1);
    assert_memory_equal(s->x, s->expected, 3 * (size_t)s->matrix.rows * sizeof *s->x);
    tide_cholesky_destroy(reference);
    tide_cholesky_destroy(fresh);
}

static void test_tears(void **state)
{
    (void)state;
    for (int late = 0; late < 8; late += 7)
        for (tide_solve_method method = TIDE_CHOLESKY_FAST; method <= TIDE_CHOLESKY_DOUBLE; method++) {
            net *n = make_net(true, (uint32_t)late);
            tide_cholesky *kept = create(3, method, 0);
            uint64_t in_place = 0;
            for (uint32_t k = 0; k <= 60; k++) {
                system s = make_system(n);
                uint64_t analyses = tide_cholesky_describe(kept).analyses;
                check(&s, kept, method);
                tide_cholesky_info info = tide_cholesky_describe(kept);
                assert_true(k != 1 || info.analyses == analyses); // the first tear finds its room
                if (info.analyses == analyses) {
                    in_place++;
                    assert_true(info.redone < 0.9);
                }
                free_system(&s);
                split(n, vertex_of_tear(k));
            }
            assert_true(in_place > 40);
            tide_cholesky_destroy(kept);
            tide_free(n);
        }
}

// The pattern follows from the matrix: going back and forth gives the same bits, also where copies come unexpected.
static void test_back_and_forth(void **state)
{
    (void)state;
    enum { STATES = 5 };
    system systems[STATES];
    double *first[STATES];
    net *n = make_net(false, 3);
    for (uint32_t k = 0; k < STATES; k++) {
        systems[k] = make_system(n);
        for (uint32_t i = 0; i < 4; i++)
            split(n, vertex_of_tear(4 * k + i));
        first[k] = right_hand_sides(systems[k].matrix.rows, 3);
    }
    tide_cholesky *kept = create(3, TIDE_CHOLESKY_FAST, 0);
    for (uint32_t k = 0; k < STATES; k++)
        assert_int_equal(solve_split(kept, &systems[k], first[k]).split, k > 0);
    static const uint32_t turns[] = { 0, 4, 1, 3, 3, 2, 0, 2, 4 };
    for (size_t t = 0; t < sizeof turns / sizeof turns[0]; t++) {
        const system *s = &systems[turns[t]];
        solve_split(kept, s, s->x);
        assert_memory_equal(s->x, first[turns[t]], 3 * (size_t)s->matrix.rows * sizeof *s->x);
    }
    tide_cholesky_destroy(kept);
    for (uint32_t k = 0; k < STATES; k++) {
        free_system(&systems[k]);
        tide_free(first[k]);
    }
    tide_free(n);
}

// Only stiffnesses change: the pattern and the places stay, and nothing is allocated.
static void test_values_alone(void **state)
{
    (void)state;
    net *n = make_net(true, 0);
    split(n, 100);
    system s = make_system(n);
    tide_cholesky *kept = create(3, TIDE_CHOLESKY_FAST, 0);
    check(&s, kept, TIDE_CHOLESKY_FAST);
    for (int i = 0; i < 2; i++) {
        s.matrix.value[s.matrix.column_start[100]] *= 2;
        uint64_t analyses = tide_cholesky_describe(kept).analyses, allocations = tide_memory_count().allocations;
        tide_error error;
        assert_ok(factor_split(kept, &s, &error), error);
        assert_int_equal(tide_memory_count().allocations, allocations);
        assert_int_equal(tide_cholesky_describe(kept).analyses, analyses);
        check(&s, kept, TIDE_CHOLESKY_FAST);
    }
    tide_cholesky_destroy(kept);
    free_system(&s);
    tide_free(n);
}

// Where nearly every vertex has a copy, spare rows would cost more than a new ordering.
static void test_too_many_copies(void **state)
{
    (void)state;
    net *n = make_net(true, 0);
    for (uint32_t v = 0; v < SIDE * SIDE; v++)
        split(n, v);
    system s = make_system(n);
    tide_cholesky *kept = create(3, TIDE_CHOLESKY_DOUBLE, 0), *reference = create(3, TIDE_CHOLESKY_REFERENCE, 0);
    assert_false(solve_split(kept, &s, s.x).split);
    factor(reference, &s.matrix);
    solve(3, reference, s.b, s.expected);
    assert_true(distance(3, s.matrix.rows, s.x, s.expected) < 1e-11);
    tide_cholesky_destroy(kept);
    tide_cholesky_destroy(reference);
    free_system(&s);
    tide_free(n);
}

// Entries of A^-1 for contacts, of rows that have moved since the object was made.
static void test_entries_of_the_inverse(void **state)
{
    (void)state;
    net *n = make_net(true, 2);
    tide_cholesky *kept = create(3, TIDE_CHOLESKY_FAST, 0);
    for (int turn = 0; turn < 3; turn++) {
        system s = make_system(n);
        solve_split(kept, &s, s.x);
        tide_inverse_root *root = tide_cholesky_root(kept);
        assert_non_null(root);
        uint32_t rows[4] = { 5, SIDE * SIDE - 1, s.matrix.rows - 7, SIDE * SIDE }, panels[4];
        float *columns[4], products[4][4];
        for (int i = 0; i < 4; i++) {
            columns[i] = tide_allocate_zeroed(root->most + 16, sizeof *columns[i]);
            panels[i] = tide_inverse_root_panel(root, rows[i]);
        }
        assert_true(tide_inverse_root_columns(root, rows, 4, columns));
        tide_inverse_root_products(root, (const float *const *)columns, panels, (const float *const *)columns, panels,
                                   products);
        for (int i = 0; i < 4; i++) {
            memset(s.b, 0, 3 * (size_t)s.matrix.rows * sizeof *s.b);
            s.b[3 * (size_t)rows[i]] = 1;
            solve(3, kept, s.b, s.x);
            for (int j = 0; j < 4; j++)
                assert_near(products[i][j], s.x[3 * (size_t)rows[j]], 1e-5 * s.x[3 * (size_t)rows[i]]);
        }
        for (int i = 0; i < 4; i++)
            tide_free(columns[i]);
        free_system(&s);
        split(n, vertex_of_tear(4));
    }
    tide_cholesky_destroy(kept);
    tide_free(n);
}

static tide_status whole_life(void *context, tide_error *error)
{
    const system *systems = context;
    tide_cholesky *cholesky;
    tide_status status = tide_cholesky_create(&cholesky, error);
    if (status)
        return status;
    tide_cholesky_choose(cholesky, TIDE_CHOLESKY_FAST, 0);
    for (int k = 0; k < 2 && !status; k++)
        status = factor_split(cholesky, &systems[k], error);
    tide_cholesky_destroy(cholesky);
    return status;
}

static void test_every_allocation_may_fail(void **state)
{
    (void)state;
    net *n = make_net(true, 2);
    system systems[2];
    systems[0] = make_system(n);
    split(n, 200);
    systems[1] = make_system(n);
    assert_true(fail_each_allocation_at_most(whole_life, systems) > 40);
    free_system(&systems[0]);
    free_system(&systems[1]);
    tide_free(n);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_tears),
    cmocka_unit_test(test_back_and_forth),
    cmocka_unit_test(test_values_alone),
    cmocka_unit_test(test_too_many_copies),
    cmocka_unit_test(test_entries_of_the_inverse),
    cmocka_unit_test(test_every_allocation_may_fail),
};
TIDE_TEST_SUITE(factor_split_pattern, tests)
