#include "dense.h"
#include "failing.h"
#include "linear/sparse_product.h"

static tide_sparse build(const tide_triplet *items, size_t count, uint32_t rows, uint32_t columns, bool symmetric)
{
    tide_triplets triplets = { 0 };
    tide_sparse matrix = { 0 };
    tide_error error;
    for (size_t i = 0; i < count; i++)
        tide_triplets_add(&triplets, items[i].row, items[i].column, items[i].value);
    assert_ok(tide_sparse_from_triplets(&triplets, rows, columns, symmetric, &matrix, &error), error);
    tide_triplets_free(&triplets);
    return matrix;
}

static void test_random_triplets_against_dense(void **state)
{
    (void)state;
    enum { ROWS = 13, COLUMNS = 9, COUNT = 200 };
    tide_random random = tide_random_seed(1);
    for (int round = 0; round < 20; round++) {
        tide_triplet items[COUNT];
        double dense[ROWS * COLUMNS] = { 0 };
        for (int i = 0; i < COUNT; i++) {
            items[i] = (tide_triplet) { tide_random_next(&random) % ROWS, tide_random_next(&random) % COLUMNS,
                                        test_uniform(&random, -1, 1) };
            if (i % 2) // thin some columns out
                items[i].column /= 2;
            dense[items[i].row * COLUMNS + items[i].column] += items[i].value;
        }
        tide_sparse matrix = build(items, COUNT, ROWS, COLUMNS, false);
        assert_int_equal(matrix.rows, ROWS);
        assert_int_equal(matrix.columns, COLUMNS);
        for (uint32_t c = 0; c < COLUMNS; c++)
            for (int32_t k = matrix.column_start[c] + 1; k < matrix.column_start[c + 1]; k++)
                assert_true(matrix.row[k - 1] < matrix.row[k]);
        for (uint32_t r = 0; r < ROWS; r++)
            for (uint32_t c = 0; c < COLUMNS; c++)
                assert_true(tide_sparse_get(&matrix, r, c) == dense[r * COLUMNS + c]); // sums in the same order
        tide_sparse_free(&matrix);
        assert_null(matrix.value);
    }
}

static void test_symmetric_keeps_the_lower_triangle(void **state)
{
    (void)state;
    const tide_triplet both[] = { { 0, 0, 2 }, { 0, 1, -1 }, { 1, 0, -1 }, { 1, 1, 3 }, { 2, 1, 5 }, { 1, 2, 5 } };
    tide_sparse matrix = build(both, 6, 3, 3, true);
    assert_int_equal(matrix.column_start[3], 4);
    assert_true(tide_sparse_get(&matrix, 0, 1) == -1 && tide_sparse_get(&matrix, 1, 0) == -1);
    assert_true(tide_sparse_get(&matrix, 1, 2) == 5 && tide_sparse_get(&matrix, 2, 1) == 5);
    assert_true(tide_sparse_get(&matrix, 2, 2) == 0 && tide_sparse_get(&matrix, 0, 7) == 0);
    tide_sparse_free(&matrix);
}

static void test_triplets_sum_in_the_order_added(void **state)
{
    (void)state;
    const tide_triplet forward[] = { { 1, 1, 1e16 }, { 0, 1, 4 }, { 1, 1, -1e16 }, { 1, 1, 1 } };
    const tide_triplet backward[] = { { 1, 1, 1 }, { 1, 1, 1e16 }, { 0, 1, 4 }, { 1, 1, -1e16 } };
    tide_sparse a = build(forward, 4, 2, 2, false), b = build(backward, 4, 2, 2, false);
    assert_true(tide_sparse_get(&a, 1, 1) == 1);
    assert_true(tide_sparse_get(&b, 1, 1) == 0); // a place that sums to 0 stays
    assert_int_equal(b.column_start[2], 2);
    assert_int_equal(tide_sparse_pattern_hash(&a), tide_sparse_pattern_hash(&b));
    assert_int_not_equal(tide_sparse_value_hash(&a), tide_sparse_value_hash(&b));
    tide_sparse_free(&a);
    tide_sparse_free(&b);
}

