// The spatial hash against all pairs.
#include "collision/spatial_hash.h"

#include "base/memory.h"
#include "base/random.h"
#include "tests.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static tide_random random_state;

static double uniform(double low, double high)
{
    return low + (high - low) * tide_random_uniform(&random_state);
}

typedef void (*filler)(double *boxes, uint32_t count);

static void cubes(double *boxes, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        for (int k = 0; k < 3; k++) {
            boxes[6 * i + (uint32_t)k] = uniform(-3, 3);
            boxes[6 * i + 3 + (uint32_t)k] = boxes[6 * i + (uint32_t)k] + uniform(0, 0.7);
        }
}

// Sizes over nine orders of magnitude, long in one direction, far from the origin.
static void mixed(double *boxes, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        for (int k = 0; k < 3; k++) {
            boxes[6 * i + (uint32_t)k] = 1e5 + uniform(-10, 10);
            boxes[6 * i + 3 + (uint32_t)k] = boxes[6 * i + (uint32_t)k] + pow(10, uniform(-6, 3));
        }
}

// All corners on a lattice: many boxes only touch, many have no extent, many are equal.
static void lattice(double *boxes, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        for (int k = 0; k < 3; k++) {
            boxes[6 * i + (uint32_t)k] = floor(uniform(0, 7));
            boxes[6 * i + 3 + (uint32_t)k] = boxes[6 * i + (uint32_t)k] + floor(uniform(0, 3));
        }
}

static void dots(double *boxes, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        for (int k = 0; k < 3; k++)
            boxes[6 * i + (uint32_t)k] = boxes[6 * i + 3 + (uint32_t)k] = floor(uniform(0, 12));
}

static void one_place(double *boxes, uint32_t count)
{
    for (uint32_t i = 0; i < 6 * count; i++)
        boxes[i] = 0.25;
}

// Most in a heap, one box that holds everything, a few as far off as one may think of.
static void outliers(double *boxes, uint32_t count)
{
    cubes(boxes, count);
    for (int k = 0; k < 3; k++) {
        boxes[k] = -1e12;
        boxes[3 + k] = 1e12;
        boxes[6 + k] = boxes[9 + k] = 1e12;
    }
}

// Beyond what a float holds.
static void outside(double *boxes, uint32_t count)
{
    cubes(boxes, count);
    for (uint32_t i = 0; i < 6 * count; i++)
        boxes[i] *= 1e60;
}

// Corners that only doubles tell apart: neighbours touch, or miss one another by less than a float can say.
static void hairs(double *boxes, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        for (int k = 0; k < 3; k++) {
            boxes[6 * i + (uint32_t)k] = floor(uniform(0, 6)) + 1e-12 * floor(uniform(-3, 3));
            boxes[6 * i + 3 + (uint32_t)k] = ceil(boxes[6 * i + (uint32_t)k]) + 1 + 1e-12 * floor(uniform(-3, 3));
        }
}

static const filler fillers[] = { outside, hairs, cubes, mixed, lattice, dots, one_place, outliers };

static int ascending(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static void compare(const tide_spatial_hash *hash, uint32_t count, const double *boxes, const double *box,
                    uint32_t first)
{
    uint32_t *found = malloc(count * sizeof *found), expected = 0;
    uint32_t n = tide_spatial_hash_query(hash, box, first, found);
    qsort(found, n, sizeof *found, ascending);
    for (uint32_t i = first; i < count; i++)
        if (tide_boxes_overlap(boxes + 6 * i, box)) {
            assert_true(expected < n);
            assert_int_equal(found[expected], i);
            expected++;
        }
    assert_int_equal(n, expected);
    free(found);
}

static void test_all_pairs(void **state)
{
    (void)state;
    random_state = tide_random_seed(1);
    tide_spatial_hash *hash = NULL;
    tide_error error;
    assert_ok(tide_spatial_hash_create(&hash, &error), error);
    static const uint32_t counts[] = { 1, 2, 60, 400, 37, 1500 }; // the memory of a larger one is used again
    for (size_t f = 0; f < sizeof fillers / sizeof *fillers; f++)
        for (size_t c = 0; c < sizeof counts / sizeof *counts; c++) {
            uint32_t count = counts[c];
            double *boxes = malloc(6 * (count + 1) * sizeof *boxes), other[6];
            fillers[f](boxes, count < 2 ? 2 : count);
            assert_ok(tide_spatial_hash_build(hash, count, boxes, &error), error);
            for (uint32_t i = 0; i < count; i++) {
                compare(hash, count, boxes, boxes + 6 * i, 0);
                compare(hash, count, boxes, boxes + 6 * i, i + 1);
            }
            for (int i = 0; i < 50; i++) {
                for (int k = 0; k < 3; k++) {
                    double a = uniform(-5, 15), b = i % 2 ? a + 0.3 : uniform(-5, 15);
                    other[k] = fmin(a, b);
                    other[3 + k] = fmax(a, b);
                }
                compare(hash, count, boxes, other, 0);
            }
            for (int k = 0; k < 3; k++) {
                other[k] = -INFINITY;
                other[3 + k] = INFINITY;
            }
            compare(hash, count, boxes, other, 0);
            free(boxes);
        }
    tide_spatial_hash_destroy(hash);
}

static void test_it_allocates_only_for_more(void **state)
{
    (void)state;
    random_state = tide_random_seed(2);
    tide_spatial_hash *hash = NULL;
    tide_error error;
    assert_ok(tide_spatial_hash_create(&hash, &error), error);
    double *boxes = malloc(6 * 3000 * sizeof *boxes);
    cubes(boxes, 3000);
    assert_ok(tide_spatial_hash_build(hash, 3000, boxes, &error), error);
    uint64_t before = tide_memory_count().allocations;
    assert_ok(tide_spatial_hash_build(hash, 3000, boxes, &error), error);
    assert_ok(tide_spatial_hash_build(hash, 1000, boxes, &error), error);
    assert_int_equal(tide_memory_count().allocations, before);
    free(boxes);
    tide_spatial_hash_destroy(hash);
}

static void test_what_it_refuses(void **state)
{
    (void)state;
    tide_spatial_hash *hash = NULL;
    tide_error error;
    assert_ok(tide_spatial_hash_create(&hash, &error), error);
    double boxes[12] = { 0, 0, 0, 1, 1, 1, 0, 0, 0, 1, 1, 1 };
    uint32_t found[2];
    static const double bad[] = { NAN, INFINITY, -INFINITY, 2 };
    for (int i = 0; i < 4; i++) {
        boxes[7] = bad[i];
        assert_fails(tide_spatial_hash_build(hash, 2, boxes, &error), error, "spatial hash");
        assert_int_equal(tide_spatial_hash_query(hash, boxes, 0, found), 0);
    }
    assert_fails(tide_spatial_hash_build(hash, UINT32_MAX, boxes, &error), error, "at most");
    assert_ok(tide_spatial_hash_build(hash, 0, NULL, &error), error);
    assert_int_equal(tide_spatial_hash_query(hash, boxes, 0, found), 0);
    tide_spatial_hash_destroy(hash);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_all_pairs),
    cmocka_unit_test(test_it_allocates_only_for_more),
    cmocka_unit_test(test_what_it_refuses),
};
TIDE_TEST_SUITE(collision_spatial_hash, tests)
