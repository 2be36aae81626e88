// The tree of boxes against all pairs, as it is put in order and as it is fitted to boxes that have moved since.
#include "collision/box_tree.h"

#include "base/memory.h"
#include "base/random.h"
#include "tests.h"

#include <math.h>
#include <stdlib.h>

static tide_random random_state;

static double uniform(double low, double high)
{
    return low + (high - low) * tide_random_uniform(&random_state);
}

// Of box i, by the kind of boxes: cubes; of all sizes, far from the origin; on a lattice, so that many only touch; all
// in one place; beyond what a float holds; told apart by doubles alone.
enum { KINDS = 6 };
static void place(int kind, double box[6])
{
    for (int k = 0; k < 3; k++) {
        double low = uniform(-3, 3), size = uniform(0, 0.7);
        if (kind == 1) {
            low = 1e5 + uniform(-10, 10);
            size = pow(10, uniform(-6, 3));
        } else if (kind == 2) {
            low = floor(uniform(0, 7));
            size = floor(uniform(0, 3));
        } else if (kind == 3)
            low = size = 0.25;
        else if (kind == 4) {
            low *= 1e60;
            size *= 1e60;
        } else if (kind == 5) {
            low = floor(uniform(0, 6)) + 1e-12 * floor(uniform(-3, 3));
            size = ceil(low) - low + 1 + 1e-12 * floor(uniform(-3, 3));
        }
        box[k] = low;
        box[3 + k] = low + size;
    }
}

static void compare(tide_box_tree *tree, uint32_t count, const double *boxes, const double *box, uint32_t first)
{
    uint32_t *found = malloc((count + 1) * sizeof *found), expected = 0;
    bool *seen = calloc(count + 1, sizeof *seen);
    uint32_t n = tide_box_tree_query(tree, box, first, found);
    for (uint32_t i = 0; i < n; i++) {
        assert_true(found[i] >= first && found[i] < count && !seen[found[i]]);
        seen[found[i]] = true;
    }
    for (uint32_t i = first; i < count; i++) {
        bool overlap = tide_boxes_overlap(boxes + 6 * i, box);
        expected += overlap;
        assert_int_equal(seen[i], overlap);
    }
    assert_int_equal(n, expected);
    tide_box_finger finger = { .known = false };
    assert_int_equal(tide_box_tree_query_from(tree, &finger, box, first, UINT32_MAX, found), n);
    if (n > 0) // too little room
        assert_int_equal(tide_box_tree_query_from(tree, &finger, box, first, n - 1, found), TIDE_BOX_TREE_FULL);
    free(found);
    free(seen);
}

static void compare_all(tide_box_tree *tree, uint32_t count, const double *boxes)
{
    double other[6];
    for (uint32_t i = 0; i < count; i++) {
        compare(tree, count, boxes, boxes + 6 * i, 0);
        compare(tree, count, boxes, boxes + 6 * i, i + 1);
    }
    for (int i = 0; i < 20; i++) {
        for (int k = 0; k < 3; k++) {
            double a = uniform(-5, 15), b = i % 2 ? a + 0.3 : uniform(-5, 15);
            other[k] = i == 0 ? -INFINITY : fmin(a, b);
            other[3 + k] = i == 0 ? INFINITY : fmax(a, b);
        }
        compare(tree, count, boxes, other, 0);
    }
}

static void test_all_pairs(void **state)
{
    (void)state;
    random_state = tide_random_seed(1);
    enum { MOST = 700 };
    static const uint32_t counts[] = { 1, 2, 4, 5, 17, 64, 65, MOST, 300 };
    tide_box_tree *tree = NULL;
    tide_error error;
    assert_ok(tide_box_tree_create(NULL, MOST, &tree, &error), error);
    double *boxes = malloc(6 * MOST * sizeof *boxes);
    bool *changed = malloc(MOST * sizeof *changed);
    for (int kind = 0; kind < KINDS; kind++)
        for (size_t c = 0; c < sizeof counts / sizeof *counts; c++) {
            uint32_t count = counts[c];
            for (uint32_t i = 0; i < count; i++)
                place(kind, boxes + 6 * i);
            assert_ok(tide_box_tree_fit(tree, count, boxes, NULL, &error), error);
            compare_all(tree, count, boxes);
            // Moves some boxes, then shuffles all, which destroys the order for which the tree was made.
            for (uint32_t i = 0; i < count; i++) {
                changed[i] = uniform(0, 1) < (c % 2 ? 0.2 : 0.03);
                if (changed[i])
                    place(kind, boxes + 6 * i);
            }
            assert_ok(tide_box_tree_fit(tree, count, boxes, changed, &error), error);
            compare_all(tree, count, boxes);
            for (uint32_t i = 0; i < count; i++)
                place(kind, boxes + 6 * i);
            assert_ok(tide_box_tree_fit(tree, count, boxes, NULL, &error), error);
            compare_all(tree, count, boxes);
        }
    assert_ok(tide_box_tree_fit(tree, 0, boxes, NULL, &error), error);
    assert_int_equal(tide_box_tree_query(tree, boxes, 0, NULL), 0);
    free(boxes);
    free(changed);
    tide_free(tree);
}