static void test_pattern_hash_tells_shapes_apart(void **state)
{
    (void)state;
    const tide_triplet one[] = { { 1, 0, 3 } }, other[] = { { 1, 1, 3 } };
    tide_sparse matrices[] = { build(one, 1, 2, 2, false), build(other, 1, 2, 2, false), build(one, 1, 2, 2, true),
                               build(one, 1, 3, 2, false), build(one, 0, 2, 2, false),   build(one, 0, 0, 0, false) };
    enum { COUNT = sizeof matrices / sizeof matrices[0] };
    for (int i = 0; i < COUNT; i++)
        for (int j = 0; j < i; j++)
            assert_int_not_equal(tide_sparse_pattern_hash(&matrices[i]), tide_sparse_pattern_hash(&matrices[j]));
    tide_sparse empty = { 0 };
    assert_int_equal(tide_sparse_pattern_hash(&empty), tide_sparse_pattern_hash(&matrices[COUNT - 1]));
    for (int i = 0; i < COUNT; i++)
        tide_sparse_free(&matrices[i]);
}

static void test_multiply_against_dense(void **state)
{
    (void)state;
    enum { ROWS = 8, COLUMNS = 8, WIDTH = 4 };
    tide_random random = tide_random_seed(2);
    for (int symmetric = 0; symmetric < 2; symmetric++) {
        tide_triplet items[40];
        for (int i = 0; i < 40; i++)
            items[i] = (tide_triplet) { tide_random_next(&random) % ROWS, tide_random_next(&random) % COLUMNS,
                                        test_uniform(&random, -1, 1) };
        tide_sparse matrix = build(items, 40, ROWS, COLUMNS, symmetric);
        double dense[ROWS * COLUMNS], x[WIDTH * COLUMNS], y[WIDTH * ROWS];
        dense_from_sparse(&matrix, dense);
        for (int i = 0; i < WIDTH * COLUMNS; i++)
            x[i] = test_uniform(&random, -1, 1);
        for (uint32_t width = 1; width <= WIDTH; width++) {
            tide_sparse_multiply(&matrix, width, x, y);
            for (uint32_t r = 0; r < ROWS; r++)
                for (uint32_t w = 0; w < width; w++) {
                    double sum = 0;
                    for (uint32_t c = 0; c < COLUMNS; c++)
                        sum += dense[r * COLUMNS + c] * x[c * width + w];
                    assert_near(y[r * width + w], sum, 1e-14);
                }
        }
        tide_sparse_free(&matrix);
    }
}

// A symmetric matrix of 3 x 3 blocks with whole numbers, which both ways of multiplying sum exactly.
static void test_multiply_in_blocks(void **state)
{
    (void)state;
    enum { BLOCKS = 7, SIDE = 3 * BLOCKS };
    tide_random random = tide_random_seed(12);
    for (int round = 0; round < 20; round++) {
        tide_triplets triplets = { 0 };
        for (uint32_t block = 0; block < BLOCKS + 10; block++) {
            uint32_t a = block < BLOCKS ? block : tide_random_next(&random) % BLOCKS;
            uint32_t b = block < BLOCKS ? block : tide_random_next(&random) % BLOCKS;
            for (uint32_t k = 0; k < 9; k++)
                tide_triplets_add(&triplets, 3 * (a > b ? a : b) + k / 3, 3 * (a > b ? b : a) + k % 3,
                                  floor(test_uniform(&random, -9, 10)));
        }
        tide_sparse matrix = { 0 };
        tide_error error;
        assert_ok(tide_sparse_from_triplets(&triplets, SIDE, SIDE, true, &matrix, &error), error);
        assert_int_equal(matrix.block, 3);
        double dense[SIDE * SIDE], x[SIDE], y[SIDE];
        dense_from_sparse(&matrix, dense);
        for (uint32_t i = 0; i < SIDE; i++)
            x[i] = floor(test_uniform(&random, -9, 10));
        for (uint32_t block = 1; block <= 3; block += 2) {
            matrix.block = block;
            tide_sparse_multiply(&matrix, 1, x, y);
            for (uint32_t r = 0; r < SIDE; r++) {
                double sum = 0;
                for (uint32_t c = 0; c < SIDE; c++)
                    sum += dense[r * SIDE + c] * x[c];
                assert_true(y[r] == sum);
            }
        }
        tide_sparse_free(&matrix);
        tide_triplets_free(&triplets);
    }
}

