// Entries of an inverse by columns of its root: against solves, in any company, width and number of threads.
#include "../linear/failing.h"
#include "base/parallel.h"
#include "factor/inverse_root.h"
#include "factoring.h"

#include <string.h>

static void join(tide_triplets *triplets, uint32_t i, uint32_t j, double weight)
{
    tide_triplets_add(triplets, i, i, weight);
    tide_triplets_add(triplets, j, j, weight);
    tide_triplets_add(triplets, i > j ? i : j, i > j ? j : i, -weight);
}

// Masses, and springs between neighbours in a block; with `apart`, in two halves that nothing joins.
static tide_sparse block(uint32_t nx, uint32_t ny, uint32_t nz, bool apart)
{
    tide_triplets triplets = { 0 };
    tide_random random = tide_random_seed(nx + ny + nz);
    for (uint32_t i = 0; i < nx * ny * nz; i++)
        tide_triplets_add(&triplets, i, i, uniform(&random, 0.1, 3));
    for (uint32_t z = 0; z < nz; z++)
        for (uint32_t y = 0; y < ny; y++)
            for (uint32_t x = 0; x < nx; x++)
                for (uint32_t k = 1; k < 8; k++) {
                    uint32_t to[3] = { x + (k & 1), y + (k >> 1 & 1), z + (k >> 2) };
                    if (to[0] < nx && to[1] < ny && to[2] < nz && !(apart && z < nz / 2 && to[2] >= nz / 2))
                        join(&triplets, x + nx * (y + ny * z), to[0] + nx * (to[1] + ny * to[2]),
                             uniform(&random, 5, 50));
                }
    return finish(&triplets, nx * ny * nz);
}

enum { MOST = 60 };
typedef struct columns {
    uint32_t count, rows[MOST], length[MOST];
    float *of[MOST];
} columns;

static columns make_columns(tide_inverse_root *root, const uint32_t *rows, uint32_t count)
{
    columns c = { .count = count };
    for (uint32_t i = 0; i < count; i++) {
        c.rows[i] = rows[i];
        c.length[i] = root->depth[tide_inverse_root_panel(root, rows[i])];
        c.of[i] = tide_allocate_array(c.length[i], sizeof *c.of[i]);
        assert_non_null(c.of[i]);
        assert_true(c.length[i] <= root->most);
    }
    assert_true(tide_inverse_root_columns(root, rows, count, c.of));
    return c;
}

static void free_columns(columns *c)
{
    for (uint32_t i = 0; i < c->count; i++)
        tide_free(c->of[i]);
}

static void choose_rows(uint32_t n, uint32_t *rows, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        rows[i] = (uint32_t)((uint64_t)i * (n - 1) / (count - 1));
}

static float product_of(const tide_inverse_root *root, const columns *c, uint32_t i, uint32_t j)
{
    const float *one[4], *other[4];
    uint32_t panel[4], other_panel[4];
    float products[4][4];
    for (uint32_t k = 0; k < 4; k++) { // the one that is asked for, in different places among others
        uint32_t row = k == i % 4 ? i : (i + k) % c->count, column = k == j % 4 ? j : (j + 3 * k) % c->count;
        one[k] = c->of[row];
        other[k] = c->of[column];
        panel[k] = tide_inverse_root_panel(root, c->rows[row]);
        other_panel[k] = tide_inverse_root_panel(root, c->rows[column]);
    }
    uint32_t shared = tide_inverse_root_shared(root, panel[i % 4], other_panel[j % 4]);
    assert_true(shared <= c->length[i] && shared <= c->length[j] && (i != j || shared == c->length[i]));
    tide_inverse_root_products(root, one, panel, other, other_panel, products);
    return products[i % 4][j % 4];
}

static void check_entries(tide_sparse matrix, int bits)
{
    uint32_t n = matrix.rows, rows[MOST], count = n < MOST ? n : MOST;
    tide_cholesky *fast = create(3, TIDE_CHOLESKY_FAST, bits), *exact = create(3, TIDE_CHOLESKY_REFERENCE, 0);
    factor(fast, &matrix);
    factor(exact, &matrix);
    tide_inverse_root *root = tide_cholesky_root(fast);
    assert_non_null(root);
    assert_null(tide_cholesky_root(exact));
    choose_rows(n, rows, count);
    columns c = make_columns(root, rows, count);
    double *b = tide_allocate_zeroed(n, 3 * sizeof *b), *x = tide_allocate_zeroed(n, 3 * sizeof *x);
    for (uint32_t i = 0; i < count; i++) {
        b[3 * rows[i]] = 1;
        solve(3, exact, b, x);
        b[3 * rows[i]] = 0;
        for (uint32_t j = 0; j < count; j++) {
            float product = product_of(root, &c, i, j), other = product_of(root, &c, j, i);
            assert_near((double)product, x[3 * rows[j]], 2e-6 * x[3 * rows[j]] + 1e-7 * x[3 * rows[i]]);
            assert_memory_equal(&product, &other, sizeof product);
        }
    }
    tide_free(b);
    tide_free(x);
    free_columns(&c);
    tide_cholesky_destroy(fast);
    tide_cholesky_destroy(exact);
    tide_sparse_free(&matrix);
}