// Questions each near the one before, along a winding cloth, then of places far apart in turn, while boxes move
// between.
static void test_one_after_another(void **state)
{
    (void)state;
    random_state = tide_random_seed(3);
    enum { SIDE = 45, COUNT = SIDE * SIDE };
    tide_box_tree *tree = NULL;
    tide_error error;
    assert_ok(tide_box_tree_create(NULL, COUNT, &tree, &error), error);
    double *boxes = malloc(6 * COUNT * sizeof *boxes), wide[6];
    bool *changed = malloc(COUNT * sizeof *changed);
    for (int round = 0; round < 3; round++) {
        for (uint32_t i = 0; i < COUNT; i++) {
            changed[i] = round == 0 || uniform(0, 1) < (round == 1 ? 0.3 : 0.03);
            double at[3] = { (double)(i % SIDE), 3 * sin(0.5 * i / SIDE) + 0.1 * round, (double)i / SIDE };
            for (uint32_t k = 0; k < 3 && changed[i]; k++) {
                boxes[6 * i + k] = at[k] - uniform(0, 1);
                boxes[6 * i + 3 + k] = at[k] + uniform(0, 1);
            }
        }
        assert_ok(tide_box_tree_fit(tree, COUNT, boxes, round ? changed : NULL, &error), error);
        for (uint32_t i = 0; i < COUNT; i++)
            compare(tree, COUNT, boxes, boxes + 6 * i, i % 2 ? 0 : i + 1);
        for (uint32_t i = 0; i < COUNT; i += 7)
            compare(tree, COUNT, boxes, boxes + 6 * (i * 389 % COUNT), 0);
        for (uint32_t i = 0; i < 50; i++) { // ever wider, so that what is around is ever more
            for (int k = 0; k < 3; k++) {
                wide[k] = 20 - 0.5 * i;
                wide[3 + k] = 20 + 0.5 * i;
            }
            compare(tree, COUNT, boxes, wide, 0);
            compare(tree, COUNT, boxes, wide, COUNT / 2);
        }
    }
    free(boxes);
    free(changed);
    tide_free(tree);
}

static void test_it_allocates_nothing(void **state)
{
    (void)state;
    random_state = tide_random_seed(2);
    enum { MOST = 500 };
    tide_box_tree *tree = NULL;
    tide_error error;
    double boxes[6 * MOST];
    assert_ok(tide_box_tree_create(NULL, MOST, &tree, &error), error);
    uint64_t before = tide_memory_count().allocations;
    for (uint32_t round = 0; round < 5; round++) {
        for (uint32_t i = 0; i < MOST; i++)
            place((int)round, boxes + 6 * i);
        assert_ok(tide_box_tree_fit(tree, MOST - round, boxes, NULL, &error), error);
    }
    assert_int_equal(tide_memory_count().allocations, before);
    tide_free(tree);
}

static void test_what_it_refuses(void **state)
{
    (void)state;
    tide_box_tree *tree = NULL;
    tide_error error;
    assert_ok(tide_box_tree_create(NULL, 2, &tree, &error), error);
    double boxes[12] = { 0, 0, 0, 1, 1, 1, 0, 0, 0, 1, 1, 1 };
    uint32_t found[2];
    static const double bad[] = { NAN, INFINITY, -INFINITY, 2 };
    for (int i = 0; i < 4; i++) {
        boxes[7] = bad[i];
        assert_fails(tide_box_tree_fit(tree, 2, boxes, NULL, &error), error, "tree of boxes");
        assert_int_equal(tide_box_tree_query(tree, boxes, 0, found), 0);
    }
    boxes[7] = 0;
    assert_fails(tide_box_tree_fit(tree, 3, boxes, NULL, &error), error, "room for 2");
    // After a failure all is new, whatever is said to have changed.
    static const bool none[2] = { false, false };
    assert_ok(tide_box_tree_fit(tree, 2, boxes, none, &error), error);
    assert_int_equal(tide_box_tree_query(tree, boxes, 0, found), 2);
    tide_free(tree);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_all_pairs),
    cmocka_unit_test(test_one_after_another),
    cmocka_unit_test(test_it_allocates_nothing),
    cmocka_unit_test(test_what_it_refuses),
};
TIDE_TEST_SUITE(collision_box_tree, tests)