// The pattern of two vertices that meet lacks blocks as soon as any one entry is missing or one is added.
static void test_blocks_are_whole(void **state)
{
    (void)state;
    enum { SIDE = 9, WHOLE = 27 };
    tide_triplet items[WHOLE + 1];
    size_t count = 0;
    for (uint32_t r = 0; r < SIDE; r++)
        for (uint32_t c = 0; c <= r; c++)
            if (r / 3 == c / 3 || c / 3 == 1) // vertex 0 is alone
                items[count++] = (tide_triplet) { r, c, 1 };
    assert_int_equal(count, WHOLE);
    for (size_t missing = 0; missing <= WHOLE; missing++) {
        tide_triplet fewer[WHOLE];
        size_t left = 0;
        for (size_t i = 0; i < WHOLE; i++)
            if (i != missing)
                fewer[left++] = items[i];
        tide_sparse matrix = build(fewer, left, SIDE, SIDE, true);
        assert_int_equal(matrix.block, missing == WHOLE ? 3 : 1);
        tide_sparse_free(&matrix);
    }
    for (uint32_t r = 3; r < SIDE; r++)
        for (uint32_t c = 0; c < 3; c++) {
            items[WHOLE] = (tide_triplet) { r, c, 1 };
            tide_sparse matrix = build(items, WHOLE + 1, SIDE, SIDE, true);
            assert_int_equal(matrix.block, 1);
            tide_sparse_free(&matrix);
        }
    // As many entries in each column as with blocks, but one column's are elsewhere.
    for (uint32_t odd = 0; odd < 4; odd++) {
        count = 0;
        for (uint32_t r = 0; r < SIDE; r++)
            for (uint32_t c = 0; c <= r; c++)
                if (r / 3 == c / 3 || (c < 3 && r / 3 == (c == odd ? 1 : 2)))
                    items[count++] = (tide_triplet) { r, c, 1 };
        tide_sparse matrix = build(items, count, SIDE, SIDE, true);
        assert_int_equal(matrix.block, odd == 3 ? 3 : 1);
        tide_sparse_free(&matrix);
    }
    tide_sparse longer = build(items, count, SIDE + 1, SIDE + 1, true), whole = build(items, count, SIDE, SIDE, false);
    assert_int_equal(longer.block, 1);
    assert_int_equal(whole.block, 1);
    tide_sparse_free(&longer);
    tide_sparse_free(&whole);
}

static void test_errors(void **state)
{
    (void)state;
    tide_error error;
    tide_triplets triplets = { 0 };
    tide_sparse matrix = { 0 };
    tide_triplets_add(&triplets, 2, 1, 1);
    assert_ok(tide_sparse_from_triplets(&triplets, 3, 3, false, &matrix, &error), error);
    assert_fails(tide_sparse_from_triplets(&triplets, 2, 3, false, &matrix, &error), error,
                 "sparse matrix: place = (2, 1): expected a row below 2 and a column below 3");
    assert_fails(tide_sparse_from_triplets(&triplets, 3, 1, false, &matrix, &error), error, "a column below 1");
    assert_fails(tide_sparse_from_triplets(&triplets, 4, 3, true, &matrix, &error), error,
                 "size = 4 x 3: expected as many rows as columns");
    assert_fails(tide_sparse_from_triplets(&triplets, UINT32_MAX, 3, false, &matrix, &error), error,
                 "expected less than 2^31 - 1");
    assert_true(tide_sparse_get(&matrix, 2, 1) == 1); // a failure leaves the matrix as it was
    tide_sparse_free(&matrix);
    tide_triplets_free(&triplets);
}

