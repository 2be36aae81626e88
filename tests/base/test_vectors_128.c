// Vectors of 128 bits: the processor's instructions against what processors without them compute, bit for bit.
#include "base/plain_vectors.h"
#include "base/random.h"
#include "base/vectors_128.h"
#include "tests.h"

#include <float.h>
#include <math.h>
#include <string.h>

static const double special[] = { 0.0,         -0.0,    1.0,     -1.0,         2.0,       3.0,
                                  0.1,         -7.25,   NAN,     INFINITY,     -INFINITY, DBL_MIN,
                                  DBL_MIN / 8, DBL_MAX, FLT_MIN, -FLT_MIN / 4, 1e-40,     FLT_MAX };
enum { SPECIAL = sizeof special / sizeof *special, ROUNDS = 20000 };

// A special number or a random one of any size.
static double number(tide_random *random)
{
    uint32_t which = tide_random_next(random);
    if (which % 3 == 0)
        return special[which / 3 % SPECIAL];
    return ldexp((double)tide_random_next(random) / 4294967296.0 - 0.5, (int)(which / 3 % 200) - 100);
}

// NaN have signs and payloads that no result depends on.
static void same_floats(const float *a, const float *b)
{
    for (int i = 0; i < 4; i++)
        assert_true(isnan(a[i]) ? isnan(b[i]) : memcmp(a + i, b + i, sizeof *a) == 0);
}

static void same_doubles(const double *a, const double *b)
{
    for (int i = 0; i < 2; i++)
        assert_true(isnan(a[i]) ? isnan(b[i]) : memcmp(a + i, b + i, sizeof *a) == 0);
}

static void test_floats(void **state)
{
    (void)state;
    tide_random random = tide_random_seed(1);
    for (int round = 0; round < ROUNDS; round++) {
        float numbers[2][4], expected[4], out[4];
        tide_four_floats a, b, result;
        for (int i = 0; i < 8; i++)
            numbers[i / 4][i % 4] = (float)number(&random);
        memcpy(&a, numbers[0], sizeof a);
        memcpy(&b, numbers[1], sizeof b);
        result = tide_root_of_four(a);
        memcpy(out, &result, sizeof out);
        plain_root_of_four(numbers[0], expected);
        same_floats(out, expected);
        result = tide_smaller_of_four(a, b);
        memcpy(out, &result, sizeof out);
        plain_smaller_of_four(numbers[0], numbers[1], expected);
        same_floats(out, expected);
        result = tide_larger_of_four(a, b);
        memcpy(out, &result, sizeof out);
        plain_larger_of_four(numbers[0], numbers[1], expected);
        same_floats(out, expected);
    }
}

static void test_doubles(void **state)
{
    (void)state;
    tide_random random = tide_random_seed(2);
    for (int round = 0; round < ROUNDS; round++) {
        double numbers[2][2], expected[2], out[2];
        tide_two_doubles a, b, result;
        for (int i = 0; i < 4; i++)
            numbers[i / 2][i % 2] = number(&random);
        memcpy(&a, numbers[0], sizeof a);
        memcpy(&b, numbers[1], sizeof b);
        result = tide_root_of_two(a);
        memcpy(out, &result, sizeof out);
        plain_root_of_two(numbers[0], expected);
        same_doubles(out, expected);
        result = tide_smaller_of_two(a, b);
        memcpy(out, &result, sizeof out);
        plain_smaller_of_two(numbers[0], numbers[1], expected);
        same_doubles(out, expected);
        result = tide_larger_of_two(a, b);
        memcpy(out, &result, sizeof out);
        plain_larger_of_two(numbers[0], numbers[1], expected);
        same_doubles(out, expected);
    }
}

// The bit of a lane is its sign, whatever its other bits are.
static void test_signs(void **state)
{
    (void)state;
    for (uint32_t bits = 0; bits < 16; bits++)
        for (int32_t low = 0; low < 16; low++) {
            int32_t four[4];
            int64_t two[2];
            tide_four_masks a;
            tide_two_masks b;
            for (int i = 0; i < 4; i++)
                four[i] = bits >> i & 1 ? low - 16 : low;
            for (int i = 0; i < 2; i++)
                two[i] = bits >> i & 1 ? low - 16 : low;
            memcpy(&a, four, sizeof a);
            memcpy(&b, two, sizeof b);
            assert_int_equal(tide_signs_of_four(a), bits);
            assert_int_equal(plain_signs_of_four(four), bits);
            assert_int_equal(tide_signs_of_two(b), bits & 3);
            assert_int_equal(plain_signs_of_two(two), bits & 3);
        }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_floats),
    cmocka_unit_test(test_doubles),
    cmocka_unit_test(test_signs),
};
TIDE_TEST_SUITE(base_vectors_128, tests)