static void test_products_are_entries_of_the_inverse(void **state)
{
    (void)state;
    for (int w = 0; w < WIDTHS; w++) {
        check_entries(block(12, 11, 12, false), widths[w]);
        check_entries(block(60, 50, 1, false), widths[w]);
        check_entries(block(6, 5, 8, true), widths[w]);
        check_entries(block(7, 1, 1, false), widths[w]);
    }
}

// Many together, or up to three, or one: the same bits; so do several threads.
static void test_a_column_is_the_same_in_any_company(void **state)
{
    (void)state;
    tide_sparse matrix = block(14, 13, 14, false);
    uint32_t rows[MOST];
    choose_rows(matrix.rows, rows, MOST);
    for (int w = 0; w < WIDTHS; w++) {
        tide_cholesky *cholesky = create(3, TIDE_CHOLESKY_FAST, widths[w]);
        factor(cholesky, &matrix);
        tide_inverse_root *root = tide_cholesky_root(cholesky);
        columns all = make_columns(root, rows, MOST);
        for (uint32_t at_once = 1; at_once <= 29; at_once += at_once < 8 ? 1 : 7) {
            tide_set_threads((int)at_once % 3 + 1);
            for (uint32_t i = 0; i < MOST; i += at_once) {
                columns some = make_columns(root, rows + i, i + at_once < MOST ? at_once : MOST - i);
                for (uint32_t k = 0; k < some.count; k++)
                    assert_memory_equal(some.of[k], all.of[i + k], some.length[k] * sizeof(float));
                free_columns(&some);
            }
        }
        tide_set_threads(1);
        free_columns(&all);
        tide_cholesky_destroy(cholesky);
    }
    tide_sparse_free(&matrix);
}

// Another factor of the same pattern gives its own entries, and nothing is allocated any more.
static void test_another_factor(void **state)
{
    (void)state;
    tide_sparse matrix = block(9, 9, 9, false);
    uint32_t rows[20];
    choose_rows(matrix.rows, rows, 20);
    tide_cholesky *cholesky = create(3, TIDE_CHOLESKY_FAST, 0);
    factor(cholesky, &matrix);
    tide_inverse_root *root = tide_cholesky_root(cholesky);
    columns c = make_columns(root, rows, 20);
    float before = product_of(root, &c, 3, 4);
    for (int32_t k = 0; k < matrix.column_start[matrix.columns]; k++)
        matrix.value[k] *= 4;
    factor(cholesky, &matrix);
    uint64_t allocations = tide_memory_count().allocations;
    assert_ptr_equal(tide_cholesky_root(cholesky), root);
    assert_true(tide_inverse_root_columns(root, rows, 20, c.of));
    assert_int_equal(tide_memory_count().allocations, allocations);
    assert_near((double)product_of(root, &c, 3, 4), (double)before / 4, 0); // by powers of two
    free_columns(&c);
    tide_cholesky_destroy(cholesky);
    tide_sparse_free(&matrix);
}

static tide_status whole_life(void *context, tide_error *error)
{
    const tide_sparse *matrix = context;
    tide_cholesky *cholesky;
    uint32_t rows[MOST];
    float *to[MOST];
    static float numbers[MOST][600];
    choose_rows(matrix->rows, rows, MOST);
    for (uint32_t i = 0; i < MOST; i++)
        to[i] = numbers[i];
    tide_status status = tide_cholesky_create(&cholesky, error);
    if (status)
        return status;
    tide_cholesky_choose(cholesky, TIDE_CHOLESKY_FAST, 0);
    status = tide_cholesky_factor(cholesky, matrix, NULL, error);
    tide_inverse_root *root = status ? NULL : tide_cholesky_root(cholesky);
    assert_true(!root || root->most <= 600);
    if (!status && (!root || !tide_inverse_root_columns(root, rows, MOST, to)))
        status = tide_fail_memory(error, "inverse root");
    tide_cholesky_destroy(cholesky);
    return status;
}

static void test_out_of_memory(void **state)
{
    (void)state;
    tide_sparse matrix = block(6, 6, 6, false);
    assert_true(fail_each_allocation(whole_life, &matrix) > 12);
    tide_sparse_free(&matrix);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_products_are_entries_of_the_inverse),
    cmocka_unit_test(test_a_column_is_the_same_in_any_company),
    cmocka_unit_test(test_another_factor),
    cmocka_unit_test(test_out_of_memory),
};
TIDE_TEST_SUITE(factor_inverse_root, tests)