// A matrix with random entries, in some places two; symmetric matrices from their lower triangle.
static tide_sparse make_random(tide_random *random, uint32_t rows, uint32_t columns, bool symmetric)
{
    tide_triplet items[64];
    for (int i = 0; i < 64; i++) {
        items[i] = (tide_triplet) { tide_random_next(random) % rows, tide_random_next(random) % columns,
                                    test_uniform(random, -1, 1) };
        if (symmetric && items[i].row < items[i].column)
            items[i] = (tide_triplet) { items[i].column, items[i].row, items[i].value };
    }
    return build(items, 64, rows, columns, symmetric);
}

static void test_product_against_dense(void **state)
{
    (void)state;
    tide_random random = tide_random_seed(5);
    for (int round = 0; round < 32; round++) {
        bool first = round & 1, second = round & 2;
        uint32_t inner = 9, rows = first ? inner : 7, columns = second ? inner : 12;
        tide_sparse a = make_random(&random, rows, inner, first), b = make_random(&random, inner, columns, second);
        tide_sparse product = { 0 };
        tide_error error;
        assert_ok(tide_sparse_product(&a, &b, &product, &error), error);
        assert_true(product.rows == rows && product.columns == columns && !product.symmetric);
        for (uint32_t i = 0; i < rows; i++)
            for (uint32_t j = 0; j < columns; j++) {
                double sum = 0;
                for (uint32_t k = 0; k < inner; k++)
                    sum += tide_sparse_get(&a, i, k) * tide_sparse_get(&b, k, j);
                assert_true(fabs(sum - tide_sparse_get(&product, i, j)) < 1e-13);
            }
        assert_int_equal(tide_sparse_product(&a, &product, &b, &error),
                         a.columns == rows ? TIDE_OK : TIDE_ERROR_ARGUMENT);
        tide_sparse_free(&a);
        tide_sparse_free(&b);
        tide_sparse_free(&product);
    }
}

static tide_status multiply_once(void *context, tide_error *error)
{
    const tide_sparse *matrix = context;
    tide_sparse product = { 0 };
    tide_status status = tide_sparse_product(matrix, matrix, &product, error);
    tide_sparse_free(&product);
    return status;
}

static void test_product_without_memory(void **state)
{
    (void)state;
    tide_random random = tide_random_seed(6);
    tide_sparse matrix = make_random(&random, 8, 8, true);
    assert_true(fail_each_allocation(multiply_once, &matrix) >= 8);
    tide_sparse_free(&matrix);
}

static tide_status build_once(void *context, tide_error *error)
{
    (void)context;
    tide_triplets triplets = { 0 };
    for (uint32_t i = 0; i < 20; i++)
        tide_triplets_add(&triplets, i % 5, i % 3, i);
    tide_sparse matrix = { 0 };
    tide_status status = tide_sparse_from_triplets(&triplets, 5, 3, false, &matrix, error);
    tide_triplets_free(&triplets);
    tide_sparse_free(&matrix);
    return status;
}

static void test_allocation_failures(void **state)
{
    (void)state;
    assert_true(fail_each_allocation(build_once, NULL) >= 8);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_random_triplets_against_dense),
    cmocka_unit_test(test_symmetric_keeps_the_lower_triangle),
    cmocka_unit_test(test_triplets_sum_in_the_order_added),
    cmocka_unit_test(test_pattern_hash_tells_shapes_apart),
    cmocka_unit_test(test_multiply_against_dense),
    cmocka_unit_test(test_multiply_in_blocks),
    cmocka_unit_test(test_blocks_are_whole),
    cmocka_unit_test(test_product_against_dense),
    cmocka_unit_test(test_product_without_memory),
    cmocka_unit_test(test_errors),
    cmocka_unit_test(test_allocation_failures),
};
TIDE_TEST_SUITE(linear_sparse, tests)
