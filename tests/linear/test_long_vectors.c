// Products and combinations of many vectors against plain loops, in every width and with any number of threads.
#include "base/memory.h"
#include "base/parallel.h"
#include "base/random.h"
#include "linear/long_vectors.h"
#include "tests.h"

#include <math.h>
#include <string.h>

enum { MOST = TIDE_LONG_VECTORS_MAX, LONGEST = 200003 };

typedef struct setting {
    double *numbers; // (LONGEST + 7 * MOST) all vectors, each beginning 7 numbers after the one before
    double *x, *out; // (LONGEST)
    const double *vectors[MOST];
    double factors[MOST];
} setting;

static setting begin(void)
{
    setting s;
    tide_random random = tide_random_seed(7);
    s.numbers = tide_allocate_array(LONGEST + 7 * MOST, sizeof *s.numbers);
    s.x = tide_allocate_array(LONGEST, sizeof *s.x);
    s.out = tide_allocate_array(LONGEST, sizeof *s.out);
    assert_true(s.numbers && s.x && s.out);
    for (size_t i = 0; i < LONGEST + 7 * MOST; i++)
        s.numbers[i] = tide_random_uniform(&random) - 0.5;
    for (size_t i = 0; i < LONGEST; i++)
        s.x[i] = tide_random_uniform(&random) - 0.5;
    for (size_t i = 0; i < MOST; i++) {
        s.vectors[i] = s.numbers + 7 * i;
        s.factors[i] = tide_random_uniform(&random) - 0.5;
    }
    return s;
}

static void end(setting *s)
{
    tide_free(s->numbers);
    tide_free(s->x);
    tide_free(s->out);
    tide_long_vectors_limit(0);
    tide_set_threads(1);
}

static const struct {
    size_t numbers;
    uint32_t count;
} sizes[] = { { 0, 3 },    { 1, 1 },     { 7, MOST },    { 8, 4 },         { 1023, 5 },
              { 1024, 8 }, { 9001, 11 }, { 65537, 101 }, { LONGEST, MOST } };
enum { SIZES = sizeof sizes / sizeof sizes[0] };

static void test_sums_are_those_of_plain_loops(void **state)
{
    (void)state;
    setting s = begin();
    for (int k = 0; k < SIZES; k++) {
        double products[MOST];
        tide_long_vectors_multiply(s.vectors, sizes[k].count, s.x, sizes[k].numbers, products);
        for (uint32_t i = 0; i < sizes[k].count; i++) {
            double sum = 0;
            for (size_t n = 0; n < sizes[k].numbers; n++)
                sum += s.vectors[i][n] * s.x[n];
            assert_near(products[i], sum, 1e-11);
        }
        tide_long_vectors_combine(s.vectors, s.factors, sizes[k].count, sizes[k].numbers, s.out);
        for (size_t n = 0; n < sizes[k].numbers; n++) {
            double sum = 0;
            for (uint32_t i = 0; i < sizes[k].count; i++)
                sum += s.factors[i] * s.vectors[i][n];
            assert_near(s.out[n], sum, 1e-13);
        }
    }
    end(&s);
}

static void test_the_same_bits_in_every_width_and_with_any_threads(void **state)
{
    (void)state;
    static const int widths[] = { 128, 256, 512 }, threads[] = { 1, 2, 3, 4, 8 };
    setting s = begin();
    double *first = tide_allocate_array(LONGEST, sizeof *first), of_first[MOST], products[MOST];
    assert_non_null(first);
    for (int k = 0; k < SIZES; k++)
        for (int way = 0; way < 15; way++) {
            size_t bytes = sizes[k].numbers * sizeof *first;
            tide_long_vectors_limit(widths[way % 3]);
            tide_set_threads(threads[way / 3]);
            tide_long_vectors_multiply(s.vectors, sizes[k].count, s.x, sizes[k].numbers, products);
            tide_long_vectors_combine(s.vectors, s.factors, sizes[k].count, sizes[k].numbers, s.out);
            if (way == 0) {
                memcpy(of_first, products, sizeof products);
                memcpy(first, s.out, bytes);
            }
            assert_memory_equal(products, of_first, sizes[k].count * sizeof *products);
            assert_memory_equal(s.out, first, bytes);
        }
    tide_free(first);
    end(&s);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_sums_are_those_of_plain_loops),
    cmocka_unit_test(test_the_same_bits_in_every_width_and_with_any_threads),
};
TIDE_TEST_SUITE(linear_long_vectors, tests)
