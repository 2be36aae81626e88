// Hash, random numbers, vectors, parallel loops.
#include "tests.h"

#include "base/hash.h"
#include "base/parallel.h"
#include "base/random.h"
#include "base/vec3.h"

#include <string.h>

static void test_hash_is_the_same_everywhere(void **state)
{
    (void)state;
    // Computed apart, in Python, from the definition in hash.h. With w the size, each word and each byte of the tail:
    // h = (h ^ w) * 0x100000001b3, h = h ^ (h >> 29).
    assert_true(tide_hash_bytes(TIDE_HASH_START, NULL, 0) == UINT64_C(0xaf63bd49fd1c5dbb));
    assert_true(tide_hash_bytes(TIDE_HASH_START, "a", 1) == UINT64_C(0x22cd1ab8014bd463));
    assert_true(tide_hash_bytes(TIDE_HASH_START, "springtide", 10) == UINT64_C(0x77d00c540e65e164));
    assert_true(tide_hash_string(TIDE_HASH_START, "") == UINT64_C(0x22cd39b8014afb90));
}

static void test_hash_feels_each_bit(void **state)
{
    (void)state;
    unsigned char bytes[29];
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (unsigned char)(i * 37);
    uint64_t seen[8 * sizeof bytes + 1];
    size_t count = 0;
    seen[count++] = tide_hash_bytes(TIDE_HASH_START, bytes, sizeof bytes);
    for (size_t bit = 0; bit < 8 * sizeof bytes; bit++) {
        bytes[bit / 8] ^= (unsigned char)(1u << bit % 8);
        seen[count++] = tide_hash_bytes(TIDE_HASH_START, bytes, sizeof bytes);
        bytes[bit / 8] ^= (unsigned char)(1u << bit % 8);
    }
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j < i; j++)
            assert_true(seen[i] != seen[j]);
}

static void test_hash_feels_order_and_length(void **state)
{
    (void)state;
    assert_true(tide_hash_string(TIDE_HASH_START, "ab") != tide_hash_string(TIDE_HASH_START, "ba"));
    unsigned char zeros[40] = { 0 };
    for (size_t i = 1; i <= sizeof zeros; i++)
        for (size_t j = 0; j < i; j++)
            assert_true(tide_hash_bytes(TIDE_HASH_START, zeros, i) != tide_hash_bytes(TIDE_HASH_START, zeros, j));
    // Strings are hashed with their ends: "a", "bc" is not "ab", "c".
    uint64_t one = tide_hash_string(tide_hash_string(TIDE_HASH_START, "a"), "bc");
    assert_true(one != tide_hash_string(tide_hash_string(TIDE_HASH_START, "ab"), "c"));
}

static void test_hash_does_not_need_alignment(void **state)
{
    (void)state;
    char buffer[64];
    uint64_t expected = tide_hash_bytes(TIDE_HASH_START, "positions and velocities", 24);
    for (size_t shift = 0; shift < 16; shift++) {
        memcpy(buffer + shift, "positions and velocities", 24);
        assert_true(tide_hash_bytes(TIDE_HASH_START, buffer + shift, 24) == expected);
    }
}

static void test_random_is_reproducible(void **state)
{
    (void)state;
    tide_random a = tide_random_seed(7), b = tide_random_seed(7), other = tide_random_seed(8);
    int same = 0;
    for (int i = 0; i < 1000; i++) {
        uint32_t value = tide_random_next(&a);
        assert_int_equal(value, tide_random_next(&b));
        same += value == tide_random_next(&other);
    }
    assert_true(same <= 1);
    tide_random copy = a;
    assert_true(tide_random_uniform(&copy) == tide_random_uniform(&a));
}

static void test_random_is_uniform(void **state)
{
    (void)state;
    enum { COUNT = 200000, BINS = 20 };
    tide_random random = tide_random_seed(1);
    double mean = 0, square = 0, lag = 0, last = 0;
    int bins[BINS] = { 0 };
    for (int i = 0; i < COUNT; i++) {
        double u = tide_random_uniform(&random);
        assert_true(u >= 0 && u < 1);
        bins[(int)(u * BINS)]++;
        mean += u / COUNT;
        square += u * u / COUNT;
        lag += (u - 0.5) * (last - 0.5) / COUNT;
        last = u;
    }
    // Five standard deviations: sqrt(1/12/n), sqrt(4/45/n), 1/12/sqrt(n).
    assert_near(mean, 0.5, 5 * sqrt(1.0 / 12 / COUNT));
    assert_near(square, 1.0 / 3, 5 * sqrt(4.0 / 45 / COUNT));
    assert_near(lag, 0, 5 / 12.0 / sqrt(COUNT));
    double chi_square = 0, expected = (double)COUNT / BINS;
    for (int i = 0; i < BINS; i++)
        chi_square += (bins[i] - expected) * (bins[i] - expected) / expected;
    assert_true(chi_square < 45); // 19 degrees of freedom: above 43.8 once in a thousand
}

