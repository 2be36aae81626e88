// The coarse grid against the boxes that are marked in it.
#include "base/random.h"
#include "collision/box_tree.h"
#include "collision/vicinity.h"
#include "tests.h"

#include <math.h>
#include <string.h>

enum { MARKED = 200, ASKED = 4000 };

static tide_random source;

static void draw(double box[6], double reach, double size)
{
    for (int k = 0; k < 3; k++) {
        box[k] = reach * (2 * tide_random_uniform(&source) - 1);
        box[3 + k] = box[k] + size * tide_random_uniform(&source);
    }
}

static void add(double bounds[6], const double box[6])
{
    for (int k = 0; k < 3; k++) {
        bounds[k] = fmin(bounds[k], box[k]);
        bounds[3 + k] = fmax(bounds[3 + k], box[3 + k]);
    }
}

// A box that overlaps a marked one meets; a held box meets everywhere inside; most other boxes do not meet.
static void check(const tide_vicinity *v, double boxes[MARKED][6], double reach, uint32_t counts[3])
{
    for (int i = 0; i < ASKED; i++) {
        double box[6], part[6];
        bool overlaps = false;
        draw(box, 1.5 * reach, 0.1 * reach);
        for (int k = 0; k < MARKED; k++)
            overlaps = overlaps || tide_boxes_overlap(box, boxes[k]);
        bool met = tide_vicinity_meets(v, box);
        assert_true(met || !overlaps);
        counts[0] += overlaps;
        counts[1] += met && !overlaps;
        if (!tide_vicinity_holds(v, box))
            continue;
        counts[2]++;
        for (int k = 0; k < 3; k++)
            part[k] = part[3 + k] = box[k] + (box[3 + k] - box[k]) * tide_random_uniform(&source);
        assert_true(tide_vicinity_meets(v, part));
    }
    for (int k = 0; k < MARKED; k++) {
        assert_true(tide_vicinity_meets(v, boxes[k]));
        assert_true(tide_vicinity_holds(v, boxes[k]));
    }
}

static void test_no_overlap_is_missed(void **state)
{
    (void)state;
    source = tide_random_seed(3);
    static tide_vicinity v;
    static const double reaches[] = { 1, 1e-6, 1e6 };
    for (size_t r = 0; r < 3; r++) {
        double boxes[MARKED][6], bounds[6] = { INFINITY, INFINITY, INFINITY, -INFINITY, -INFINITY, -INFINITY };
        uint32_t counts[3] = { 0 };
        for (int i = 0; i < MARKED; i++) {
            draw(boxes[i], reaches[r], 0.3 * reaches[r]);
            add(bounds, boxes[i]);
        }
        tide_vicinity_begin(&v, bounds);
        for (int i = 0; i < MARKED; i++)
            tide_vicinity_mark(&v, boxes[i]);
        check(&v, boxes, reaches[r], counts);
        assert_true(counts[0] > 100 && counts[1] < 5 * counts[0] && counts[1] < ASKED / 2 && counts[2] > 10);
    }
}

// All in a plane, and all in a point.
static void test_without_extent(void **state)
{
    (void)state;
    static tide_vicinity v;
    const double flat[6] = { -1, 2, -1, 1, 2, 1 }, beside[6] = { 0, 2.1, 0, 1, 3, 1 }, across[6] = { 0, 1, 0, 0, 3, 0 };
    tide_vicinity_begin(&v, flat);
    assert_false(tide_vicinity_meets(&v, across));
    tide_vicinity_mark(&v, flat);
    assert_true(tide_vicinity_meets(&v, across));
    assert_false(tide_vicinity_meets(&v, beside));
    assert_true(tide_vicinity_holds(&v, flat));
    assert_false(tide_vicinity_holds(&v, across));
    const double dot[6] = { 5, 5, 5, 5, 5, 5 };
    tide_vicinity_begin(&v, dot);
    tide_vicinity_mark(&v, dot);
    assert_true(tide_vicinity_meets(&v, dot) && !tide_vicinity_meets(&v, flat));
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_no_overlap_is_missed),
    cmocka_unit_test(test_without_extent),
};
TIDE_TEST_SUITE(collision_vicinity, tests)
