// Factoring ends where its work is to stop, and goes on with the same matrix afterwards. It tells that it takes long.
#include "base/clock.h"
#include "base/stop.h"
#include "base/task.h"
#include "factoring.h"

#include <stdio.h>

// The seven-point Laplacian of a cube, and masses.
static tide_sparse cube(uint32_t side)
{
    tide_triplets triplets = { 0 };
    const uint32_t step[3] = { 1, side, side * side }, n = side * side * side;
    for (uint32_t i = 0; i < n; i++) {
        tide_triplets_add(&triplets, i, i, 6.5);
        for (int k = 0; k < 3; k++)
            if (i / step[k] % side + 1 < side)
                tide_triplets_add(&triplets, i + step[k], i, -1);
    }
    return finish(&triplets, n);
}

// The deadline comes while the matrix is factored, which takes longer by far.
static void stop_one(uint32_t sides, tide_solve_method method, uint32_t side)
{
    tide_error error;
    tide_sparse matrix = cube(side);
    tide_cholesky *cholesky = create(sides, method, 0);
    factor(cholesky, &matrix); // the analysis is kept
    matrix.value[0] += 1;
    tide_stop stop = { .deadline = tide_clock_seconds() + 0.02 };
    tide_stop_begin(&stop);
    tide_status status = tide_cholesky_factor(cholesky, &matrix, NULL, &error);
    tide_stop_end(&stop);
    assert_int_equal(status, TIDE_ERROR_SCRIPT);

    const uint32_t n = matrix.rows;
    double *b = right_hand_sides(n, sides), *x = tide_allocate_array(n, sides * sizeof *x),
           *y = tide_allocate_array(n, sides * sizeof *y);
    assert_true(x && y);
    assert_int_not_equal(tide_cholesky_solve(cholesky, sides, b, x, &error), TIDE_OK); // there is no factor
    factor(cholesky, &matrix);
    solve(sides, cholesky, b, x);
    tide_cholesky *anew = create(sides, method, 0);
    factor(anew, &matrix);
    solve(sides, anew, b, y);
    assert_memory_equal(x, y, n * sides * sizeof *x);
    tide_cholesky_destroy(anew);
    tide_cholesky_destroy(cholesky);
    tide_sparse_free(&matrix);
    tide_free(b);
    tide_free(x);
    tide_free(y);
}

static void test_it_stops_and_starts_again(void **state)
{
    (void)state;
    stop_one(3, TIDE_CHOLESKY_REFERENCE, 20);
    stop_one(3, TIDE_CHOLESKY_DOUBLE, tide_test_count(28, 18));
    stop_one(1, TIDE_CHOLESKY_DOUBLE, tide_test_count(28, 18));
}

static struct {
    int told, ended;
    char last[100];
} heard;

static void listen(void *context, const char *task, double seconds)
{
    assert_ptr_equal(context, &heard);
    if (!task) {
        heard.ended++;
        return;
    }
    assert_true(seconds >= 0);
    heard.told++;
    snprintf(heard.last, sizeof heard.last, "%s", task);
}

static void test_it_tells_that_it_takes_long(void **state)
{
    (void)state;
    tide_sparse matrix = cube(12);
    tide_task_listen(listen, &heard);
    tide_task_patience = 1e9;
    for (int i = 0; i < 3; i++) { // with patience; without; when nothing is left to do
        tide_cholesky *cholesky = create(3, TIDE_CHOLESKY_DOUBLE, 0);
        factor(cholesky, &matrix);
        if (i == 2)
            factor(cholesky, &matrix);
        tide_cholesky_destroy(cholesky);
        assert_int_equal(heard.ended, i);
        assert_true(heard.told >= i);
        tide_task_patience = 0;
    }
    assert_string_equal(heard.last, "factoring a matrix of 1728 rows");
    tide_task_patience = 0.1;
    tide_task_listen(NULL, NULL);
    tide_sparse_free(&matrix);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_it_tells_that_it_takes_long),
    cmocka_unit_test(test_it_stops_and_starts_again),
};
TIDE_TEST_SUITE(factor_cholesky_stop, tests)