static void test_vectors(void **state)
{
    (void)state;
    double numbers[3] = { 1, 2, 3 };
    tide_vec3 a = tide_vec3_load(numbers), b = { -2, 0.5, 4 };
    tide_vec3 sum = tide_vec3_add(a, b), difference = tide_vec3_subtract(a, b), twice = tide_vec3_scale(a, 2);
    assert_true(sum.x == -1 && sum.y == 2.5 && sum.z == 7);
    assert_true(difference.x == 3 && difference.y == 1.5 && difference.z == -1);
    assert_true(twice.x == 2 && twice.y == 4 && twice.z == 6);
    assert_true(tide_vec3_dot(a, b) == 11);
    tide_vec3 cross = tide_vec3_cross(a, b);
    assert_true(cross.x == 6.5 && cross.y == -10 && cross.z == 4.5);
    assert_near(tide_vec3_length((tide_vec3) { 2, 3, 6 }), 7, 0);
    tide_vec3 unit = tide_vec3_normalize(b), zero = tide_vec3_normalize((tide_vec3) { 0, 0, 0 });
    assert_near(tide_vec3_length(unit), 1, 1e-15);
    assert_near(tide_vec3_dot(unit, b), tide_vec3_length(b), 1e-14);
    assert_true(zero.x == 0 && zero.y == 0 && zero.z == 0);
    tide_vec3_store(numbers, cross);
    assert_true(numbers[0] == 6.5 && numbers[1] == -10 && numbers[2] == 4.5);
}

enum { ITEMS = 10007 };

typedef struct loop {
    double values[ITEMS];
    int visits[ITEMS];
} loop;

static loop data;

static void visit(void *context, uint32_t begin, uint32_t end)
{
    loop *own = context;
    for (uint32_t i = begin; i < end; i++)
        own->visits[i]++;
}

static double add_up(void *context, uint32_t begin, uint32_t end)
{
    const loop *own = context;
    double sum = 0;
    for (uint32_t i = begin; i < end; i++)
        sum += own->values[i];
    return sum;
}

static double count_up(void *context, uint32_t begin, uint32_t end)
{
    (void)context;
    return end - begin;
}

static void test_parallel_visits_each_once(void **state)
{
    (void)state;
    const uint32_t counts[] = { 0, 1, 63, 64, 65, 128, ITEMS };
    for (int threads = 1; threads <= 3; threads++) {
        tide_set_threads(threads);
        assert_int_equal(tide_threads(), threads);
        for (size_t c = 0; c < sizeof counts / sizeof counts[0]; c++) {
            memset(data.visits, 0, sizeof data.visits);
            tide_parallel_for(counts[c], 64, visit, &data);
            for (uint32_t i = 0; i < ITEMS; i++)
                assert_int_equal(data.visits[i], i < counts[c]);
        }
    }
    tide_set_threads(1);
}

static void test_parallel_sum_does_not_depend_on_threads(void **state)
{
    (void)state;
    tide_random random = tide_random_seed(3);
    // The numbers differ much in size, so that another order of additions gives another sum.
    for (int i = 0; i < ITEMS; i++)
        data.values[i] = (tide_random_uniform(&random) - 0.5) * exp(40 * (tide_random_uniform(&random) - 0.5));
    const uint32_t grains[] = { 1, 7, 100, ITEMS };
    double of_grain[4];
    for (size_t g = 0; g < 4; g++) {
        tide_set_threads(1);
        of_grain[g] = tide_parallel_sum(ITEMS, grains[g], add_up, &data);
        for (int threads = 2; threads <= 3; threads++) {
            tide_set_threads(threads);
            double again = tide_parallel_sum(ITEMS, grains[g], add_up, &data);
            assert_memory_equal(&again, &of_grain[g], sizeof again);
        }
    }
    // The data can tell orders apart: else this test shows nothing.
    assert_true(of_grain[1] != of_grain[2] || of_grain[2] != of_grain[3]);
    assert_near(of_grain[0], of_grain[3], 1e-6 * fabs(of_grain[3]));
    tide_set_threads(1);
}

static void test_parallel_sum_covers_every_count(void **state)
{
    (void)state;
    for (int threads = 1; threads <= 3; threads++) {
        tide_set_threads(threads);
        for (uint32_t count = 0; count < 5000; count += count < 20 ? 1 : 97)
            assert_true(tide_parallel_sum(count, 3, count_up, NULL) == count);
        // Cases in which the grain must be raised, and the largest count.
        assert_true(tide_parallel_sum(TIDE_PARALLEL_MAX_CHUNKS * 3, 3, count_up, NULL) == TIDE_PARALLEL_MAX_CHUNKS * 3);
        assert_true(tide_parallel_sum(UINT32_MAX, 1, count_up, NULL) == UINT32_MAX);
    }
    tide_set_threads(1);
}

static void sum_within(void *context, uint32_t begin, uint32_t end)
{
    double *sums = context;
    for (uint32_t i = begin; i < end; i++)
        sums[i] = tide_parallel_sum(i, 2, count_up, NULL);
}

static void test_loops_within_loops(void **state)
{
    (void)state;
    double sums[100];
    tide_set_threads(2);
    tide_parallel_for(100, 5, sum_within, sums);
    for (uint32_t i = 0; i < 100; i++)
        assert_true(sums[i] == i);
    tide_set_threads(1);
}

static void test_all_processors(void **state)
{
    (void)state;
    tide_set_threads(0);
    assert_true(tide_threads() >= 1);
    tide_set_threads(1);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_hash_is_the_same_everywhere),
    cmocka_unit_test(test_hash_feels_each_bit),
    cmocka_unit_test(test_hash_feels_order_and_length),
    cmocka_unit_test(test_hash_does_not_need_alignment),
    cmocka_unit_test(test_random_is_reproducible),
    cmocka_unit_test(test_random_is_uniform),
    cmocka_unit_test(test_vectors),
    cmocka_unit_test(test_parallel_visits_each_once),
    cmocka_unit_test(test_parallel_sum_does_not_depend_on_threads),
    cmocka_unit_test(test_parallel_sum_covers_every_count),
    cmocka_unit_test(test_loops_within_loops),
    cmocka_unit_test(test_all_processors),
};
TIDE_TEST_SUITE(base_numbers, tests)
